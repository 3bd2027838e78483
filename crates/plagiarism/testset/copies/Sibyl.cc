#include "Player.hh"
#define PLAYER_NAME Sibyl

// Value iteration. For each kind of citizen the streets get rewards, and the
// value of a street is its reward plus what the best neighbour is worth, a bit
// discounted. Everybody then steps to the best neighbour.

struct PLAYER_NAME : public Player {
  static Player* factory () { return new PLAYER_NAME; }

  vector<array<int, 4>> near;
  vector<bool> solid;
  typedef vector<double> Values;
  int cells, width;

  int number (Pos p) const { return p.i * width + p.j; }
  Pos place (int n) const { return Pos(n / width, n % width); }

  void learn_streets () {
    width = board_cols();
    cells = board_rows() * width;
    near.resize(cells);
    solid.resize(cells);
    for (int n = 0; n < cells; ++n) solid[n] = cell(place(n)).type == Building;
    for (int n = 0; n < cells; ++n)
      for (int d = 0; d < 4; ++d) {
        Pos q = place(n) + Dir(d);
        near[n][d] = pos_ok(q) and not solid[number(q)] ? number(q) : n;
      }
  }

  Values iterate (const Values& reward, double discount, int sweeps) {
    Values next(cells), now = reward;
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
    int mine = weapon_strength_attack(like.weapon);
    Values r(cells, 0.0);
    for (int n = 0; n < cells; ++n) {
      Cell c = cell(place(n));
      if (c.b_owner == me() and c.id == -1 and is_night() and like.type == Builder) r[n] += 15;
      if (like.type == Builder and c.weapon != NoWeapon) r[n] -= 0.5;
      if (like.type == Warrior and c.weapon != NoWeapon) r[n] += c.weapon > like.weapon ? 12 : -1;
      if (c.bonus == Food) r[n] += 0.1 * (citizen_ini_life(like.type) - like.life);
      if (c.b_owner != -1 and c.b_owner != me()) r[n] -= 4;
      if (c.bonus == Money) r[n] += money_points();
      if (c.id == -1) continue;
      Citizen o = citizen(c.id);
      if (o.player == me()) { r[n] -= 1.5; continue; }
      if (is_day()) { r[n] -= 1; continue; }
      double stake = o.type == Warrior ? kill_warrior_points() : kill_builder_points();
      double chance = double(mine) / (mine + weapon_strength_attack(o.weapon));
      double value = 0.25 * (chance * stake * 20 / max(20, o.life) - (1 - chance) * 60);
      if (c.b_owner != -1) value = min(value, -2.0);
      if (value < 0)
        for (int m : near[n]) r[m] += value / 2;
      r[n] += value;
    }
    return r;
  }

  vector<bool> used;

  void follow (const Citizen& c, const Values& v) {
    double top = cell(c.pos).b_owner == me() and is_night() ? 1e9 : -1e9;
    int best = -1, here = number(c.pos);
    for (int d = 0; d < 4; ++d) {
      int n = near[here][d];
      if (n == here or used[n]) continue;
      int who = cell(place(n)).id;
      if (who != -1 and citizen(who).player == me()) continue;
      if (v[n] > top) best = d, top = v[n];
    }
    if (best == -1) return;
    move(c.id, Dir(best));
    used[near[here][best]] = true;
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
    vector<int> team = builders(me());
    if (not team.empty()) {
      Values shared = iterate(rewards(citizen(team[0])), 0.85, 25);
      for (int id : team)
        if (not masonry(citizen(id))) {
          follow(citizen(id), shared);
          shared[number(citizen(id).pos)] -= 2;
        }
    }
    for (int id : warriors(me())) {
      Citizen w = citizen(id);
      follow(w, iterate(rewards(w), 0.88, 30));
    }
  }
};

RegisterPlayer(PLAYER_NAME);
