#include "Player.hh"

#define PLAYER_NAME Reaper

// Farmers paint the nearest ground that is not ours, knights hunt, and witches
// walk into the rivals' crowds. Ways are found with breadth-first searches: one
// for each farmer and witch, and a single one for all knights.
//
// What makes it strong is that nobody comes near a rival witch, and that its
// knights never go where they are outnumbered, and rest between fights. Whoever
// is captured works for the other side, so a knight that is lost counts twice.
struct PLAYER_NAME : public Player {

  static Player* factory() { return new PLAYER_NAME; }

  // What to play with. How far a knight looks for friends and foes before it
  // goes somewhere, and how much of its health it wants before it goes hunting.
  static const int sight = 5, rested_percent = 90;

  // Knights are struck first, the weakest of them before the others: farmers do
  // not strike back, and there is time for them later.
  static const int after_knights = 1000000;

  // A number for each cell, row by row. Around the board there is a margin on
  // which nobody can step, so that nothing near a unit is outside.
  typedef vector<int> Board;
  static const int margin = 6;
  int width;
  int step[8];  // how far apart the places of neighbours are, in each direction
  int place(Pos p) { return (p.i + margin) * width + p.j + margin; }

  Board ground;   // whether it is no wall
  Board open;     // whether one can step there: no wall, and nobody on it
  Board target;   // health of a rival there, after the attacks planned so far
  Board spell;    // how near witches are: no place for farmers and knights
  Board blade;    // rival knights nearby: no place for farmers
  Board crowd;    // own farmers and knights whom a witch would kill from there
  Board prey;     // rivals whom she would kill from there; a knight counts double
  Board quiet;    // other witches nearby, by whom she would haunt nothing
  Board friends;  // health of our knights in sight
  Board foes;     // health of rival knights in sight
  Board taken;    // whether it is ours, or a farmer is on its way there
  Board chase;    // steps of a knight to the nearest rival, or `far`
  const int far = 1000000;

  // The places that a search has reached, and in which direction it set out.
  Board line, first, steps;
  Board seen;  // the last search that reached a place; so nothing has to be cleared
  int searches = 0;
  int idle;  // farmers that have found nothing to do in this round

  void measure_board() {
    width = cols() + 2 * margin;
    for (int d = 0; d < 8; ++d) step[d] = place(Pos(0, 0) + Dir(d)) - place(Pos(0, 0));
    line = first = steps = seen = Board(width * (rows() + 2 * margin), 0);
  }

  void look_at_board() {
    for (Board* board : {&ground, &open, &target, &spell, &blade, &crowd, &prey, &quiet, &friends, &foes, &taken})
      board->assign(seen.size(), 0);
    for (int i = 0; i < rows(); ++i)
      for (int j = 0; j < cols(); ++j) {
        Cell c = cell(i, j);
        int here = place(Pos(i, j));
        ground[here] = c.type == Empty;
        open[here] = ground[here] && c.id == -1;
        taken[here] = c.owner == 0;
      }
    for (int id = 0; id < nb_units(); ++id) {
      Unit u = unit(id);
      if (cell(u.pos).id == id) look_at_unit(u);  // on a crowded board a unit may be nowhere
    }
  }

  void look_at_unit(const Unit& u) {
    int here = place(u.pos);
    bool is_mine = u.player == 0;
    if (u.type == Witch) {
      mark(quiet, here, 3, 1);  // she may come a step closer
      mark(spell, here, 2, is_mine ? 1 : 4);
      if (is_mine) return;
      mark(spell, here, 3, 2);
      mark(spell, here, 4, 1);  // who lets her come closer may be cornered
      return;
    }
    if (is_mine) mark(crowd, here, 2, 1);
    else {
      target[here] = u.health + (u.type == Farmer ? after_knights : 0);
      mark(prey, here, 2, u.type == Knight ? 2 : 1);
    }
    if (u.type == Knight) mark(is_mine ? friends : foes, here, sight, u.health);
    if (u.type == Knight && !is_mine) mark(blade, here, 2, 1);
  }

  // Adds an amount to the places at this distance or less.
  void mark(Board& board, int centre, int distance, int amount) {
    for (int i = -distance; i <= distance; ++i) {
      int reach = distance - abs(i), middle = centre + i * width;
      for (int there = middle - reach; there <= middle + reach; ++there) board[there] += amount;
    }
  }

  // Whether a farmer or knight can go there and will not be killed by a spell.
  bool is_sound(int there) { return open[there] && !spell[there]; }

  // Fills `chase`, from the rivals backwards.
  void measure_chase() {
    chase.assign(seen.size(), far);
    int reached = 0;
    for (int here = 0; here < (int)seen.size(); ++here)
      if (target[here] && !spell[here]) {
        chase[here] = 0;
        line[reached++] = here;
      }
    for (int k = 0; k < reached; ++k) {
      int here = line[k];
      for (int d = 0; d < 8; ++d) {
        int there = here + step[d];
        if (chase[there] != far || !is_sound(there)) continue;
        chase[there] = chase[here] + 1;
        line[reached++] = there;
      }
    }
  }

  // Begins a search at a place.
  void set_out(int from) {
    ++searches;
    line[0] = from;
    steps[0] = 0;
    seen[from] = searches;
  }

  // Which direction is tried first depends on the unit, so that units close to
  // each other do not all go the same way.
  int dir(int n, int id) { return 2 * ((n + id) % 4); }

  // The first step of a shortest way up, down, left and right from a place to
  // one where `goal` holds; None if there is no way. Only the first step has to
  // be over a place where `passable` holds: by the time of the others, whoever
  // is in the way will have moved.
  template <class Passable, class Goal>
  Dir way(int from, int id, Passable passable, Goal goal) {
    set_out(from);
    int reached = 1;
    for (int k = 0; k < reached; ++k) {
      for (int n = 0; n < 4; ++n) {
        int d = dir(n, id), there = line[k] + step[d];
        if (seen[there] == searches) continue;
        seen[there] = searches;
        int setting_out = k == 0 ? d : first[k];
        if (goal(there)) {
          taken[there] = true;
          return Dir(setting_out);
        }
        if (k == 0 ? !passable(there) : !ground[there]) continue;
        line[reached] = there;
        first[reached++] = setting_out;
      }
    }
    return None;
  }

  // A witch goes where she kills most rivals for the steps it takes, and none of
  // ours. The others are told at once where she will be.
  Dir move_witch(int id) {
    int from = place(unit(id).pos), reached = 1;
    Dir best = None;
    mark(quiet, from, 3, -1);
    int most = gain(from), least_steps = 0;
    set_out(from);
    for (int k = 0; k < reached; ++k) {
      for (int n = 0; n < 4; ++n) {
        int d = dir(n, id), there = line[k] + step[d];
        if (seen[there] == searches || crowd[there]) continue;
        seen[there] = searches;
        if (!(k == 0 ? open[there] : open[there] || target[there])) continue;
        line[reached] = there;
        first[reached] = k == 0 ? d : first[k];
        steps[reached] = steps[k] + 1;
        // The steps are counted from 2, as a few more hardly matter.
        if (gain(there) * (least_steps + 2) > most * (steps[reached] + 2)) {
          most = gain(there), least_steps = steps[reached];
          best = Dir(first[reached]);
        }
        ++reached;
      }
    }
    int there = best == None ? from : from + step[best];
    mark(quiet, there, 3, 1);
    mark(spell, there, 2, 1);
    return best;
  }

  int gain(int here) { return quiet[here] ? 0 : prey[here]; }

  // How bad it is for a knight to be somewhere: far from rivals is not good, but
  // among more foes than friends is worse, and near a witch worst.
  int cost(int here) {
    if (spell[here]) return far * spell[here];
    int excess = foes[here] - friends[here];
    return chase[here] + (excess > 0 ? 100 + excess : 0);
  }

  // A knight strikes its weakest neighbour, rests when it is hurt and safe, or
  // else goes hunting. To get away from witches comes first.
  Dir move_knight(int id) {
    Unit u = unit(id);
    int here = place(u.pos);
    Dir attack = None, best = None;
    int weakest = INT_MAX, least = cost(here);
    for (int d = 0; d < 8; ++d) {
      int there = here + step[d];
      if (target[there] > 0 && target[there] < weakest) weakest = target[there], attack = Dir(d);
      if (open[there] && cost(there) < least) least = cost(there), best = Dir(d);
    }
    if (attack != None && !spell[here]) {
      target[here + step[attack]] -= (damage_min() + damage_max()) / 2;
      return attack;
    }
    bool is_hurt = u.health * 100 < knights_health() * rested_percent;
    if (best == None || (is_hurt && !blade[here] && !spell[here])) return None;
    open[here + step[best]] = false;
    return best;
  }

  // A farmer goes to the nearest cell that is not ours, or away from danger.
  Dir move_farmer(int id) {
    int here = place(unit(id).pos);
    bool flees = spell[here] || blade[here];
    if (!flees && idle > 8) return None;  // there is no work: do not search again
    auto is_safe = [&](int there) { return is_sound(there) && !blade[there]; };
    auto passable = [&](int there) { return flees ? open[there] : is_safe(there); };
    auto goal = [&](int there) { return is_safe(there) && (flees || !taken[there]); };
    Dir d = way(here, id, passable, goal);
    if (d == None && !flees) ++idle;
    return d;
  }

  virtual void play() {
    if (status(0) > 0.95) return;  // nearly out of time
    if (round() == 0) measure_board();
    look_at_board();
    idle = 0;
    for (int id : witches(0)) command(id, move_witch(id));
    measure_chase();
    for (int id : knights(0)) command(id, move_knight(id));
    for (int id : farmers(0)) command(id, move_farmer(id));
  }
};

RegisterPlayer(PLAYER_NAME);
