// A player that does nothing: copy it to AI<Name>.cc and begin.

// The name of your player: up to 12 letters, digits or underscores.
#define NAMEPLAYER Null

#include "aibase.h"

using namespace std;

namespace NAMEPLAYER {

struct AIstruct : public AIbase {
#include "initializer.h"

  // Attributes keep their values from one turn to the next and start at zero:
  //
  // int direction;

  // Called once per turn. Whoever you are, you see yourself as team 1, in the
  // north-west of the board. For instance:
  //
  // vector<int> farmers = pagesos(1);
  // for (int k = 0; k < int(farmers.size()); ++k) {
  //   t_robot r = robot(farmers[k]);
  //   if (color(r.i, r.j + 1) != -1) ordena(r.id, EST);
  // }
  //
  // A robot without an order stays where it is.
  void fes_torn() {
  }
};

// This makes the player known to the game.
AIstruct::Static_Initializer init;

};
