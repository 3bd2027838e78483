#ifndef State_hh
#define State_hh

#include "Structs.hh"

// The board at the beginning of the round. It is read where the host has
// written it, and nothing is decoded that is not asked for. A copy has the
// bytes for itself, so that it still shows its round in later ones.
class State {
  struct ludus_header_ {
    int round, ants, scores[4];
    double status[4];
  };
  struct ludus_ant_ {
    int id, type, player, i, j, reserve[3], bonus, life;
  };

  const ludus_header_* ludus_header_at_ = ludus_nothing_();
  const unsigned char* ludus_cells_ = nullptr;
  const int* ludus_ids_ = nullptr;
  const ludus_ant_* ludus_ants_ = nullptr;
  int ludus_rows_ = 0, ludus_cols_ = 0;
  vector<double> ludus_own_;

  // What there is before the first round.
  static const ludus_header_* ludus_nothing_() {
    static const ludus_header_ nothing = {};
    return &nothing;
  }

  void ludus_copy_(const State& other) {
    if (!other.ludus_cells_) {
      ludus_header_at_ = ludus_nothing_();
      ludus_cells_ = nullptr;
      ludus_rows_ = ludus_cols_ = 0;
      return;
    }
    const unsigned char* from = reinterpret_cast<const unsigned char*>(other.ludus_header_at_);
    size_t bytes = reinterpret_cast<const unsigned char*>(other.ludus_ants_ + other.ludus_header_at_->ants) - from;
    vector<double> own((bytes + sizeof(double) - 1) / sizeof(double));
    memcpy(own.data(), from, bytes);
    ludus_own_.swap(own);
    ludus_read_state_(reinterpret_cast<const unsigned char*>(ludus_own_.data()), other.ludus_rows_, other.ludus_cols_);
  }

  static Ant ludus_unpack_(const ludus_ant_& a) {
    return Ant(AntType(a.type), a.id, a.player, Pos(a.i, a.j), vector<int>(a.reserve, a.reserve + 3), BonusType(a.bonus),
               a.life);
  }

  vector<int> ludus_list_(int pl, AntType type, const char* name) const {
    vector<int> ids;
    if (pl < 0 || pl > 3) {
      cerr << "warning: " << name << " requested for player " << pl << endl;
      return ids;
    }
    for (int k = 0; k < ludus_header_at_->ants; ++k)
      if (ludus_ants_[k].player == pl && ludus_ants_[k].type == type) ids.push_back(ludus_ants_[k].id);
    return ids;
  }

public:
  State() {}
  State(const State& other) { ludus_copy_(other); }
  State& operator=(const State& other) {
    if (this != &other) ludus_copy_(other);
    return *this;
  }

  int round() const { return ludus_header_at_->round; }

  Cell cell(int i, int j) const {
    if (i < 0 || i >= ludus_rows_ || j < 0 || j >= ludus_cols_) {
      cerr << "warning: cell requested for position " << Pos(i, j) << endl;
      return Cell();
    }
    int at = i * ludus_cols_ + j;
    return Cell(CellType(ludus_cells_[at] >> 4), BonusType(ludus_cells_[at] & 15), ludus_ids_[at]);
  }
  Cell cell(Pos p) const { return cell(p.i, p.j); }

  Ant ant(int id) const {
    int low = 0, high = ludus_header_at_->ants;
    while (low < high) {
      int middle = (low + high) / 2;
      if (ludus_ants_[middle].id < id) low = middle + 1;
      else high = middle;
    }
    if (low < ludus_header_at_->ants && ludus_ants_[low].id == id) return ludus_unpack_(ludus_ants_[low]);
    cerr << "warning: ant requested for identifier " << id << endl;
    return Ant();
  }

  vector<int> soldiers(int pl) const { return ludus_list_(pl, Soldier, "soldiers"); }
  vector<int> workers(int pl) const { return ludus_list_(pl, Worker, "workers"); }
  vector<int> queens(int pl) const { return ludus_list_(pl, Queen, "queens"); }

  int score(int pl) const {
    if (pl < 0 || pl > 3) {
      cerr << "warning: score requested for player " << pl << endl;
      return -1;
    }
    return ludus_header_at_->scores[pl];
  }

  double status(int pl) const {
    if (pl < 0 || pl > 3) {
      cerr << "warning: status requested for player " << pl << endl;
      return -2;
    }
    return ludus_header_at_->status[pl];
  }

  // For the host only.
  void ludus_read_state_(const unsigned char* room, int rows, int cols) {
    ludus_header_at_ = reinterpret_cast<const ludus_header_*>(room);
    ludus_rows_ = rows;
    ludus_cols_ = cols;
    ludus_cells_ = room + sizeof(ludus_header_);
    ludus_ids_ = reinterpret_cast<const int*>(ludus_cells_ + (rows * cols + 3) / 4 * 4);
    ludus_ants_ = reinterpret_cast<const ludus_ant_*>(ludus_ids_ + rows * cols);
  }
};

#endif
