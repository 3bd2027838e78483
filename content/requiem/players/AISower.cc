// A player to learn from. Every turn it makes two maps of distances, one to the
// squares worth painting and one to the rivals. A map takes one search and
// serves all robots: whoever goes to a smaller number comes closer.
//
// What makes it strong is that its knights never go where they are outnumbered.
// Whoever dies comes back for the other side, so a knight that is lost counts
// twice, and two against one wins nearly always.
#define NAMEPLAYER Sower

#include "aibase.h"

using namespace std;

namespace NAMEPLAYER {

// More than any distance, and what stands for a wall in a map of distances.
const int FAR = 1000000, WALL = 2000000;

// A number for every square, row by row.
typedef vector<int> Grid;

// What to play with. How far a knight looks for friends and foes before it goes
// somewhere; with how much life it goes on after a rest; and what a blow takes,
// more or less.
const int SIGHT = 5, RESTED = 380, BLOW = 120;

// Knights are struck first, the weakest of them before the others: farmers do
// not strike back, and cannot run away from knights that have won.
const int AFTER_KNIGHTS = 1000;

struct AIstruct : public AIbase {
#include "initializer.h"

  int side;       // of the board
  int step[10];   // how far apart in a grid a square and its neighbours are
  Grid colour;    // of every square
  Grid taken;     // 1 where nobody can go: walls, robots, and where a friend goes
  Grid danger;    // how much rival knights threaten a square
  Grid friends;   // life of our knights in sight of a square
  Grid foes;      // life of rival knights in sight of a square
  Grid target;    // of rivals, life after the blows planned so far; 0 elsewhere
  Grid to_paint;  // steps to the nearest square that is not ours
  Grid to_rival;  // steps to the nearest rival
  Grid line;      // the squares that a search has reached

  void fes_torn() {
    if (torn_actual() == 1) measure();
    look();
    plan();
    vector<int> knights = cavallers(1);
    for (int k = 0; k < int(knights.size()); ++k) lead_knight(robot(knights[k]));
    vector<int> farmers = pagesos(1);
    for (int k = 0; k < int(farmers.size()); ++k) go(robot(farmers[k]));
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
    friends.assign(side * side, 0);
    foes.assign(side * side, 0);
    target.assign(side * side, 0);
    for (int i = 0; i < side; ++i) {
      for (int j = 0; j < side; ++j) colour[i * side + j] = color(i, j);
    }
    for (int here = 0; here < side * side; ++here) taken[here] = colour[here] == -1;
    for (int team = 1; team <= 4; ++team) {
      look_at(pagesos(team));
      look_at(cavallers(team));
    }
  }

  void look_at(const vector<int>& ids) {
    for (int k = 0; k < int(ids.size()); ++k) {
      t_robot r = robot(ids[k]);
      taken[at(r)] = 1;
      // A knight that was reborn on a wall cannot be struck there.
      if (r.equip != 1 and colour[at(r)] != -1) target[at(r)] = r.model == CAV ? r.vida : AFTER_KNIGHTS;
      if (r.model == CAV) add_around(r, SIGHT, r.vida, r.equip == 1 ? friends : foes);
      if (r.model == CAV and r.equip != 1) {
        // It strikes beside it now, and two squares away in the next round.
        add_around(r, 2, 2, danger);
        add_around(r, 1, 6, danger);
      }
    }
  }

  // Adds an amount to all squares at this distance or less.
  void add_around(const t_robot& r, int distance, int amount, Grid& grid) {
    int first = max(0, r.j - distance), last = min(side - 1, r.j + distance);
    for (int i = max(0, r.i - distance); i <= min(side - 1, r.i + distance); ++i) {
      for (int j = first; j <= last; ++j) grid[i * side + j] += amount;
    }
  }

  void plan() {
    line.resize(side * side);
    int reached = 0;
    for (int here = 0; here < side * side; ++here) {
      if (colour[here] != -1 and colour[here] != 1) line[reached++] = here;
    }
    search(reached, to_paint);

    reached = 0;
    for (int here = 0; here < side * side; ++here) {
      if (target[here] > 0) line[reached++] = here;
    }
    search(reached, to_rival);
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

  // Strikes a rival beside it, rests when hurt and safe, or else goes hunting.
  void lead_knight(const t_robot& r) {
    int blow = best_blow(r);
    if (blow != RES) {
      target[at(r) + step[blow]] -= BLOW;
      ordena(r.id, blow);
    } else if (r.vida >= RESTED or danger[at(r)] > 0) {
      go(r);
    }
  }

  // The direction of the weakest rival beside a knight, or RES. Those who have
  // been dealt enough blows by friends are left to them.
  int best_blow(const t_robot& r) {
    int best = RES, least = FAR;
    for (int d = 1; d <= 8; ++d) {
      int life = target[at(r) + step[d]];
      if (life > 0 and life < least) {
        best = d;
        least = life;
      }
    }
    return best;
  }

  // How bad it is for a robot to be on a square. Farmers think of safety first,
  // knights of not being outnumbered.
  int cost(const t_robot& r, int here) {
    if (r.model == PAG) return to_paint[here] + 50 * danger[here];
    int excess = foes[here] - friends[here];
    return to_rival[here] + (excess > 0 ? 100 + excess : 0);
  }

  // Sends a robot to the free neighbour with the least cost. Among equals,
  // staying included, one is drawn.
  void go(const t_robot& r) {
    int best = RES, least = cost(r, at(r)), equals = 1;
    for (int d = 1; d <= 8; ++d) {
      int there = at(r) + step[d];
      if (taken[there]) continue;
      int next = cost(r, there);
      if (next < least) {
        best = d;
        least = next;
        equals = 1;
      } else if (next == least and random(++equals) == 0) {
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
