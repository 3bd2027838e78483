#ifndef Action_hh
#define Action_hh

#include "Structs.hh"
#include "ludus.hh"

struct Command {
  int id, c_type, dir;
  vector<int> sol;

  Command(int id, int c_type, int dir, const vector<int>& sol) : id(id), c_type(c_type), dir(dir), sol(sol) {}
};

// The orders of a player in a round: the first one for each unit counts.
class Action {
  static const int ludus_most_calls_ = 1000;

  int ludus_calls_ = 0;
  ludus::Ids ludus_commanded_;
  ludus::Orders ludus_orders_;

  // Whether this call adds an order.
  bool ludus_is_first_(int id) {
    if (++ludus_calls_ > ludus_most_calls_) ludus::end(ludus::too_many_orders);
    return ludus_commanded_.insert(id);
  }

public:
  void move(int id, Dir dir) {
    if (ludus_is_first_(id)) ludus_orders_.add(id, Move, dir);
  }

  void spell(int id, const vector<int>& sol) {
    if (!ludus_is_first_(id)) return;
    vector<int> words = {id, Spell, (int)sol.size()};
    words.insert(words.end(), sol.begin(), sol.end());
    ludus_orders_.add(words.data(), (int)words.size());
  }

  // For the host only.
  void ludus_clear_() {
    ludus_calls_ = 0;
    ludus_commanded_.clear();
    ludus_orders_.clear();
  }
  const int* ludus_given_() const { return ludus_orders_.data(); }
};

#endif
