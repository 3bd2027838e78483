#ifndef Info_hh
#define Info_hh

#include "Settings.hh"
#include "State.hh"

class Info : public Settings, public State {
public:
  static Cell char2Cell(char c) {
    switch (c) {
      case '.': return Cell(Soil, None, -1);
      case 'W': return Cell(Water, None, -1);
      case 'B': return Cell(Soil, Bread, -1);
      case 'S': return Cell(Soil, Seed, -1);
      case 'L': return Cell(Soil, Leaf, -1);
    }
    _my_assert(false, c << " in grid definition.");
    return Cell();
  }

  void read_grid(istream&) {}
  bool ok() const { return true; }
};

#endif
