#ifndef Structs_hh
#define Structs_hh

#include "Utils.hh"

enum Dir { Down, Right, Up, Left };
enum BonusType { Bread, Seed, Leaf, None };
enum NutrientType { Carbohydrate, Protein, Lipid };
enum CellType { Soil, Water };
enum AntType { Queen, Soldier, Worker };
enum CommandType { Move, Take, Leave, Lay };

// Enumerators are printed by name; other values as the number they are.
namespace ludus {
inline ostream& print_name(ostream& os, int value, const char* const* names, int count) {
  if (value >= 0 && value < count) return os << names[value];
  return os << value;
}
}  // namespace ludus

inline ostream& operator<<(ostream& os, const Dir& d) {
  static const char* const names[] = {"Down", "Right", "Up", "Left"};
  return ludus::print_name(os, d, names, 4);
}

inline ostream& operator<<(ostream& os, const BonusType& b) {
  static const char* const names[] = {"Bread", "Seed", "Leaf", "None"};
  return ludus::print_name(os, b, names, 4);
}

inline ostream& operator<<(ostream& os, const NutrientType& n) {
  static const char* const names[] = {"Carbohydrate", "Protein", "Lipid"};
  return ludus::print_name(os, n, names, 3);
}

inline ostream& operator<<(ostream& os, const CellType& t) {
  static const char* const names[] = {"Soil", "Water"};
  return ludus::print_name(os, t, names, 2);
}

inline ostream& operator<<(ostream& os, const AntType& t) {
  static const char* const names[] = {"Queen", "Soldier", "Worker"};
  return ludus::print_name(os, t, names, 3);
}

inline ostream& operator<<(ostream& os, const CommandType& t) {
  static const char* const names[] = {"Move", "Take", "Leave", "Lay"};
  return ludus::print_name(os, t, names, 4);
}

inline bool dir_ok(Dir d) { return (int)d >= 0 && (int)d <= 3; }
inline bool command_type_ok(CommandType t) { return (int)t >= 0 && (int)t <= 3; }

// Letters of match files; unknown values have a letter of their own, unknown letters are -1.
namespace ludus {
inline char letter_of(int value, const char* letters, char other) {
  int count = (int)strlen(letters);
  return value >= 0 && value < count ? letters[value] : other;
}
inline int value_of(char letter, const char* letters) {
  const char* found = letter ? strchr(letters, letter) : 0;
  return found ? (int)(found - letters) : -1;
}
}  // namespace ludus

inline char CommandType2char(int t) { return ludus::letter_of(t, "mtly", '_'); }
inline int char2CommandType(char c) { return ludus::value_of(c, "mtly"); }
inline char Dir2char(int d) { return ludus::letter_of(d, "drul", '_'); }
inline int char2Dir(char c) { return ludus::value_of(c, "drul"); }
inline char BonusType2char(int b) { return ludus::letter_of(b, "bsl", 'n'); }
inline int char2BonusType(char c) { return ludus::value_of(c, "bsln"); }
inline char AntType2char(int t) { return ludus::letter_of(t, "qsw", '_'); }
inline int char2AntType(char c) { return ludus::value_of(c, "qsw"); }

// A cell of the board: row i, column j.
struct Pos {
  int i, j;

  Pos() : i(0), j(0) {}
  Pos(int i, int j) : i(i), j(j) {}

  Pos& operator+=(Dir d) {
    i += (d == Down) - (d == Up);
    j += (d == Right) - (d == Left);
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
  BonusType bonus;
  int id;  // of the ant on it, or -1

  Cell() : type(Soil), bonus(None), id(-1) {}
  Cell(CellType t, BonusType b, int i) : type(t), bonus(b), id(i) {}
};

struct Ant {
  AntType type;
  int id;
  int player;
  Pos pos;
  vector<int> reserve;  // of a queen, by nutrient
  BonusType bonus;      // what a worker carries
  int life;

  Ant() : type(Queen), id(-1), player(-1), bonus(None), life(INT_MAX) {}
  Ant(AntType t, int i, int pl, Pos p, const vector<int>& r, BonusType b, int l)
      : type(t), id(i), player(pl), pos(p), reserve(r), bonus(b), life(l) {}
};

#endif
