// Farmers march in one direction for the whole match; knights stagger about.
#define NAMEPLAYER Demo

#include "aibase.h"

using namespace std;

namespace NAMEPLAYER {

struct AIstruct : public AIbase {
#include "initializer.h"

  int march;

  void fes_torn() {
    if (torn_actual() == 1) march = 1 + random(3);

    // An order towards a wall is refused, and the robot stays where it is.
    vector<int> farmers = pagesos(1);
    for (int k = 0; k < int(farmers.size()); ++k) ordena(farmers[k], march);

    vector<int> knights = cavallers(1);
    for (int k = 0; k < int(knights.size()); ++k) ordena(knights[k], 1 + random(8));
  }
};

AIstruct::Static_Initializer init;

};
