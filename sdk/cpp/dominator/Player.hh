#ifndef Player_hh
#define Player_hh

#include "Action.hh"
#include "Info.hh"
#include "Random.hh"
#include "Registry.hh"

// A player derives from this class and defines play(), which is called once
// per round. Whatever its seat, it sees itself as player 0, at the top left.
class Player : public Info, public Random_generator, public Action {
public:
  virtual void play() {}

  // Attributes without an initialiser start at zero.
  static void* operator new(size_t size) { return memset(::operator new(size), 0, size); }

  // For the host only.
  void ludus_start_(int seat, int seed, const unsigned char* room) {
    ludus_seed_((int)((unsigned)seed + (unsigned)seat + 1u));
    ludus_read_settings_(room);
  }
  const int* ludus_play_(const unsigned char* room) {
    ludus_read_state_(room, rows(), nb_players());
    ludus_clear_();
    play();
    return ludus_given_();
  }
};

#endif
