// A player to learn from. Every turn it makes two maps of distances, one to the
// squares worth painting and one to the rivals worth hunting. A map takes one
// search and serves all robots: whoever goes to a smaller number comes closer.
#define NAMEPLAYER Sower

#include "aibase.h"

using namespace std;

namespace NAMEPLAYER {

// More than any distance, and what stands for a wall in a map of distances.
const int FAR = 1000000, WALL = 2000000;

// A number for every square, row by row.
typedef vector<int> Grid;

struct AIstruct : public AIbase {
#include "initializer.h"

  int side;       // of the board
  int step[10];   // how far apart in a grid a square and its neighbours are
  Grid colour;    // of every square
  Grid taken;     // 1 where nobody can go: walls, robots, and where a friend goes
  Grid danger;    // how much rival knights threaten a square
  Grid to_paint;  // steps to the nearest square that is not ours
  Grid to_prey;   // steps to the nearest rival worth hunting
  Grid line;      // the squares that a search has reached

  void fes_torn() {
    if (torn_actual() == 1) measure();
    look();
    plan();
    vector<int> knights = cavallers(1);
    for (int k = 0; k < int(knights.size()); ++k) lead_knight(robot(knights[k]));
    vector<int> farmers = pagesos(1);
    for (int k = 0; k < int(farmers.size()); ++k) lead_farmer(robot(farmers[k]));
  }

  // Nobody tells the size of the board, but every square has a colour.
  void measure() {
    int squares = 0;
    for (int c = -1; c <= 4; ++c) squares += num_caselles(c);
    side = 0;
    while (side * side < squares) ++side;
    for (int d = 1; d <= 9; ++d) step[d] = pas_i[d] * side + pas_j[d];
  }

  int at(const t_robot& r) { return r.i * side + r.j; }

  void look() {
    colour.resize(side * side);
    taken.assign(side * side, 0);
    danger.assign(side * side, 0);
    for (int i = 0; i < side; ++i) {
      for (int j = 0; j < side; ++j) colour[i * side + j] = color(i, j);
    }
    for (int here = 0; here < side * side; ++here) taken[here] = colour[here] == -1;
    for (int team = 1; team <= 4; ++team) {
      vector<int> farmers = pagesos(team), knights = cavallers(team);
      for (int k = 0; k < int(farmers.size()); ++k) taken[at(robot(farmers[k]))] = 1;
      for (int k = 0; k < int(knights.size()); ++k) {
        t_robot knight = robot(knights[k]);
        taken[at(knight)] = 1;
        if (team != 1) spread_danger(knight);
      }
    }
  }

  // A knight strikes beside it now, and two squares away in the next turn.
  void spread_danger(const t_robot& knight) {
    for (int i = max(0, knight.i - 2); i <= min(side - 1, knight.i + 2); ++i) {
      for (int j = max(0, knight.j - 2); j <= min(side - 1, knight.j + 2); ++j) {
        bool beside = abs(i - knight.i) <= 1 and abs(j - knight.j) <= 1;
        danger[i * side + j] += beside ? 8 : 2;
      }
    }
  }

  void plan() {
    line.resize(side * side);
    int reached = 0;
    for (int here = 0; here < side * side; ++here) {
      if (colour[here] != -1 and colour[here] != 1) line[reached++] = here;
    }
    search(reached, to_paint);

    // A farmer dies at the first blow; knights are hunted when no farmer is left.
    reached = 0;
    for (int team = 2; team <= 4; ++team) reached = add_prey(pagesos(team), reached);
    for (int team = 2; team <= 4 and reached == 0; ++team) reached = add_prey(cavallers(team), reached);
    search(reached, to_prey);
  }

  int add_prey(const vector<int>& ids, int reached) {
    for (int k = 0; k < int(ids.size()); ++k) {
      int square = at(robot(ids[k]));
      // A knight that was reborn on a wall cannot be struck there.
      if (colour[square] != -1) line[reached++] = square;
    }
    return reached;
  }

  // Breadth-first search, around walls, from all the squares at the beginning
  // of the line at once. Robots do not block it: they will have moved when
  // somebody gets there. No square leads off the board: its border is wall.
  void search(int reached, Grid& map) {
    map.resize(side * side);
    for (int here = 0; here < side * side; ++here) map[here] = colour[here] == -1 ? WALL : FAR;
    for (int k = 0; k < reached; ++k) map[line[k]] = 0;

    // The innermost loop of the player: what it uses is close at hand.
    int *distance = map.data(), *queue = line.data();
    int way[8];
    for (int d = 0; d < 8; ++d) way[d] = step[d + 1];
    for (int k = 0; k < reached; ++k) {
      int here = queue[k], next = distance[here] + 1;
      for (int d = 0; d < 8; ++d) {
        int there = here + way[d];
        if (distance[there] == FAR) {
          distance[there] = next;
          queue[reached++] = there;
        }
      }
    }
  }

  // Strikes whoever is beside it, rests when hurt and safe, or else hunts.
  void lead_knight(const t_robot& r) {
    int blow = best_blow(r);
    if (blow != RES) {
      ordena(r.id, blow);
    } else if (r.vida < 200 and danger[at(r)] == 0) {
      ordena(r.id, RES);
    } else {
      go(r, to_prey, false);
    }
  }

  // The direction of the weakest rival beside a knight, or RES.
  int best_blow(const t_robot& r) {
    int best = RES, least = FAR;
    for (int d = 1; d <= 8; ++d) {
      int i = r.i + pas_i[d], j = r.j + pas_j[d];
      if (color(i, j) == -1 or not existeix(i, j)) continue;
      t_robot other = robot(i, j);
      int life = other.model == PAG ? 0 : other.vida;
      if (other.equip != 1 and life < least) {
        best = d;
        least = life;
      }
    }
    return best;
  }

  void lead_farmer(const t_robot& r) { go(r, to_paint, true); }

  // Sends a robot to the free neighbour with the smallest distance, safety first
  // if it is afraid. Among equals, staying included, one is drawn.
  void go(const t_robot& r, const Grid& distance, bool afraid) {
    int fear = afraid ? 50 : 0;
    int best = RES, least = distance[at(r)] + danger[at(r)] * fear, equals = 1;
    for (int d = 1; d <= 8; ++d) {
      int there = at(r) + step[d];
      if (taken[there]) continue;
      int cost = distance[there] + danger[there] * fear;
      if (cost < least) {
        best = d;
        least = cost;
        equals = 1;
      } else if (cost == least and random(++equals) == 0) {
        best = d;
      }
    }
    if (best != RES) {
      taken[at(r)] = 0;
      taken[at(r) + step[best]] = 1;
      ordena(r.id, best);
    }
  }
};

AIstruct::Static_Initializer init;

};
