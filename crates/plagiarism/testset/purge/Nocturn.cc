#include "Player.hh"
#define PLAYER_NAME Nocturn

// De dia: diners i barricades. De nit: els constructors fugen, els guerrers cacen.

struct PLAYER_NAME : public Player {
  static Player* factory () { return new PLAYER_NAME; }

  typedef vector<vector<int>> Matriu;
  vector<Dir> dirs = {Down, Right, Up, Left};

  bool carrer (Pos p) {
    if (not pos_ok(p)) return false;
    Cell c = cell(p);
    if (c.type == Building) return false;
    return c.b_owner == -1 or c.b_owner == me();
  }

  // Distàncies des d'un conjunt de caselles, passant per on es pot passar.
  Matriu distancies (const set<Pos>& fonts) {
    Matriu m(board_rows(), vector<int>(board_cols(), 1000));
    queue<pair<Pos,int>> cua;
    for (auto p : fonts) cua.push({p, 0});
    while (not cua.empty()) {
      auto [p, d] = cua.front();
      cua.pop();
      if (m[p.i][p.j] <= d) continue;
      m[p.i][p.j] = d;
      for (Dir x : dirs)
        if (carrer(p + x)) cua.push({p + x, d + 1});
    }
    return m;
  }

  set<Pos> enemics (bool nomes_forts) {
    set<Pos> s;
    for (int pl = 0; pl < num_players(); ++pl) {
      if (pl == me()) continue;
      for (int id : warriors(pl)) s.insert(citizen(id).pos);
      if (not nomes_forts) for (int id : builders(pl)) s.insert(citizen(id).pos);
    }
    return s;
  }

  set<Pos> coses (function<bool(const Cell&)> f) {
    set<Pos> s;
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j)
        if (f(cell(i, j))) s.insert(Pos(i, j));
    return s;
  }

  set<Pos> presos;

  void cap_a (int id, const Matriu& m, int signe) {
    Pos p = citizen(id).pos;
    int millor = signe*m[p.i][p.j];
    int quin = -1;
    for (int k : random_permutation(4)) {
      Pos q = p + dirs[k];
      if (not carrer(q) or presos.count(q)) continue;
      int v = signe*m[q.i][q.j];
      if (v < millor) {
        millor = v;
        quin = k;
      }
    }
    if (quin == -1) return;
    presos.insert(p + dirs[quin]);
    move(id, dirs[quin]);
  }

  bool reforca (int id) {
    Pos p = citizen(id).pos;
    if (cell(p).b_owner == me()) return false;
    bool queden = (int)barricades(me()).size() < max_num_barricades();
    for (Dir d : dirs) {
      Pos q = p + d;
      if (not pos_ok(q)) continue;
      Cell c = cell(q);
      bool nova = queden and c.is_empty() and random(0, 4) == 0;
      bool vella = c.b_owner == me() and c.id == -1 and c.resistance < barricade_max_resistance()/2;
      if (nova or vella) {
        build(id, d);
        return true;
      }
    }
    return false;
  }

  void dia () {
    Matriu diners = distancies(coses([](const Cell& c) { return c.bonus == Money; }));
    Matriu armes = distancies(coses([](const Cell& c) { return c.weapon == Gun or c.weapon == Bazooka; }));
    for (int id : warriors(me())) cap_a(id, citizen(id).weapon == Bazooka ? diners : armes, 1);
    for (int id : builders(me())) if (not reforca(id)) cap_a(id, diners, 1);
  }

  void nit () {
    Matriu por = distancies(enemics(true));
    Matriu refugi = distancies(coses([&](const Cell& c) { return c.b_owner == me() and c.id == -1; }));
    Matriu diners = distancies(coses([](const Cell& c) { return c.bonus == Money; }));
    for (int id : builders(me())) {
      Pos p = citizen(id).pos;
      if (cell(p).b_owner == me()) continue;
      if (refugi[p.i][p.j] < 6) cap_a(id, refugi, 1);
      else if (por[p.i][p.j] < 5) cap_a(id, por, -1);
      else cap_a(id, diners, 1);
    }
    Matriu preses = distancies(enemics(false));
    for (int id : warriors(me())) {
      Citizen c = citizen(id);
      if (c.life <= life_lost_in_attack()) cap_a(id, por, -1);
      else cap_a(id, preses, 1);
    }
  }

  void play () {
    presos.clear();
    if (is_day()) dia();
    else nit();
  }
};

RegisterPlayer(PLAYER_NAME);
