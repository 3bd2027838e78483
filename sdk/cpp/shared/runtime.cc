// What every player module needs besides its game: memory, the room for the
// host, orders, and endings instead of exceptions.
#include "ludus.hh"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <unistd.h>

namespace ludus {

const unsigned char* room = nullptr;

void Orders::clear() { words_.assign(1, 0); }

void Orders::add(const int* words, int count) {
  ++words_[0];
  words_.push_back(count);
  words_.insert(words_.end(), words, words + count);
}

bool Ids::insert(int id) {
  if (id >= 0 && id < small) {
    bool is_new = seen_[id] != round_;
    seen_[id] = round_;
    return is_new;
  }
  for (int other : rest_)
    if (other == id) return false;
  rest_.push_back(id);
  return true;
}

}  // namespace ludus

#ifdef __wasm__

extern "C" {

__attribute__((import_module("ludus"), import_name("fault"))) void ludus_fault(int reason);

__attribute__((export_name("ludus_abi"))) int ludus_abi() { return 1; }

__attribute__((export_name("ludus_room"))) void* ludus_room(int bytes) {
  free(const_cast<unsigned char*>(ludus::room));
  ludus::room = static_cast<unsigned char*>(aligned_alloc(8, (static_cast<unsigned>(bytes) + 7u) & ~7u));
  if (!ludus::room) ludus::end(ludus::out_of_memory);
  return const_cast<unsigned char*>(ludus::room);
}

// There is nobody to unwind to: an exception ends the player.
void* __cxa_allocate_exception(size_t) noexcept { ludus::end(ludus::uncaught_exception); }
void __cxa_throw(void*, void*, void (*)(void*)) { ludus::end(ludus::uncaught_exception); }

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

// Small blocks come from lists of free blocks of the same size; a block tells
// its size by the 64 KB it lies in. Large ones are left to malloc.
namespace {

const size_t chunk = 65536, step = 16, largest = 512;

struct Block { Block* next; };

Block* free_blocks[largest / step + 1];
unsigned char class_of_chunk[65536];

__attribute__((noinline)) void refill(size_t size_class) {
  char* fresh = static_cast<char*>(aligned_alloc(chunk, chunk));
  if (!fresh) ludus::end(ludus::out_of_memory);
  class_of_chunk[reinterpret_cast<uintptr_t>(fresh) / chunk] = size_class;
  size_t size = size_class * step;
  for (size_t k = chunk / size; k-- > 0;) {
    Block* block = reinterpret_cast<Block*>(fresh + k * size);
    block->next = free_blocks[size_class];
    free_blocks[size_class] = block;
  }
}

inline void* allocate(size_t size) {
  if (size > largest) {
    void* block = malloc(size);
    if (!block) ludus::end(ludus::out_of_memory);
    return block;
  }
  size_t size_class = size ? (size + step - 1) / step : 1;
  if (!free_blocks[size_class]) refill(size_class);
  Block* block = free_blocks[size_class];
  free_blocks[size_class] = block->next;
  return block;
}

inline void release(void* pointer) {
  if (!pointer) return;
  unsigned size_class = class_of_chunk[reinterpret_cast<uintptr_t>(pointer) / chunk];
  if (!size_class) return free(pointer);
  Block* block = static_cast<Block*>(pointer);
  block->next = free_blocks[size_class];
  free_blocks[size_class] = block;
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
