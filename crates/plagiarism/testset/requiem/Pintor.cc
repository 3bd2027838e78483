#define NAMEPLAYER Pintor
#include "aibase.h"
using namespace std;

namespace NAMEPLAYER {

struct AIstruct : public AIbase {
#include "initializer.h"

  // Cada pagès va a la casella no nostra més propera que ningú més no vulgui.

  struct Punt {
    int i, j;
    bool operator<(const Punt& p) const { return i != p.i ? i < p.i : j < p.j; }
  };

  set<Punt> volguts;
  set<Punt> trepitjats;

  bool lliure(int i, int j) {
    return color(i, j) != -1 and not existeix(i, j) and trepitjats.count(Punt{i, j}) == 0;
  }

  bool cavaller_enemic(int i, int j) {
    if (not existeix(i, j)) return false;
    t_robot r = robot(i, j);
    return r.equip != 1 and r.model == CAV;
  }

  bool perillosa(int i, int j) {
    for (int d = EST; d <= NE; ++d)
      if (color(i + pas_i[d], j + pas_j[d]) != -1 and cavaller_enemic(i + pas_i[d], j + pas_j[d])) return true;
    return false;
  }

  int cap_a_pintar(t_robot r) {
    map<Punt, int> primer;
    queue<Punt> cua;
    Punt inici = {r.i, r.j};
    primer[inici] = 0;
    cua.push(inici);
    while (not cua.empty() and primer.size() < 300) {
      Punt p = cua.front();
      cua.pop();
      bool es_inici = primer[p] == 0;
      if (not es_inici and color(p.i, p.j) != 1 and volguts.insert(p).second) return primer[p];
      for (int k = 0; k < 8; ++k) {
        int d = 1 + (k*2 + k/4)%8;      // primer les rectes, després les diagonals
        Punt q = {p.i + pas_i[d], p.j + pas_j[d]};
        if (primer.count(q) or color(q.i, q.j) == -1) continue;
        if (es_inici and (not lliure(q.i, q.j) or perillosa(q.i, q.j))) continue;
        primer[q] = es_inici ? d : primer[p];
        cua.push(q);
      }
    }
    return 0;
  }

  void fes_pages(int id) {
    t_robot r = robot(id);
    int d = cap_a_pintar(r);
    if (d == 0) {
      d = 1 + random(8);
      if (not lliure(r.i + pas_i[d], r.j + pas_j[d])) return;
    }
    if (ordena(id, d)) trepitjats.insert(Punt{r.i + pas_i[d], r.j + pas_j[d]});
  }

  // Com més gran, més ganes de colpejar qui hi ha en aquella direcció.
  int ganes(t_robot r, int d) {
    if (not existeix(r.i + pas_i[d], r.j + pas_j[d])) return 0;
    t_robot e = robot(r.i + pas_i[d], r.j + pas_j[d]);
    return e.equip == 1 ? 0 : e.model == PAG ? 1000 : 500 - e.vida;
  }

  void fes_cavaller(int id) {
    t_robot r = robot(id);
    vector<int> dirs = {EST, SE, SUD, SO, OEST, NO, NORD, NE};
    sort(dirs.begin(), dirs.end(), [&](int a, int b) { return ganes(r, a) > ganes(r, b); });
    if (ganes(r, dirs[0]) > 0 and ordena(id, dirs[0])) return;
    if (r.vida < 250) return;
    // patrulla: cap al centre del tauler, a poc a poc
    int d = random(3) == 0 ? 1 + random(8) : SE;
    if (r.i > 20 and d == SE) d = EST;
    if (r.j > 20 and d == EST) d = NORD;
    if (lliure(r.i + pas_i[d], r.j + pas_j[d]) and ordena(id, d)) trepitjats.insert(Punt{r.i + pas_i[d], r.j + pas_j[d]});
  }

  void fes_torn() {
    volguts.clear();
    trepitjats.clear();
    for (int id : cavallers(1)) fes_cavaller(id);
    for (int id : pagesos(1)) fes_pages(id);
  }
};

AIstruct::Static_Initializer init;

};
