#define NAMEPLAYER Echoes
#include "aibase.h"

using namespace std;

namespace NAMEPLAYER {

// Players of this game cannot ask for the settings; the board is a square with
// walls all around, and outside of it everything is wall.
struct AIstruct : public AIbase {
#include "initializer.h"

  void fes_torn() {
    const int side = 50;
    vector<int> lists;
    Echo e;
    vector<int> counts;
    for (int model : {PAG, CAV})
      for (int team = 1; team <= 4; ++team) {
        vector<int> list = model == PAG ? pagesos(team) : cavallers(team);
        counts.push_back(list.size());
        lists.insert(lists.end(), list.begin(), list.end());
      }
    vector<int> ids = lists;
    sort(ids.begin(), ids.end());
    // Nor for the seed of their generator.
    e.words({torn_actual(), torns_restants(), 0, (int)ids.size()});
    for (int colour = -1; colour <= 4; ++colour) e.word(num_caselles(colour));
    e.words(counts);
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j) e.byte(color(i, j));
    e.align();
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j)
        e.word(existeix(i, j) ? lower_bound(ids.begin(), ids.end(), robot(i, j).id) - ids.begin() : -1);
    for (int id : ids) {
      t_robot r = robot(id);
      e.words({r.id, r.i, r.j, r.equip, r.model, r.vida});
    }
    e.words(lists);
    e.tell("state");
  }
};

AIstruct::Static_Initializer init;

};
