#ifndef Structs_hh
#define Structs_hh

#include "Names.hh"

#if __cplusplus >= 201703L
#include <optional>
#include <string_view>
#endif

enum Dir { Down, DR, Right, RU, Up, UL, Left, LD };
enum CellType { Corridor, Wall };
enum UnitType { Wizard, Ghost };
enum CommandType { Move, Spell };

inline ostream& operator<<(ostream& os, const Dir& d) {
  static const char* const names[] = {"Down", "DR", "Right", "RU", "Up", "UL", "Left", "LD"};
  return ludus::print_name(os, d, names, 8);
}

inline ostream& operator<<(ostream& os, const CellType& t) {
  static const char* const names[] = {"Corridor", "Wall"};
  return ludus::print_name(os, t, names, 2);
}

inline ostream& operator<<(ostream& os, const UnitType& t) {
  static const char* const names[] = {"Wizard", "Ghost"};
  return ludus::print_name(os, t, names, 2);
}

inline ostream& operator<<(ostream& os, const CommandType& t) {
  static const char* const names[] = {"Move", "Spell"};
  return ludus::print_name(os, t, names, 2);
}

inline bool dir_ok(Dir d) { return (int)d >= 0 && (int)d <= 7; }
inline bool command_type_ok(CommandType t) { return (int)t >= 0 && (int)t <= 1; }

inline char CommandType2char(int t) { return ludus::letter_of(t, "ms"); }
inline int char2CommandType(char c) { return ludus::value_of(c, "ms"); }
inline char Dir2char(int d) { return ludus::letter_of(d, "dcreuqlz"); }
inline int char2Dir(char c) { return ludus::value_of(c, "dcreuqlz"); }
inline char UnitType2char(int t) { return ludus::letter_of(t, "wg"); }
inline int char2UnitType(char c) { return ludus::value_of(c, "wg"); }

// A cell of the board: row i, column j.
struct Pos {
  int i, j;

  Pos() : i(0), j(0) {}
  Pos(int i, int j) : i(i), j(j) {}

  Pos& operator+=(Dir d) {
    // Rows grow downwards; the directions go round, and those that are none stay.
    static const signed char rows[] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const signed char cols[] = {0, 1, 1, 1, 0, -1, -1, -1};
    if (dir_ok(d)) {
      i += rows[d];
      j += cols[d];
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
};

inline bool operator==(const Pos& a, const Pos& b) { return a.i == b.i && a.j == b.j; }
inline bool operator!=(const Pos& a, const Pos& b) { return !(a == b); }
inline bool operator<(const Pos& a, const Pos& b) { return a.i != b.i ? a.i < b.i : a.j < b.j; }
inline ostream& operator<<(ostream& os, const Pos& p) { return os << '(' << p.i << ", " << p.j << ')'; }

struct Cell {
  CellType type;
  int owner;  // the clan it belongs to, or -1
  int id;     // of the unit on it, or -1
  bool book;

  Cell() : type(Corridor), owner(-1), id(-1), book(false) {}
  // A cell made like this has no book, whatever the last argument says.
  Cell(CellType t, int o, int i, bool) : type(t), owner(o), id(i), book(false) {}

  bool is_empty() const { return type == Corridor && id == -1 && !book; }
};

struct Unit {
  UnitType type;
  int id;
  int player;
  Pos pos;
  int rounds_pending;  // until a wizard in conversion changes clan, or until a ghost can cast
  int next_player;     // that a wizard in conversion will join; of a ghost, the round of the last attack

  Unit() : type(Wizard), id(-1), player(-1), rounds_pending(-1), next_player(-1) {}
  Unit(UnitType t, int i, int pl, Pos p, int rounds, int next)
      : type(t), id(i), player(pl), pos(p), rounds_pending(rounds), next_player(next) {}

  bool is_in_conversion_process() const { return type == Wizard && rounds_pending > 0; }
  int rounds_for_converting() const { return type == Wizard ? rounds_pending : -1; }
  int player_to_be_converted_to() const { return type == Wizard ? next_player : -1; }
  int last_attack_received() const { return type == Wizard ? -1 : next_player; }
  int resting_rounds() const { return type == Wizard ? -1 : rounds_pending; }
};

#endif
