#ifndef Structs_hh
#define Structs_hh

#include "Utils.hh"

enum Dir { Down, Right, Up, Left };
enum BonusType { Money, Food, NoBonus };
enum WeaponType { Hammer, Gun, Bazooka, NoWeapon };
enum CellType { Street, Building };
enum CitizenType { Builder, Warrior };
enum CommandType { Move, Build };

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
  static const char* const names[] = {"Money", "Food", "NoBonus"};
  return ludus::print_name(os, b, names, 3);
}

inline ostream& operator<<(ostream& os, const WeaponType& w) {
  static const char* const names[] = {"Hammer", "Gun", "Bazooka", "NoWeapon"};
  return ludus::print_name(os, w, names, 4);
}

inline ostream& operator<<(ostream& os, const CellType& t) {
  static const char* const names[] = {"Street", "Building"};
  return ludus::print_name(os, t, names, 2);
}

inline ostream& operator<<(ostream& os, const CitizenType& t) {
  static const char* const names[] = {"Builder", "Warrior"};
  return ludus::print_name(os, t, names, 2);
}

inline ostream& operator<<(ostream& os, const CommandType& t) {
  static const char* const names[] = {"Move", "Build"};
  return ludus::print_name(os, t, names, 2);
}

inline bool dir_ok(Dir d) { return (int)d >= 0 && (int)d <= 3; }
inline bool command_type_ok(CommandType t) { return (int)t >= 0 && (int)t <= 1; }

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

inline char CommandType2char(int t) { return ludus::letter_of(t, "mb", '_'); }
inline int char2CommandType(char c) { return ludus::value_of(c, "mb"); }
inline char Dir2char(int d) { return ludus::letter_of(d, "drul", '_'); }
inline int char2Dir(char c) { return ludus::value_of(c, "drul"); }
inline char BonusType2char(int b) { return ludus::letter_of(b, "mf", 'n'); }
inline int char2BonusType(char c) { return ludus::value_of(c, "mfn"); }
inline char WeaponType2char(int w) { return ludus::letter_of(w, "hgb", 'n'); }
inline int char2WeaponType(char c) { return ludus::value_of(c, "hgbn"); }
inline char CitizenType2char(int t) { return ludus::letter_of(t, "bw", '_'); }
inline int char2CitizenType(char c) { return ludus::value_of(c, "bw"); }

// The one that a warrior keeps of two weapons.
inline WeaponType strongestWeapon(WeaponType a, WeaponType b) {
  if (a == NoWeapon) return b;
  if (b == NoWeapon) return a;
  return (int)a < (int)b ? b : a;
}

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
};

inline ostream& operator<<(ostream& os, const Pos& p) { return os << '(' << p.i << ", " << p.j << ')'; }
inline bool operator==(const Pos& a, const Pos& b) { return a.i == b.i && a.j == b.j; }
inline bool operator!=(const Pos& a, const Pos& b) { return !(a == b); }
inline bool operator<(const Pos& a, const Pos& b) { return a.i != b.i ? a.i < b.i : a.j < b.j; }

struct Cell {
  CellType type;
  BonusType bonus;
  WeaponType weapon;
  int resistance;  // of the barricade, or -1
  int b_owner;     // clan of the barricade, or -1
  int id;          // of the citizen, or -1

  Cell() : type(Street), bonus(NoBonus), weapon(NoWeapon), resistance(-1), b_owner(-1), id(-1) {}
  Cell(CellType t, BonusType b, WeaponType w, int r, int o, int i)
      : type(t), bonus(b), weapon(w), resistance(r), b_owner(o), id(i) {}

  // A street with nothing and nobody on it.
  bool is_empty() const {
    return type == Street && bonus == NoBonus && weapon == NoWeapon && resistance == -1 && b_owner == -1 && id == -1;
  }
};

struct Citizen {
  CitizenType type;
  int id;
  int player;
  Pos pos;
  WeaponType weapon;  // NoWeapon for builders
  int life;

  Citizen() : type(Builder), id(-1), player(-1), weapon(NoWeapon), life(INT_MAX) {}
  Citizen(CitizenType t, int i, int pl, Pos p, WeaponType w, int l)
      : type(t), id(i), player(pl), pos(p), weapon(w), life(l) {}
};

#endif
