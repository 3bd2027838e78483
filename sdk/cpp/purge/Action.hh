#ifndef Action_hh
#define Action_hh

#include "Structs.hh"
#include "ludus.hh"

struct Command {
  int id, c_type, dir;

  Command(int id, int c_type, int dir) : id(id), c_type(c_type), dir(dir) {}
};

// The orders of a player in a round: the first one for each citizen counts.
class Action {
  static const int ludus_most_calls_ = 1000;

  int ludus_calls_ = 0;
  ludus::Ids ludus_commanded_;
  ludus::Orders ludus_orders_;

  void ludus_order_(int id, int type, int dir) {
    if (++ludus_calls_ > ludus_most_calls_) {
      cerr << "error: Too many commands." << endl;
      ludus::end(ludus::too_many_orders);
    }
    if (ludus_commanded_.insert(id)) ludus_orders_.add(id, type, dir);
  }

public:
  void move(int id, Dir dir) { ludus_order_(id, Move, dir); }
  void build(int id, Dir dir) { ludus_order_(id, Build, dir); }

  // For the host only.
  void ludus_clear_() {
    ludus_calls_ = 0;
    ludus_commanded_.clear();
    ludus_orders_.clear();
  }
  const int* ludus_given_() const { return ludus_orders_.data(); }
};

#endif
