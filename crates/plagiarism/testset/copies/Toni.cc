#include "Player.hh"

#define PLAYER_NAME Toni

struct PLAYER_NAME : public Player {

  static Player* factory () {
    return new PLAYER_NAME;
  }

  // last place of every ant, so they do not go back where they come from
  int lasti[20000];
  int lastj[20000];
  bool used[60][60];

  static int far (int i, int j, Pos p) {
    return abs(i-p.i)+abs(j-p.j);
  }

  void clean () {
    for (int i=0; i<60; i++)
      for (int j=0; j<60; j++)
        used[i][j] = false;
  }

  bool at_least (const Ant& q, int n) {
    return q.reserve[0] >= n && q.reserve[1] >= n && q.reserve[2] >= n;
  }

  bool is_free (Pos p) {
    return pos_ok(p) && cell(p).type != Water && cell(p).id == -1;
  }

  bool lay_egg (const Ant& q) {
    if (!at_least(q, 1)) return false;
    int d = random(0,3);
    for (int t=0; t<4; t++) {
      Dir dir = Dir((d+t)%4);
      Pos p = q.pos + dir;
      if (is_free(p)) {
        if (at_least(q, 3) && random(0,2) == 0) lay(q.id, dir, Soldier);
        else lay(q.id, dir, Worker);
        used[p.i][p.j] = true;
        return true;
      }
    }
    return false;
  }

  // food in the square around her
  int look_for_food (const Ant& q, int& besti, int& bestj) {
    int best=99;
    for (int i=-3; i<=3; i++)
      for (int j=-3; j<=3; j++) {
        Pos p(q.pos.i+i, q.pos.j+j);
        if (pos_ok(p) && cell(p).bonus != None && abs(i)+abs(j) < best && abs(i)+abs(j) > 0) {
          best = abs(i)+abs(j);
          besti = i;
          bestj = j;
        }
      }
    return best;
  }

  Dir straight (int i, int j) {
    if (abs(i) > abs(j)) return i > 0 ? Down : Up;
    return j > 0 ? Right : Left;
  }

  void eat (const Ant& q) {
    int besti=0, bestj=0;
    if (look_for_food(q, besti, bestj) == 99) return;
    Dir d = straight(besti, bestj);
    Pos p = q.pos + d;
    if (cell(p).type != Water && cell(p).id == -1) {
      move(q.id, d);
      used[p.i][p.j] = true;
    }
  }

  void nearest_food (const Ant& a, const Ant& q, int& ti, int& tj) {
    int best=1000;
    for (int i=0; i<board_rows(); i++)
      for (int j=0; j<board_cols(); j++)
        if (cell(i,j).bonus != None && far(i, j, q.pos) > 3) {
          int dd = far(i, j, a.pos);
          if (dd < best && (cell(i,j).id == -1 || ant(cell(i,j).id).player != me())) { best = dd; ti = i; tj = j; }
        }
  }

  void nearest_enemy (const Ant& a, int& ti, int& tj) {
    int best=1000;
    for (int p=0; p<4; p++) {
      if (p == me()) continue;
      vector<int> w = workers(p);
      for (int x=0; x<(int)w.size(); x++) {
        Pos e = ant(w[x]).pos;
        int dd = far(e.i, e.j, a.pos);
        if (dd < best) { best = dd; ti = e.i; tj = e.j; }
      }
    }
  }

  bool can_enter (const Ant& a, Pos p) {
    if (!pos_ok(p) || cell(p).type == Water || used[p.i][p.j]) return false;
    if (cell(p).id == -1) return true;
    Ant b = ant(cell(p).id);
    return !(b.player == me() || b.type <= a.type);
  }

  bool comes_from (const Ant& a, Pos p) {
    return a.id < 20000 && lasti[a.id] == p.i+1 && lastj[a.id] == p.j+1;
  }

  void remember (const Ant& a) {
    if (a.id >= 20000) return;
    lasti[a.id] = a.pos.i+1;
    lastj[a.id] = a.pos.j+1;
  }

  // choose the step: closer is better, back is bad, a bit of luck
  void step (const Ant& a, int ti, int tj) {
    int bestd=-1, bestv=100000;
    for (int d=0; d<4; d++) {
      Pos p = a.pos + Dir(d);
      if (!can_enter(a, p)) continue;
      int v = random(0,2);
      if (ti != -1) v += 4*far(ti, tj, p);
      if (comes_from(a, p)) v += 7;
      if (v < bestv) { bestv = v; bestd = d; }
    }
    if (bestd == -1) return;
    Pos p = a.pos + Dir(bestd);
    used[p.i][p.j] = true;
    remember(a);
    move(a.id, Dir(bestd));
  }

  void worker (const Ant& a, const Ant& q) {
    int ti=-1, tj=-1;
    if (a.bonus != None) {
      ti = q.pos.i;
      tj = q.pos.j;
      if (far(ti, tj, a.pos) <= 2 && cell(a.pos).bonus == None) { leave(a.id); return; }
    }
    else {
      if (cell(a.pos).bonus != None && far(q.pos.i, q.pos.j, a.pos) > 3) { take(a.id); return; }
      nearest_food(a, q, ti, tj);
    }
    step(a, ti, tj);
  }

  void soldier (const Ant& a) {
    int ti=-1, tj=-1;
    nearest_enemy(a, ti, tj);
    step(a, ti, tj);
  }

  void play () {
    if (status(me()) >= 0.9) return;
    clean();
    if (queens(me()).size() == 0) return;
    Ant q = ant(queens(me())[0]);
    if (!lay_egg(q) && round()%2 == 0) eat(q);
    vector<int> mine = workers(me());
    for (int k=0; k<(int)mine.size(); k++) worker(ant(mine[k]), q);
    vector<int> sol = soldiers(me());
    for (int k=0; k<(int)sol.size(); k++) soldier(ant(sol[k]));
  }

};

RegisterPlayer(PLAYER_NAME);
