#include "Player.hh"

#define SI(c) if (c)
#define PARA(v, a, b) for (int v = a; v < b; ++v)
#define CADA(v, lista) for (int v : lista)
#define sino else
#define devuelve return
#define sigue continue
#define entero int
#define real double
#define cierto true
#define falso false

#define PLAYER_NAME Damas

/* Cada caballero piensa como en ajedrez: quién me ataca, a quién ataco, y
   cuánto gano o pierdo en cada casilla.  Los campesinos son peones. */

struct PLAYER_NAME : public Player {

  static Player* factory () {
    devuelve new PLAYER_NAME;
  }

  struct Jugada {
    Dir dir;
    real valor;
    bool operator< (const Jugada& otra) const { devuelve valor < otra.valor; }
  };

  vector<vector<entero>> atacantes;   // caballeros rivales que pueden golpear cada casilla
  vector<vector<entero>> defensores;
  vector<vector<bool>> bloqueada;

  real golpe () { devuelve (damage_min() + damage_max())/2.0; }

  void contar () {
    atacantes.assign(rows(), vector<entero>(cols(), 0));
    defensores = atacantes;
    bloqueada.assign(rows(), vector<bool>(cols(), falso));
    PARA(id, 0, nb_units()) {
      Unit u = unit(id);
      SI(not pos_ok(u.pos)) sigue;
      bloqueada[u.pos.i][u.pos.j] = cierto;
      SI(u.type != Knight) sigue;
      for (entero a = -1; a <= 1; ++a)
        for (entero b = -1; b <= 1; ++b)
          SI(pos_ok(u.pos.i + a, u.pos.j + b)) {
            SI(u.player == 0) ++defensores[u.pos.i + a][u.pos.j + b];
            sino ++atacantes[u.pos.i + a][u.pos.j + b];
          }
    }
  }

  real material (const Unit& u) { devuelve u.type == Knight ? 30 : 12; }

  real evaluar_golpe (const Unit& yo, const Unit& otro) {
    real probabilidad = otro.health <= damage_min() ? 1 : otro.health <= damage_max() ? 0.6 : 0.15;
    real valor = material(otro)*probabilidad + 5;
    valor += 4*defensores[otro.pos.i][otro.pos.j];
    entero amenazas = atacantes[yo.pos.i][yo.pos.j];
    SI(amenazas*golpe() >= yo.health) valor -= 0.8*material(yo);
    devuelve valor;
  }

  real evaluar_paso (const Unit& yo, Pos p) {
    real valor = 0;
    entero amenazas = atacantes[p.i][p.j];
    SI(amenazas*golpe() >= yo.health) valor -= material(yo);
    sino valor -= 2*amenazas;
    // cuanto más cerca del peón más débil, mejor
    real cerca = 0;
    PARA(pl, 1, nb_players())
      CADA(id, farmers(pl)) {
        Unit o = unit(id);
        entero d = max(abs(o.pos.i - p.i), abs(o.pos.j - p.j));
        SI(d < 12) cerca = max(cerca, (12 - d)*(1.5 - o.health/200.0));
      }
    devuelve valor + cerca;
  }

  real evaluar_descanso (const Unit& yo) {
    real falta = knights_health() - yo.health;
    real valor = falta > knights_regen() ? 9 : falta/10.0;
    devuelve valor + evaluar_paso(yo, yo.pos) - 1;
  }

  void caballero (entero id) {
    Unit yo = unit(id);
    vector<Jugada> jugadas;
    jugadas.push_back(Jugada{None, evaluar_descanso(yo)});
    PARA(d, 0, 8) {
      Pos p = yo.pos + Dir(d);
      SI(not pos_ok(p) or cell(p).type == Wall or cell(p).haunted) sigue;
      SI(cell(p).id != -1) {
        Unit otro = unit(cell(p).id);
        SI(otro.player == 0 or otro.type == Witch) sigue;
        jugadas.push_back(Jugada{Dir(d), evaluar_golpe(yo, otro)});
      }
      sino if (not bloqueada[p.i][p.j]) jugadas.push_back(Jugada{Dir(d), evaluar_paso(yo, p)});
    }
    Jugada mejor = *max_element(jugadas.begin(), jugadas.end());
    SI(mejor.dir == None) devuelve;
    Pos p = yo.pos + mejor.dir;
    bloqueada[p.i][p.j] = cierto;
    command(id, mejor.dir);
  }

  // El peón mira en línea recta cuántas casillas ajenas ve antes de un muro.
  void peon (entero id) {
    Unit yo = unit(id);
    vector<Jugada> jugadas;
    for (entero d = 0; d < 8; d += 2) {
      Pos p = yo.pos + Dir(d);
      SI(not pos_ok(p) or cell(p).type == Wall or cell(p).haunted or bloqueada[p.i][p.j]) sigue;
      real valor = cell(p).owner == 0 ? 0 : 10;
      SI(atacantes[p.i][p.j] > 0) valor -= 15;
      Pos q = p;
      PARA(k, 1, 15) {
        q += Dir(d);
        SI(not pos_ok(q) or cell(q).type == Wall) break;
        SI(cell(q).owner != 0) valor += 6.0/(k + 1);
        for (entero lado : {2, 6}) {
          Pos r = q + Dir((d + lado)%8);
          SI(pos_ok(r) and cell(r).type == Empty and cell(r).owner != 0) valor += 3.0/(k + 1);
        }
      }
      jugadas.push_back(Jugada{Dir(d), valor + random(0, 10)/10.0});
    }
    SI(jugadas.empty()) devuelve;
    sort(jugadas.rbegin(), jugadas.rend());
    Pos p = yo.pos + jugadas[0].dir;
    bloqueada[p.i][p.j] = cierto;
    command(id, jugadas[0].dir);
  }

  void play () {
    contar();
    CADA(id, knights(0)) caballero(id);
    CADA(id, farmers(0)) peon(id);
  }

};

RegisterPlayer(PLAYER_NAME);
