#ifndef State_hh
#define State_hh

#include "Structs.hh"
#include "ludus.hh"

// The city at the beginning of the round. It is read where the host has
// written it, and nothing is decoded that is not asked for. A copy has the
// bytes for itself, so that it still shows its round in later ones.
class State {
  struct ludus_header_ {
    int round, is_day, citizens, barricades, scores[4];
    double status[4];
  };
  struct ludus_citizen_ {
    int id, type, player, i, j, weapon, life;
  };
  struct ludus_barricade_ {
    int player, i, j, resistance;
  };

  const ludus_header_* ludus_header_at_ = ludus_nothing_();
  const unsigned char* ludus_cells_ = nullptr;
  const int* ludus_ids_ = nullptr;
  const int* ludus_resistances_ = nullptr;
  const ludus_citizen_* ludus_citizens_ = nullptr;
  const ludus_barricade_* ludus_barricades_ = nullptr;
  int ludus_rows_ = 0, ludus_cols_ = 0;
  mutable vector<int> ludus_found_;  // room for the ids of a list
  vector<double> ludus_own_;

  // What there is before the first round.
  static const ludus_header_* ludus_nothing_() {
    static const ludus_header_ nothing = {};
    return &nothing;
  }

  vector<int> ludus_list_(int pl, CitizenType type) const {
    size_t most = ludus_header_at_->citizens;
    if (ludus_found_.size() < most) ludus_found_.resize(most);
    int *first = ludus_found_.data(), *end = first;
    for (const ludus_citizen_ *c = ludus_citizens_, *last = c + most; c != last; ++c) {
      *end = c->id;
      end += c->player == pl && c->type == type;
    }
    return vector<int>(first, end);
  }

  void ludus_copy_(const State& other) {
    if (!other.ludus_cells_) {
      ludus_header_at_ = ludus_nothing_();
      ludus_cells_ = nullptr;
      ludus_rows_ = ludus_cols_ = 0;
      return;
    }
    vector<double> own = ludus::copy_of(other.ludus_header_at_, other.ludus_barricades_ + other.ludus_header_at_->barricades);
    ludus_own_.swap(own);
    ludus_read_state_(reinterpret_cast<const unsigned char*>(ludus_own_.data()), other.ludus_rows_, other.ludus_cols_);
  }

public:
  State() {}
  State(const State& other) { ludus_copy_(other); }
  State& operator=(const State& other) {
    if (this != &other) ludus_copy_(other);
    return *this;
  }

  int round() const { return ludus_header_at_->round; }
  bool is_day() const { return ludus_header_at_->is_day; }
  bool is_night() const { return !is_day(); }

  Cell cell(int i, int j) const {
    if (i < 0 || i >= ludus_rows_ || j < 0 || j >= ludus_cols_) return Cell();
    int at = i * ludus_cols_ + j, code = ludus_cells_[at];
    return Cell(CellType(code >> 4 & 1), BonusType(code >> 2 & 3), WeaponType(code & 3), ludus_resistances_[at],
                (code >> 5) - 1, ludus_ids_[at]);
  }
  Cell cell(Pos p) const { return cell(p.i, p.j); }

  Citizen citizen(int id) const {
    int low = 0, high = ludus_header_at_->citizens;
    // Before anybody dies, and often later, they are numbered without gaps.
    if ((unsigned)id < (unsigned)high && ludus_citizens_[id].id == id) low = high = id;
    while (low < high) {
      int middle = (low + high) / 2;
      if (ludus_citizens_[middle].id < id) low = middle + 1;
      else high = middle;
    }
    if (low == ludus_header_at_->citizens || ludus_citizens_[low].id != id) return Citizen();
    const ludus_citizen_& c = ludus_citizens_[low];
    return Citizen(CitizenType(c.type), c.id, c.player, Pos(c.i, c.j), WeaponType(c.weapon), c.life);
  }

  vector<int> builders(int pl) const { return ludus_list_(pl, Builder); }
  vector<int> warriors(int pl) const { return ludus_list_(pl, Warrior); }

  vector<Pos> barricades(int pl) const {
    vector<Pos> found;
    found.reserve(ludus_header_at_->barricades);
    for (int k = 0; k < ludus_header_at_->barricades; ++k)
      if (ludus_barricades_[k].player == pl) found.push_back(Pos(ludus_barricades_[k].i, ludus_barricades_[k].j));
    return found;
  }

  int score(int pl) const { return pl < 0 || pl > 3 ? -1 : ludus_header_at_->scores[pl]; }
  double status(int pl) const { return pl < 0 || pl > 3 ? -2 : ludus_header_at_->status[pl]; }

  // For the host only.
  void ludus_read_state_(const unsigned char* room, int rows, int cols) {
    int area = rows * cols;
    ludus_rows_ = rows;
    ludus_cols_ = cols;
    ludus_header_at_ = reinterpret_cast<const ludus_header_*>(room);
    ludus_cells_ = room + sizeof(ludus_header_);
    ludus_ids_ = reinterpret_cast<const int*>(ludus_cells_ + (area + 3) / 4 * 4);
    ludus_resistances_ = ludus_ids_ + area;
    ludus_citizens_ = reinterpret_cast<const ludus_citizen_*>(ludus_resistances_ + area);
    ludus_barricades_ = reinterpret_cast<const ludus_barricade_*>(ludus_citizens_ + ludus_header_at_->citizens);
  }
};

#endif
