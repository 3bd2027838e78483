#define NAMEPLAYER Sabre
#include "aibase.h"
using namespace std;

namespace NAMEPLAYER {

struct AIstruct : public AIbase {
#include "initializer.h"

  set<int> marks;
  vector<t_robot> friends, foes;      // knights, read once per round
  map<pair<int,int>, int> memo;

  int count_around(int i, int j, bool ours) {
    const vector<t_robot>& all = ours ? friends : foes;
    return count_if(all.begin(), all.end(), [=](const t_robot& k) {
      return (k.i != i or k.j != j) and abs(k.i - i) <= 1 and abs(k.j - j) <= 1;
    });
  }

  int harvest(int i, int j, int left) {
    if (left == 0) return 0;
    pair<int,int> key(i*1000 + j, left);
    map<pair<int,int>, int>::iterator it = memo.find(key);
    if (it != memo.end()) return it->second;
    int best = 0;
    for (int d = EST; d <= NE; ++d) {
      int a = i + pas_i[d], b = j + pas_j[d];
      int c = color(a, b);
      if (c == -1) continue;
      int gain = c == 1 or marks.count(a*1000 + b) ? 0 : left;
      best = max(best, gain + harvest(a, b, left - 1));
    }
    return memo[key] = best;
  }

  void fes_torn() {
    marks.clear();
    memo.clear();
    friends.clear();
    for (int id : cavallers(1)) friends.push_back(robot(id));
    foes.clear();
    for (int team = 2; team <= 4; ++team)
      for (int id : cavallers(team)) foes.push_back(robot(id));

    for (int id : cavallers(1)) {
      t_robot me = robot(id);
      int thrust = 0;
      double top_merit = 0;
      for (int d = EST; d <= NE; ++d) {
        int a = me.i + pas_i[d], b = me.j + pas_j[d];
        if (color(a, b) == -1 or not existeix(a, b)) continue;
        t_robot foe = robot(a, b);
        if (foe.equip == 1) continue;
        double merit;
        if (foe.model == PAG) merit = 5;
        else {
          int ours = count_around(a, b, true), theirs = count_around(me.i, me.j, false);
          double his = ours == 0 ? 99 : ceil(foe.vida/(120.0*ours));
          double mine = theirs == 0 ? 99 : ceil(me.vida/(120.0*theirs));
          merit = 4*mine/his;
        }
        if (merit > top_merit) {
          thrust = d;
          top_merit = merit;
        }
      }
      if (thrust and top_merit < 3 and me.vida < 200) {
        int calm = count_around(me.i, me.j, false), where = 0;
        for (int d = EST; d <= NE; ++d) {
          int a = me.i + pas_i[d], b = me.j + pas_j[d];
          if (color(a, b) == -1 or existeix(a, b) or marks.count(a*1000 + b)) continue;
          int n = count_around(a, b, false);
          if (n < calm) calm = n, where = d;
        }
        if (where != 0 and ordena(id, where)) {
          marks.insert((me.i + pas_i[where])*1000 + me.j + pas_j[where]);
          continue;
        }
      }
      if (thrust) { ordena(id, thrust); continue; }
      if (me.vida < 320) continue;
      // form up: each fencer has a place on a quarter circle around home
      double angle = (id%9)*M_PI/16;
      int pi = 4 + int(20*sin(angle)), pj = 4 + int(20*cos(angle));
      int far = max(abs(pi - me.i), abs(pj - me.j));
      for (int d = EST; d <= NE; ++d) {
        int a = me.i + pas_i[d], b = me.j + pas_j[d];
        if (color(a, b) == -1 or existeix(a, b) or marks.count(a*1000 + b)) continue;
        if (max(abs(pi - a), abs(pj - b)) < far and ordena(id, d)) {
          marks.insert(a*1000 + b);
          break;
        }
      }
    }

    for (int id : pagesos(1)) {
      t_robot me = robot(id);
      int top = 0, go = 0;
      for (int d = EST; d <= NE; ++d) {
        int a = me.i + pas_i[d], b = me.j + pas_j[d];
        if (color(a, b) == -1 or existeix(a, b) or marks.count(a*1000 + b)) continue;
        int value = (color(a, b) == 1 ? 0 : 6) + harvest(a, b, 5) - 12*count_around(a, b, false);
        if (value > top) top = value, go = d;
      }
      if (go == 0) {
        // nothing within reach: drift south-east, where the others are
        static const int drift[4] = {SE, EST, SUD, NE};
        for (int k = 0; k < 4 and go == 0; ++k) {
          int d = drift[(k + id)%4];
          int a = me.i + pas_i[d], b = me.j + pas_j[d];
          if (color(a, b) != -1 and not existeix(a, b) and not marks.count(a*1000 + b)) go = d;
        }
      }
      if (go and ordena(id, go)) marks.insert((me.i + pas_i[go])*1000 + me.j + pas_j[go]);
    }
  }
};

AIstruct::Static_Initializer init;

};
