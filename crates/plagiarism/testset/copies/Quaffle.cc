#include "Player.hh"
#define PLAYER_NAME Quaffle

// A linear policy: every possible move is described by a vector of features,
// multiplied by hand-tuned weights. Nothing is planned.

struct PLAYER_NAME : public Player {

  static Player* factory () { return new PLAYER_NAME; }

  enum Feature { NewCell, Steal, Book, BookNear, Duel, Rescue, Haunt, Crowd, Danger, Momentum, Open, Features };
  typedef array<float, Features> Vec;

  const Vec weights = {{ 2.0f, 1.5f, 25.0f, 6.0f, 40.0f, 60.0f, 12.0f, -1.2f, -90.0f, 0.8f, 0.5f }};

  set<pair<int,int>> spoken_for;
  map<int, int> heading;   // last direction of each wizard

  float dot (const Vec& v) const {
    float s = 0;
    for (int f = 0; f < Features; ++f) s += v[f] * weights[f];
    return s;
  }

  Vec describe (const Unit& u, int d) {
    Pos to = u.pos + Dir(d);
    Vec v;
    Cell c = cell(to);
    v.fill(0);
    v[Momentum] = heading.count(u.id) and heading[u.id] == d;
    v[Book] = c.book;
    v[Steal] = c.owner != -1 and c.owner != me();
    v[NewCell] = c.owner == -1;
    Pos lord = pos_voldemort();
    int close = max(abs(lord.i - to.i), abs(lord.j - to.j));
    if (close <= 3) v[Danger] = 4 - close;
    if (c.id != -1) {
      Unit o = unit(c.id);
      bool rival = o.player != me(), busy = o.is_in_conversion_process();
      if (not rival and not busy) v[Crowd] += 20;
      if (rival and busy) v[Crowd] += 20;
      if (not rival and busy) v[Rescue] = 1;
      if (rival and o.type == Wizard and not busy) {
        float a = magic_strength(me()), b = magic_strength(o.player);
        v[Duel] = a / (a + b + 1) - 0.3f;
        if (b > 2 * a) v[Duel] = -5;
      }
      if (rival and o.type == Ghost) v[Haunt] = 1;
    }
    // a cone of the board in that direction
    for (int far = 1; far <= 7; ++far)
      for (int side = -far; side <= far; ++side) {
        int dj = (d == Right) - (d == Left), di = (d == Down) - (d == Up);
        Pos p = to;
        p.j += dj * far + (dj == 0 ? side : 0);
        p.i += di * far + (di == 0 ? side : 0);
        if (not pos_ok(p)) continue;
        float near = 1.0f / (far + abs(side));
        Cell k = cell(p);
        if (k.id != -1 and unit(k.id).player != me() and unit(k.id).type == Wizard) v[Duel] += 0.15f * near;
        if (k.type == Corridor and k.owner != me()) v[Open] += near;
        if (k.id != -1 and unit(k.id).player == me()) v[Crowd] += near;
        if (k.book) v[BookNear] += near;
      }
    return v;
  }

  void decide (int id) {
    float top = -50;
    int best = -1;
    Unit u = unit(id);
    for (int d = Down; d <= Left; d += 2) {
      Pos to = u.pos + Dir(d);
      if (not pos_ok(to) or cell(to).type == Wall) continue;
      if (spoken_for.count({to.i, to.j})) continue;
      float value = dot(describe(u, d));
      if (value > top) {
        best = d;
        top = value;
      }
    }
    if (best == -1) return;
    Pos to = u.pos + Dir(best);
    move(id, Dir(best));
    heading[id] = best;
    spoken_for.insert({to.i, to.j});
  }

  void float_away () {
    vector<pair<int, Dir>> options;
    Pos lord = pos_voldemort();
    Unit g = unit(ghost(me()));
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
    float_away();
    vector<int> team = wizards(me());
    for (int k : random_permutation(team.size())) decide(team[k]);
  }
};

RegisterPlayer(PLAYER_NAME);
