#ifndef Structs_hh
#define Structs_hh

#include "Utils.hh"

// The type behind the enumerations is fixed, so that values outside them are
// carried as they are.
enum Dir : int { Bottom, BR, Right, RT, Top, TL, Left, LB, None, DirSize };
enum CellType : int { Empty, Wall, CellTypeSize };
enum UnitType : int { Farmer, Knight, Witch, UnitTypeSize };

inline bool dir_ok(Dir d) { return (int)d >= 0 && (int)d < DirSize; }
inline bool ut_ok(UnitType t) { return (int)t >= 0 && (int)t < UnitTypeSize; }

inline char ut2char(UnitType t) {
  switch (t) {
    case Farmer: return 'f';
    case Knight: return 'k';
    case Witch: return 'w';
    default: _unreachable();
  }
  return 0;
}

inline UnitType char2ut(char c) {
  switch (c) {
    case 'f': return Farmer;
    case 'k': return Knight;
    case 'w': return Witch;
    default: _unreachable();
  }
  return UnitTypeSize;
}

// A cell of the board: row i, column j.
struct Pos {
  int i, j;

  Pos() : i(0), j(0) {}
  Pos(int i, int j) : i(i), j(j) {}

  Pos& operator+=(Dir d) {
    static const signed char steps[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    if ((unsigned)d < 8) {
      i += steps[d][0];
      j += steps[d][1];
    }
    return *this;
  }
  Pos operator+(Dir d) const {
    Pos p = *this;
    return p += d;
  }
  Pos& operator+=(Pos p) {
    i += p.i;
    j += p.j;
    return *this;
  }
  Pos operator+(Pos p) const { return p += *this; }

  friend ostream& operator<<(ostream& os, const Pos& p) { return os << '(' << p.i << ", " << p.j << ')'; }
  friend bool operator==(const Pos& a, const Pos& b) { return a.i == b.i && a.j == b.j; }
  friend bool operator!=(const Pos& a, const Pos& b) { return !(a == b); }
  friend bool operator<(const Pos& a, const Pos& b) { return a.i != b.i ? a.i < b.i : a.j < b.j; }
};

struct Cell {
  CellType type;
  int owner;     // team of its colour, or -1
  int id;        // of the unit on it, or -1
  bool haunted;  // whether farmers and knights die on it

  Cell() : type(Empty), owner(-1), id(-1), haunted(false) {}
  Cell(CellType type, int owner, int id, bool haunted) : type(type), owner(owner), id(id), haunted(haunted) {}
};

struct Unit {
  UnitType type;
  int id;
  int player;
  int health;  // -1 for witches
  Pos pos;
  bool active;  // whether a witch haunts

  Unit() : type(Farmer), id(-1), player(-1), health(0), active(false) {}
  Unit(UnitType type, int id, int player, int health, Pos pos = Pos(0, 0), bool active = false)
      : type(type), id(id), player(player), health(health), pos(pos), active(active) {}
};

#endif
