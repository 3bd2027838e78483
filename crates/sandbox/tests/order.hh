// What sorting and heaps do to elements that compare equal, as one line of text.
struct Element {
  int key, id;
  bool operator<(const Element& other) const { return key < other.key; }
};

struct Later {
  bool operator()(const Element& a, const Element& b) { return a.key > b.key; }
};

template <class Elements> unsigned long long digest(const Elements& elements) {
  unsigned long long sum = 14695981039346656037ULL;
  for (const Element& e : elements) sum = (sum ^ (unsigned long long)(1000 * e.key + e.id)) * 1099511628211ULL;
  return sum;
}

string order_of_equals() {
  ostringstream text;
  unsigned chance = 1;
  for (int len = 0; len < 400; len += 1 + len / 9) {
    vector<Element> all(len);
    for (int k = 0; k < len; ++k) {
      chance = chance * 1664525u + 1013904223u;
      all[k].key = (chance >> 16) % (1 + len / 3);
      all[k].id = k;
    }
    vector<Element> sorted = all, backwards = all, heap = all;
    sort(sorted.begin(), sorted.end());
    std::sort(backwards.rbegin(), backwards.rend(), [](const Element& a, const Element& b) { return a.key < b.key; });
    if (len > 0) sort(&all[0], &all[0] + len, Later());
    make_heap(heap.begin(), heap.end());
    sort_heap(heap.begin(), heap.end());
    priority_queue<Element> largest;
    priority_queue<Element, vector<Element>, Later> smallest(all.begin(), all.end());
    vector<Element> popped;
    for (int k = 0; k < len; ++k) {
      largest.push(all[k]);
      if (k % 3 == 2) { popped.push_back(largest.top()); largest.pop(); }
    }
    while (not smallest.empty()) { popped.push_back(smallest.top()); smallest.pop(); }
    text << len << ' ' << digest(sorted) << ' ' << digest(backwards) << ' ' << digest(all) << ' ' << digest(heap) << ' '
         << digest(popped) << ' ';
  }
  // So many that sorting gives up on halving and makes a heap.
  vector<Element> hard(4000);
  for (int k = 0; k < 2000; ++k) {
    hard[k].key = k % 2 == 0 ? k + 1 : 2000 + k + 1;
    hard[2000 + k].key = 2 * (k + 1);
    hard[k].id = k;
    hard[2000 + k].id = 2000 + k;
  }
  sort(hard.begin(), hard.end());
  text << digest(hard);
  return text.str();
}
