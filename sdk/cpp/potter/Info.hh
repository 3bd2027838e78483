#ifndef Info_hh
#define Info_hh

#include "Settings.hh"
#include "State.hh"

class Info : public Settings, public State {
public:
  static Cell char2Cell(char c) {
    if (c == '.') return Cell();
    if (c == 'W') return Cell(Wall, -1, -1, false);
    if (c >= '0' && c <= '3') return Cell(Corridor, c - '0', -1, false);
    _my_assert(false, c << " in grid definition.");
    return Cell();
  }

  void read_grid(istream&) {}
  bool ok() const { return true; }
};

#endif
