#include "Player.hh"
#define PLAYER_NAME Tramuntana

// Dial's algorithm: a wheel of buckets instead of a heap, because costs are
// small integers. Own ground costs 3, bare ground 2, foreign ground 1.

class Wheel {
  static const int SPOKES = 16;
  vector<int> bucket[SPOKES];
  int now_, inside_;
public:
  Wheel() : now_(0), inside_(0) {}
  bool empty() const { return inside_ == 0; }
  void put(int key, int cost) {
    bucket[cost % SPOKES].push_back(key);
    ++inside_;
  }
  int take() {
    while (bucket[now_ % SPOKES].empty()) ++now_;
    int key = bucket[now_ % SPOKES].back();
    bucket[now_ % SPOKES].pop_back();
    --inside_;
    return key;
  }
  int cost() const { return now_; }
};

struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }

  vector<char> toll;      // price of entering a cell, 0 if it cannot be entered
  vector<char> promised;

  int pack(Pos p) { return p.i * cols() + p.j; }
  Pos unpack(int x) { return Pos(x / cols(), x % cols()); }

  void set_tolls() {
    int n = rows() * cols();
    toll.assign(n, 0);
    promised.assign(n, 0);
    for (int x = 0; x < n; ++x) {
      Cell c = cell(unpack(x));
      if (c.type == Wall || c.haunted) continue;
      toll[x] = c.owner == 0 ? 3 : c.owner == -1 ? 2 : 1;
      if (c.id != -1) promised[x] = 1;
    }
    // rival knights make ground dear for farmers
    for (int pl = 1; pl < nb_players(); ++pl)
      for (int id : knights(pl))
        for (int d = 0; d < 8; ++d) {
          Pos q = unit(id).pos + Dir(d);
          if (pos_ok(q) && toll[pack(q)]) toll[pack(q)] = min(12, toll[pack(q)] + 5);
        }
  }

  // The first step of the cheapest way to ground that is not ours.
  Dir plan_farmer(int start) {
    unordered_map<int, pair<int, int>> label;     // cell -> (cost, first direction)
    Wheel wheel;
    wheel.put(start, 0);
    label[start] = {0, int(None)};
    int seen = 0;
    while (!wheel.empty() && seen < 250) {
      int x = wheel.take();
      if (label[x].first < wheel.cost()) continue;
      ++seen;
      Pos p = unpack(x);
      if (x != start && cell(p).owner != 0 && !promised[x]) {
        promised[x] = 1;
        return Dir(label[x].second);
      }
      for (int d = 0; d < 8; d += 2) {
        Pos q = p + Dir(d);
        if (!pos_ok(q)) continue;
        int y = pack(q);
        if (!toll[y] || (promised[y] && x == start)) continue;
        int c = wheel.cost() + toll[y];
        auto it = label.find(y);
        if (it != label.end() && it->second.first <= c) continue;
        label[y] = {c, x == start ? d : label[x].second};
        wheel.put(y, c);
      }
    }
    return None;
  }

  void plan_knight(int id) {
    Unit k = unit(id);
    vector<tuple<int, int, Dir>> blows;
    for (int d = 0; d < 8; ++d) {
      Pos q = k.pos + Dir(d);
      if (!pos_ok(q) || cell(q).id == -1) continue;
      Unit o = unit(cell(q).id);
      if (o.player != 0 && o.type != Witch) blows.emplace_back(o.type == Knight ? 0 : 1, o.health, Dir(d));
    }
    if (!blows.empty()) return command(id, get<2>(*min_element(blows.begin(), blows.end())));
    if (k.health < knights_health() - 2 * knights_regen()) return;

    Pos target = k.pos;
    int best = 12;
    for (int pl = 1; pl < nb_players(); ++pl)
      for (int f : farmers(pl)) {
        Pos p = unit(f).pos;
        int d = max(abs(p.i - k.pos.i), abs(p.j - k.pos.j));
        if (d < best && pos_ok(p) && !cell(p).haunted) best = d, target = p;
      }
    Dir go = None;
    int least = max(abs(target.i - k.pos.i), abs(target.j - k.pos.j));
    for (int d = 7; d >= 0 && target != k.pos; --d) {
      Pos q = k.pos + Dir(d);
      if (!pos_ok(q) || !toll[pack(q)] || promised[pack(q)]) continue;
      int far = max(abs(target.i - q.i), abs(target.j - q.j));
      if (far < least) least = far, go = Dir(d);
    }
    if (go == None) return;
    promised[pack(k.pos + go)] = 1;
    command(id, go);
  }

  void play() {
    set_tolls();
    if (status(0) > 0.9) return;
    for (int id : knights(0)) plan_knight(id);
    for (int id : farmers(0)) {
      Pos p = unit(id).pos;
      if (!pos_ok(p)) continue;
      Dir d = plan_farmer(pack(p));
      if (d == None) continue;
      promised[pack(p + d)] = 1;
      command(id, d);
    }
  }
};

RegisterPlayer(PLAYER_NAME);
