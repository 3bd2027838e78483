#include "Player.hh"
#define PLAYER_NAME Hibrid

struct PLAYER_NAME : public Player {
  static Player* factory () { return new PLAYER_NAME; }

  typedef vector<vector<int>> Matriu;
  vector<Dir> dirs = {Down, Right, Up, Left};

  // ---- repartiment de monedes, de dia ----

  struct Reparto {
    int n, m;
    vector<vector<int>> coste;
    vector<int> actual, mejor;
    vector<bool> usada;
    int mejor_coste;

    void probar (int k, int suma) {
      if (suma >= mejor_coste) return;
      if (k == n) {
        mejor_coste = suma;
        mejor = actual;
        return;
      }
      for (int c = 0; c < m; ++c) {
        if (usada[c]) continue;
        usada[c] = true;
        actual[k] = c;
        probar(k + 1, suma + coste[k][c]);
        usada[c] = false;
      }
      actual[k] = -1;
      probar(k + 1, suma + 50);
    }

    vector<int> resolver () {
      actual.assign(n, -1);
      mejor = actual;
      usada.assign(m, false);
      mejor_coste = 1 << 28;
      probar(0, 0);
      return mejor;
    }
  };

  vector<vector<short>> mapas;
  vector<Pos> monedas;

  void medir () {
    mapas.clear();
    monedas.clear();
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j)
        if (cell(i, j).bonus == Money) monedas.push_back(Pos(i, j));
    for (Pos o : monedas) {
      vector<short> d(board_rows()*board_cols(), 99);
      vector<Pos> pila = {o}, otra;
      d[o.i*board_cols() + o.j] = 0;
      short nivel = 0;
      while (not pila.empty()) {
        ++nivel;
        while (not pila.empty()) {
          Pos p = pila.back();
          pila.pop_back();
          for (int k = 0; k < 4; ++k) {
            Pos q = p + Dir(k);
            if (not pos_ok(q) or cell(q).type == Building) continue;
            short& x = d[q.i*board_cols() + q.j];
            if (x > nivel) { x = nivel; otra.push_back(q); }
          }
        }
        pila.swap(otra);
      }
      mapas.push_back(d);
    }
  }

  // ---- mapes de distàncies, de nit ----

  bool carrer (Pos p) {
    if (not pos_ok(p)) return false;
    Cell c = cell(p);
    if (c.type == Building) return false;
    return c.b_owner == -1 or c.b_owner == me();
  }

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

  void dia () {
    medir();
    vector<int> gent = builders(me());
    for (int w : warriors(me())) gent.push_back(w);
    Reparto r;
    r.n = gent.size();
    r.m = min<int>(monedas.size(), 7);
    r.coste.assign(r.n, vector<int>(r.m));
    for (int a = 0; a < r.n; ++a)
      for (int b = 0; b < r.m; ++b) {
        Pos p = citizen(gent[a]).pos;
        r.coste[a][b] = mapas[b][p.i*board_cols() + p.j];
      }
    vector<int> pla = r.resolver();
    for (int a = 0; a < r.n; ++a) {
      Citizen c = citizen(gent[a]);
      if (pla[a] == -1) continue;
      const vector<short>& d = mapas[pla[a]];
      for (int k = 0; k < 4; ++k) {
        Pos q = c.pos + Dir(k);
        if (carrer(q) and cell(q).id == -1 and d[q.i*board_cols() + q.j] < d[c.pos.i*board_cols() + c.pos.j]) {
          move(c.id, Dir(k));
          break;
        }
      }
    }
  }

  void nit () {
    Matriu por = distancies(enemics(true));
    Matriu preses = distancies(enemics(false));
    for (int id : builders(me())) cap_a(id, por, -1);
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
