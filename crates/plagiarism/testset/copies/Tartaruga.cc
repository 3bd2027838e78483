#include "Player.hh"

#define PLAYER_NAME Tartaruga

/*
  Les treballadores recorden la situació i el trajecte pendent, que surt d'un
  A* i només es refà si hi ha algú al mig.
*/

enum class Situacio { Explorant, Anant, Tornant, Esperant };

struct Record {
  Situacio situacio = Situacio::Explorant;
  deque<Dir> trajecte;
  Pos desti;
  int calma = 0;
};

struct PLAYER_NAME : public Player {

  static Player* factory () { return new PLAYER_NAME; }

  map<int, Record> records;
  map<Pos, int> encarrecs;      // menjar -> qui hi va
  vector<Pos> coneguts;          // llocs on hi ha hagut menjar
  set<Pos> trepitjades;

  static int manhattan (Pos a, Pos b) { return abs(a.i - b.i) + abs(a.j - b.j); }

  bool buida (Pos p) {
    return pos_ok(p) and cell(p).type == Soil and cell(p).id == -1 and not trepitjades.count(p);
  }

  // A estrella de sempre.
  deque<Dir> traca (Pos a, Pos b) {
    typedef pair<int, Pos> Parell;
    set<Parell> pendents;
    map<Pos, int> preu;
    map<Pos, Dir> arribada;
    preu[a] = 0;
    pendents.insert(Parell(manhattan(a, b), a));
    while (not pendents.empty()) {
      Pos ara = pendents.begin()->second;
      pendents.erase(pendents.begin());
      if (ara == b) break;
      int g = preu[ara] + 1;
      for (Dir d : {Up, Left, Down, Right}) {
        Pos s = ara + d;
        if (not pos_ok(s) or cell(s).type == Water) continue;
        auto it = preu.find(s);
        if (it != preu.end() and it->second <= g) continue;
        if (it != preu.end()) pendents.erase(Parell(it->second + manhattan(s, b), s));
        preu[s] = g;
        arribada[s] = d;
        pendents.insert(Parell(g + manhattan(s, b), s));
      }
    }
    deque<Dir> passes;
    if (not preu.count(b)) return passes;
    for (Pos p = b; p != a; ) {
      Dir d = arribada[p];
      passes.push_front(d);
      p += Dir((d + 2) % 4);
    }
    return passes;
  }

  void camina (int id, Record& r) {
    if (r.trajecte.empty()) return;
    Pos seguent = ant(id).pos + r.trajecte.front();
    if (buida(seguent)) {
      trepitjades.insert(seguent);
      move(id, r.trajecte.front());
      r.trajecte.pop_front();
      r.calma = 0;
      return;
    }
    if (++r.calma < 3) return;
    r.trajecte.clear();
    r.calma = 0;
    int d = random(0, 3);
    if (buida(ant(id).pos + Dir(d))) {
      trepitjades.insert(ant(id).pos + Dir(d));
      move(id, Dir(d));
    }
  }

  bool troba_menjar (const Ant& f, Record& r, Pos mare) {
    int millor = 1000000;
    for (Pos p : coneguts) {
      if (cell(p).bonus == None or manhattan(p, mare) <= 2) continue;
      if (encarrecs.count(p) and ant(encarrecs[p]).id != -1 and encarrecs[p] != f.id) continue;
      int d = manhattan(p, f.pos);
      if (d < millor) { millor = d; r.desti = p; }
    }
    return millor < 1000000;
  }

  void treballadora (const Ant& f, Pos mare) {
    Record& r = records[f.id];
    switch (r.situacio) {
      case Situacio::Explorant:
      case Situacio::Esperant:
        if (troba_menjar(f, r, mare)) {
          encarrecs[r.desti] = f.id;
          r.trajecte = traca(f.pos, r.desti);
          r.situacio = Situacio::Anant;
        }
        else if (r.trajecte.empty()) r.trajecte.push_back(Dir(random(0, 3)));
        camina(f.id, r);
        break;
      case Situacio::Anant:
        if (f.pos == r.desti and cell(f.pos).bonus != None) {
          take(f.id);
          r.situacio = Situacio::Tornant;
          r.trajecte.clear();
        }
        else if (cell(r.desti).bonus == None) { r.situacio = Situacio::Explorant; r.trajecte.clear(); }
        else {
          if (r.trajecte.empty()) r.trajecte = traca(f.pos, r.desti);
          camina(f.id, r);
        }
        break;
      case Situacio::Tornant:
        encarrecs.erase(r.desti);
        if (f.bonus == None) r.situacio = Situacio::Explorant;
        else if (manhattan(f.pos, mare) <= 2 and cell(f.pos).bonus == None) {
          leave(f.id);
          r.situacio = Situacio::Esperant;
          r.trajecte.clear();
        }
        else {
          if (r.trajecte.empty()) r.trajecte = traca(f.pos, mare);
          camina(f.id, r);
        }
        break;
    }
  }

  void play () {
    trepitjades.clear();
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j)
        if (cell(i, j).bonus != None and find(coneguts.begin(), coneguts.end(), Pos(i, j)) == coneguts.end())
          coneguts.push_back(Pos(i, j));
    vector<int> q = queens(me());
    if (q.empty() or status(me()) > 0.9) return;
    Ant mare = ant(q[0]);
    bool fet = false;
    for (Dir d : {Left, Right, Down, Up})
      if (not fet and buida(mare.pos + d)) {
        trepitjades.insert(mare.pos + d);
        if (cell(mare.pos + d).bonus != None and round() % queen_period() == 0) move(mare.id, d);
        else if (*min_element(mare.reserve.begin(), mare.reserve.end()) > 0) lay(mare.id, d, Worker);
        else { trepitjades.erase(mare.pos + d); continue; }
        fet = true;
      }
    for (int id : workers(me())) treballadora(ant(id), mare.pos);
  }
};

RegisterPlayer(PLAYER_NAME);
