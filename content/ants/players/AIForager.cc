#include "Player.hh"

/**
 * A player to learn from. Food calls the nearest worker, who carries it to the
 * queen; she eats it and lays eggs. Soldiers camp near the queens of rivals and
 * kill their workers, so that nobody runs away from us. Everything is decided
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

  // Food that is farther away is left: few come back from there.
  const int errand = 30;

  // How many steps nearer food seems for each egg that it makes possible.
  const int craving = 4;

  // Workers with nothing to do wait this far from the queen, out of the way.
  const int roam = 10;

  // Soldiers are laid only by so many workers, and so long before the end.
  const int crew = 4;
  const int campaign = 100;

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
    bool clash[3];   // for each AntType: a rival of that kind stands beside it
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

  vector<int> reserve;  // of the queen

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
      for (int type : {Queen, Soldier, Worker}) p.clash[type] = p.danger[type] = 0;
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
      for (int d = 0; d < 4; ++d) (place(a.pos) + step[d])->clash[a.type] = true;
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

  // Nobody is there, or a rival that this ant beats; and nobody of its kind may
  // come too, since both would die.
  bool can_step (const Ant& a, const Place* p) {
    return not p->taken and p->rival > a.type and not p->clash[a.type];
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

  // How many more eggs the queen could lay if she ate what lies there, as far as
  // workers cost one unit of each nutrient.
  int helps (const Place* p) {
    int now = INT_MAX, then = INT_MAX;
    for (int n = 0; n < 3; ++n) {
      now = min(now, reserve[n]);
      then = min(then, reserve[n] + contains(BonusType(p->food), NutrientType(n)));
    }
    return then - now;
  }

  // What it costs the queen to go there: steps, less what the food is worth to
  // her. Rivals beside her come first, and then food beside her.
  int cost (const Place* p) {
    if (p->taken or p->danger[Queen] > 0) return INT_MAX;
    if (p->steps == 1 and p->rival != nobody) return INT_MIN;
    if (p->food == None) return INT_MAX;
    return p->steps == 1 ? -craving * (2 + helps(p)) : p->steps - craving * helps(p);
  }

  // Goes where it costs least, and lays when she cannot move.
  void play_queen (const Ant& queen) {
    if (round() % queen_period() == 0) {
      Place* best = nullptr;
      int least = INT_MAX;
      search(place(queen.pos), [&](Place* next) { return can_step(queen, next); }, [&](Place* p) {
        int here = cost(p);
        if (here < least) best = p;
        least = min(least, here);
        return false;
      });
      if (go(queen, [&](Place* p) { return p == best; })) return;
    }
    lay_egg(queen);
  }

  // Soldiers are dear, but they hold rivals back.
  void lay_egg (const Ant& queen) {
    bool has_crew = int(workers(me()).size()) >= crew;
    AntType type = has_crew and num_rounds() - round() > campaign ? Soldier : Worker;
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

  // The one with most points comes first.
  vector<int> rivals () {
    vector<pair<int, int>> ranking;
    for (int pl = 0; pl < num_players(); ++pl)
      if (pl != me()) ranking.push_back(make_pair(-score(pl), pl));
    sort(ranking.begin(), ranking.end());
    vector<int> result;
    for (auto rival : ranking) result.push_back(rival.second);
    return result;
  }

  // Each goes for prey that is near and that nobody else is after, or else to
  // the queen of a rival, to wait for more. Rivals get a soldier each, in turn.
  void play_soldiers () {
    vector<Place*> prey;
    vector<int> targets = rivals();
    int turn = 0;
    for (int id : soldiers(me())) {
      Ant soldier = ant(id);
      int target = targets[turn++ % targets.size()];
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
      if (at.idle != -1) go(ant(at.idle), [&](Place* p) { return p->home > roam; });
  }

  // Each piece of food calls the worker that is nearest to it of those who live
  // long enough to bring it home. What is near the queen goes first, and what
  // she needs for an egg.
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
    reserve = ant(queen[0]).reserve;
    play_queen(ant(queen[0]));
    play_soldiers();
    play_workers();
  }

};

RegisterPlayer(PLAYER_NAME);
