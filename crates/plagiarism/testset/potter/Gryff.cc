#include "Player.hh"
#define PLAYER_NAME Gryff

// Two distance tables per round (books, weaker rivals); wizards roll downhill
// on the sum of both.

struct PLAYER_NAME : public Player {
  static Player* factory () { return new PLAYER_NAME; }

  enum { N = 60, UNREACHED = 9999 };
  int books[N][N], rivals[N][N];
  bool taken[N][N];
  short line[N * N];

  void flood (int table[N][N], const vector<Pos>& seeds) {
    for (int i = 0; i < N; ++i) for (int j = 0; j < N; ++j) table[i][j] = UNREACHED;
    int head = 0, tail = 0;
    for (Pos s : seeds) {
      table[s.i][s.j] = 0;
      line[tail++] = s.i * N + s.j;
    }
    while (head != tail) {
      int i = line[head] / N, j = line[head] % N;
      ++head;
      int next = table[i][j] + 1;
      if (i > 0) visit(table, i - 1, j, next, tail);
      if (i < N - 1) visit(table, i + 1, j, next, tail);
      if (j > 0) visit(table, i, j - 1, next, tail);
      if (j < N - 1) visit(table, i, j + 1, next, tail);
    }
  }

  void visit (int table[N][N], int i, int j, int steps, int& tail) {
    if (table[i][j] != UNREACHED or cell(i, j).type == Wall) return;
    table[i][j] = steps;
    line[tail++] = i * N + j;
  }

  // How far Voldemort is, as he counts it when he strikes.
  int doom (Pos p) {
    Pos v = pos_voldemort();
    return max(abs(v.i - p.i), abs(v.j - p.j));
  }

  double worth (Pos p) {
    double w = 60.0 / (1 + books[p.i][p.j]) + 45.0 / (1 + rivals[p.i][p.j]);
    if (cell(p).owner != me()) w += 3;
    if (doom(p) < 5) w -= 40 * (5 - doom(p));
    return w;
  }

  void wizard (int id) {
    Unit u = unit(id);
    double best = worth(u.pos) - 2;
    int go = -1;
    for (int d = 0; d < 8; d += 2) {
      Pos p = u.pos + Dir(d);
      if (not pos_ok(p) or cell(p).type == Wall or taken[p.i][p.j]) continue;
      double w = worth(p);
      int who = cell(p).id;
      if (who != -1) {
        Unit o = unit(who);
        bool mate = o.player == me();
        if (mate and not o.is_in_conversion_process()) continue;
        if (mate and not u.is_in_conversion_process()) w += 500;
        else if (o.type == Ghost or o.is_in_conversion_process() or u.is_in_conversion_process()) continue;
        else if (2 * magic_strength(me()) < magic_strength(o.player)) continue;
        else w += 300;
      }
      if (w > best) { best = w; go = d; }
    }
    if (go == -1) return;
    Pos p = u.pos + Dir(go);
    taken[p.i][p.j] = true;
    move(id, Dir(go));
  }

  void phantom () {
    int id = ghost(me());
    Pos here = unit(id).pos;
    int safest = -1, far = doom(here);
    for (int d = 0; d < 8; ++d) {
      Pos p = here + Dir(d);
      if (pos_ok(p) and cell(p).is_empty() and doom(p) > far) { far = doom(p); safest = d; }
    }
    if (safest != -1) move(id, Dir(safest));
  }

  void play () {
    vector<Pos> b, r;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        taken[i][j] = false;
        if (cell(i, j).book) b.push_back(Pos(i, j));
      }
    for (int pl = 0; pl < num_players(); ++pl) {
      if (pl == me() or magic_strength(pl) > magic_strength(me())) continue;
      for (int w : wizards(pl)) if (not unit(w).is_in_conversion_process()) r.push_back(unit(w).pos);
    }
    flood(books, b);
    flood(rivals, r);
    for (int id : wizards(me())) wizard(id);
    phantom();
  }
};

RegisterPlayer(PLAYER_NAME);
