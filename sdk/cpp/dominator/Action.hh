#ifndef Action_hh
#define Action_hh

#include "Structs.hh"
#include "ludus.hh"

struct Movement {
  int id;
  Dir dir;

  Movement(int id, Dir dir) : id(id), dir(dir) {}
};

// The orders of a player in a round: the first one for each unit counts.
class Action {
  static const int ludus_most_calls_ = 1000;

  int ludus_calls_ = 0;
  ludus::Ids ludus_commanded_;
  ludus::Orders ludus_orders_;

  __attribute__((noinline, cold)) static void ludus_too_many_() {
    cerr << "ERROR: Too many commands." << endl;
    ludus::end(ludus::too_many_orders);
  }
  __attribute__((noinline, cold)) static void ludus_repeated_(int id) {
    cerr << "warning: action already requested for unit " + to_string(id) + "\n" << flush;
  }

public:
  Action() { ludus_clear_(); }

  void command(Movement m) {
    if (++ludus_calls_ > ludus_most_calls_) ludus_too_many_();
    if (ludus_commanded_.insert(m.id)) ludus_orders_.add(m.id, m.dir);
    else ludus_repeated_(m.id);
  }
  void command(int id, Dir dir) { command(Movement(id, dir)); }

  // For the host only.
  void ludus_clear_() {
    ludus_calls_ = 0;
    ludus_commanded_.clear();
    ludus_orders_.clear();
  }
  const int* ludus_given_() const { return ludus_orders_.data(); }
};

#endif
