#ifndef Info_hh
#define Info_hh

#include "Settings.hh"
#include "State.hh"

class Info : public Settings, public State {
public:
  static Cell char2Cell(char c) {
    switch (c) {
      case 'B': return Cell(Building, NoBonus, NoWeapon, -1, -1, -1);
      case 'G': return Cell(Street, NoBonus, Gun, -1, -1, -1);
      case 'Z': return Cell(Street, NoBonus, Bazooka, -1, -1, -1);
      case 'M': return Cell(Street, Money, NoWeapon, -1, -1, -1);
      case 'F': return Cell(Street, Food, NoWeapon, -1, -1, -1);
      case '.': case 'C': case 'c': case 'W': case 'w': case 'b': return Cell();
    }
    _my_assert(false, c << " in grid definition.");
    return Cell();
  }

  void read_grid(istream&) {}
  bool ok() const { return true; }
};

#endif
