#include "Player.hh"

/**
 * A player to learn from. Food calls the nearest worker, who carries it to the
 * queen; she eats it and lays eggs. Soldiers camp near the queen of the rival
 * who leads and kill its workers, so that nobody runs away from us. Everything is decided
 * with one tool: a breadth-first search for the nearest place that is wanted.
 */
#define PLAYER_NAME Forager

struct PLAYER_NAME : public Player {

  static Player* factory () {
    return new PLAYER_NAME;
  }

  // Food is dropped this close to the queen, and fetched if it is farther than
  // the second: she moves, and nothing should be carried to and fro.
  const int drop = 1;
  const int pantry = 4;

  // Food that is farther away is left: few come back from there.
  const int errand = 15;

  // How many steps nearer food seems for each unit of the nutrient that the
  // queen lacks most.
  const int craving = 5;

  // Steps within which a soldier prefers prey to its camp.
  const int hunt = 8;

  const int nobody = Worker + 1;  // weaker than everybody

  // What we know about a cell.
  struct Place {
    int food;        // BonusType of what lies there
    int rival;       // AntType of the rival who stands there, or nobody
    int camp;        // rival whose queen is two steps away, or -1
    int home;        // steps to my queen, or -1 if there is no way
    int idle;        // id of a worker with nothing to do, or -1
    bool taken;      // one of mine stands there, or has been sent there
    char danger[3];  // for each AntType: 2 where a stronger rival can strike in this
                     // round, 1 where it can in the next one

    // The last search that came here, how many steps it took and the first of
    // them. Water counts as reached by all searches.
    int reached, steps, first;
  };

  // All cells row by row with water around them, so that every place has four
  // neighbours and a step always leads equally far.
  vector<Place> garden;
  int width;
  int step[4];

  // The places that the search under way has reached, in that order.
  vector<Place*> line;
  int searches = 0;

  int lacking;  // what the queen has least of

  Place* place (Pos p) {
    return &garden[(p.i + 1) * width + p.j + 1];
  }

  void draw_map () {
    width = board_cols() + 2;
    garden.resize((board_rows() + 2) * width);
    line.resize(garden.size());
    for (Place& p : garden) p.reached = INT_MAX;
    for (int d = 0; d < 4; ++d) step[d] = place(Pos(1, 1) + Dir(d)) - place(Pos(1, 1));
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j)
        if (cell(i, j).type != Water) place(Pos(i, j))->reached = 0;
  }

  void look_around () {
    for (Place& p : garden) {
      p.food = None;
      p.rival = nobody;
      p.camp = p.home = p.idle = -1;
      p.taken = p.reached == INT_MAX;  // water is never free
      p.danger[Queen] = p.danger[Soldier] = p.danger[Worker] = 0;
    }
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j) {
        Cell c = cell(i, j);
        place(Pos(i, j))->food = c.bonus;
        if (c.id != -1) look_at(ant(c.id));
      }
  }

  void look_at (const Ant& a) {
    if (a.player == me()) place(a.pos)->taken = true;
    else {
      place(a.pos)->rival = a.type;
      if (a.type != Worker) beware_of(a);
    }
  }

  // Ants next to a soldier are struck before they can run as often as not, so
  // workers shun also the places that it can be next to. Queens are slower.
  void beware_of (const Ant& strong) {
    for (int di = -2; di <= 2; ++di)
      for (int dj = -2; dj <= 2; ++dj) {
        int far = abs(di) + abs(dj);
        Pos pos = strong.pos + Pos(di, dj);
        if (far > 2 or not pos_ok(pos)) continue;
        Place* p = place(pos);
        char danger = far <= 1 ? 2 : 1;
        if (strong.type == Queen and far == 2) p->camp = strong.player;
        else {
          p->danger[Worker] = max(p->danger[Worker], danger);
          if (strong.type == Queen) p->danger[Soldier] = p->danger[Queen] = danger;
        }
      }
  }

  // Nobody is there, or a rival that this ant beats.
  bool can_step (const Ant& a, const Place* p) {
    return not p->taken and p->rival > a.type;
  }

  // The nearest wanted place, if there is any. Only the first step has to be
  // open: by the time of the others, whoever is in the way will have moved.
  template <typename Open, typename Wanted>
  Place* search (Place* from, Open open, Wanted wanted) {
    int number = ++searches, count = 1;
    Place** queue = line.data();
    queue[0] = from;
    from->reached = number;
    from->steps = 0;
    for (int k = 0; k < count; ++k) {
      Place* at = queue[k];
      if (wanted(at)) return at;
      for (int d = 0; d < 4; ++d) {
        Place* next = at + step[d];
        if (next->reached >= number) continue;
        if (k == 0 and not open(next)) continue;
        next->reached = number;
        next->steps = at->steps + 1;
        next->first = k == 0 ? d : at->first;
        queue[count++] = next;
      }
    }
    return nullptr;
  }

  static bool any (const Place*) {
    return true;
  }

  // Takes the least dangerous step that leads to the nearest wanted place.
  // Whoever is in more danger here than next to here goes in any case.
  template <typename Wanted>
  bool go (const Ant& a, Wanted wanted) {
    Place* here = place(a.pos);
    int type = a.type;
    char least = here->danger[type];
    for (int d = 0; d < 4; ++d) {
      Place* next = here + step[d];
      if (can_step(a, next)) least = min(least, next->danger[type]);
    }
    bool flee = least < here->danger[type];
    Place* goal = search(here,
      [&](Place* next) { return can_step(a, next) and next->danger[type] == least; },
      [&](Place* at) { return at->danger[type] == 0 and not (flee and at == here) and wanted(at); });
    if (not goal and flee) goal = line[1];
    if (not goal or goal == here) return false;
    (here + step[goal->first])->taken = true;
    move(a.id, Dir(goal->first));
    return true;
  }

  // How much food holds of the nutrient that the queen lacks most.
  int helps (const Place* p) {
    return contains(BonusType(p->food), NutrientType(lacking));
  }

  // Eats, first of all what holds the nutrient that she lacks most, and lays
  // when she cannot move.
  void play_queen (const Ant& queen) {
    auto strike = [&](Place* p) { return p->steps == 1 and p->rival != nobody; };
    auto meal = [&](Place* p) { return p->food != None and not p->taken; };
    auto best_meal = [&](Place* p) {
      return meal(p) and (p->steps <= drop or helps(p) > 0);
    };
    if (round() % queen_period() == 0) {
      if (go(queen, [&](Place* p) { return strike(p) or best_meal(p); })) return;
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
      Place* next = place(queen.pos) + step[d];
      if (next->taken or next->rival != nobody) continue;
      next->taken = true;
      lay(queen.id, Dir(d), type);
      return;
    }
  }

  // The rival with most points.
  int leader () {
    int best = -1;
    for (int pl = 0; pl < num_players(); ++pl)
      if (pl != me() and (best == -1 or score(pl) > score(best))) best = pl;
    return best;
  }

  // Each goes for prey that is near and that nobody else is after, or else to
  // the queen of the rival who leads, to wait for more.
  void play_soldiers () {
    vector<Place*> prey;
    int target = leader();
    for (int id : soldiers(me())) {
      Ant soldier = ant(id);
      bool hunts = go(soldier, [&](Place* p) {
        if (p->rival != Worker or p->steps > hunt) return false;
        if (find(prey.begin(), prey.end(), p) != prey.end()) return false;
        prey.push_back(p);
        return true;
      });
      // One that is at its camp steps back now and then, which lures workers out.
      if (not hunts and not go(soldier, [&](Place* p) { return p->camp == target; }))
        go(soldier, [&](Place* p) { return p->home == pantry; });
    }
  }

  void play_workers () {
    for (int id : workers(me())) {
      Ant worker = ant(id);
      Place* here = place(worker.pos);
      bool safe = here->danger[Worker] == 0;
      bool carries = worker.bonus != None;
      if (safe and not carries and here->food != None and here->home > pantry) take(id);
      else if (safe and carries and here->food == None and here->home <= drop) leave(id);
      else if (carries) go(worker, [&](Place* p) { return p->home <= drop and p->food == None and not p->taken; });
      else here->idle = id;
    }
    call_workers();
    for (Place& at : garden)
      if (at.idle != -1) go(ant(at.idle), [&](Place* p) { return p->home > pantry; });
  }

  // Each piece of food calls the worker that is nearest to it of those who live
  // long enough to bring it home. What is near the queen goes first, and what
  // she lacks.
  void call_workers () {
    vector<pair<int, Place*>> errands;
    for (Place& p : garden)
      if (p.food != None and p.home > pantry and p.home <= errand and (not p.taken or p.idle != -1))
        errands.push_back(make_pair(p.home - craving * helps(&p), &p));
    sort(errands.begin(), errands.end());
    for (auto next : errands) {
      Place* goal = next.second;
      Place* from = search(goal, any, [&](Place* p) {
        return p->idle != -1 and p->steps + goal->home < min(ant(p->idle).life, num_rounds() - round());
      });
      if (not from) continue;
      Ant worker = ant(from->idle);
      from->idle = -1;
      go(worker, [&](Place* p) { return p == goal; });
    }
  }

  virtual void play () {
    if (status(me()) >= 0.9) return;  // better idle than frozen
    if (garden.empty()) draw_map();
    vector<int> queen = queens(me());
    if (queen.empty()) return;
    look_around();
    search(place(ant(queen[0]).pos), any, [](Place* p) { p->home = p->steps; return false; });
    vector<int> reserve = ant(queen[0]).reserve;
    lacking = min_element(reserve.begin(), reserve.end()) - reserve.begin();
    play_queen(ant(queen[0]));
    play_soldiers();
    play_workers();
  }

};

RegisterPlayer(PLAYER_NAME);
