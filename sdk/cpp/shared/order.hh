// The order in which the GNU library leaves elements that compare equal.
//
// A search that pops the nearest node from a heap, or sorts targets by their
// distance, decides among equals by the order that `sort` and the heap
// functions happen to give them. The standard leaves that open and libc++
// answers otherwise, so a player would choose other paths than where it was
// written. These functions take the same steps as those of the GNU library.
#ifndef ludus_order_hh
#define ludus_order_hh

#include <iterator>
#include <queue>
#include <utility>
#include <vector>

namespace ludus {

// In all that follows `less(a, b)` is the comparison, given elements.

template <class It, class T, class Less>
void rise(It first, std::ptrdiff_t hole, std::ptrdiff_t top, T value, Less& less) {
  std::ptrdiff_t parent = (hole - 1) / 2;
  while (hole > top && less(first[parent], value)) {
    first[hole] = std::move(first[parent]);
    hole = parent;
    parent = (hole - 1) / 2;
  }
  first[hole] = std::move(value);
}

// Moves the hole down to a leaf, along the larger children, and lets the value rise from there.
template <class It, class T, class Less>
void settle(It first, std::ptrdiff_t hole, std::ptrdiff_t len, T value, Less& less) {
  const std::ptrdiff_t top = hole;
  std::ptrdiff_t child = hole;
  while (child < (len - 1) / 2) {
    child = 2 * (child + 1);
    if (less(first[child], first[child - 1])) --child;
    first[hole] = std::move(first[child]);
    hole = child;
  }
  if (len % 2 == 0 && child == (len - 2) / 2) {
    child = 2 * child + 1;
    first[hole] = std::move(first[child]);
    hole = child;
  }
  rise(first, hole, top, std::move(value), less);
}

template <class It, class Less> void push_heap(It first, It last, Less& less) {
  typename std::iterator_traits<It>::value_type value = std::move(*(last - 1));
  rise(first, (last - first) - 1, 0, std::move(value), less);
}

template <class It, class Less> void pop_heap(It first, It last, Less& less) {
  if (last - first < 2) return;
  --last;
  typename std::iterator_traits<It>::value_type value = std::move(*last);
  *last = std::move(*first);
  settle(first, 0, last - first, std::move(value), less);
}

template <class It, class Less> void make_heap(It first, It last, Less& less) {
  const std::ptrdiff_t len = last - first;
  for (std::ptrdiff_t parent = (len - 2) / 2; len >= 2 && parent >= 0; --parent) {
    typename std::iterator_traits<It>::value_type value = std::move(first[parent]);
    settle(first, parent, len, std::move(value), less);
  }
}

template <class It, class Less> void sort_heap(It first, It last, Less& less) {
  for (; last - first > 1; --last) ludus::pop_heap(first, last, less);
}

// Moves the last element back to where it belongs; there is a smaller one before it.
template <class It, class Less> void insert_last(It last, Less& less) {
  typename std::iterator_traits<It>::value_type value = std::move(*last);
  It before = last;
  --before;
  while (less(value, *before)) {
    *last = std::move(*before);
    last = before;
    --before;
  }
  *last = std::move(value);
}

template <class It, class Less> void insertion_sort(It first, It last, Less& less) {
  if (first == last) return;
  for (It it = first + 1; it != last; ++it) {
    if (less(*it, *first)) {
      typename std::iterator_traits<It>::value_type value = std::move(*it);
      for (It to = it; to != first; --to) *to = std::move(*(to - 1));
      *first = std::move(value);
    } else {
      insert_last(it, less);
    }
  }
}

template <class It, class Less> void median_to_first(It first, It a, It b, It c, Less& less) {
  It median;
  if (less(*a, *b)) median = less(*b, *c) ? b : less(*a, *c) ? c : a;
  else median = less(*a, *c) ? a : less(*b, *c) ? c : b;
  std::iter_swap(first, median);
}

// Around the element at `first`; gives where the larger ones begin.
template <class It, class Less> It partition(It first, It last, Less& less) {
  const It pivot = first++;
  for (;;) {
    while (less(*first, *pivot)) ++first;
    --last;
    while (less(*pivot, *last)) --last;
    if (!(first < last)) return first;
    std::iter_swap(first, last);
    ++first;
  }
}

const int few = 16;

template <class It, class Less> void quick_sort(It first, It last, int depth, Less& less) {
  while (last - first > few) {
    if (depth == 0) {
      ludus::make_heap(first, last, less);
      ludus::sort_heap(first, last, less);
      return;
    }
    --depth;
    median_to_first(first, first + 1, first + (last - first) / 2, last - 1, less);
    It cut = ludus::partition(first, last, less);
    quick_sort(cut, last, depth, less);
    last = cut;
  }
}

template <class It, class Less> void sort(It first, It last, Less& less) {
  if (first == last) return;
  int depth = 0;
  for (std::ptrdiff_t len = last - first; len > 1; len /= 2) depth += 2;
  quick_sort(first, last, depth, less);
  if (last - first <= few) return insertion_sort(first, last, less);
  insertion_sort(first, first + few, less);
  for (It it = first + few; it != last; ++it) insert_last(it, less);
}

// What `<` says.
struct Smaller {
  template <class A, class B> bool operator()(A&& a, B&& b) const { return a < b; }
};

}  // namespace ludus

#ifdef _LIBCPP_VERSION

// More special than the library's own, and therefore preferred, for whatever
// players sort: vectors, arrays, strings and all of them backwards.
_LIBCPP_BEGIN_NAMESPACE_STD

#define LUDUS_ORDER_(name)                                                                           \
  template <class T, class Less> void name(__wrap_iter<T*> first, __wrap_iter<T*> last, Less less) { \
    ludus::name(first, last, less);                                                                  \
  }                                                                                                  \
  template <class T, class Less> void name(T* first, T* last, Less less) {                           \
    ludus::name(first, last, less);                                                                  \
  }                                                                                                  \
  template <class It, class Less>                                                                    \
  void name(reverse_iterator<It> first, reverse_iterator<It> last, Less less) {                      \
    ludus::name(first, last, less);                                                                  \
  }                                                                                                  \
  template <class T> void name(__wrap_iter<T*> first, __wrap_iter<T*> last) {                        \
    ludus::Smaller less;                                                                             \
    ludus::name(first, last, less);                                                                  \
  }                                                                                                  \
  template <class T> void name(T* first, T* last) {                                                  \
    ludus::Smaller less;                                                                             \
    ludus::name(first, last, less);                                                                  \
  }                                                                                                  \
  template <class It> void name(reverse_iterator<It> first, reverse_iterator<It> last) {             \
    ludus::Smaller less;                                                                             \
    ludus::name(first, last, less);                                                                  \
  }

LUDUS_ORDER_(sort)
LUDUS_ORDER_(make_heap)
LUDUS_ORDER_(push_heap)
LUDUS_ORDER_(pop_heap)
LUDUS_ORDER_(sort_heap)
#undef LUDUS_ORDER_

// The library's own calls its heap functions, which nothing can stand in for.
template <class T, class Compare> class priority_queue<T, vector<T>, Compare> {
public:
  typedef vector<T> container_type;
  typedef Compare value_compare;
  typedef T value_type;
  typedef T& reference;
  typedef const T& const_reference;
  typedef typename vector<T>::size_type size_type;

protected:
  vector<T> c;
  Compare comp;

public:
  priority_queue() : comp() {}
  explicit priority_queue(const Compare& compare) : comp(compare) {}
  priority_queue(const Compare& compare, const vector<T>& elements) : c(elements), comp(compare) {
    ludus::make_heap(c.begin(), c.end(), comp);
  }
  template <class It>
  priority_queue(It first, It last, const Compare& compare = Compare(), const vector<T>& elements = vector<T>())
      : c(elements), comp(compare) {
    c.insert(c.end(), first, last);
    ludus::make_heap(c.begin(), c.end(), comp);
  }

  bool empty() const { return c.empty(); }
  size_type size() const { return c.size(); }
  const T& top() const { return c.front(); }
  void push(const T& value) {
    c.push_back(value);
    ludus::push_heap(c.begin(), c.end(), comp);
  }
  void push(T&& value) {
    c.push_back(std::move(value));
    ludus::push_heap(c.begin(), c.end(), comp);
  }
  template <class... Args> void emplace(Args&&... args) {
    c.emplace_back(std::forward<Args>(args)...);
    ludus::push_heap(c.begin(), c.end(), comp);
  }
  void pop() {
    ludus::pop_heap(c.begin(), c.end(), comp);
    c.pop_back();
  }
  void swap(priority_queue& other) {
    c.swap(other.c);
    std::swap(comp, other.comp);
  }
};

_LIBCPP_END_NAMESPACE_STD

#endif
#endif
