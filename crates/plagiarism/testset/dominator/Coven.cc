#include "Player.hh"
#define PLAYER_NAME Coven

// The witches do the work. Each picks the spot whose diamond would catch most
// rivals and none of ours; everybody else keeps out of the way.

using Grid = vector<vector<int>>;

struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }

  Grid harm, forbidden;

  template <typename F> void diamond(Pos c, int r, F f) {
    for (int di = -r; di <= r; ++di) {
      int rest = r - abs(di);
      for (int dj = -rest; dj <= rest; ++dj)
        if (pos_ok(c.i + di, c.j + dj)) f(c.i + di, c.j + dj);
    }
  }

  // harm[i][j]: rivals minus friends that a witch at (i, j) would kill.
  void assess() {
    harm = Grid(rows(), vector<int>(cols(), 0));
    forbidden = Grid(rows(), vector<int>(cols(), 0));
    for (int pl = 0; pl < nb_players(); ++pl) {
      int sign = pl == 0 ? -3 : 2;
      for (int id : knights(pl)) diamond(unit(id).pos, 2, [&](int i, int j) { harm[i][j] += 2 * sign; });
      for (int id : farmers(pl)) diamond(unit(id).pos, 2, [&](int i, int j) { harm[i][j] += sign; });
      for (int id : witches(pl)) {
        diamond(unit(id).pos, 3, [&](int i, int j) { forbidden[i][j] = 1; });
        if (pl == 0) diamond(unit(id).pos, 3, [&](int i, int j) { harm[i][j] -= 2; });
      }
    }
  }

  bool vacant(Pos p) { return pos_ok(p) and cell(p).type == Empty and cell(p).id == -1; }

  void witch(int id) {
    Pos here = unit(id).pos;
    // the best spot in sight, worth less the farther it is
    double top = -1e9;
    Pos aim = here;
    for (int i = 0; i < rows(); ++i)
      for (int j = 0; j < cols(); ++j) {
        if (cell(i, j).type == Wall) continue;
        int d = abs(i - here.i) + abs(j - here.j);
        double v = harm[i][j] * 4.0 - d;
        if (i < rows() / 2 and j < cols() / 2) v -= 10;   // not at home
        if (v > top) top = v, aim = Pos(i, j);
      }
    double best = 1e9;
    Dir go = None;
    for (Dir d : {Bottom, Right, Top, Left}) {
      Pos q = here + d;
      if (not vacant(q) or harm[q.i][q.j] < -2) continue;
      double v = abs(q.i - aim.i) + abs(q.j - aim.j) + random(0, 9) / 20.0;
      if (v < best) best = v, go = d;
    }
    if (go != None) command(id, go);
  }

  Grid reserved;

  // Recursive flood with a budget: how many cells not ours lie that way.
  int room(Pos p, int budget, Grid& seen) {
    if (budget == 0 or not vacant(p) or forbidden[p.i][p.j] or seen[p.i][p.j]) return 0;
    seen[p.i][p.j] = 1;
    int sum = cell(p).owner != 0 ? budget : 0;
    for (Dir d : {Right, Bottom, Left, Top}) sum += room(p + d, budget - 1, seen);
    return sum;
  }

  void farmer(int id) {
    Pos p = unit(id).pos;
    if (forbidden[p.i][p.j]) {
      for (Dir d : {Top, Left, Bottom, Right}) {
        Pos q = p + d;
        if (vacant(q) and not cell(q).haunted and not reserved[q.i][q.j]) {
          reserved[q.i][q.j] = 1;
          return command(id, d);
        }
      }
      return;
    }
    int most = 0;
    Dir go = None;
    for (int k : random_permutation(4)) {
      Dir d = Dir(2 * k);
      Pos q = p + d;
      if (not vacant(q) or reserved[q.i][q.j]) continue;
      Grid seen(rows(), vector<int>(cols(), 0));
      int r = room(q, 5, seen);
      if (r > most) most = r, go = d;
    }
    if (go == None) {
      Dir home = Dir(2 * ((id + round() / 6) % 4));
      if (vacant(p + home) and not forbidden[(p + home).i][(p + home).j]) go = home;
    }
    if (go == None) return;
    Pos q = p + go;
    reserved[q.i][q.j] = 1;
    command(id, go);
  }

  void knight(int id) {
    Pos p = unit(id).pos;
    for (int d = 0; d < 8; ++d) {
      Pos q = p + Dir(d);
      if (not pos_ok(q) or cell(q).id == -1) continue;
      Unit o = unit(cell(q).id);
      if (o.player != 0 and o.type != Witch) return command(id, Dir(d));
    }
    if (not forbidden[p.i][p.j]) return;
    for (int d = 0; d < 8; ++d) {
      Pos q = p + Dir(d);
      if (vacant(q) and not forbidden[q.i][q.j] and not reserved[q.i][q.j]) {
        reserved[q.i][q.j] = 1;
        return command(id, Dir(d));
      }
    }
  }

  void play() {
    if (status(0) > 0.9) return;
    assess();
    reserved = Grid(rows(), vector<int>(cols(), 0));
    for (int id : knights(0)) knight(id);
    for (int id : farmers(0)) farmer(id);
    for (int id : witches(0)) witch(id);
  }
};

RegisterPlayer(PLAYER_NAME);
