#include "Player.hh"
#define PLAYER_NAME Lantern

// Beam search: each farmer keeps the WIDTH most promising walks and extends
// them step by step; the first step of the winner is taken.
struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }

  static constexpr int WIDTH = 8;
  static constexpr int DEPTH = 7;

  struct Walk {
    Pos end; Dir first;
    int gain, length;
    array<short, DEPTH + 1> cells;
    bool visited(short c) const {
      for (int k = 0; k < length; ++k) if (cells[k] == c) return true;
      return false;
    }
  };

  vector<bool> painted_by_plan;
  vector<bool> standing;

  short code(Pos p) { return p.i * cols() + p.j; }

  bool enter(Pos p, bool first_step) {
    if (not pos_ok(p))
      return false;
    Cell c;
    c = cell(p);
    if (c.type == Wall
        or c.haunted)
      return false;
    return not first_step or not standing[code(p)];
  }

  int profit(Pos p, int when) {
    if (painted_by_plan[code(p)]) return 0; int owner = cell(p).owner; if (owner == 0) return 0;
    return
      (owner == -1 ? 10 : 13)
      * (DEPTH + 3 - when);
  }

  Walk grow(const Walk& w, int d, Pos q) {
    Walk longer;
    longer = w; longer.end = q;
    if (w.length == 1) longer.first = Dir(d);
    longer.gain +=
      w.visited(code(q)) ? 0
                         : profit(q, w.length);
    longer.cells[longer.length] = code(q);
    longer.length++;
    return longer;
  }

  Dir search(Pos start) {
    vector<Walk> beam(1);
    beam[0].end = start; beam[0].first = None; beam[0].gain = 0; beam[0].cells[0] = code(start); beam[0].length = 1;
    for (int depth = 0; depth < DEPTH; ++depth) {
      vector<Walk> next;
      for (const Walk& w : beam)
        for (int d = 0; d < 8; d += 2) {
          Pos q;
          q = w.end + Dir(d);
          if (enter(q, depth == 0))
            next.push_back(grow(w,
                                d,
                                q));
        }
      if (next.empty()) break;
      auto better = [](const Walk& a, const Walk& b) { return a.gain > b.gain; };
      if ((int) next.size() > WIDTH) {
        partial_sort(next.begin(), next.begin() + WIDTH, next.end(), better); next.resize(WIDTH);
      }
      else sort(next.begin(), next.end(), better);
      beam.swap(next);
    }
    if (beam[0].gain == 0) return None;
    for (int k = 1; k < beam[0].length; ++k) painted_by_plan[beam[0].cells[k]] = true;
    return beam[0].first;
  }

  // When the beam sees nothing: towards the centre of mass of foreign land.
  Pos magnet;
  void find_magnet() {
    long si = 0;
    long sj = 0;
    long n = 0;
    for (int i = 0; i < rows(); ++i)
      for (int j = 0; j < cols(); ++j)
        if (cell(i, j).type == Empty and cell(i, j).owner != 0) {
          si += i;
          sj += j;
          ++n;
        }
    magnet = n ? Pos(si / n, sj / n) : Pos(rows() / 2, cols() / 2);
  }

  void play() {
    painted_by_plan.assign(rows() * cols(), false);
    standing.assign(rows() * cols(), false);
    for (int u = 0; u < nb_units(); ++u) if (pos_ok(unit(u).pos)) standing[code(unit(u).pos)] = true;
    if (status(0) > 0.93) return;
    find_magnet();
    for (int f : farmers(0)) {
      Pos p = unit(f).pos; Dir d = search(p);
      if (d == None) {
        Dir vertical = magnet.i > p.i ? Bottom : Top;
        Dir horizontal = magnet.j > p.j ? Right : Left;
        d = f % 2 ? vertical : horizontal;
        if (not enter(p + d, true)) d = f % 2 ? horizontal : vertical;
        if (not enter(p + d, true)) continue;
      }
      standing[code(p + d)] = true; command(f, d);
    }
    for (int k : knights(0)) {
      int hit = -1; Pos p;
      p = unit(k).pos;
      for (int d = 0; d < 8; ++d) {
        Pos q = p + Dir(d); int who;
        who = pos_ok(q) ? cell(q).id : -1;
        if (who == -1 or unit(who).player == 0 or unit(who).type == Witch) continue;
        if (hit == -1 or unit(who).health < unit(cell(p + Dir(hit)).id).health) hit = d;
      }
      if (hit != -1) command(k, Dir(hit));
      else if (unit(k).health > 150) {
        // a knight without anybody to hit follows its own random compass
        int d = (k * 5 + round() / 9) % 8;
        if (enter(p + Dir(d), true)) {
          standing[code(p + Dir(d))] = true; command(k, Dir(d));
        }
      }
    }
  }
};
RegisterPlayer(PLAYER_NAME);
