#include "Player.hh"
#define PLAYER_NAME Leo

struct PLAYER_NAME : public Player {
  static Player* factory () { return new PLAYER_NAME; }

  enum { N = 60, UNREACHED = 9999 };
  int books[N][N], rivals[N][N];
  bool taken[N][N];
  short line[N * N];

  void wipe (int table[N][N]) {
    for (int i = 0; i < N; ++i) for (int j = 0; j < N; ++j) table[i][j] = UNREACHED;
  }

  int plant (int table[N][N], const vector<Pos>& seeds) {
    int tail = 0;
    for (Pos s : seeds) {
      table[s.i][s.j] = 0;
      line[tail++] = s.i * N + s.j;
    }
    return tail;
  }

  void flood (int table[N][N], const vector<Pos>& seeds) {
    wipe(table);
    int head = 0, tail = plant(table, seeds);
    while (head != tail) {
      int i = line[head] / N, j = line[head] % N;
      ++head;
      spread(table, i, j, table[i][j] + 1, tail);
    }
  }

  void spread (int table[N][N], int i, int j, int next, int& tail) {
    if (i > 0) visit(table, i - 1, j, next, tail);
    if (i < N - 1) visit(table, i + 1, j, next, tail);
    if (j > 0) visit(table, i, j - 1, next, tail);
    if (j < N - 1) visit(table, i, j + 1, next, tail);
  }

  void visit (int table[N][N], int i, int j, int steps, int& tail) {
    if (table[i][j] != UNREACHED or cell(i, j).type == Wall) return;
    table[i][j] = steps;
    line[tail++] = i * N + j;
  }

  int doom (Pos p) {
    Pos v = pos_voldemort();
    return max(abs(v.i - p.i), abs(v.j - p.j));
  }

  double near_books (Pos p) { return 60.0 / (1 + books[p.i][p.j]); }
  double near_rivals (Pos p) { return 45.0 / (1 + rivals[p.i][p.j]); }
  double fright (Pos p) { return doom(p) < 5 ? 40 * (5 - doom(p)) : 0; }

  double worth (Pos p) {
    double w = near_books(p) + near_rivals(p);
    if (cell(p).owner != me()) w += 3;
    return w - fright(p);
  }

  bool is_shut (Pos p) {
    return not pos_ok(p) or cell(p).type == Wall or taken[p.i][p.j];
  }

  // What meeting somebody is worth, or -1 if it cannot be done.
  double meeting (const Unit& u, const Unit& o) {
    bool mate = o.player == me();
    if (mate and not o.is_in_conversion_process()) return -1;
    if (mate and not u.is_in_conversion_process()) return 500;
    if (o.type == Ghost or o.is_in_conversion_process() or u.is_in_conversion_process()) return -1;
    if (2 * magic_strength(me()) < magic_strength(o.player)) return -1;
    return 300;
  }

  int best_step (const Unit& u) {
    double best = worth(u.pos) - 2;
    int go = -1;
    for (int d = 0; d < 8; d += 2) {
      Pos p = u.pos + Dir(d);
      if (is_shut(p)) continue;
      double w = worth(p);
      int who = cell(p).id;
      if (who != -1) {
        double m = meeting(u, unit(who));
        if (m < 0) continue;
        w += m;
      }
      if (w > best) { best = w; go = d; }
    }
    return go;
  }

  void wizard (int id) {
    Unit u = unit(id);
    int go = best_step(u);
    if (go != -1) walk(u, go);
  }

  void walk (const Unit& u, int go) {
    Pos p = u.pos + Dir(go);
    taken[p.i][p.j] = true;
    move(u.id, Dir(go));
  }

  void phantom () {
    int id = ghost(me());
    int safest = way_out(unit(id).pos);
    if (safest != -1) move(id, Dir(safest));
  }

  int way_out (Pos here) {
    int safest = -1, far = doom(here);
    for (int d = 0; d < 8; ++d) {
      Pos p = here + Dir(d);
      if (pos_ok(p) and cell(p).is_empty() and doom(p) > far) { far = doom(p); safest = d; }
    }
    return safest;
  }

  vector<Pos> find_books () {
    vector<Pos> b;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        taken[i][j] = false;
        if (cell(i, j).book) b.push_back(Pos(i, j));
      }
    return b;
  }

  vector<Pos> find_rivals () {
    vector<Pos> r;
    for (int pl = 0; pl < num_players(); ++pl) {
      if (pl == me() or magic_strength(pl) > magic_strength(me())) continue;
      for (int w : wizards(pl)) if (not unit(w).is_in_conversion_process()) r.push_back(unit(w).pos);
    }
    return r;
  }

  void play () {
    flood(books, find_books());
    flood(rivals, find_rivals());
    for (int id : wizards(me())) wizard(id);
    phantom();
  }
};

RegisterPlayer(PLAYER_NAME);
