#ifndef State_hh
#define State_hh

#include "Structs.hh"
#include "ludus.hh"

// The board at the beginning of the round, turned so that the player is always
// player 0. It is read where the host has written it, and nothing is decoded
// that is not asked for; only a copy of a state has bytes of its own.
class State {
  struct ludus_head_ {
    int round, units, land[4], total_score[4];
    double status[4];
    int list_ends[12], unused[2];
  };
  struct ludus_unit_ {
    int type, id, player, health, i, j, active;
  };
  // What a byte tells of a cell, besides its owner.
  static const int ludus_owner_ = 0x0f, ludus_wall_ = 0x10, ludus_haunted_ = 0x20;

  const ludus_head_* ludus_at_ = ludus_nothing_();
  const unsigned char* ludus_cells_ = nullptr;
  const int* ludus_ids_ = nullptr;
  const int* ludus_lists_ = nullptr;
  const ludus_unit_* ludus_units_ = nullptr;
  int ludus_side_ = 0, ludus_teams_ = 0;
  vector<double> ludus_own_;

  static const ludus_head_* ludus_nothing_() {
    static const ludus_head_ nothing = {};
    return &nothing;
  }

  // In one piece, because some players cause thousands.
  __attribute__((noinline, cold)) static void ludus_warn_(const char* what, const string& where) {
    string line = string("warning: ") + what + " requested for " + where + "\n";
    cerr.write(line.data(), line.size());
    cerr.flush();
  }

  __attribute__((noinline, cold)) static Cell ludus_no_cell_(int i, int j) {
    ludus_warn_("cell", "position (" + to_string(i) + ", " + to_string(j) + ")");
    return Cell();
  }
  __attribute__((noinline, cold)) static Unit ludus_no_unit_(int id) {
    ludus_warn_("unit", "identifier " + to_string(id));
    return Unit();
  }
  bool ludus_has_(int pl, const char* what) const {
    if (pl >= 0 && pl < ludus_teams_) return true;
    ludus_warn_(what, "player " + to_string(pl));
    return false;
  }

  vector<int> ludus_list_(int pl, UnitType type, const char* name) const {
    if (!ludus_has_(pl, name)) return vector<int>();
    int list = 3 * pl + type;
    const int* ends = ludus_at_->list_ends;
    return vector<int>(ludus_lists_ + (list > 0 ? ends[list - 1] : 0), ludus_lists_ + ends[list]);
  }

  void ludus_point_(const void* bytes, int side, int teams);
  void ludus_copy_(const State& state);
  // What is written in a state of its own.
  ludus_head_& ludus_my_head_() { return const_cast<ludus_head_&>(*ludus_at_); }
  unsigned char* ludus_my_cells_() { return const_cast<unsigned char*>(ludus_cells_); }
  int* ludus_my_ids_() { return const_cast<int*>(ludus_ids_); }
  int* ludus_my_lists_() { return const_cast<int*>(ludus_lists_); }
  ludus_unit_* ludus_my_units_() { return const_cast<ludus_unit_*>(ludus_units_); }
  // The cells at distance 2 or less from a unit.
  vector<int> ludus_around_(const ludus_unit_& unit) const;

public:
  State() {}
  State(const State& state) { ludus_copy_(state); }
  State& operator=(const State& state) {
    if (this != &state) ludus_copy_(state);
    return *this;
  }

  int round() const { return ludus_at_->round; }

  Cell cell(int i, int j) const {
    if ((unsigned)i >= (unsigned)ludus_side_ || (unsigned)j >= (unsigned)ludus_side_) return ludus_no_cell_(i, j);
    int at = i * ludus_side_ + j, code = ludus_cells_[at];
    return Cell(code & ludus_wall_ ? Wall : Empty, (code & ludus_owner_) - 1, ludus_ids_[at], code & ludus_haunted_);
  }
  Cell cell(Pos p) const { return cell(p.i, p.j); }

  int nb_units() const { return ludus_at_->units; }

  Unit unit(int id) const {
    if ((unsigned)id >= (unsigned)ludus_at_->units) return ludus_no_unit_(id);
    const ludus_unit_& u = ludus_units_[id];
    return Unit(UnitType(u.type), u.id, u.player, u.health, Pos(u.i, u.j), u.active);
  }

  // Cells of a team's colour.
  int land(int pl) const { return ludus_has_(pl, "score") ? ludus_at_->land[pl] : -1; }
  int total_score(int pl) const { return ludus_has_(pl, "total score") ? ludus_at_->total_score[pl] : -1; }
  // The part of its CPU that a player has used, or a negative number if it is out.
  double status(int pl) const { return ludus_has_(pl, "status") ? ludus_at_->status[pl] : -2; }

  // The ids of a team's units, in increasing order.
  vector<int> farmers(int pl) { return ludus_list_(pl, Farmer, "farmers"); }
  vector<int> knights(int pl) { return ludus_list_(pl, Knight, "knights"); }
  vector<int> witches(int pl) { return ludus_list_(pl, Witch, "witches"); }

  // Nothing for players: what follows from the units, and the board as another player sees it.
  void update_vectors_by_player();
  void update_haunted();
  State rotate(int pl) const;

  // For the host only.
  void ludus_read_state_(const unsigned char* room, int side, int teams) { ludus_point_(room, side, teams); }
  // Cells that take the place of those of the board.
  void ludus_replace_cells_(const vector<vector<Cell> >& cells);
};

inline void State::ludus_point_(const void* bytes, int side, int teams) {
  ludus_side_ = side;
  ludus_teams_ = teams;
  ludus_at_ = static_cast<const ludus_head_*>(bytes);
  ludus_cells_ = reinterpret_cast<const unsigned char*>(ludus_at_ + 1);
  ludus_ids_ = reinterpret_cast<const int*>(ludus_cells_ + (side * side + 3) / 4 * 4);
  ludus_lists_ = ludus_ids_ + side * side;
  ludus_units_ = reinterpret_cast<const ludus_unit_*>(ludus_lists_ + ludus_at_->units);
}

inline void State::ludus_copy_(const State& state) {
  const void* end = state.ludus_at_ + 1;
  if (state.ludus_units_) end = state.ludus_units_ + state.ludus_at_->units;
  vector<double> own = ludus::copy_of(state.ludus_at_, end);
  ludus_own_.swap(own);
  ludus_point_(ludus_own_.data(), state.ludus_side_, state.ludus_teams_);
}

inline vector<int> State::ludus_around_(const ludus_unit_& unit) const {
  vector<int> around;
  for (int i = unit.i - 2; i <= unit.i + 2; ++i)
    for (int j = unit.j - 2; j <= unit.j + 2; ++j) {
      bool inside = i >= 0 && i < ludus_side_ && j >= 0 && j < ludus_side_;
      if (inside && abs(i - unit.i) + abs(j - unit.j) <= 2) around.push_back(i * ludus_side_ + j);
    }
  return around;
}

inline void State::update_vectors_by_player() {
  ludus_copy_(*this);
  int end = 0;
  for (int list = 0; list < 3 * ludus_teams_; ++list) {
    for (int id = 0; id < nb_units(); ++id)
      if (3 * ludus_units_[id].player + ludus_units_[id].type == list) ludus_my_lists_()[end++] = id;
    ludus_my_head_().list_ends[list] = end;
  }
}

inline void State::update_haunted() {
  ludus_copy_(*this);
  for (int at = 0; at < ludus_side_ * ludus_side_; ++at) ludus_my_cells_()[at] &= ~ludus_haunted_;
  for (int id = 0; id < nb_units(); ++id) {
    ludus_unit_& witch = ludus_my_units_()[id];
    if (witch.type != Witch) continue;
    vector<int> around = ludus_around_(witch);
    witch.active = 1;
    for (int at : around) {
      bool other = at != witch.i * ludus_side_ + witch.j && ludus_ids_[at] >= 0;
      if (other && ludus_units_[ludus_ids_[at]].type == Witch) witch.active = 0;
    }
    if (witch.active)
      for (int at : around) ludus_my_cells_()[at] |= ludus_haunted_;
  }
}

inline State State::rotate(int pl) const {
  State seen(*this);
  int last = ludus_side_ - 1, turns = pl & 3;
  ludus_head_& head = seen.ludus_my_head_();
  for (int x = 0, end = 0; x < ludus_teams_; ++x) {
    int real = (x + turns) & 3;
    head.land[x] = ludus_at_->land[real];
    head.total_score[x] = ludus_at_->total_score[real];
    head.status[x] = ludus_at_->status[real];
    for (int list = 3 * real; list < 3 * real + 3; ++list) {
      int start = list > 0 ? ludus_at_->list_ends[list - 1] : 0;
      for (int k = start; k < ludus_at_->list_ends[list]; ++k) seen.ludus_my_lists_()[end++] = ludus_lists_[k];
      head.list_ends[3 * x + list % 3] = end;
    }
  }
  for (int i = 0; i <= last; ++i)
    for (int j = 0; j <= last; ++j) {
      Pos from(i, j);
      if (turns == 1) from = Pos(last - j, i);
      if (turns == 2) from = Pos(last - i, last - j);
      if (turns == 3) from = Pos(j, last - i);
      int real = from.i * ludus_side_ + from.j, at = i * ludus_side_ + j;
      int code = ludus_cells_[real], owner = code & ludus_owner_, id = ludus_ids_[real];
      if (owner > 0) owner = 1 + ((owner - 1 + 4 - turns) & 3);
      seen.ludus_my_cells_()[at] = (code & ~ludus_owner_) | owner;
      seen.ludus_my_ids_()[at] = id;
      if (id < 0) continue;
      ludus_unit_& unit = seen.ludus_my_units_()[id];
      unit.player = (unit.player + 4 - turns) & 3;
      unit.i = i;
      unit.j = j;
    }
  return seen;
}

inline void State::ludus_replace_cells_(const vector<vector<Cell> >& cells) {
  ludus_copy_(*this);
  for (int at = 0; at < ludus_side_ * ludus_side_; ++at) {
    const Cell& cell = cells[at / ludus_side_][at % ludus_side_];
    ludus_my_cells_()[at] = (cell.owner + 1) | (cell.type == Wall ? ludus_wall_ : 0) | (cell.haunted ? ludus_haunted_ : 0);
    ludus_my_ids_()[at] = cell.id;
  }
}

#endif
