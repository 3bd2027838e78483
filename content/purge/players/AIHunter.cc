#include "Player.hh"

/**
 * A player to learn from. By day everybody gathers what is worth most per step.
 * By night our citizens keep away from whoever is stronger and hunt whoever is
 * weaker. Those run as fast as we do, so a hunter thinks ahead: it knows how
 * they run, and searches for the shortest chase that ends with a sure blow.
 */
#define PLAYER_NAME Hunter

struct PLAYER_NAME : public Player {

  static Player* factory () {
    return new PLAYER_NAME;
  }

  const int fear = 2;        // steps within which stronger rivals are feared
  const int dusk = 8;        // rounds before the night in which we go near our prey
  const int reach = 10;      // steps within which prey is considered
  const int horizon = 7;    // rounds that a chase may last
  const double risky = 0.7;  // what our life counts in a fight, as food brings it back

  // A place is the number of a cell, row by row. All these are members so that
  // their room is used again in every round.
  int places = 0;
  vector<int> row, column;    // of each place
  vector<int> neighbours;     // four for each place, -1 for buildings and beyond the border
  vector<vector<int>> around; // the places within fear steps of each
  vector<Cell> city;
  vector<char> taken;         // one of ours stands there or has been sent there, or is after it
  vector<Citizen> everybody;  // ours are where they have been sent
  vector<int> danger;         // 2 where the citizen in question can be struck, 1 nearly so
  vector<char> shunned;       // by the prey in question, for fear of others than the hunter
  vector<int> steps, first, reached;  // of the search under way

  // A chase: where hunter and prey are after some rounds, and how it begins.
  struct Chase {
    int hunter, prey, rounds, begin;
  };
  vector<Chase> chases;
  vector<int> considered;  // pairs of places in the chases of this number
  int number = 0;
  vector<pair<int, int>> flight;  // places to run to, and the first step of the way
  vector<int> met;                // places met in the flight of this number
  int flights = 0;

  int place (Pos p) {
    return p.i * board_cols() + p.j;
  }

  int apart (int a, int b) {
    return abs(row[a] - row[b]) + abs(column[a] - column[b]);
  }

  void draw_map () {
    places = board_rows() * board_cols();
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j) {
        row.push_back(i);
        column.push_back(j);
        for (int d = 0; d < 4; ++d) {
          Pos next = Pos(i, j) + Dir(d);
          neighbours.push_back(pos_ok(next) and cell(next).type == Street ? place(next) : -1);
        }
      }
    around.resize(places);
    for (int at = 0; at < places; ++at)
      for (int i = -fear; i <= fear; ++i)
        for (int j = abs(i) - fear; j <= fear - abs(i); ++j) {
          Pos p(row[at] + i, column[at] + j);
          if (pos_ok(p)) around[at].push_back(place(p));
        }
    city.resize(places);
    steps.resize(places);
    first.resize(places);
    met.resize(places);
    considered.resize(places * places);
  }

  void look_around () {
    for (int at = 0; at < places; ++at) city[at] = cell(row[at], column[at]);
    taken.assign(places, false);
    everybody.clear();
    for (int pl = 0; pl < num_players(); ++pl) {
      for (int id : builders(pl)) everybody.push_back(citizen(id));
      for (int id : warriors(pl)) everybody.push_back(citizen(id));
    }
    for (const Citizen& c : everybody)
      if (c.player == me()) taken[place(c.pos)] = true;
  }

  double strength (const Citizen& c) {
    return weapon_strength_attack(c.weapon);
  }

  // What its clan loses, on average, each time that a citizen loses a fight.
  double price (const Citizen& c) {
    int points = c.type == Builder ? kill_builder_points() : kill_warrior_points();
    return points * min(1.0, double(life_lost_in_attack()) / c.life);
  }

  // What a fight brings, or costs.
  double fight (const Citizen& mine, const Citizen& rival) {
    double gain = strength(mine) * price(rival) - risky * strength(rival) * price(mine);
    return gain / (strength(mine) + strength(rival));
  }

  bool fears (const Citizen& a, const Citizen& b) {
    return strength(a) < strength(b) or (strength(a) == strength(b) and a.life < b.life);
  }

  bool is_rival (int at) {
    return city[at].id != -1 and not taken[at];
  }

  bool is_prey (int at) {
    return is_rival(at) and city[at].b_owner == -1;
  }

  bool can_enter (int at) {
    return not taken[at] and city[at].id == -1 and (city[at].b_owner == -1 or city[at].b_owner == me());
  }

  // Where warriors can strike whom this citizen had better not fight. Whoever
  // is next to them is struck as often as not, so a step more is not yet safe.
  void look_out (const Citizen& c) {
    danger.assign(places, 0);
    if (is_day() and is_round_day(round() + 1)) return;
    for (const Citizen& rival : everybody) {
      if (rival.player == me() or rival.type != Warrior or fight(c, rival) > 0) continue;
      int there = place(rival.pos);
      for (int at : around[there]) danger[at] = max(danger[at], apart(at, there) <= 1 ? 2 : 1);
    }
  }

  void shun (const Citizen& hunter, const Citizen& prey) {
    shunned.assign(places, false);
    for (const Citizen& other : everybody) {
      if (other.player == prey.player or other.id == hunter.id or not fears(prey, other)) continue;
      for (int at : around[place(other.pos)]) shunned[at] = true;
    }
  }

  // Where prey goes next: a step towards the nearest free place that it does not
  // shun, if it is afraid. What it does otherwise is not foreseen.
  int escape (const Chase& c, int hunter_id, int prey_id) {
    auto fine = [&](int at) { return apart(at, c.hunter) > fear and not shunned[at]; };
    if (fine(c.prey)) return c.prey;
    flight.clear();
    flight.push_back(make_pair(c.prey, c.prey));
    met[c.prey] = ++flights;
    for (int k = 0; k < int(flight.size()) and k < 60; ++k) {
      int at = flight[k].first;
      int id = city[at].id;
      if (at == c.hunter or (id != -1 and id != hunter_id and id != prey_id) or city[at].b_owner != -1) continue;
      if (fine(at)) return flight[k].second;
      for (int d = 0; d < 4; ++d) {
        int next = neighbours[4 * at + d];
        if (next == -1 or met[next] == flights) continue;
        met[next] = flights;
        flight.push_back(make_pair(next, k == 0 ? next : flight[k].second));
      }
    }
    return c.prey;
  }

  // Breadth-first search over pairs of places: the shortest chase at whose end
  // the prey has to pass next to the hunter, who strikes or stands in its way.
  Chase chase (const Citizen& hunter, const Citizen& prey) {
    ++number;
    chases.clear();
    chases.push_back(Chase{place(hunter.pos), place(prey.pos), 0, -1});
    for (int k = 0; k < int(chases.size()) and chases[k].rounds <= horizon; ++k) {
      Chase now = chases[k];
      int its_next = escape(now, hunter.id, prey.id);
      for (int d = 0; d < 5; ++d) {
        int next = d == 4 ? now.hunter : neighbours[4 * now.hunter + d];
        Chase then = Chase{next, its_next, now.rounds + 1, k == 0 ? d : now.begin};
        if (d < 4 and next == its_next) return then;
        if (next == -1 or next == its_next or danger[next] > 0) continue;
        if (k == 0 and d < 4 and not can_enter(next)) continue;
        int pair_of_places = next * places + its_next;
        if (considered[pair_of_places] == number) continue;
        considered[pair_of_places] = number;
        chases.push_back(then);
      }
    }
    return Chase{-1, -1, -1, -1};
  }

  // Takes up the chase that brings most per round, if there is any.
  bool hunt (const Citizen& c) {
    int here = place(c.pos);
    if (is_day() or danger[here] > 0) return false;
    double most = 0;
    int chosen = -1;
    for (const Citizen& rival : everybody) {
      int there = place(rival.pos);
      if (rival.player == me() or not is_prey(there) or apart(here, there) > reach) continue;
      if (not fears(rival, c) or fight(c, rival) <= 0) continue;
      shun(c, rival);
      Chase best = chase(c, rival);
      // Whoever is next to us is struck at once, unless something better is sure.
      for (int d = 0; d < 4; ++d)
        if (neighbours[4 * here + d] == there and best.rounds != 1) best = Chase{here, there, 2, d};
      double gain = fight(c, rival) / best.rounds;
      if (best.rounds != -1 and gain > most) {
        most = gain;
        chosen = best.begin;
      }
    }
    if (chosen == -1) return false;
    step(c, chosen);
    return true;
  }

  void step (const Citizen& c, int d) {
    int next = d == 4 ? -1 : neighbours[4 * place(c.pos) + d];
    if (next == -1 or taken[next] or (is_rival(next) and is_day())) return;
    if (not is_rival(next)) {
      taken[next] = true;
      for (Citizen& mine : everybody)
        if (mine.id == c.id) mine.pos = c.pos + Dir(d);
    }
    move(c.id, Dir(d));
  }

  // What a citizen gets by going to a place.
  double worth (const Citizen& c, int at) {
    const Cell& there = city[at];
    if (is_prey(at)) return is_round_night(round() + dusk) or not is_day() ? fight(c, citizen(there.id)) : 0;
    if (taken[at] or danger[at] > 0) return 0;
    if (there.bonus == Money) return money_points();
    if (there.bonus == Food) return 0.3 * min(citizen_ini_life(c.type) - c.life, food_incr_life());
    if (c.type == Warrior and strongestWeapon(there.weapon, c.weapon) != c.weapon) return there.weapon == Gun ? 40 : 100;
    return 0;
  }

  // Breadth-first search for what is worth most per step. The first step must be
  // the least dangerous; whoever is in more danger here goes in any case.
  void seek (const Citizen& c) {
    int here = place(c.pos);
    int least = danger[here];
    for (int d = 0; d < 4; ++d) {
      int next = neighbours[4 * here + d];
      if (next != -1 and can_enter(next)) least = min(least, danger[next]);
    }
    bool flee = least < danger[here];
    steps.assign(places, -1);
    reached.assign(1, here);
    steps[here] = 0;
    double most = 0;
    int goal = -1;
    for (int k = 0; k < int(reached.size()); ++k) {
      int at = reached[k];
      for (int d = 0; d < 4; ++d) {
        int next = neighbours[4 * at + d];
        if (next == -1 or steps[next] != -1) continue;
        bool strike = is_rival(next);
        if (at == here and (strike ? flee : not can_enter(next) or danger[next] > least)) continue;
        steps[next] = steps[at] + 1;
        first[next] = at == here ? d : first[at];
        double gain = worth(c, next);
        if (gain > 0 and gain / steps[next] > most) {
          most = gain / steps[next];
          goal = next;
        }
        if (not strike) reached.push_back(next);
      }
    }
    if (goal == -1 and flee and reached.size() > 1) goal = reached[1];
    if (goal == -1) return;
    step(c, first[goal]);
    if (not is_rival(goal)) taken[goal] = true;
  }

  void act (int id) {
    Citizen c = citizen(id);
    look_out(c);
    if (not hunt(c)) seek(c);
  }

  virtual void play () {
    if (status(me()) >= 0.9) return;  // better idle than frozen
    if (places == 0) draw_map();
    look_around();
    for (int id : warriors(me())) act(id);
    for (int id : builders(me())) act(id);
  }

};

RegisterPlayer(PLAYER_NAME);
