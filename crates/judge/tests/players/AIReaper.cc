#include "Player.hh"

#define PLAYER_NAME Reaper

// Farmers paint the nearest ground that is not ours, knights hunt, and witches
// walk into the rivals' crowds. Ways are found with breadth-first searches: one
// for each farmer and witch, and a single one for all knights.
struct PLAYER_NAME : public Player {

  static Player* factory() { return new PLAYER_NAME; }

  // A number for each cell.
  struct Board {
    int width;
    vector<int> cells;

    Board(int rows = 0, int cols = 0, int value = 0) : width(cols), cells(rows * cols, value) {}
    int& operator[](Pos p) { return cells[p.i * width + p.j]; }
  };

  // What is on each cell, looked up once per round.
  Board open;   // whether one can step there: no wall, and nobody on it
  Board prey;   // whether there is a rival that can be captured
  Board spell;  // witches nearby: no place for farmers and knights
  Board blade;  // rival knights nearby: no place for farmers
  Board crowd;  // own farmers and knights nearby: no place for a witch
  Board taken;  // whether it is ours, or a farmer is on its way there
  Board chase;  // steps of a knight to the nearest prey, or `far`
  const int far = 1000000;

  vector<int> health;  // of every unit, after the attacks planned so far

  // The cells of a search, in the order in which it reaches them.
  struct Step {
    Pos pos;
    Dir first;  // the direction in which the way begins
  };
  vector<Step> line;
  Board seen;  // the last search that reached a cell; so nothing has to be cleared
  int searches = 0;
  int idle;  // farmers that have found nothing to do in this round

  // The first step of a shortest way up, down, left and right from a cell to
  // one where `goal` holds, over cells where `passable` holds; None if there
  // is no way. Which direction is tried first depends on `turn`, so that units
  // close to each other do not all go the same way.
  template <class Passable, class Goal>
  Dir way(Pos from, int turn, Passable passable, Goal goal) {
    ++searches;
    line.clear();
    line.push_back({from, None});
    seen[from] = searches;
    for (int k = 0; k < (int)line.size(); ++k) {
      Step here = line[k];
      for (int n = 0; n < 4; ++n) {
        Dir d = Dir(2 * ((n + turn) % 4));
        Pos next = here.pos + d;
        if (!pos_ok(next) || seen[next] == searches) continue;
        seen[next] = searches;
        Dir first = here.first == None ? d : here.first;
        if (goal(next)) {
          taken[next] = true;
          return first;
        }
        if (passable(next)) line.push_back({next, first});
      }
    }
    return None;
  }

  // Adds 1 to the cells at this distance or less.
  void mark(Board& board, Pos centre, int distance) {
    for (int i = centre.i - distance; i <= centre.i + distance; ++i)
      for (int j = centre.j - distance; j <= centre.j + distance; ++j)
        if (pos_ok(i, j) && abs(i - centre.i) + abs(j - centre.j) <= distance) ++board[Pos(i, j)];
  }

  void look_at_units() {
    health = vector<int>(nb_units());
    for (int id = 0; id < nb_units(); ++id) {
      Unit u = unit(id);
      health[id] = u.health;
      if (cell(u.pos).id != id) continue;  // on a crowded board a unit may be nowhere
      if (u.type == Witch) mark(spell, u.pos, 3);  // she haunts up to 2, and may come closer
      else if (u.player == 0) mark(crowd, u.pos, 3);
      else {
        prey[u.pos] = true;
        if (u.type == Knight) mark(blade, u.pos, 2);
      }
    }
  }

  void look_at_board() {
    open = prey = spell = blade = crowd = taken = Board(rows(), cols());
    if (seen.width == 0) seen = open;
    look_at_units();
    for (int i = 0; i < rows(); ++i)
      for (int j = 0; j < cols(); ++j) {
        Pos p(i, j);
        Cell c = cell(p);
        open[p] = c.type == Empty && c.id == -1;
        taken[p] = c.owner == 0;
      }
  }

  // Whether a farmer or knight can go there and will not be killed by a spell.
  bool is_sound(Pos p) { return open[p] && !spell[p]; }

  // A witch goes where there are rivals and none of ours.
  Dir move_witch(int id) {
    auto passable = [&](Pos p) { return open[p] && !crowd[p]; };
    auto goal = [&](Pos p) { return prey[p] && !crowd[p]; };
    return way(unit(id).pos, id, passable, goal);
  }

  // Fills `chase`, from the prey backwards.
  void measure_chase() {
    chase = Board(rows(), cols(), far);
    queue<Pos> reached;
    for (int i = 0; i < rows(); ++i)
      for (int j = 0; j < cols(); ++j)
        if (prey[Pos(i, j)] && !spell[Pos(i, j)]) {
          chase[Pos(i, j)] = 0;
          reached.push(Pos(i, j));
        }
    for (; !reached.empty(); reached.pop()) {
      Pos p = reached.front();
      for (int d = 0; d < 8; ++d) {
        Pos q = p + Dir(d);
        if (!pos_ok(q) || !is_sound(q) || chase[q] != far) continue;
        chase[q] = chase[p] + 1;
        reached.push(q);
      }
    }
  }

  // A knight attacks its weakest neighbour, or gets closer to the prey. To get
  // away from witches comes first.
  Dir move_knight(int id) {
    Pos p = unit(id).pos;
    bool flees = spell[p];
    Dir attack = None, step = None;
    int weakest = far, closest = far;
    for (int d = 0; d < 8; ++d) {
      Pos q = p + Dir(d);
      if (!pos_ok(q)) continue;
      if (prey[q]) {
        int h = health[cell(q).id];
        if (h > 0 && h < weakest) weakest = h, attack = Dir(d);
      } else if (open[q]) {
        int cost = flees ? spell[q] : chase[q];
        if (cost < closest) closest = cost, step = Dir(d);
      }
    }
    if (attack != None && !flees) {
      health[cell(p + attack).id] -= (damage_min() + damage_max()) / 2;
      return attack;
    }
    if (step != None) open[p + step] = false;
    return step;
  }

  // A farmer goes to the nearest cell that is not ours, or away from danger.
  Dir move_farmer(int id) {
    Pos p = unit(id).pos;
    bool flees = spell[p] || blade[p];
    if (!flees && idle > 8) return None;  // there is no work: do not search again
    auto is_safe = [&](Pos q) { return is_sound(q) && !blade[q]; };
    auto passable = [&](Pos q) { return flees ? open[q] : is_safe(q); };
    auto goal = [&](Pos q) { return is_safe(q) && (flees || !taken[q]); };
    Dir d = way(p, id, passable, goal);
    if (d == None && !flees) ++idle;
    return d;
  }

  virtual void play() {
    if (status(0) > 0.95) return;  // nearly out of time
    look_at_board();
    measure_chase();
    idle = 0;
    for (int id : witches(0)) command(id, move_witch(id));
    for (int id : knights(0)) command(id, move_knight(id));
    for (int id : farmers(0)) command(id, move_farmer(id));
  }
};

RegisterPlayer(PLAYER_NAME);
