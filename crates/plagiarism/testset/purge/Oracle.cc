#include "Player.hh"
#define PLAYER_NAME Oracle

// Value iteration. For each kind of citizen the streets get rewards, and the
// value of a street is its reward plus what the best neighbour is worth, a bit
// discounted. Everybody then steps to the best neighbour.

struct PLAYER_NAME : public Player {
  static Player* factory () { return new PLAYER_NAME; }

  typedef vector<double> Values;
  int width, cells;
  vector<bool> solid;
  vector<array<int, 4>> near;

  int number (Pos p) const { return p.i * width + p.j; }
  Pos place (int n) const { return Pos(n / width, n % width); }

  void learn_streets () {
    width = board_cols();
    cells = board_rows() * width;
    solid.resize(cells);
    near.resize(cells);
    for (int n = 0; n < cells; ++n) solid[n] = cell(place(n)).type == Building;
    for (int n = 0; n < cells; ++n)
      for (int d = 0; d < 4; ++d) {
        Pos q = place(n) + Dir(d);
        near[n][d] = pos_ok(q) and not solid[number(q)] ? number(q) : n;
      }
  }

  Values iterate (const Values& reward, double discount, int sweeps) {
    Values now = reward, next(cells);
    while (sweeps-- > 0) {
      for (int n = 0; n < cells; ++n) {
        if (solid[n]) continue;
        double top = now[near[n][0]];
        for (int d = 1; d < 4; ++d) top = max(top, now[near[n][d]]);
        next[n] = reward[n] + discount * max(top, 0.0);
      }
      now.swap(next);
    }
    return now;
  }

  Values rewards (const Citizen& like) {
    Values r(cells, 0.0);
    int mine = weapon_strength_attack(like.weapon);
    for (int n = 0; n < cells; ++n) {
      Cell c = cell(place(n));
      if (c.bonus == Money) r[n] += money_points();
      if (c.bonus == Food) r[n] += 0.1 * (citizen_ini_life(like.type) - like.life);
      if (like.type == Warrior and c.weapon != NoWeapon) r[n] += c.weapon > like.weapon ? 12 : -1;
      if (like.type == Builder and c.weapon != NoWeapon) r[n] -= 0.5;
      if (c.b_owner != -1 and c.b_owner != me()) r[n] -= 4;
      if (c.b_owner == me() and c.id == -1 and is_night() and like.type == Builder) r[n] += 15;
      if (c.id == -1) continue;
      Citizen o = citizen(c.id);
      if (o.player == me()) { r[n] -= 1.5; continue; }
      if (is_day()) { r[n] -= 1; continue; }
      double chance = double(mine) / (mine + weapon_strength_attack(o.weapon));
      double stake = o.type == Warrior ? kill_warrior_points() : kill_builder_points();
      double value = 0.25 * (chance * stake * 20 / max(20, o.life) - (1 - chance) * 60);
      if (c.b_owner != -1) value = min(value, -2.0);
      r[n] += value;
      if (value < 0)
        for (int m : near[n]) r[m] += value / 2;
    }
    return r;
  }

  vector<bool> used;

  void follow (const Citizen& c, const Values& v) {
    int here = number(c.pos), best = -1;
    double top = cell(c.pos).b_owner == me() and is_night() ? 1e9 : -1e9;
    for (int d = 0; d < 4; ++d) {
      int n = near[here][d];
      if (n == here or used[n]) continue;
      int who = cell(place(n)).id;
      if (who != -1 and citizen(who).player == me()) continue;
      if (v[n] > top) top = v[n], best = d;
    }
    if (best == -1) return;
    used[near[here][best]] = true;
    move(c.id, Dir(best));
  }

  bool masonry (const Citizen& c) {
    int hour = round() % num_rounds_per_day();
    if (is_night() or hour < num_rounds_per_day() / 4 or cell(c.pos).b_owner == me()) return false;
    for (int d = 0; d < 4; ++d) {
      Pos q = c.pos + Dir(d);
      if (pos_ok(q) and cell(q).b_owner == me() and cell(q).id == -1 and cell(q).resistance < 240) {
        build(c.id, Dir(d));
        return true;
      }
    }
    if ((int) barricades(me()).size() >= max_num_barricades()) return false;
    for (int d = 0; d < 4; ++d) {
      Pos q = c.pos + Dir(d);
      if (not pos_ok(q) or not cell(q).is_empty()) continue;
      build(c.id, Dir(d));
      return true;
    }
    return false;
  }

  void play () {
    if (round() == 0) learn_streets();
    used.assign(cells, false);
    for (int id : warriors(me())) {
      Citizen w = citizen(id);
      follow(w, iterate(rewards(w), 0.88, 30));
    }
    vector<int> team = builders(me());
    if (team.empty()) return;
    Values shared = iterate(rewards(citizen(team[0])), 0.85, 25);
    for (int id : team)
      if (not masonry(citizen(id))) {
        follow(citizen(id), shared);
        shared[number(citizen(id).pos)] -= 2;
      }
  }
};

RegisterPlayer(PLAYER_NAME);
