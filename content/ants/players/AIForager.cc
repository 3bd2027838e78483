#include "Player.hh"

/**
 * A player to learn from. Food calls the nearest worker, who carries it to the
 * queen; she eats it and lays eggs. Soldiers camp near the queens of rivals and
 * kill their workers, so that more food is left for us. Everything is decided
 * with one tool: a breadth-first search for the nearest place that is wanted.
 */
#define PLAYER_NAME Forager

struct PLAYER_NAME : public Player {

  static Player* factory () {
    return new PLAYER_NAME;
  }

  // Food is dropped this close to the queen, and fetched if it is farther than
  // the second: she moves, and nothing should be carried to and fro.
  const int drop = 2;
  const int pantry = 4;

  // Steps within which a soldier prefers prey to its camp.
  const int hunt = 8;

  const int nobody = Worker + 1;  // weaker than everybody

  // A place is the number of a cell, row by row. These vectors, one element for
  // each place, are members so that their room is used again in every round.
  int places = 0;
  vector<int> neighbours;      // four for each place, -1 for water and beyond the border
  vector<int> food;            // BonusType of what lies there
  vector<int> rival;           // AntType of the rival who stands there, or nobody
  vector<bool> taken;          // one of mine stands there, or has been sent there
  vector<int> worker_danger;   // 2 where a stronger rival can strike in this round,
  vector<int> soldier_danger;  // 1 where it can in the next one; for soldiers and queens
  vector<int> camp;            // rival whose queen is two steps away, or -1
  vector<int> home;            // steps to my queen
  vector<int> idle;            // id of a worker with nothing to do, or -1

  // The search under way: steps to each place and the first of these steps,
  // and all places reached, in that order.
  vector<int> steps, first, reached;

  int place (Pos p) {
    return p.i * board_cols() + p.j;
  }

  bool dry (Pos p) {
    return pos_ok(p) and cell(p).type != Water;
  }

  void draw_map () {
    places = board_rows() * board_cols();
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j)
        for (int d = 0; d < 4; ++d) {
          Pos next = Pos(i, j) + Dir(d);
          neighbours.push_back(dry(next) ? place(next) : -1);
        }
    steps.resize(places);
    first.resize(places);
  }

  void look_around () {
    food.assign(places, None);
    rival.assign(places, nobody);
    taken.assign(places, false);
    worker_danger.assign(places, 0);
    soldier_danger.assign(places, 0);
    camp.assign(places, -1);
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j) {
        Cell c = cell(i, j);
        food[place(Pos(i, j))] = c.bonus;
        if (c.id != -1) look_at(ant(c.id));
      }
  }

  void look_at (const Ant& a) {
    if (a.player == me()) taken[place(a.pos)] = true;
    else {
      rival[place(a.pos)] = a.type;
      if (a.type != Worker) beware_of(a);
    }
  }

  // Ants next to a soldier are struck before they can run as often as not, so
  // workers shun also the places that it can be next to. Queens are slower.
  void beware_of (const Ant& strong) {
    for (int di = -2; di <= 2; ++di)
      for (int dj = -2; dj <= 2; ++dj) {
        int far = abs(di) + abs(dj);
        Pos p = strong.pos + Pos(di, dj);
        if (far > 2 or not pos_ok(p)) continue;
        int danger = far <= 1 ? 2 : 1;
        if (strong.type == Queen and far == 2) camp[place(p)] = strong.player;
        else {
          worker_danger[place(p)] = max(worker_danger[place(p)], danger);
          if (strong.type == Queen) soldier_danger[place(p)] = danger;
        }
      }
  }

  int danger (const Ant& a, int at) {
    return a.type == Worker ? worker_danger[at] : soldier_danger[at];
  }

  // Nobody is there, or a rival that this ant beats.
  bool can_step (const Ant& a, int at) {
    return at != -1 and not taken[at] and rival[at] > a.type;
  }

  // The nearest wanted place, or -1. Only the first step has to be open: by the
  // time of the others, whoever is in the way will have moved.
  template <typename Open, typename Wanted>
  int search (int from, Open open, Wanted wanted) {
    steps.assign(places, -1);
    reached.clear();
    steps[from] = 0;
    reached.push_back(from);
    for (int k = 0; k < int(reached.size()); ++k) {
      int at = reached[k];
      if (wanted(at)) return at;
      for (int d = 0; d < 4; ++d) {
        int next = neighbours[4 * at + d];
        if (next == -1 or steps[next] != -1) continue;
        if (at == from and not open(next)) continue;
        steps[next] = steps[at] + 1;
        first[next] = at == from ? d : first[at];
        reached.push_back(next);
      }
    }
    return -1;
  }

  static bool any (int) {
    return true;
  }

  // Takes the least dangerous step that leads to the nearest wanted place.
  // Whoever is in more danger here than next to here goes in any case.
  template <typename Wanted>
  bool go (const Ant& a, Wanted wanted) {
    int here = place(a.pos);
    int least = danger(a, here);
    for (int d = 0; d < 4; ++d) {
      int next = neighbours[4 * here + d];
      if (can_step(a, next)) least = min(least, danger(a, next));
    }
    bool flee = least < danger(a, here);
    int goal = search(here,
      [&](int next) { return can_step(a, next) and danger(a, next) == least; },
      [&](int at) { return danger(a, at) == 0 and not (flee and at == here) and wanted(at); });
    if (goal == -1 and flee) goal = reached[1];
    if (goal == -1 or goal == here) return false;
    taken[neighbours[4 * here + first[goal]]] = true;
    move(a.id, Dir(first[goal]));
    return true;
  }

  // Eats, first of all what holds the nutrient that she lacks most, and lays
  // when she cannot move.
  void play_queen (const Ant& queen) {
    int lacking = min_element(queen.reserve.begin(), queen.reserve.end()) - queen.reserve.begin();
    auto strike = [&](int at) { return steps[at] == 1 and rival[at] != nobody; };
    auto meal = [&](int at) { return food[at] != None and not taken[at]; };
    auto best_meal = [&](int at) {
      return meal(at) and (steps[at] <= drop or contains(BonusType(food[at]), NutrientType(lacking)) > 0);
    };
    if (round() % queen_period() == 0) {
      if (go(queen, [&](int at) { return strike(at) or best_meal(at); })) return;
      if (go(queen, meal)) return;
    }
    lay_egg(queen);
  }

  // As long as rivals have soldiers, so do we: workers would not live long.
  void lay_egg (const Ant& queen) {
    AntType type = Worker;
    for (int pl = 0; pl < num_players(); ++pl)
      if (pl != me() and not soldiers(pl).empty()) type = Soldier;
    for (int n = 0; n < 3; ++n)
      if (queen.reserve[n] < needed(type, NutrientType(n))) return;
    for (int d = 0; d < 4; ++d) {
      int next = neighbours[4 * place(queen.pos) + d];
      if (next == -1 or taken[next] or rival[next] != nobody) continue;
      taken[next] = true;
      lay(queen.id, Dir(d), type);
      return;
    }
  }

  // Each goes for prey that is near and that nobody else is after, or else to
  // the queen of the rival whose turn it is, to wait for more.
  void play_soldiers () {
    vector<int> prey;
    int target = me();
    for (int id : soldiers(me())) {
      Ant soldier = ant(id);
      target = (target + 1) % num_players();
      if (target == me()) target = (target + 1) % num_players();
      bool hunts = go(soldier, [&](int at) {
        if (rival[at] != Worker or steps[at] > hunt) return false;
        if (find(prey.begin(), prey.end(), at) != prey.end()) return false;
        prey.push_back(at);
        return true;
      });
      // One that is at its camp steps back now and then, which lures workers out.
      if (not hunts and not go(soldier, [&](int at) { return camp[at] == target; }))
        go(soldier, [&](int at) { return home[at] == pantry; });
    }
  }

  void play_workers () {
    idle.assign(places, -1);
    for (int id : workers(me())) {
      Ant worker = ant(id);
      int here = place(worker.pos);
      bool safe = worker_danger[here] == 0;
      bool carries = worker.bonus != None;
      if (safe and not carries and food[here] != None and home[here] > pantry) take(id);
      else if (safe and carries and food[here] == None and home[here] <= drop) leave(id);
      else if (carries) go(worker, [&](int at) { return home[at] <= drop and food[at] == None and not taken[at]; });
      else idle[here] = id;
    }
    call_workers();
    for (int at = 0; at < places; ++at)
      if (idle[at] != -1) go(ant(idle[at]), [&](int p) { return home[p] > pantry; });
  }

  // Each piece of food, the nearest to the queen first, calls the worker that
  // is nearest to it, if that one lives long enough to bring it home.
  void call_workers () {
    vector<pair<int, int>> errands;
    for (int at = 0; at < places; ++at)
      if (food[at] != None and home[at] > pantry and (not taken[at] or idle[at] != -1)) errands.push_back(make_pair(home[at], at));
    sort(errands.begin(), errands.end());
    for (auto errand : errands) {
      int goal = errand.second;
      int from = search(goal, any, [&](int at) { return idle[at] != -1; });
      if (from == -1) return;
      Ant worker = ant(idle[from]);
      int time = min(worker.life, num_rounds() - round());
      if (steps[from] + home[goal] >= time) continue;
      idle[from] = -1;
      go(worker, [&](int at) { return at == goal; });
    }
  }

  virtual void play () {
    if (status(me()) >= 0.9) return;  // better idle than frozen
    if (places == 0) draw_map();
    vector<int> queen = queens(me());
    if (queen.empty()) return;
    look_around();
    search(place(ant(queen[0]).pos), any, [](int) { return false; });
    home = steps;
    play_queen(ant(queen[0]));
    play_soldiers();
    play_workers();
  }

};

RegisterPlayer(PLAYER_NAME);
