#include "Player.hh"
#define PLAYER_NAME Bludger

// A linear policy: every possible move is described by a vector of features,
// multiplied by hand-tuned weights. Nothing is planned.

struct PLAYER_NAME : public Player {

  static Player* factory () { return new PLAYER_NAME; }

  enum Feature { NewCell, Steal, Book, BookNear, Duel, Rescue, Haunt, Crowd, Danger, Momentum, Open, Features };
  typedef array<float, Features> Vec;

  const Vec weights = {{ 2.0f, 1.5f, 25.0f, 6.0f, 40.0f, 60.0f, 12.0f, -1.2f, -90.0f, 0.8f, 0.5f }};

  map<int, int> heading;   // last direction of each wizard
  set<pair<int,int>> spoken_for;

  float dot (const Vec& v) const {
    float s = 0;
    for (int f = 0; f < Features; ++f) s += v[f] * weights[f];
    return s;
  }

  Vec describe (const Unit& u, int d) {
    Vec v;
    v.fill(0);
    Pos to = u.pos + Dir(d);
    Cell c = cell(to);
    v[NewCell] = c.owner == -1;
    v[Steal] = c.owner != -1 and c.owner != me();
    v[Book] = c.book;
    v[Momentum] = heading.count(u.id) and heading[u.id] == d;
    if (c.id != -1) {
      Unit o = unit(c.id);
      bool rival = o.player != me(), busy = o.is_in_conversion_process();
      if (rival and o.type == Ghost) v[Haunt] = 1;
      if (rival and o.type == Wizard and not busy) {
        float a = magic_strength(me()), b = magic_strength(o.player);
        v[Duel] = a / (a + b + 1) - 0.3f;
        if (b > 2 * a) v[Duel] = -5;
      }
      if (not rival and busy) v[Rescue] = 1;
      if (not rival and not busy) v[Crowd] += 20;
      if (rival and busy) v[Crowd] += 20;
    }
    // a cone of the board in that direction
    for (int far = 1; far <= 7; ++far)
      for (int side = -far; side <= far; ++side) {
        Pos p = to;
        int di = (d == Down) - (d == Up), dj = (d == Right) - (d == Left);
        p.i += di * far + (di == 0 ? side : 0);
        p.j += dj * far + (dj == 0 ? side : 0);
        if (not pos_ok(p)) continue;
        Cell k = cell(p);
        float near = 1.0f / (far + abs(side));
        if (k.book) v[BookNear] += near;
        if (k.type == Corridor and k.owner != me()) v[Open] += near;
        if (k.id != -1 and unit(k.id).player == me()) v[Crowd] += near;
        if (k.id != -1 and unit(k.id).player != me() and unit(k.id).type == Wizard) v[Duel] += 0.15f * near;
      }
    Pos lord = pos_voldemort();
    int close = max(abs(lord.i - to.i), abs(lord.j - to.j));
    if (close <= 3) v[Danger] = 4 - close;
    return v;
  }

  void decide (int id) {
    Unit u = unit(id);
    int best = -1;
    float top = -50;
    for (int d = Down; d <= Left; d += 2) {
      Pos to = u.pos + Dir(d);
      if (not pos_ok(to) or cell(to).type == Wall) continue;
      if (spoken_for.count({to.i, to.j})) continue;
      float value = dot(describe(u, d));
      if (value > top) {
        top = value;
        best = d;
      }
    }
    if (best == -1) return;
    Pos to = u.pos + Dir(best);
    spoken_for.insert({to.i, to.j});
    heading[id] = best;
    move(id, Dir(best));
  }

  void float_away () {
    Unit g = unit(ghost(me()));
    Pos lord = pos_voldemort();
    vector<pair<int, Dir>> options;
    for (Dir d : {Down, DR, Right, RU, Up, UL, Left, LD}) {
      Pos to = g.pos + d;
      if (not pos_ok(to) or not cell(to).is_empty()) continue;
      int away = abs(to.i - lord.i) + abs(to.j - lord.j);
      options.push_back({min(away, 12) + 2 * (cell(to).owner != me()), d});
    }
    if (options.empty()) return;
    auto top = max_element(options.begin(), options.end(), [](auto& a, auto& b) { return a.first < b.first; });
    move(g.id, top->second);
  }

  void play () {
    spoken_for.clear();
    if (status(me()) > 0.95) return;
    vector<int> team = wizards(me());
    for (int k : random_permutation(team.size())) decide(team[k]);
    float_away();
  }
};

RegisterPlayer(PLAYER_NAME);
