#include "Player.hh"

/**
 * A player to learn from: every citizen searches the streets around it, weighs
 * what it could reach against how far that is, and looks out for rivals.
 */
#define PLAYER_NAME Hunter

struct PLAYER_NAME : public Player {

  static Player* factory () {
    return new PLAYER_NAME;
  }

  // Rounds before the night in which builders work on barricades.
  const int dusk = 4;

  const int stay = 4;  // after the four directions

  // The city, copied once per round because the searches look at it so often.
  vector<Cell> city;

  // Cells on which a citizen of mine will stand after this round.
  set<Pos> taken;

  // Steps to each cell in the search under way, -1 for those not reached.
  vector<int> distance;

  // Cells that a search has reached, and the first step on the way to them.
  vector<pair<Pos, int>> border;

  const Cell& at (Pos p) {
    return city[place(p)];
  }

  int place (Pos p) {
    return p.i * board_cols() + p.j;
  }

  void look_around () {
    city.clear();
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j) city.push_back(cell(i, j));
    taken.clear();
    for (int id : builders(me())) taken.insert(citizen(id).pos);
    for (int id : warriors(me())) taken.insert(citizen(id).pos);
  }

  // Streets that are free, or have an empty barricade of mine.
  bool can_enter (Pos p) {
    const Cell& c = at(p);
    return c.type == Street and c.id == -1 and (c.b_owner == -1 or c.b_owner == me());
  }

  // A rival that can be struck: not one in a barricade.
  bool is_prey (Pos p) {
    const Cell& c = at(p);
    return c.id != -1 and c.b_owner == -1 and citizen(c.id).player != me();
  }

  // Somebody or something that may be worth going there.
  bool has_something (Pos p) {
    const Cell& c = at(p);
    return c.id != -1 or c.bonus != NoBonus or c.weapon != NoWeapon;
  }

  // The chance that the first of two wins a fight.
  double chance (const Citizen& a, const Citizen& b) {
    double strength = weapon_strength_attack(a.weapon);
    return strength / (strength + weapon_strength_attack(b.weapon));
  }

  // What its clan loses, on average, each time that a citizen loses a fight.
  double price (const Citizen& c) {
    int points = c.type == Builder ? kill_builder_points() : kill_warrior_points();
    return points * min(1.0, double(life_lost_in_attack()) / c.life);
  }

  // What a fight brings, or costs.
  double fight (const Citizen& mine, const Citizen& rival) {
    double p = chance(mine, rival);
    return p * price(rival) - (1 - p) * price(mine);
  }

  // What the things on a cell are worth to a citizen that goes there.
  double worth (const Citizen& c, Pos p) {
    const Cell& there = at(p);
    if (there.id != -1) return fight(c, citizen(there.id));
    if (there.bonus == Money) return money_points();
    if (there.bonus == Food) {
      int missing = citizen_ini_life(c.type) - c.life;
      return 0.3 * min(missing, food_incr_life());
    }
    if (c.type == Warrior and strongestWeapon(there.weapon, c.weapon) != c.weapon) return there.weapon == Gun ? 20 : 60;
    return 0;
  }

  // What a citizen risks on a cell: blows of the rivals next to it.
  double risk (const Citizen& c, Pos p) {
    if (is_day() or at(p).b_owner == me()) return 0;
    double sum = 0;
    for (int d = 0; d < 4; ++d) {
      Pos next = p + Dir(d);
      if (not pos_ok(next) or at(next).id == -1) continue;
      Citizen rival = citizen(at(next).id);
      if (rival.player != me() and rival.type == Warrior) sum -= min(0.0, fight(c, rival));
    }
    return sum;
  }

  // Breadth-first search from a citizen. For each direction of the first step,
  // the greatest worth per step of anything that is reached that way.
  vector<double> search (const Citizen& c) {
    vector<double> best(5, 0.0);
    distance.assign(city.size(), -1);
    border.clear();
    distance[place(c.pos)] = 0;
    border.push_back(make_pair(c.pos, stay));
    for (int k = 0; k < (int)border.size(); ++k) {
      Pos p = border[k].first;
      int first = border[k].second;
      int steps = distance[place(p)] + 1;
      for (int d = 0; d < 4; ++d) {
        Pos next = p + Dir(d);
        if (not pos_ok(next) or distance[place(next)] != -1) continue;
        bool prey = c.type == Warrior and is_prey(next);
        if (not prey and not can_enter(next)) continue;
        int way = first == stay ? d : first;
        if (first == stay and not prey and taken.count(next)) continue;
        distance[place(next)] = steps;
        if (has_something(next)) best[way] = max(best[way], worth(c, next) / steps);
        if (not prey) border.push_back(make_pair(next, way));
      }
    }
    return best;
  }

  // Goes where the most is to be had for the least risk.
  void seek (const Citizen& c) {
    vector<double> gain = search(c);
    int chosen = stay;
    double most = gain[stay] - risk(c, c.pos);
    for (int d = 0; d < 4; ++d) {
      Pos next = c.pos + Dir(d);
      if (not pos_ok(next) or gain[d] <= 0) continue;
      bool strike = is_prey(next);  // whoever strikes stays in its place
      if (strike and is_day()) continue;
      double total = gain[d] - risk(c, strike ? c.pos : next);
      if (total > most) {
        most = total;
        chosen = d;
      }
    }
    if (chosen == stay) return;
    Pos next = c.pos + Dir(chosen);
    if (not is_prey(next)) {
      taken.erase(c.pos);
      taken.insert(next);
    }
    move(c.id, Dir(chosen));
  }

  // Makes a barricade next to the builder, or a stronger one of one that is there.
  bool fortify (const Citizen& builder) {
    int chosen = -1;
    for (int d = 0; d < 4; ++d) {
      Pos next = builder.pos + Dir(d);
      if (not pos_ok(next) or taken.count(next)) continue;
      if (at(next).b_owner == me() and at(next).id == -1) {
        build(builder.id, Dir(d));
        return true;
      }
      if (at(next).is_empty()) chosen = d;
    }
    if (chosen == -1 or (int)barricades(me()).size() >= max_num_barricades()) return false;
    build(builder.id, Dir(chosen));
    return true;
  }

  virtual void play () {
    if (status(me()) >= 0.9) return;
    look_around();
    for (int id : warriors(me())) seek(citizen(id));
    for (int id : builders(me())) {
      bool late = is_day() and is_round_night(round() + dusk);
      if (not late or not fortify(citizen(id))) seek(citizen(id));
    }
  }

};

RegisterPlayer(PLAYER_NAME);
