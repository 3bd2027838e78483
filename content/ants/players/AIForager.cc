#include "Player.hh"

/**
 * A player to learn from: workers carry food to the queen, the queen eats it
 * and lays workers, and nobody walks into anybody.
 */
#define PLAYER_NAME Forager

struct PLAYER_NAME : public Player {

  static Player* factory () {
    return new PLAYER_NAME;
  }

  const int far_away = 1000000;

  // Distance in steps from every cell to the nearest of some cells.
  typedef vector<vector<int>> Distances;

  // Cells on which one of my ants will stand after this round.
  vector<vector<bool>> taken;

  bool dry (Pos p) {
    return pos_ok(p) and cell(p).type != Water;
  }

  // Breadth-first search from many cells at once, on soil, around standing ants
  // of rivals. The first cells may be occupied.
  Distances distances_to (const vector<Pos>& from) {
    Distances distance(board_rows(), vector<int>(board_cols(), far_away));
    queue<Pos> border;
    for (Pos p : from) {
      distance[p.i][p.j] = 0;
      border.push(p);
    }
    while (not border.empty()) {
      Pos p = border.front();
      border.pop();
      for (int d = 0; d < 4; ++d) {
        Pos next = p + Dir(d);
        if (not dry(next) or distance[next.i][next.j] != far_away) continue;
        distance[next.i][next.j] = distance[p.i][p.j] + 1;
        border.push(next);
      }
    }
    return distance;
  }

  // A cell that nobody stands on or goes to, and where no rival can strike.
  bool safe (Pos p) {
    if (not dry(p) or cell(p).id != -1 or taken[p.i][p.j]) return false;
    for (int d = 0; d < 4; ++d) {
      Pos next = p + Dir(d);
      if (not pos_ok(next)) continue;
      int id = cell(next).id;
      if (id != -1 and ant(id).player != me()) return false;
    }
    return true;
  }

  // Moves to the neighbour with the smallest distance, if that is nearer.
  bool approach (const Ant& a, const Distances& distance) {
    int best = distance[a.pos.i][a.pos.j];
    int chosen = -1;
    for (int d = 0; d < 4; ++d) {
      Pos next = a.pos + Dir(d);
      if (pos_ok(next) and distance[next.i][next.j] < best and safe(next)) {
        best = distance[next.i][next.j];
        chosen = d;
      }
    }
    if (chosen == -1) return false;
    Pos next = a.pos + Dir(chosen);
    taken[next.i][next.j] = true;
    move(a.id, Dir(chosen));
    return true;
  }

  // Food within reach of nobody's hands yet.
  vector<Pos> food_on_the_ground (Pos near_queen, bool has_queen) {
    vector<Pos> food;
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j) {
        if (cell(i, j).bonus == None) continue;
        bool served = has_queen and abs(i - near_queen.i) + abs(j - near_queen.j) <= 1;
        if (not served) food.push_back(Pos(i, j));
      }
    return food;
  }

  void play_queen (const Ant& queen) {
    bool enough = true;
    for (int n = 0; n < 3; ++n)
      if (queen.reserve[n] < needed(Worker, NutrientType(n))) enough = false;
    for (int d = 0; enough and d < 4; ++d) {
      Pos next = queen.pos + Dir(d);
      if (safe(next)) {
        taken[next.i][next.j] = true;
        lay(queen.id, Dir(d), Worker);
        return;
      }
    }
    if (round() % queen_period() != 0) return;
    vector<Pos> food = food_on_the_ground(queen.pos, false);
    if (not food.empty()) approach(queen, distances_to(food));
  }

  void play_worker (const Ant& worker, const Distances& to_food, const Distances& to_queen) {
    if (worker.bonus != None) {
      int left = to_queen[worker.pos.i][worker.pos.j];
      if (left <= 1 and cell(worker.pos).bonus == None) leave(worker.id);
      else approach(worker, to_queen);
    }
    else if (cell(worker.pos).bonus != None and to_queen[worker.pos.i][worker.pos.j] > 1) take(worker.id);
    else approach(worker, to_food);
  }

  virtual void play () {
    taken = vector<vector<bool>>(board_rows(), vector<bool>(board_cols(), false));
    vector<int> queen = queens(me());
    vector<Pos> at_queen;
    if (not queen.empty()) {
      Ant mother = ant(queen[0]);
      at_queen.push_back(mother.pos);
      play_queen(mother);
    }
    Distances to_queen = distances_to(at_queen);
    Pos home = at_queen.empty() ? Pos() : at_queen[0];
    Distances to_food = distances_to(food_on_the_ground(home, not at_queen.empty()));
    for (int id : workers(me())) play_worker(ant(id), to_food, to_queen);
  }

};

RegisterPlayer(PLAYER_NAME);
