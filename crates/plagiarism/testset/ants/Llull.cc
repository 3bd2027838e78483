#include "Player.hh"
#define PLAYER_NAME Llull

// Cerca en profunditat iterativa: res de cues, tot recursiu.
// Si a menys de LIMIT passos no hi ha res, es camina cap al darrer lloc on
// algú va trobar menjar.

struct PLAYER_NAME : public Player {

  static Player* factory () { return new PLAYER_NAME; }

  enum Desig { Menjar, Rebost, Enemic };
  static const int LIMIT = 7;

  Pos reina;
  Pos record;            // últim lloc amb menjar
  bool hi_ha_record;
  vector<vector<bool>> reservat;

  int lluny (Pos p) { return abs(p.i - reina.i) + abs(p.j - reina.j); }

  bool vull (Desig que, Pos p) {
    Cell c = cell(p);
    if (que == Menjar) return c.bonus != None and c.id == -1 and lluny(p) > 3;
    if (que == Rebost) return c.bonus == None and c.id == -1 and lluny(p) <= 2;
    return c.id != -1 and ant(c.id).player != me() and ant(c.id).type == Worker;
  }

  bool entra (Pos p, Desig que) {
    if (not pos_ok(p) or cell(p).type == Water or reservat[p.i][p.j]) return false;
    return cell(p).id == -1 or (que == Enemic and vull(que, p));
  }

  // Es pot satisfer el desig amb exactament `queden` passos des de p?
  // No es torna mai enrere.
  bool prof (Pos p, Desig que, int queden, int ve_de) {
    if (queden == 0) return vull(que, p);
    for (int d = 0; d < 4; ++d) {
      if (d == ve_de) continue;
      Pos q = p + Dir(d);
      if (entra(q, que) and prof(q, que, queden - 1, (d + 2)%4)) return true;
    }
    return false;
  }

  int decideix (Pos p, Desig que) {
    for (int n = 0; n < LIMIT; ++n)
      for (int d = 0; d < 4; ++d) {
        Pos q = p + Dir(d);
        if (entra(q, que) and prof(q, que, n, (d + 2)%4)) return d;
      }
    return -1;
  }

  void fes (int id, int d) {
    Pos q = ant(id).pos + Dir(d);
    reservat[q.i][q.j] = true;
    move(id, Dir(d));
  }

  // Sense cap pla: en línia recta, i si no es pot, cap al costat.
  void acosta (int id, Pos on, Desig que) {
    Pos p = ant(id).pos;
    int di = on.i - p.i, dj = on.j - p.j;
    int v = di > 0 ? Down : Up, h = dj > 0 ? Right : Left;
    int ordre[4];
    bool primer_v = abs(di) > abs(dj);
    ordre[0] = primer_v ? v : h;
    ordre[1] = primer_v ? h : v;
    ordre[2] = (ordre[1] + 2)%4;
    ordre[3] = (ordre[0] + 2)%4;
    int n = random(0, 5) == 0 ? 4 : 3;
    for (int k = 0; k < n; ++k)
      if (entra(p + Dir(ordre[k]), que)) return fes(id, ordre[k]);
  }

  void obrera (int id) {
    Ant o = ant(id);
    if (o.bonus == None and cell(o.pos).bonus != None and lluny(o.pos) > 3) {
      record = o.pos;
      hi_ha_record = true;
      return take(id);
    }
    if (o.bonus != None and cell(o.pos).bonus == None and lluny(o.pos) <= 2) return leave(id);
    Desig que = o.bonus == None ? Menjar : Rebost;
    int d = decideix(o.pos, que);
    if (d != -1) fes(id, d);
    else if (que == Rebost) acosta(id, reina, que);
    else if (hi_ha_record and id%2 == 0) acosta(id, record, que);
    else acosta(id, Pos(board_rows()/2, board_cols()/2), que);
  }

  void soldat (int id) {
    int d = decideix(ant(id).pos, Enemic);
    if (d != -1) fes(id, d);
    else acosta(id, Pos(board_rows() - 1 - reina.i, board_cols() - 1 - reina.j), Enemic);
  }

  void mare (int id) {
    Ant m = ant(id);
    int millor = -1;
    for (int d = 0; d < 4; ++d) {
      Pos q = m.pos + Dir(d);
      if (not pos_ok(q) or cell(q).type == Water or cell(q).id != -1) continue;
      if (millor == -1 or cell(q).bonus != None) millor = d;
    }
    if (millor == -1) return;
    Pos q = m.pos + Dir(millor);
    reservat[q.i][q.j] = true;
    bool torn = round()%queen_period() == 0;
    if (torn and cell(q).bonus != None) move(id, Dir(millor));
    else lay(id, Dir(millor), Worker);
  }

  void play () {
    reservat = vector<vector<bool>>(board_rows(), vector<bool>(board_cols(), false));
    if (queens(me()).empty() or status(me()) > 0.92) return;
    reina = ant(queens(me())[0]).pos;
    mare(queens(me())[0]);
    for (int id : workers(me())) obrera(id);
    for (int id : soldiers(me())) soldat(id);
  }

};

RegisterPlayer(PLAYER_NAME);
