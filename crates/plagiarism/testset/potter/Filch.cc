#include "Player.hh"


/**
 * El conserge: cada mag té un tros de passadís per escombrar. Camina seguint
 * la paret de la dreta i quan fa molta estona que no pinta res, gira.
 */
#define PLAYER_NAME Filch


struct PLAYER_NAME : public Player {

  static Player* factory () {
    return new PLAYER_NAME;
  }

  struct Escombra {
    int cap;        // direcció actual, 0..3 en sentit antihorari
    int avorrit;    // torns sense pintar res de nou
    int voltes;
    Escombra() : cap(0), avorrit(0), voltes(0) {}
  };

  vector<Escombra> estris;
  vector<Pos> reservades;

  Dir real (int cap) {
    return Dir(2*((cap%4 + 4)%4));
  }

  bool mort (Pos p) {
    Pos v = pos_voldemort();
    int a = p.i - v.i;
    int b = p.j - v.j;
    return a*a <= 4 and b*b <= 4;
  }

  bool passa (Pos p) {
    if (not pos_ok(p)) return false;
    Cell c = cell(p);
    if (c.type == Wall or c.id != -1 or mort(p)) return false;
    for (Pos r : reservades) if (r == p) return false;
    return true;
  }

  bool brut (Pos p) {
    return cell(p).owner != me() or cell(p).book;
  }

  // Quantes caselles brutes hi ha en línia recta.
  int feina (Pos p, int cap) {
    int compte = 0;
    for (int k = 1; k <= 12; ++k) {
      p += real(cap);
      if (not pos_ok(p) or cell(p).type == Wall) return compte;
      if (brut(p)) ++compte;
      if (cell(p).book) compte += 5;
    }
    return compte;
  }

  void avanca (int id, int cap) {
    Pos p = unit(id).pos + real(cap);
    reservades.push_back(p);
    Escombra& e = estris[id];
    e.cap = (cap%4 + 4)%4;
    e.avorrit = brut(p) ? 0 : e.avorrit + 1;
    move(id, real(cap));
  }

  bool baralla (int id) {
    Unit u = unit(id);
    if (u.is_in_conversion_process()) return false;
    for (int cap = 0; cap < 4; ++cap) {
      Pos p = u.pos + real(cap);
      if (not pos_ok(p) or mort(p) or cell(p).id == -1) continue;
      Unit altre = unit(cell(p).id);
      if (altre.player == me()) {
        if (altre.is_in_conversion_process()) { move(id, real(cap)); return true; }
        continue;
      }
      if (altre.type == Ghost) continue;
      if (altre.is_in_conversion_process()) continue;
      if (magic_strength(altre.player) <= magic_strength(me())) { move(id, real(cap)); return true; }
    }
    return false;
  }

  void escombra (int id) {
    Escombra& e = estris[id];
    Pos p = unit(id).pos;
    if (mort(p)) {   // cames ajudeu-me
      Pos v = pos_voldemort();
      int millor = -1, dist = -1;
      for (int cap = 0; cap < 4; ++cap) {
        Pos q = p + real(cap);
        int d = abs(q.i - v.i) + abs(q.j - v.j);
        if (pos_ok(q) and cell(q).type == Corridor and cell(q).id == -1 and d > dist) { dist = d; millor = cap; }
      }
      if (millor != -1) move(id, real(millor));
      return;
    }
    if (e.avorrit > 6) {
      // busca la direcció amb més feina
      int millor = e.cap, max_feina = -1;
      for (int cap = 0; cap < 4; ++cap) {
        int f = feina(p, cap);
        if (f > max_feina and passa(p + real(cap))) { max_feina = f; millor = cap; }
      }
      if (max_feina == 0) millor = random(0, 3);
      e.avorrit = 0;
      e.voltes++;
      if (passa(p + real(millor))) return avanca(id, millor);
    }
    // mà dreta o mà esquerra, segons el número
    int ma = (id + e.voltes)%2 == 0 ? 1 : -1;
    int ordre[4] = {e.cap, e.cap + ma, e.cap - ma, e.cap + 2};
    for (int k = 0; k < 4; ++k)
      if (passa(p + real(ordre[k])) and brut(p + real(ordre[k]))) return avanca(id, ordre[k]);
    for (int k = 0; k < 4; ++k)
      if (passa(p + real(ordre[k]))) return avanca(id, ordre[k]);
  }

  virtual void play () {
    if (round() == 0) {
      estris = vector<Escombra>(2000);
      for (int id = 0; id < 2000; ++id) estris[id].cap = id%4;
    }
    reservades.clear();
    for (int id : wizards(me())) if (not baralla(id)) escombra(id);
  }

};


RegisterPlayer(PLAYER_NAME);
