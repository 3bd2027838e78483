#include "Player.hh"

#define PLAYER_NAME Ajedrez

/* Cada caballero piensa como en ajedrez: quién me ataca, a quién ataco, y
   cuánto gano o pierdo en cada casilla.  Los campesinos son peones. */

struct PLAYER_NAME : public Player {

  static Player* factory () {
    return new PLAYER_NAME;
  }

  struct Jugada {
    Dir dir;
    double valor;
    bool operator< (const Jugada& otra) const { return valor < otra.valor; }
  };

  vector<vector<int>> atacantes;   // caballeros rivales que pueden golpear cada casilla
  vector<vector<int>> defensores;
  vector<vector<bool>> bloqueada;

  double golpe () { return (damage_min() + damage_max())/2.0; }

  void contar () {
    atacantes.assign(rows(), vector<int>(cols(), 0));
    defensores = atacantes;
    bloqueada.assign(rows(), vector<bool>(cols(), false));
    for (int id = 0; id < nb_units(); ++id) {
      Unit u = unit(id);
      if (not pos_ok(u.pos)) continue;
      bloqueada[u.pos.i][u.pos.j] = true;
      if (u.type != Knight) continue;
      for (int a = -1; a <= 1; ++a)
        for (int b = -1; b <= 1; ++b)
          if (pos_ok(u.pos.i + a, u.pos.j + b)) {
            if (u.player == 0) ++defensores[u.pos.i + a][u.pos.j + b];
            else ++atacantes[u.pos.i + a][u.pos.j + b];
          }
    }
  }

  double material (const Unit& u) { return u.type == Knight ? 30 : 12; }

  double evaluar_golpe (const Unit& yo, const Unit& otro) {
    double probabilidad = otro.health <= damage_min() ? 1 : otro.health <= damage_max() ? 0.6 : 0.15;
    double valor = material(otro)*probabilidad + 5;
    valor += 4*defensores[otro.pos.i][otro.pos.j];
    int amenazas = atacantes[yo.pos.i][yo.pos.j];
    if (amenazas*golpe() >= yo.health) valor -= 0.8*material(yo);
    return valor;
  }

  double evaluar_paso (const Unit& yo, Pos p) {
    double valor = 0;
    int amenazas = atacantes[p.i][p.j];
    if (amenazas*golpe() >= yo.health) valor -= material(yo);
    else valor -= 2*amenazas;
    // cuanto más cerca del peón más débil, mejor
    double cerca = 0;
    for (int pl = 1; pl < nb_players(); ++pl)
      for (int id : farmers(pl)) {
        Unit o = unit(id);
        int d = max(abs(o.pos.i - p.i), abs(o.pos.j - p.j));
        if (d < 12) cerca = max(cerca, (12 - d)*(1.5 - o.health/200.0));
      }
    return valor + cerca;
  }

  double evaluar_descanso (const Unit& yo) {
    double falta = knights_health() - yo.health;
    double valor = falta > knights_regen() ? 9 : falta/10.0;
    return valor + evaluar_paso(yo, yo.pos) - 1;
  }

  void caballero (int id) {
    Unit yo = unit(id);
    vector<Jugada> jugadas;
    jugadas.push_back(Jugada{None, evaluar_descanso(yo)});
    for (int d = 0; d < 8; ++d) {
      Pos p = yo.pos + Dir(d);
      if (not pos_ok(p) or cell(p).type == Wall or cell(p).haunted) continue;
      if (cell(p).id != -1) {
        Unit otro = unit(cell(p).id);
        if (otro.player == 0 or otro.type == Witch) continue;
        jugadas.push_back(Jugada{Dir(d), evaluar_golpe(yo, otro)});
      }
      else if (not bloqueada[p.i][p.j]) jugadas.push_back(Jugada{Dir(d), evaluar_paso(yo, p)});
    }
    Jugada mejor = *max_element(jugadas.begin(), jugadas.end());
    if (mejor.dir == None) return;
    Pos p = yo.pos + mejor.dir;
    bloqueada[p.i][p.j] = true;
    command(id, mejor.dir);
  }

  // El peón mira en línea recta cuántas casillas ajenas ve antes de un muro.
  void peon (int id) {
    Unit yo = unit(id);
    vector<Jugada> jugadas;
    for (int d = 0; d < 8; d += 2) {
      Pos p = yo.pos + Dir(d);
      if (not pos_ok(p) or cell(p).type == Wall or cell(p).haunted or bloqueada[p.i][p.j]) continue;
      double valor = cell(p).owner == 0 ? 0 : 10;
      if (atacantes[p.i][p.j] > 0) valor -= 15;
      Pos q = p;
      for (int k = 1; k < 15; ++k) {
        q += Dir(d);
        if (not pos_ok(q) or cell(q).type == Wall) break;
        if (cell(q).owner != 0) valor += 6.0/(k + 1);
        for (int lado : {2, 6}) {
          Pos r = q + Dir((d + lado)%8);
          if (pos_ok(r) and cell(r).type == Empty and cell(r).owner != 0) valor += 3.0/(k + 1);
        }
      }
      jugadas.push_back(Jugada{Dir(d), valor + random(0, 10)/10.0});
    }
    if (jugadas.empty()) return;
    sort(jugadas.rbegin(), jugadas.rend());
    Pos p = yo.pos + jugadas[0].dir;
    bloqueada[p.i][p.j] = true;
    command(id, jugadas[0].dir);
  }

  void play () {
    contar();
    for (int id : knights(0)) caballero(id);
    for (int id : farmers(0)) peon(id);
  }

};

RegisterPlayer(PLAYER_NAME);
