// What every player module needs besides its game: memory, the room for the
// host, orders, and endings instead of exceptions.
#include "ludus.hh"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <typeinfo>
#include <unistd.h>

namespace ludus {

const unsigned char* room = nullptr;

bool Ids::insert_large_(int id) {
  for (int other : rest_)
    if (other == id) return false;
  rest_.push_back(id);
  return true;
}

}  // namespace ludus

#ifdef __wasm__

namespace {

// What the C++ library knows of every type, in the order of its own table:
// whether an exception of another type is one of this type, and where in it.
struct Catchable : std::type_info {
  virtual void first_of_no_use() const = 0;
  virtual void second_of_no_use() const = 0;
  virtual bool catches(const std::type_info* thrown, void*& exception) const = 0;
};

void say(const char* text) {
  if (write(2, text, strlen(text)) < 0) ludus::end(ludus::aborted);
}

void say(int number) {
  char digits[12];
  char* at = digits + sizeof digits - 1;
  *at = 0;
  unsigned rest = number < 0 ? -static_cast<unsigned>(number) : number;
  do *--at = '0' + rest % 10;
  while (rest /= 10);
  if (number < 0) *--at = '-';
  say(at);
}

// In the words of the GNU library. Names of types are as the compiler has
// them: the host makes them readable. Types are known by name, so that a
// player holds nothing for those that it does not throw.
void tell_exception(void* exception, const std::type_info* type) {
  static const char of_string[] = "NSt3__212basic_stringIcNS";
  const char* name = type->name();
  say("terminate called after throwing an instance of '");
  say(name);
  say("'\n");
  const bool is_number = !strcmp(name, "i");
  const char* what = nullptr;
  if (!strcmp(name, "PKc")) what = *static_cast<const char**>(exception);
  else if (!strncmp(name, of_string, sizeof of_string - 1)) what = static_cast<std::string*>(exception)->c_str();
  else if (reinterpret_cast<const Catchable&>(typeid(std::exception)).catches(type, exception))
    what = static_cast<std::exception*>(exception)->what();
  if (!what && !is_number) return;
  say("  what():  ");
  if (is_number) say(*static_cast<int*>(exception));
  else say(what);
  say("\n");
}

}  // namespace

extern "C" {

__attribute__((import_module("ludus"), import_name("fault"))) void ludus_fault(int reason);

__attribute__((export_name("ludus_abi"))) int ludus_abi() { return 2; }

// Says that the first page of memory is not used, so that whoever goes through a
// null pointer is stopped.
__attribute__((export_name("ludus_guard"))) void ludus_guard() {}

__attribute__((export_name("ludus_room"))) void* ludus_room(int bytes) {
  free(const_cast<unsigned char*>(ludus::room));
  ludus::room = static_cast<unsigned char*>(aligned_alloc(8, (static_cast<unsigned>(bytes) + 7u) & ~7u));
  if (!ludus::room) ludus::end(ludus::out_of_memory);
  return const_cast<unsigned char*>(ludus::room);
}

// There is nobody to unwind to: an exception ends the player, after its author
// was told which it was.
void* __cxa_allocate_exception(size_t size) noexcept {
  void* exception = malloc(size);
  if (!exception) ludus::end(ludus::out_of_memory);
  return exception;
}

void __cxa_throw(void* exception, void* type, void (*)(void*)) {
  tell_exception(exception, static_cast<const std::type_info*>(type));
  ludus::end(ludus::uncaught_exception);
}

void abort() { ludus::end(ludus::aborted); }

// Waiting would stop the match, and the host has no import for it.
unsigned int sleep(unsigned int) { return 0; }
int usleep(useconds_t) { return 0; }

}  // extern "C"

namespace ludus {

void end(Ending why) {
  ludus_fault(why);
  __builtin_unreachable();
}

}  // namespace ludus

// Blocks come from lists of free blocks of the same size; a block tells its
// size by the 64 KB it lies in. Sizes grow by 16 bytes and later by a quarter,
// so that the nodes of containers waste little, and the pages of a deque or the
// rows of a board are had as quickly. Larger blocks are left to malloc.
namespace {

const size_t chunk = 65536, step = 16, small = 512, largest = 16384, classes = small / step + 20;

struct Block { Block* next; };

// Blocks that were given back, and the part of the last 64 KB that was never
// given out: memory that nobody uses is not even touched.
struct Shelf { Block* free; char *fresh, *end; };

Shelf shelves[classes + 1];
unsigned char class_of_chunk[65536];

inline size_t class_of(size_t size) {
  if (size <= small) return size ? (size + step - 1) / step : 1;
  int quarter = 29 - __builtin_clz(static_cast<unsigned>(size - 1));  // log2 of a quarter of the power below
  return small / step + (quarter - 7) * 4 + ((size - 1) >> quarter) - 3;
}

inline size_t size_of(size_t size_class) {
  if (size_class <= small / step) return size_class * step;
  size_t k = size_class - small / step - 1;
  return (5 + k % 4) << (7 + k / 4);
}

__attribute__((noinline)) void* cut(size_t size_class) {
  Shelf& shelf = shelves[size_class];
  size_t size = size_of(size_class);
  if (size > size_t(shelf.end - shelf.fresh)) {
    shelf.fresh = static_cast<char*>(aligned_alloc(chunk, chunk));
    if (!shelf.fresh) ludus::end(ludus::out_of_memory);
    shelf.end = shelf.fresh + chunk;
    class_of_chunk[reinterpret_cast<uintptr_t>(shelf.fresh) / chunk] = size_class;
  }
  void* block = shelf.fresh;
  shelf.fresh += size;
  return block;
}

inline void* allocate(size_t size) {
  if (size > largest) {
    void* block = malloc(size);
    if (!block) ludus::end(ludus::out_of_memory);
    return block;
  }
  size_t size_class = class_of(size);
  Block* block = shelves[size_class].free;
  if (!block) return cut(size_class);
  shelves[size_class].free = block->next;
  return block;
}

inline void release(void* pointer) {
  if (!pointer) return;
  unsigned size_class = class_of_chunk[reinterpret_cast<uintptr_t>(pointer) / chunk];
  if (!size_class) return free(pointer);
  Block* block = static_cast<Block*>(pointer);
  block->next = shelves[size_class].free;
  shelves[size_class].free = block;
}

}  // namespace

void* operator new(size_t size) { return allocate(size); }
void* operator new[](size_t size) { return allocate(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* pointer) noexcept { release(pointer); }
void operator delete[](void* pointer) noexcept { release(pointer); }
void operator delete(void* pointer, size_t) noexcept { release(pointer); }
void operator delete[](void* pointer, size_t) noexcept { release(pointer); }
void operator delete(void* pointer, const std::nothrow_t&) noexcept { release(pointer); }
void operator delete[](void* pointer, const std::nothrow_t&) noexcept { release(pointer); }

#endif  // __wasm__
