// The glue between a player and the program that runs it (docs/abi.md).
// Nothing here is meant for players.
#ifndef ludus_hh
#define ludus_hh

#include <cstdint>
#include <cstring>
#include <vector>

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

// The orders of a round, in the layout that the host reads. A player that is
// copied has orders of its own.
class Orders {
  std::vector<int> words_ = {0};

public:
  void clear();
  // Adds an order of so many words.
  void add(const int* words, int count);
  void add(int id, int a) { int words[] = {id, a}; add(words, 2); }
  void add(int id, int a, int b) { int words[] = {id, a, b}; add(words, 3); }
  void add(int id, int a, int b, int c) { int words[] = {id, a, b, c}; add(words, 4); }
  const int* data() const { return words_.data(); }
};

// A set of unit ids that is emptied every round.
class Ids {
  static const int small = 1024;
  uint32_t round_ = 1, seen_[small] = {};
  std::vector<int> rest_;

public:
  void clear() { ++round_; rest_.clear(); }
  // Whether the id is new.
  bool insert(int id);
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
