#include "Player.hh"
#define PLAYER_NAME Ratpenat

struct PLAYER_NAME : public Player {
  static Player* factory () {return new PLAYER_NAME;}

  // el tauler com a text: mes facil d'imprimir i de mirar
  char T[30][60];
  int cuaI[2000], cuaJ[2000], cuaP[2000];
  bool vist[30][60];

  void dibuixa () {
    memset(T, '#', sizeof(T));
    for (int i = 0; i < board_rows(); i++) for (int j = 0; j < board_cols(); j++) {
      Cell c = cell(i,j);
      char x = ' ';
      if (c.type == Building) x = '#';
      else if (c.id != -1) {
        Citizen z = citizen(c.id);
        if (z.player == me()) x = 'a';
        else if (c.b_owner != -1) x = 'x';
        else if (z.type == Builder) x = 'c';
        else if (z.weapon == Hammer) x = 'm';
        else if (z.weapon == Gun) x = 'p';
        else x = 'z';
      }
      else if (c.b_owner == me()) x = 'B';
      else if (c.b_owner != -1) x = 'x';
      else if (c.bonus == Money) x = '$';
      else if (c.bonus == Food) x = 'f';
      else if (c.weapon == Gun) x = 'P';
      else if (c.weapon == Bazooka) x = 'Z';
      T[i+1][j+1] = x;
    }
  }

  // troba la casella mes propera amb una lletra de `bons` sense trepitjar cap lletra de `mals`
  int cerca (Pos o, const char* bons, const char* mals, int lim) {
    memset(vist, 0, sizeof(vist));
    int ini = 0, fi = 0;
    int i = o.i+1, j = o.j+1;
    vist[i][j] = true;
    int a[4] = {1,0,-1,0}, b[4] = {0,1,0,-1};
    for (int d = 0; d < 4; d++) {
      int y = i+a[d], x = j+b[d];
      if (strchr(bons, T[y][x])) return d;
      if (strchr(mals, T[y][x])) continue;
      vist[y][x] = true;
      cuaI[fi] = y; cuaJ[fi] = x; cuaP[fi] = d; fi++;
    }
    int ultim = fi, passos = 1;
    while (ini < fi) {
      if (ini == ultim) {
        passos++;
        ultim = fi;
        if (passos > lim) return -1;
      }
      for (int d = 0; d < 4; d++) {
        int y = cuaI[ini]+a[d], x = cuaJ[ini]+b[d];
        if (vist[y][x]) continue;
        vist[y][x] = true;
        if (strchr(bons, T[y][x])) return cuaP[ini];
        if (strchr(mals, T[y][x])) continue;
        cuaI[fi] = y; cuaJ[fi] = x; cuaP[fi] = cuaP[ini]; fi++;
      }
      ini++;
    }
    return -1;
  }

  void mou (int id, int d) {
    Pos p = citizen(id).pos;
    Pos q = p + Dir(d);
    if (strchr(" $fPZB", T[q.i+1][q.j+1])) {
      T[p.i+1][p.j+1] = ' ';
      T[q.i+1][q.j+1] = 'a';
    }
    move(id, Dir(d));
  }

  void constructor (int id) {
    Pos p = citizen(id).pos;
    int d = -1;
    if (is_night()) {
      if (cell(p).b_owner == me()) return;
      d = cerca(p, "B", "#axcmpz", 8);
      if (d == -1) {
        // algu dolent a prop? doncs fora
        int mal = cerca(p, "mpz", "#ax", 4);
        if (mal != -1) {
          int e = (mal+2)%4;
          for (int k = 0; k < 4; k++) {
            Pos q = p + Dir((e+k)%4);
            if ((e+k)%4 != mal && strchr(" $f", T[q.i+1][q.j+1])) {mou(id, (e+k)%4); return;}
          }
        }
      }
    }
    else if (round()%num_rounds_per_day() > 10 && cell(p).b_owner == -1) {
      for (int k = 0; k < 4; k++) {
        Pos q = p + Dir(k);
        char c = T[q.i+1][q.j+1];
        if (c == 'B' && cell(q).resistance < 200) {build(id, Dir(k)); return;}
        if (c == ' ' && barricades(me()).size() < 3 && round()%3 == 0) {build(id, Dir(k)); T[q.i+1][q.j+1] = 'a'; return;}
      }
    }
    if (d == -1) d = cerca(p, "$", "#axcmpzPZ", 60);
    if (d == -1) d = cerca(p, "f", "#axcmpzPZ", 60);
    if (d != -1) mou(id, d);
  }

  void guerrer (int id) {
    Citizen g = citizen(id);
    int d = -1;
    if (g.life <= 40) d = cerca(g.pos, "f", "#axmpzc", 30);
    if (d == -1 && g.weapon == Hammer) d = cerca(g.pos, "ZP", "#axcmpz", is_day() ? 40 : 10);
    if (d == -1 && g.weapon == Gun) d = cerca(g.pos, "Z", "#axcmpz", is_day() ? 40 : 6);
    if (d == -1 && is_night()) {
      const char* presa = "c";
      if (g.weapon == Gun) presa = "cm";
      if (g.weapon == Bazooka) presa = "cmp";
      d = cerca(g.pos, presa, "#ax", 25);
    }
    if (d == -1) d = cerca(g.pos, "$", "#axcmpz", 60);
    if (d != -1) mou(id, d);
  }

  void play () {
    dibuixa();
    vector<int> v = warriors(me());
    for (int k = 0; k < (int)v.size(); k++) guerrer(v[k]);
    v = builders(me());
    for (int k = 0; k < (int)v.size(); k++) constructor(v[k]);
  }
};

RegisterPlayer(PLAYER_NAME);
