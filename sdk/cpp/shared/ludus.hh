// The glue between a player and the program that runs it (docs/abi.md).
// Nothing here is meant for players.
#ifndef ludus_hh
#define ludus_hh

#include <cstdint>
#include <cstring>
#include <vector>

#include "Param.hh"

namespace ludus {

// Why a player ends its own part in a match.
enum Ending { too_many_orders = 1, aborted = 2, uncaught_exception = 3, out_of_memory = 4 };

[[noreturn]] void end(Ending why);

// Where the host writes: the settings before the first round, the state in every round.
extern const unsigned char* room;

template <class T> inline T at(int offset) {
  T value;
  std::memcpy(&value, room + offset, sizeof value);
  return value;
}

// The bytes between two places, for a state that is copied: aligned for all it holds.
inline std::vector<double> copy_of(const void* first, const void* end) {
  size_t bytes = static_cast<const char*>(end) - static_cast<const char*>(first);
  std::vector<double> copy((bytes + sizeof(double) - 1) / sizeof(double));
  std::memcpy(copy.data(), first, bytes);
  return copy;
}

// The orders of a round, in the layout that the host reads. A player that is
// copied has orders of its own.
class Orders {
  std::vector<int> words_ = std::vector<int>(256);
  size_t used_ = 1;

  // Room for one more order of so many words.
  int* next_(int count) {
    if (words_.size() - used_ <= (size_t)count) words_.resize(2 * words_.size() + count);
    int* at = &words_[used_];
    used_ += 1 + count;
    ++words_[0];
    *at = count;
    return at + 1;
  }

public:
  void clear() { words_[0] = 0; used_ = 1; }
  // Adds an order of so many words.
  void add(const int* words, int count) { std::memcpy(next_(count), words, count * sizeof(int)); }
  void add(int id, int a) { int* at = next_(2); at[0] = id; at[1] = a; }
  void add(int id, int a, int b) { int* at = next_(3); at[0] = id; at[1] = a; at[2] = b; }
  void add(int id, int a, int b, int c) { int* at = next_(4); at[0] = id; at[1] = a; at[2] = b; at[3] = c; }
  const int* data() const { return words_.data(); }
};

// A set of unit ids that is emptied every round.
class Ids {
  static const int small = 1024;
  uint32_t round_ = 1, seen_[small] = {};
  std::vector<int> rest_;

  bool insert_large_(int id);

public:
  void clear() { ++round_; rest_.clear(); }
  // Whether the id is new.
  bool insert(int id) {
    if (id < 0 || id >= small) return insert_large_(id);
    bool is_new = seen_[id] != round_;
    seen_[id] = round_;
    return is_new;
  }
};

}  // namespace ludus

// What a game's own part provides (glue.cc).
extern "C" {
const char* ludus_game();
const char* ludus_name();
void ludus_start(int seat, int seed, int bytes);
const int* ludus_play(int bytes);
}

#endif
