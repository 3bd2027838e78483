#define NAMEPLAYER Mural
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

struct AIstruct : public AIbase {
#include "initializer.h"

  int side;
  vector<vector<int> > paint;    // a copy of the colours
  vector<vector<int> > taken;

  void measure_board() {
    int area = 0;
    for (int c = -1; c <= 4; ++c) area += num_caselles(c);
    side = int(sqrt(double(area)) + 0.5);
  }

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

  // Two sweeps over the board, forwards and backwards, again and again until
  // the distances settle (a chamfer transform that respects walls).
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

  Field toTeam(bool ours, int model) {
    Field f(side);
    for (int team = 1; team <= 4; ++team) {
      if ((team == 1) != ours) continue;
      vector<int> ids = model == PAG ? pagesos(team) : cavallers(team);
      for (size_t k = 0; k < ids.size(); ++k) f.at(robot(ids[k]).i, robot(ids[k]).j) = 0;
    }
    settle(f);
    return f;
  }

  void descend(int id, Field& f, Field* avoid) {
    t_robot r = robot(id);
    int best = f.at(r.i, r.j), dir = 0;
    for (int d = NE; d >= EST; --d) {
      int i = r.i + pas_i[d], j = r.j + pas_j[d];
      if (paint[i][j] == -1 || taken[i][j]) continue;
      int v = f.at(i, j);
      if (avoid && avoid->at(i, j) <= 2) v += 10 * (3 - avoid->at(i, j));
      if (v < best) {
        best = v;
        dir = d;
      }
    }
    if (dir == 0) return;
    taken[r.i + pas_i[dir]][r.j + pas_j[dir]] = 1;
    // who goes there takes the work away from the others
    f.at(r.i + pas_i[dir], r.j + pas_j[dir]) += 3;
    ordena(id, dir);
  }

  bool strike(int id) {
    t_robot r = robot(id);
    int dir = 0, grade = 0;
    for (int d = EST; d <= NE; ++d) {
      int i = r.i + pas_i[d], j = r.j + pas_j[d];
      if (taken[i][j] < 2 || paint[i][j] == -1) continue;
      t_robot o = robot(i, j);
      if (o.id == -1) continue;
      int g = o.model == PAG ? 500 : 450 - o.vida;
      if (g > grade) grade = g, dir = d;
    }
    return dir != 0 && ordena(id, dir);
  }

  void fes_torn() {
    if (torn_actual() == 1) measure_board();
    copy_board();
    Field work = toWork(), fear = toTeam(false, CAV), prey = toTeam(false, PAG), mates = toTeam(true, PAG);
    vector<int> knights = cavallers(1);
    for (size_t k = 0; k < knights.size(); ++k) {
      if (strike(knights[k])) continue;
      if (robot(knights[k]).vida < 200) continue;
      descend(knights[k], k % 2 ? prey : mates, 0);
    }
    vector<int> farmers = pagesos(1);
    for (size_t k = 0; k < farmers.size(); ++k) descend(farmers[k], work, &fear);
  }
};

AIstruct::Static_Initializer init;

};
