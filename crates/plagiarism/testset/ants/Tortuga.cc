#include "Player.hh"

#define PLAYER_NAME Tortuga

/*
  Cada obrera tiene una memoria con su estado y el camino que le queda por
  andar.  El camino se calcula una sola vez con A* y solo se repite cuando
  alguien se pone en medio.
*/

enum class Estado { Explorando, Yendo, Volviendo, Esperando };

struct Memoria {
  Estado estado = Estado::Explorando;
  deque<Dir> camino;
  Pos destino;
  int paciencia = 0;
};

struct PLAYER_NAME : public Player {

  static Player* factory () { return new PLAYER_NAME; }

  map<int, Memoria> memorias;
  map<Pos, int> reservas;      // comida -> obrera que va a por ella
  vector<Pos> vistos;          // sitios donde alguna vez hubo comida
  set<Pos> pisadas;

  static int manhattan (Pos a, Pos b) { return abs(a.i - b.i) + abs(a.j - b.j); }

  bool libre (Pos p) {
    return pos_ok(p) and cell(p).type == Soil and cell(p).id == -1 and not pisadas.count(p);
  }

  // A estrella de toda la vida.
  deque<Dir> planear (Pos a, Pos b) {
    typedef pair<int, Pos> Entrada;
    set<Entrada> abiertos;
    map<Pos, int> coste;
    map<Pos, Dir> llegada;
    coste[a] = 0;
    abiertos.insert(Entrada(manhattan(a, b), a));
    while (not abiertos.empty()) {
      Pos actual = abiertos.begin()->second;
      abiertos.erase(abiertos.begin());
      if (actual == b) break;
      int g = coste[actual] + 1;
      for (Dir d : {Up, Left, Down, Right}) {
        Pos s = actual + d;
        if (not pos_ok(s) or cell(s).type == Water) continue;
        auto it = coste.find(s);
        if (it != coste.end() and it->second <= g) continue;
        if (it != coste.end()) abiertos.erase(Entrada(it->second + manhattan(s, b), s));
        coste[s] = g;
        llegada[s] = d;
        abiertos.insert(Entrada(g + manhattan(s, b), s));
      }
    }
    deque<Dir> pasos;
    if (not coste.count(b)) return pasos;
    for (Pos p = b; p != a; ) {
      Dir d = llegada[p];
      pasos.push_front(d);
      p += Dir((d + 2) % 4);
    }
    return pasos;
  }

  void avanzar (int id, Memoria& m) {
    if (m.camino.empty()) return;
    Pos siguiente = ant(id).pos + m.camino.front();
    if (libre(siguiente)) {
      pisadas.insert(siguiente);
      move(id, m.camino.front());
      m.camino.pop_front();
      m.paciencia = 0;
      return;
    }
    if (++m.paciencia < 3) return;
    m.camino.clear();
    m.paciencia = 0;
    int d = random(0, 3);
    if (libre(ant(id).pos + Dir(d))) {
      pisadas.insert(ant(id).pos + Dir(d));
      move(id, Dir(d));
    }
  }

  bool buscar_comida (const Ant& h, Memoria& m, Pos reina) {
    int mejor = 1000000;
    for (Pos p : vistos) {
      if (cell(p).bonus == None or manhattan(p, reina) <= 2) continue;
      if (reservas.count(p) and ant(reservas[p]).id != -1 and reservas[p] != h.id) continue;
      int d = manhattan(p, h.pos);
      if (d < mejor) { mejor = d; m.destino = p; }
    }
    return mejor < 1000000;
  }

  void obrera (const Ant& h, Pos reina) {
    Memoria& m = memorias[h.id];
    switch (m.estado) {
      case Estado::Explorando:
      case Estado::Esperando:
        if (buscar_comida(h, m, reina)) {
          reservas[m.destino] = h.id;
          m.camino = planear(h.pos, m.destino);
          m.estado = Estado::Yendo;
        }
        else if (m.camino.empty()) m.camino.push_back(Dir(random(0, 3)));
        avanzar(h.id, m);
        break;
      case Estado::Yendo:
        if (h.pos == m.destino and cell(h.pos).bonus != None) {
          take(h.id);
          m.estado = Estado::Volviendo;
          m.camino.clear();
        }
        else if (cell(m.destino).bonus == None) { m.estado = Estado::Explorando; m.camino.clear(); }
        else {
          if (m.camino.empty()) m.camino = planear(h.pos, m.destino);
          avanzar(h.id, m);
        }
        break;
      case Estado::Volviendo:
        reservas.erase(m.destino);
        if (h.bonus == None) m.estado = Estado::Explorando;
        else if (manhattan(h.pos, reina) <= 2 and cell(h.pos).bonus == None) {
          leave(h.id);
          m.estado = Estado::Esperando;
          m.camino.clear();
        }
        else {
          if (m.camino.empty()) m.camino = planear(h.pos, reina);
          avanzar(h.id, m);
        }
        break;
    }
  }

  void play () {
    pisadas.clear();
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j)
        if (cell(i, j).bonus != None and find(vistos.begin(), vistos.end(), Pos(i, j)) == vistos.end())
          vistos.push_back(Pos(i, j));
    vector<int> q = queens(me());
    if (q.empty() or status(me()) > 0.9) return;
    Ant reina = ant(q[0]);
    bool hecho = false;
    for (Dir d : {Left, Right, Down, Up})
      if (not hecho and libre(reina.pos + d)) {
        pisadas.insert(reina.pos + d);
        if (cell(reina.pos + d).bonus != None and round() % queen_period() == 0) move(reina.id, d);
        else if (*min_element(reina.reserve.begin(), reina.reserve.end()) > 0) lay(reina.id, d, Worker);
        else { pisadas.erase(reina.pos + d); continue; }
        hecho = true;
      }
    for (int id : workers(me())) obrera(ant(id), reina.pos);
  }
};

RegisterPlayer(PLAYER_NAME);
