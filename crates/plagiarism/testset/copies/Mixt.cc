#define NAMEPLAYER Mixt
#include "aibase.h"
using namespace std;

namespace NAMEPLAYER {

const int BIG = 1 << 29;

struct Field {
  int n;
  vector<int> d;
  explicit Field(int n) : n(n), d(n * n, BIG) {}
  int& at(int i, int j) { return d[i * n + j]; }
};

struct Estat {
  int f, g, i, j;
  friend bool operator> (const Estat& a, const Estat& b) {
    if (a.f != b.f) return a.f > b.f;
    return a.g < b.g;
  }
};

struct AIstruct : public AIbase {
#include "initializer.h"

  int side;
  vector<vector<int> > paint;
  vector<vector<int> > taken;
  map<int,int> presa;
  vector<vector<int> > millor_g, d_inicial;

  void copy_board() {
    paint.assign(side, vector<int>(side, -1));
    taken.assign(side, vector<int>(side, 0));
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j) paint[i][j] = color(i, j);
    for (int team = 1; team <= 4; ++team) {
      for (int id : pagesos(team)) taken[robot(id).i][robot(id).j] = team;
      for (int id : cavallers(team)) taken[robot(id).i][robot(id).j] = team;
    }
  }

  void settle(Field& f) {
    bool moved = true;
    while (moved) {
      moved = false;
      for (int i = 1; i + 1 < side; ++i)
        for (int j = 1; j + 1 < side; ++j) moved |= relax(f, i, j, -1);
      for (int i = side - 2; i > 0; --i)
        for (int j = side - 2; j > 0; --j) moved |= relax(f, i, j, +1);
    }
  }

  bool relax(Field& f, int i, int j, int s) {
    if (paint[i][j] == -1) return false;
    int low = min(min(f.at(i + s, j - 1), f.at(i + s, j)), min(f.at(i + s, j + 1), f.at(i, j + s)));
    if (low + 1 >= f.at(i, j)) return false;
    f.at(i, j) = low + 1;
    return true;
  }

  Field toWork() {
    Field f(side);
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j)
        if (paint[i][j] != -1 && paint[i][j] != 1 && !taken[i][j]) f.at(i, j) = paint[i][j] == 0 ? 1 : 0;
    settle(f);
    return f;
  }

  void descend(int id, Field& f) {
    t_robot r = robot(id);
    int best = f.at(r.i, r.j), dir = 0;
    for (int d = NE; d >= EST; --d) {
      int i = r.i + pas_i[d], j = r.j + pas_j[d];
      if (paint[i][j] == -1 || taken[i][j]) continue;
      int v = f.at(i, j);
      if (v < best) {
        best = v;
        dir = d;
      }
    }
    if (dir == 0) return;
    taken[r.i + pas_i[dir]][r.j + pas_j[dir]] = 1;
    f.at(r.i + pas_i[dir], r.j + pas_j[dir]) += 3;
    ordena(id, dir);
  }

  static int xeb (int i, int j, int a, int b) {
    return max(abs(i - a), abs(j - b));
  }

  int astar (t_robot r, int fi, int fj) {
    const int DIM = 120;
    millor_g.assign(DIM, vector<int>(DIM, 1000000));
    d_inicial.assign(DIM, vector<int>(DIM, 0));
    priority_queue<Estat, vector<Estat>, greater<Estat> > oberts;
    millor_g[r.i][r.j] = 0;
    oberts.push(Estat{xeb(r.i, r.j, fi, fj)*2, 0, r.i, r.j});
    int expandits = 0;
    while (not oberts.empty() and ++expandits < 400) {
      Estat e = oberts.top();
      oberts.pop();
      if (e.g > millor_g[e.i][e.j]) continue;
      if (xeb(e.i, e.j, fi, fj) <= 1) {
        if (e.g > 0) return d_inicial[e.i][e.j];
        for (int d = EST; d <= NE; ++d)
          if (r.i + pas_i[d] == fi and r.j + pas_j[d] == fj) return d;
      }
      for (int d = EST; d <= NE; ++d) {
        int i = e.i + pas_i[d], j = e.j + pas_j[d];
        if (paint[i][j] == -1) continue;
        int g = e.g + (existeix(i, j) ? 4 : 1);
        if (e.g == 0 and taken[i][j]) continue;
        if (g >= millor_g[i][j]) continue;
        millor_g[i][j] = g;
        d_inicial[i][j] = e.g == 0 ? d : d_inicial[e.i][e.j];
        oberts.push(Estat{g + 2*xeb(i, j, fi, fj), g, i, j});
      }
    }
    return 0;
  }

  int tria_presa (t_robot r) {
    int quina = -1, nota = 1000000;
    for (int e = 2; e <= 4; ++e) {
      vector<int> v = pagesos(e);
      foreach(it, v) {
        t_robot o = robot(*it);
        int n = 10*xeb(r.i, r.j, o.i, o.j);
        foreach(p, presa) if (p->second == *it and p->first != r.id) n += 60;
        if (n < nota) { nota = n; quina = *it; }
      }
    }
    return quina;
  }

  bool mossega (t_robot r) {
    int on = 0, vida = 1000;
    for (int d = EST; d <= NE; ++d) {
      int i = r.i + pas_i[d], j = r.j + pas_j[d];
      if (color(i, j) == -1 or not existeix(i, j)) continue;
      t_robot o = robot(i, j);
      if (o.equip == 1) continue;
      int v = o.model == PAG ? 1 : o.vida;
      if (v < vida) { vida = v; on = d; }
    }
    return on and ordena(r.id, on);
  }

  void llop (int id) {
    t_robot r = robot(id);
    if (mossega(r) or r.vida < 150) return;
    if (not presa.count(id) or not existeix(presa[id]) or robot(presa[id]).equip == 1) presa[id] = tria_presa(r);
    if (presa[id] == -1) return;
    t_robot o = robot(presa[id]);
    int d = astar(r, o.i, o.j);
    if (d and ordena(id, d)) taken[r.i + pas_i[d]][r.j + pas_j[d]] = 1;
    else presa.erase(id);
  }

  void fes_torn() {
    if (torn_actual() == 1) {
      int area = 0;
      for (int c = -1; c <= 4; ++c) area += num_caselles(c);
      side = int(sqrt(double(area)) + 0.5);
    }
    copy_board();
    Field work = toWork();
    for (int id : cavallers(1)) llop(id);
    for (int id : pagesos(1)) descend(id, work);
  }
};

AIstruct::Static_Initializer init;

};
