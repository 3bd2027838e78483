#ifndef ludus_requiem_robots_h
#define ludus_requiem_robots_h

#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "atzar.h"
#include "common.h"
#include "ludus.hh"

using namespace std;

// Models of robot.
const int PAG = 1, CAV = 2;

// Directions, clockwise from the east, and RES to stay.
const int EST = 1, SE = 2, SUD = 3, SO = 4, OEST = 5, NO = 6, NORD = 7, NE = 8, RES = 9;

// What a step in each direction adds to row and column.
const int pas_i[10] = {0, 0, 1, 1, 1, 0, -1, -1, -1, 0};
const int pas_j[10] = {0, 1, 1, 0, -1, -1, -1, 0, 1, 0};

struct t_robot {
  int id;
  int i, j;
  int equip;  // the team, 1 to 4; one's own is 1
  int model;  // PAG or CAV
  int vida;   // life of a knight; a farmer shows what the last knight left on its square

  // All fields are -1.
  static t_robot invalid() {
    t_robot r = {-1, -1, -1, -1, -1, -1};
    return r;
  }
};

// The board as a player sees it, and the orders given. It is read where the
// host has written it, and nothing is decoded that is not asked for.
class Mapa {
  // Round, rounds left, seed, number of robots; squares of each colour from
  // -1 to 4; farmers of the teams 1 to 4, then knights.
  struct ludus_head_t {
    int round, left, seed, robots, squares[6], counts[8];
  };

  const ludus_head_t* ludus_head_;
  const signed char* ludus_colours_;
  const int* ludus_places_;  // place in the list of the robot on each square, or -1
  const t_robot* ludus_robots_;
  const int* ludus_ids_;
  int ludus_dim_;
  mutable int ludus_last_;  // the place that was last asked for
  atzar ludus_generator_;
  // The orders as the host reads them: their number, then for each a 2, the id
  // and the direction.
  ludus::Orders ludus_orders_;
  // The last round in which the robot in each place got an order.
  vector<int> ludus_ordered_;

  static const ludus_head_t* ludus_nothing_() {
    static const ludus_head_t nothing = {0, 0, 0, 0, {0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}};
    return &nothing;
  }

  bool ludus_on_board_(int i, int j) const {
    // One test instead of two: this is asked in every step of every search.
    return ((unsigned)i < (unsigned)ludus_dim_) & ((unsigned)j < (unsigned)ludus_dim_);
  }

  // Where the robot is in the list, or -1. Whoever has just been asked for is
  // often asked for again, and then the next one.
  int ludus_place_(int id) const {
    int low = 0, high = ludus_head_->robots;
    for (int near = ludus_last_; near < high && near <= ludus_last_ + 1; ++near)
      if (ludus_robots_[near].id == id) return ludus_last_ = near;
    while (low < high) {
      int middle = (low + high) / 2;
      if (ludus_robots_[middle].id < id) low = middle + 1;
      else high = middle;
    }
    if (low == ludus_head_->robots || ludus_robots_[low].id != id) return -1;
    return ludus_last_ = low;
  }

  vector<int> ludus_list_(int which) const {
    const int* first = ludus_ids_;
    for (int k = 0; k < which; ++k) first += ludus_head_->counts[k];
    return vector<int>(first, first + ludus_head_->counts[which]);
  }

  // Messages about wrong calls. Files that make millions of such calls are
  // known, so this is made to cost little.
  void ludus_complain_(const char* function, int a, const char* message);
  void ludus_complain_(const char* function, int a, int b, const char* message);
  bool ludus_refuse_(int id, int dir, const char* message);

public:
  struct casella {
    int equip;
    int id;
  };

  string whoami;

  Mapa()
      : ludus_head_(ludus_nothing_()), ludus_colours_(0), ludus_places_(0), ludus_robots_(0), ludus_ids_(0),
        ludus_dim_(0), ludus_last_(0) {}

  int torn_actual() { return ludus_head_->round; }
  int torns_restants() { return ludus_head_->left; }

  int color(int i, int j) {
    if (ludus_on_board_(i, j)) return ludus_colours_[i * ludus_dim_ + j];
    ludus_complain_("color", i, j, "Square out of bounds");
    return -1;
  }

  bool existeix(int i, int j) {
    if (ludus_on_board_(i, j)) return ludus_places_[i * ludus_dim_ + j] >= 0;
    ludus_complain_("existeix", i, j, "Square out of bounds");
    return false;
  }

  bool existeix(int id) {
    if (id >= 0) return ludus_place_(id) >= 0;
    ludus_complain_("existeix", id, "No robot with negative id");
    return false;
  }

  t_robot robot(int i, int j) {
    if (existeix(i, j)) return ludus_robots_[ludus_places_[i * ludus_dim_ + j]];
    ludus_complain_("robot", i, j, "No robot at given square");
    return t_robot::invalid();
  }

  t_robot robot(int id) {
    int place = id < 0 ? -1 : ludus_place_(id);
    if (place >= 0) return ludus_robots_[place];
    existeix(id);
    ludus_complain_("robot", id, "Robot does not exist");
    return t_robot::invalid();
  }

  vector<int> pagesos(int e) {
    if (e >= 1 && e <= 4) return ludus_list_(e - 1);
    ludus_complain_("pagesos", e, "Wrong team");
    return vector<int>();
  }

  vector<int> cavallers(int e) {
    if (e >= 1 && e <= 4) return ludus_list_(e + 3);
    ludus_complain_("cavallers", e, "Wrong team");
    return vector<int>();
  }

  vector<int> T80PAG(int e) { return pagesos(e); }
  vector<int> T100CAV(int e) { return cavallers(e); }

  int num_caselles(int e) {
    if (e >= -1 && e <= 4) return ludus_head_->squares[e + 1];
    ludus_complain_("num_caselles", e, "Wrong parameter");
    return -1;
  }

  int random(int n) {
    if (n > 0) return ludus_generator_.tria(n);
    ludus_complain_("random", n, "Wrong parameter");
    return -1;
  }

  bool ordena(int id, int dir) {
    int place = id < 0 ? -1 : ludus_place_(id);
    if (place < 0) {
      existeix(id);
      return ludus_refuse_(id, dir, 0);
    }
    const t_robot& r = ludus_robots_[place];
    if (r.equip != 1) return ludus_refuse_(id, dir, "The robot is not yours");
    if (dir < 1 || dir > 9) return ludus_refuse_(id, dir, "Invalid movement direction");
    if (ludus_ordered_[place] == ludus_head_->round)
      return ludus_refuse_(id, dir, "The robot has already received an order");
    int i = r.i + pas_i[dir], j = r.j + pas_j[dir];
    if (!ludus_on_board_(i, j))
      return ludus_refuse_(id, dir, "You are asking the robot to move outside the board");
    if (ludus_colours_[i * ludus_dim_ + j] == -1)
      return ludus_refuse_(id, dir, "You are asking the robot to move to a wall");
    ludus_ordered_[place] = ludus_head_->round;
    ludus_orders_.add(id, dir);
    return true;
  }

  // The number of own robots, and an order for each of them.
  void escriu_ordres(ostream& os);

  // For the host only.
  void ludus_start_(const string& name, int seat, int dim);
  const int* ludus_given_() const { return ludus_orders_.data(); }
  void ludus_see_(const unsigned char* room) {
    int area = ludus_dim_ * ludus_dim_;
    ludus_head_ = reinterpret_cast<const ludus_head_t*>(room);
    ludus_colours_ = reinterpret_cast<const signed char*>(ludus_head_ + 1);
    ludus_places_ = reinterpret_cast<const int*>(ludus_colours_ + (area + 3) / 4 * 4);
    ludus_robots_ = reinterpret_cast<const t_robot*>(ludus_places_ + area);
    ludus_ids_ = reinterpret_cast<const int*>(ludus_robots_ + ludus_head_->robots);
    ludus_generator_.llavor = ludus_head_->seed;
    if ((int)ludus_ordered_.size() < ludus_head_->robots) ludus_ordered_.resize(ludus_head_->robots, 0);
    ludus_orders_.clear();
  }
};

// There is nothing to read a board from here: the stream fails.
istream& operator>>(istream& is, Mapa& mapa);

#endif
