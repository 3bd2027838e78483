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

  static const int fear = 2;     // steps within which stronger rivals are feared
  static const int dusk = 8;     // rounds before the night in which we go near our prey
  static const int reach = 10;   // steps within which prey is considered
  static const int horizon = 8;  // rounds that a chase may last
  static const int panic = 60;   // places that prey considers when it runs
  const double risky = 0.7;      // what our life counts in a fight, as food brings it back

  // A place is the number of a cell, row by row, on the largest board there can
  // be. Around it is a margin of buildings, so that whatever is within fear of a
  // street is a place too, and a step always adds the same number.
  static const int width = 50 + 2 * fear;
  static const int places = (25 + 2 * fear) * width;
  typedef array<char, places> Map;
  static constexpr int step[5] = {width, 1, -width, -1, 0};  // the last one is to wait
  vector<int> around;           // what leads from a place to those within fear
  char close[2 * places] = {};  // of what leads there, plus places: 2 for a step, 1 within fear

  // Streets have numbers without gaps, so that pairs of them take little room.
  vector<Pos> streets;
  int number[places];

  // What there is in this round.
  bool open[places] = {};  // one of ours can go there, and no other has been sent there
  bool rival[places];      // a rival stands there
  Map blocked;             // 2 where citizens and barricades are in the way of prey

  // What the citizen in question makes of it.
  Map buildings, danger;  // 3 for buildings, 2 where it can be struck, 1 nearly so
  Map shunned;            // by its prey: 2 where the way is blocked, 1 for fear of others
  double worth[places];   // what it gets by going there

  struct Thing {
    int place;
    BonusType bonus;
    WeaponType weapon;
  };
  vector<Thing> things;

  struct Person : public Citizen {
    int place;  // ours are where they have been sent
    bool is_prey;
    double strength;
    double price;  // what its clan loses, on average, each time that it loses a fight
  };
  vector<Person> everybody;

  // What a search has found: a place, and the first step of the way.
  struct Found {
    int place, steps, first;
  };
  Found found[places];

  // The number of the last search that reached each place, so that nothing has
  // to be cleared. Buildings count as reached by all of them.
  int reached[places];
  int searches = 0;

  // A chase: where hunter and prey are after some rounds, and how it begins.
  // Within 8 steps, the horizon, there are 145 places for each of them.
  struct Chase {
    int hunter, prey, rounds, begin;
  };
  Chase chases[145 * 145];
  vector<int> considered;  // the last search that reached each pair of streets

  int place (Pos p) {
    return (p.i + fear) * width + p.j + fear;
  }

  void draw_map () {
    buildings.fill(3);
    fill(reached, reached + places, INT_MAX);
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j)
        if (cell(i, j).type == Street) {
          int at = place(Pos(i, j));
          buildings[at] = reached[at] = 0;
          number[at] = streets.size();
          streets.push_back(Pos(i, j));
        }
    considered.resize(streets.size() * streets.size());
    for (int i = -fear; i <= fear; ++i)
      for (int j = abs(i) - fear; j <= fear - abs(i); ++j) {
        around.push_back(i * width + j);
        close[places + i * width + j] = abs(i) + abs(j) <= 1 ? 2 : 1;
      }
  }

  void look_around () {
    things.clear();
    for (Pos p : streets) {
      Cell c = cell(p);
      int at = place(p);
      open[at] = c.id == -1 and (c.b_owner == -1 or c.b_owner == me());
      rival[at] = false;
      blocked[at] = c.id == -1 and c.b_owner == -1 ? 0 : 2;
      worth[at] = 0;
      if (c.bonus != NoBonus or c.weapon != NoWeapon) things.push_back(Thing{at, c.bonus, c.weapon});
    }
    everybody.clear();
    for (int pl = 0; pl < num_players(); ++pl) {
      for (int id : builders(pl)) look_at(citizen(id));
      for (int id : warriors(pl)) look_at(citizen(id));
    }
  }

  void look_at (const Citizen& c) {
    int at = place(c.pos);
    rival[at] = c.player != me();
    bool is_prey = rival[at] and cell(c.pos).b_owner == -1;
    int points = c.type == Builder ? kill_builder_points() : kill_warrior_points();
    double price = points * min(1.0, double(life_lost_in_attack()) / c.life);
    everybody.push_back(Person{c, at, is_prey, double(weapon_strength_attack(c.weapon)), price});
  }

  // What a fight brings, or costs.
  double fight (const Person& mine, const Person& other) {
    double gain = mine.strength * other.price - risky * other.strength * mine.price;
    return gain / (mine.strength + other.strength);
  }

  bool fears (const Person& a, const Person& b) {
    return a.strength < b.strength or (a.strength == b.strength and a.life < b.life);
  }

  // Where warriors can strike whom this citizen had better not fight. Whoever
  // is next to them is struck as often as not, so a step more is not yet safe.
  void look_out (const Person& mine) {
    danger = buildings;
    if (is_day() and is_round_day(round() + 1)) return;
    for (const Person& other : everybody) {
      if (other.player == me() or other.type != Warrior or fight(mine, other) > 0) continue;
      for (int way : around) danger[other.place + way] = max(danger[other.place + way], close[places + way]);
    }
  }

  void shun (const Person& hunter, const Person& prey) {
    shunned = blocked;
    shunned[prey.place] = 0;
    if (cell(hunter.pos).b_owner == -1) shunned[hunter.place] = 0;
    for (const Person& other : everybody) {
      if (other.player == prey.player or other.id == hunter.id or not fears(prey, other)) continue;
      for (int way : around)
        if (shunned[other.place + way] == 0) shunned[other.place + way] = 1;
    }
  }

  // Where prey goes next: a step towards the nearest free place that it does not
  // shun, if it is afraid. What it does otherwise is not foreseen.
  int escape (int prey, int hunter) {
    auto fine = [&](int at) { return shunned[at] == 0 and close[places + at - hunter] == 0; };
    if (fine(prey)) return prey;
    int search = ++searches, count = 1;
    found[0] = Found{prey, 0, prey};
    reached[prey] = search;
    for (int k = 0; k < count and k < panic; ++k) {
      Found here = found[k];
      if (here.place == hunter or shunned[here.place] == 2) continue;
      if (fine(here.place)) return here.first;
      for (int d = 0; d < 4; ++d) {
        int next = here.place + step[d];
        if (reached[next] >= search) continue;
        reached[next] = search;
        found[count++] = Found{next, here.steps + 1, k == 0 ? next : here.first};
      }
    }
    return prey;
  }

  // Breadth-first search over pairs of places: the shortest chase at whose end
  // the prey has to pass next to the hunter, who strikes or stands in its way.
  Chase chase (int hunter, int prey) {
    int search = ++searches, count = 1;
    chases[0] = Chase{hunter, prey, 0, -1};
    for (int k = 0; k < count and chases[k].rounds < horizon; ++k) {
      Chase now = chases[k];
      int its_next = escape(now.prey, now.hunter);
      int* considered_with_it = &considered[number[its_next] * streets.size()];
      for (int d = 0; d < 5; ++d) {
        int next = now.hunter + step[d];
        Chase then = Chase{next, its_next, now.rounds + 1, k == 0 ? d : now.begin};
        if (next == its_next and d < 4) return then;
        if (next == its_next or danger[next] > 0 or considered_with_it[number[next]] == search) continue;
        if (k == 0 and d < 4 and not open[next]) continue;
        considered_with_it[number[next]] = search;
        chases[count++] = then;
      }
    }
    return Chase{-1, -1, -1, -1};
  }

  // Takes up the chase that brings most per round, if there is any.
  bool hunt (Person& mine) {
    if (is_day() or danger[mine.place] > 0) return false;
    double most = 0;
    int chosen = -1;
    for (const Person& other : everybody) {
      int apart = abs(mine.pos.i - other.pos.i) + abs(mine.pos.j - other.pos.j);
      if (not other.is_prey or apart > reach or not fears(other, mine) or fight(mine, other) <= 0) continue;
      shun(mine, other);
      Chase best = chase(mine.place, other.place);
      // Whoever is next to us is struck at once, unless something better is sure.
      for (int d = 0; d < 4; ++d)
        if (mine.place + step[d] == other.place and best.rounds != 1) best = Chase{mine.place, other.place, 2, d};
      double gain = fight(mine, other) / best.rounds;
      if (best.rounds != -1 and gain > most) {
        most = gain;
        chosen = best.begin;
      }
    }
    if (chosen == -1) return false;
    go(mine, chosen);
    return true;
  }

  void go (Person& mine, int d) {
    int next = mine.place + step[d];
    if (open[next]) {
      open[next] = false;
      mine.place = next;
    } else if (not rival[next] or is_day()) return;
    move(mine.id, Dir(d));
  }

  // What a citizen gets by taking a thing. Life counts as much as points.
  double worth_of (const Thing& thing, const Citizen& c) {
    if (not open[thing.place] or danger[thing.place] > 0) return 0;
    if (thing.bonus == Money) return money_points();
    if (thing.bonus == Food) return min(citizen_ini_life(c.type) - c.life, food_incr_life());
    if (c.type == Warrior and strongestWeapon(thing.weapon, c.weapon) != c.weapon) return thing.weapon == Gun ? 40 : 100;
    return 0;
  }

  // Things and rivals are few, so their worth is noted before the search.
  void judge (const Person& mine) {
    for (const Thing& thing : things) worth[thing.place] = worth_of(thing, mine);
    if (is_day() and is_round_day(round() + dusk)) return;
    for (const Person& other : everybody)
      if (other.is_prey) worth[other.place] = fight(mine, other);
  }

  // Breadth-first search for what is worth most per step. The first step must be
  // the least dangerous; whoever is in more danger here goes in any case.
  void seek (Person& mine) {
    judge(mine);
    char least = danger[mine.place];
    for (int d = 0; d < 4; ++d)
      if (open[mine.place + step[d]]) least = min(least, danger[mine.place + step[d]]);
    bool flee = least < danger[mine.place];
    int search = ++searches, count = 1;
    found[0] = Found{mine.place, 0, -1};
    reached[mine.place] = search;
    double most = 0;
    Found goal = found[0];
    for (int k = 0; k < count; ++k) {
      Found here = found[k];
      for (int d = 0; d < 4; ++d) {
        int next = here.place + step[d];
        if (reached[next] >= search) continue;
        if (k == 0 and (rival[next] ? flee : not open[next] or danger[next] > least)) continue;
        reached[next] = search;
        Found there = Found{next, here.steps + 1, k == 0 ? d : here.first};
        if (worth[next] > 0 and worth[next] / there.steps > most) {
          most = worth[next] / there.steps;
          goal = there;
        }
        if (not rival[next]) found[count++] = there;
      }
    }
    if (goal.steps == 0 and flee) goal = found[1];
    if (goal.steps == 0) return;
    go(mine, goal.first);
    open[goal.place] = false;
  }

  void act (Person& mine) {
    look_out(mine);
    if (not hunt(mine)) seek(mine);
  }

  virtual void play () {
    if (status(me()) >= 0.9) return;  // better idle than frozen
    if (streets.empty()) draw_map();
    look_around();
    for (CitizenType type : {Warrior, Builder})
      for (Person& person : everybody)
        if (person.player == me() and person.type == type) act(person);
  }

};

RegisterPlayer(PLAYER_NAME);
