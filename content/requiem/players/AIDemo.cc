// Farmers march in one direction for the whole match; knights stagger about.
#define NAMEPLAYER Demo

#include "aibase.h"

using namespace std;

namespace NAMEPLAYER {

struct AIstruct : public AIbase {
#include "initializer.h"

  int march;

  // Nobody can go to a wall: such an order would be refused, with a message.
  void go(int id, int dir) {
    t_robot r = robot(id);
    if (color(r.i + pas_i[dir], r.j + pas_j[dir]) != -1) ordena(id, dir);
  }

  void fes_torn() {
    if (torn_actual() == 1) march = 1 + random(3);

    vector<int> farmers = pagesos(1);
    for (int k = 0; k < int(farmers.size()); ++k) go(farmers[k], march);

    vector<int> knights = cavallers(1);
    for (int k = 0; k < int(knights.size()); ++k) go(knights[k], 1 + random(8));
  }
};

AIstruct::Static_Initializer init;

};
