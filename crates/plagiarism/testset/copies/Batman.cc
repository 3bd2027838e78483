#include "Player.hh"
#define PLAYER_NAME Batman

struct PLAYER_NAME : public Player {
  static Player* factory () {return new PLAYER_NAME;}

  // the board as text: easier to print and to look at
  char Map[30][60];
  int queueRow[2000], queueCol[2000], queueFirst[2000];
  bool visited[30][60];

  void draw () {
    memset(Map, '#', sizeof(Map));
    for (int i = 0; i < board_rows(); i++) for (int j = 0; j < board_cols(); j++) {
      Cell c = cell(i,j);
      char x = ' ';
      if (c.type == Building) x = '#';
      else if (c.id != -1) {
        Citizen who = citizen(c.id);
        if (who.player == me()) x = 'a';
        else if (c.b_owner != -1) x = 'x';
        else if (who.type == Builder) x = 'c';
        else if (who.weapon == Hammer) x = 'm';
        else if (who.weapon == Gun) x = 'p';
        else x = 'who';
      }
      else if (c.b_owner == me()) x = 'B';
      else if (c.b_owner != -1) x = 'x';
      else if (c.bonus == Money) x = '$';
      else if (c.bonus == Food) x = 'f';
      else if (c.weapon == Gun) x = 'P';
      else if (c.weapon == Bazooka) x = 'Z';
      Map[i+1][j+1] = x;
    }
  }

  // finds the nearest cell with a letter of `good` without stepping on any letter of `bad`
  int search (Pos origin, const char* good, const char* bad, int limit) {
    memset(visited, 0, sizeof(visited));
    int head = 0, tail = 0;
    int i = origin.i+1, j = origin.j+1;
    visited[i][j] = true;
    int a[4] = {1,0,-1,0}, b[4] = {0,1,0,-1};
    for (int d = 0; d < 4; d++) {
      int y = i+a[d], x = j+b[d];
      if (strchr(good, Map[y][x])) return d;
      if (strchr(bad, Map[y][x])) continue;
      visited[y][x] = true;
      queueRow[tail] = y; queueCol[tail] = x; queueFirst[tail] = d; tail++;
    }
    int last = tail, steps = 1;
    while (head < tail) {
      if (head == last) {
        steps++;
        last = tail;
        if (steps > limit) return -1;
      }
      for (int d = 0; d < 4; d++) {
        int y = queueRow[head]+a[d], x = queueCol[head]+b[d];
        if (visited[y][x]) continue;
        visited[y][x] = true;
        if (strchr(good, Map[y][x])) return queueFirst[head];
        if (strchr(bad, Map[y][x])) continue;
        queueRow[tail] = y; queueCol[tail] = x; queueFirst[tail] = queueFirst[head]; tail++;
      }
      head++;
    }
    return -1;
  }

  void go (int id, int d) {
    Pos p = citizen(id).pos;
    Pos q = p + Dir(d);
    if (strchr(" $fPZB", Map[q.i+1][q.j+1])) {
      Map[p.i+1][p.j+1] = ' ';
      Map[q.i+1][q.j+1] = 'a';
    }
    move(id, Dir(d));
  }

  void mason (int id) {
    Pos p = citizen(id).pos;
    int d = -1;
    if (is_night()) {
      if (cell(p).b_owner == me()) return;
      d = search(p, "B", "#axcmpz", 8);
      if (d == -1) {
        // somebody bad around? then away
        int threat = search(p, "mpz", "#ax", 4);
        if (threat != -1) {
          int e = (threat+2)%4;
          for (int k = 0; k < 4; k++) {
            Pos q = p + Dir((e+k)%4);
            if ((e+k)%4 != threat && strchr(" $f", Map[q.i+1][q.j+1])) {go(id, (e+k)%4); return;}
          }
        }
      }
    }
    else if (round()%num_rounds_per_day() > 10 && cell(p).b_owner == -1) {
      for (int k = 0; k < 4; k++) {
        Pos q = p + Dir(k);
        char c = Map[q.i+1][q.j+1];
        if (c == 'B' && cell(q).resistance < 200) {build(id, Dir(k)); return;}
        if (c == ' ' && barricades(me()).size() < 3 && round()%3 == 0) {build(id, Dir(k)); Map[q.i+1][q.j+1] = 'a'; return;}
      }
    }
    if (d == -1) d = search(p, "$", "#axcmpzPZ", 60);
    if (d == -1) d = search(p, "f", "#axcmpzPZ", 60);
    if (d != -1) go(id, d);
  }

  void fighter (int id) {
    Citizen g = citizen(id);
    int d = -1;
    if (g.life <= 40) d = search(g.pos, "f", "#axmpzc", 30);
    if (d == -1 && g.weapon == Hammer) d = search(g.pos, "ZP", "#axcmpz", is_day() ? 40 : 10);
    if (d == -1 && g.weapon == Gun) d = search(g.pos, "Z", "#axcmpz", is_day() ? 40 : 6);
    if (d == -1 && is_night()) {
      const char* quarry = "c";
      if (g.weapon == Gun) quarry = "cm";
      if (g.weapon == Bazooka) quarry = "cmp";
      d = search(g.pos, quarry, "#ax", 25);
    }
    if (d == -1) d = search(g.pos, "$", "#axcmpz", 60);
    if (d != -1) go(id, d);
  }

  void play () {
    draw();
    vector<int> v = warriors(me());
    for (int k = 0; k < (int)v.size(); k++) fighter(v[k]);
    v = builders(me());
    for (int k = 0; k < (int)v.size(); k++) mason(v[k]);
  }
};

RegisterPlayer(PLAYER_NAME);
