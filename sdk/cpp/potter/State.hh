#ifndef State_hh
#define State_hh

#include "Structs.hh"
#include "ludus.hh"

// The board at the beginning of the round. It is read where the host has
// written it, and nothing is decoded that is not asked for.
class State {
  static const int ludus_side_ = 60;

  struct ludus_unit_ {
    signed char type, player, i, j;
    int rounds, next;
  };

  // The part of a state that has the same size in every match.
  struct ludus_board_ {
    int round, units, ingredients, unused, voldemort[2];
    double status[4];
    int score[4], strength[4], ghost[4], wizards[4];
    unsigned long long books[ludus_side_];
    char cells[ludus_side_ * ludus_side_];
    short ids[ludus_side_ * ludus_side_];
  };
  static_assert(sizeof(ludus_board_) == 11400, "the layout of docs/abi/potter.md");

  const ludus_board_* ludus_now_ = nullptr;
  // A copy of a state stays as it is when the next round begins.
  vector<double> ludus_kept_;

  const ludus_unit_* ludus_units_() const { return reinterpret_cast<const ludus_unit_*>(ludus_now_ + 1); }
  const int* ludus_ingredients_() const { return reinterpret_cast<const int*>(ludus_units_() + ludus_now_->units); }
  const short* ludus_wizards_() const {
    return reinterpret_cast<const short*>(ludus_ingredients_() + ludus_now_->ingredients);
  }

  static bool ludus_seat_ok_(int pl) { return pl >= 0 && pl <= 3; }

  static const ludus_board_* ludus_nothing_() {
    static const ludus_board_ nothing = {};
    return &nothing;
  }

  void ludus_keep_(const State& other) {
    const int* wizards = other.ludus_now_->wizards;
    const short* end = other.ludus_wizards_() + wizards[0] + wizards[1] + wizards[2] + wizards[3];
    vector<double> kept = ludus::copy_of(other.ludus_now_, end);
    ludus_kept_.swap(kept);
    ludus_now_ = reinterpret_cast<const ludus_board_*>(ludus_kept_.data());
  }

public:
  State() : ludus_now_(ludus_nothing_()) {}
  State(const State& other) { ludus_keep_(other); }
  State& operator=(const State& other) {
    ludus_keep_(other);
    return *this;
  }

  int round() const { return ludus_now_->round; }

  Cell cell(int i, int j) const {
    Cell c;
    if ((unsigned)i >= (unsigned)ludus_side_ || (unsigned)j >= (unsigned)ludus_side_) return c;
    int at = i * ludus_side_ + j;
    int letter = ludus_now_->cells[at];
    if (letter == 'W') c.type = Wall;
    if (letter >= '0' && letter <= '3') c.owner = letter - '0';
    c.id = ludus_now_->ids[at];
    c.book = ludus_now_->books[i] >> j & 1;
    return c;
  }
  Cell cell(Pos p) const { return cell(p.i, p.j); }

  Unit unit(int id) const {
    if (id < 0 || id >= ludus_now_->units) return Unit();
    const ludus_unit_& u = ludus_units_()[id];
    return Unit(UnitType(u.type), id, u.player, Pos(u.i, u.j), u.rounds, u.next);
  }

  // The ids of the wizards of a clan, increasing.
  vector<int> wizards(int pl) const {
    if (!ludus_seat_ok_(pl)) return vector<int>();
    const short* first = ludus_wizards_();
    for (int before = 0; before < pl; ++before) first += ludus_now_->wizards[before];
    return vector<int>(first, first + ludus_now_->wizards[pl]);
  }

  int ghost(int pl) const { return ludus_seat_ok_(pl) ? ludus_now_->ghost[pl] : -1; }
  Pos pos_voldemort() const { return Pos(ludus_now_->voldemort[0], ludus_now_->voldemort[1]); }
  // What each unit of a clan has of its strength points.
  int magic_strength(int pl) const { return ludus_seat_ok_(pl) ? ludus_now_->strength[pl] : -1; }
  int score(int pl) const { return ludus_seat_ok_(pl) ? ludus_now_->score[pl] : -1; }

  vector<int> spell_ingredients() const {
    const int* first = ludus_ingredients_();
    return vector<int>(first, first + ludus_now_->ingredients);
  }

  // The part of its CPU time that a player has used, or a negative number if it is out.
  double status(int pl) const { return ludus_seat_ok_(pl) ? ludus_now_->status[pl] : -2; }

  // For the host only.
  void ludus_read_state_(const unsigned char* room) {
    ludus_now_ = reinterpret_cast<const ludus_board_*>(room);
  }
};

#endif
