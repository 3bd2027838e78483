#include "Player.hh"
#define PLAYER_NAME Mercader

// Solo interesa el dinero. Se reparten las monedas entre los seis ciudadanos
// probando todas las asignaciones con poda (rama y cota).

struct PLAYER_NAME : public Player {

  static Player* factory () { return new PLAYER_NAME; }

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
      probar(k + 1, suma + 50);   // quedarse sin nada
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

  // Para cada moneda, su propio mapa de distancias.
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

  bool pisable (Pos p) {
    if (not pos_ok(p)) return false;
    Cell c = cell(p);
    return c.type == Street and c.id == -1 and (c.b_owner == -1 or c.b_owner == me());
  }

  bool amenaza (Pos p, int fuerza) {
    if (is_day()) return false;
    for (int pl = 0; pl < num_players(); ++pl) {
      if (pl == me()) continue;
      for (int id : warriors(pl)) {
        Citizen e = citizen(id);
        if (abs(e.pos.i - p.i) + abs(e.pos.j - p.j) <= 2 and weapon_strength_attack(e.weapon) >= fuerza) return true;
      }
    }
    return false;
  }

  void huir (int id) {
    Pos p = citizen(id).pos;
    int mejor = -1, lejos = -1;
    for (int k = 0; k < 4; ++k) {
      Pos q = p + Dir(k);
      if (not pisable(q)) continue;
      int cerca = 1000;
      for (int pl = 0; pl < num_players(); ++pl)
        if (pl != me())
          for (int e : warriors(pl)) cerca = min(cerca, abs(citizen(e).pos.i - q.i) + abs(citizen(e).pos.j - q.j));
      if (cerca > lejos) { lejos = cerca; mejor = k; }
    }
    if (mejor != -1) move(id, Dir(mejor));
  }

  void play () {
    medir();
    vector<int> gente = builders(me());
    for (int w : warriors(me())) gente.push_back(w);
    Reparto r;
    r.n = gente.size();
    r.m = min<int>(monedas.size(), 7);
    r.coste.assign(r.n, vector<int>(r.m));
    for (int a = 0; a < r.n; ++a)
      for (int b = 0; b < r.m; ++b) {
        Pos p = citizen(gente[a]).pos;
        r.coste[a][b] = mapas[b][p.i*board_cols() + p.j];
      }
    vector<int> plan = r.resolver();
    for (int a = 0; a < r.n; ++a) {
      Citizen c = citizen(gente[a]);
      if (amenaza(c.pos, weapon_strength_attack(c.weapon))) { huir(c.id); continue; }
      if (plan[a] == -1) continue;
      const vector<short>& d = mapas[plan[a]];
      for (int k = 0; k < 4; ++k) {
        Pos q = c.pos + Dir(k);
        if (pisable(q) and d[q.i*board_cols() + q.j] < d[c.pos.i*board_cols() + c.pos.j]) {
          move(c.id, Dir(k));
          break;
        }
      }
    }
  }

};

RegisterPlayer(PLAYER_NAME);
