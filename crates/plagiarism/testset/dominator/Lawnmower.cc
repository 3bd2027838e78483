#include "Player.hh"
#define PLAYER_NAME Lawnmower

/* Every farmer mows a lane of columns from top to bottom and back again. */

struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }

  struct Mower {
    int lane;          // leftmost column of the lane
    bool downwards;
    int blocked;
  };

  map<int, Mower> mowers;
  set<pair<int, int>> busy;
  int lane_width;

  bool good(Pos p) {
    if (!pos_ok(p)) return false;
    Cell c = cell(p);
    return c.type == Empty && c.id == -1 && !c.haunted && !busy.count({p.i, p.j});
  }

  void order(int id, Dir d) {
    Pos p = unit(id).pos + d;
    busy.insert({p.i, p.j});
    command(id, d);
  }

  int emptiest_lane() {
    vector<int> crowd(cols() / lane_width + 1, 0);
    for (auto& m : mowers) crowd[m.second.lane / lane_width] += 3;
    int best = 0, score = -1;
    for (int lane = 0; lane * lane_width < cols(); ++lane) {
      int todo = 0;
      for (int i = 0; i < rows(); ++i)
        for (int j = lane * lane_width; j < min(cols(), (lane + 1) * lane_width); ++j)
          if (cell(i, j).type == Empty && cell(i, j).owner != 0) ++todo;
      int value = todo * 4 / (1 + crowd[lane]);
      if (value > score) {
        score = value;
        best = lane;
      }
    }
    return best * lane_width;
  }

  bool lane_done(int lane) {
    for (int i = 0; i < rows(); ++i)
      for (int j = lane; j < min(cols(), lane + lane_width); ++j)
        if (cell(i, j).type == Empty && cell(i, j).owner != 0 && !cell(i, j).haunted) return false;
    return true;
  }

  void mow(int id) {
    Pos p = unit(id).pos;
    if (!mowers.count(id)) {
      Mower fresh = {0, p.i < rows() / 2, 0};
      mowers[id] = fresh;
      mowers[id].lane = emptiest_lane();
    }
    Mower& m = mowers[id];
    if (lane_done(m.lane) || m.blocked > 5) {
      m.lane = emptiest_lane();
      m.blocked = 0;
    }
    if (p.j < m.lane && good(p + Right)) return order(id, Right);
    if (p.j >= m.lane + lane_width && good(p + Left)) return order(id, Left);

    Dir ahead = m.downwards ? Bottom : Top;
    // first what is unpainted beside us and inside the lane
    Dir wish[3] = {Left, ahead, Right};
    for (Dir d : wish) {
      Pos q = p + d;
      if (q.j < m.lane || q.j >= m.lane + lane_width) continue;
      if (good(q) && cell(q).owner != 0) { m.blocked = 0; return order(id, d); }
    }
    if (good(p + ahead)) return order(id, ahead);
    m.downwards = !m.downwards;
    ++m.blocked;
    Dir aside = random(0, 1) ? Left : Right;
    if (good(p + aside)) order(id, aside);
  }

  // Knights patrol the fences between us and the neighbours.
  void patrol(int id, int k) {
    Pos p = unit(id).pos;
    int weakest = INT_MAX;
    Dir strike = None;
    for (int d = 0; d < 8; ++d) {
      Pos q = p + Dir(d);
      if (!pos_ok(q) || cell(q).id == -1) continue;
      Unit u = unit(cell(q).id);
      if (u.player == 0 || u.type == Witch) continue;
      if (u.health < weakest) weakest = u.health, strike = Dir(d);
    }
    if (strike != None) return command(id, strike);
    if (unit(id).health < knights_health()) return;
    Pos post = k % 2 ? Pos(rows() / 2, (k + 1) * cols() / 12) : Pos((k + 1) * rows() / 12, cols() / 2);
    int far = abs(p.i - post.i) + abs(p.j - post.j);
    for (int d : random_permutation(8)) {
      Pos q = p + Dir(d);
      if (good(q) && abs(q.i - post.i) + abs(q.j - post.j) < far) return order(id, Dir(d));
    }
  }

  void play() {
    busy.clear();
    lane_width = max(2, cols() / 12);
    for (auto it = mowers.begin(); it != mowers.end(); )
      if (unit(it->first).player != 0) it = mowers.erase(it);
      else ++it;
    for (int id : farmers(0)) mow(id);
    vector<int> guard = knights(0);
    for (size_t k = 0; k < guard.size(); ++k) patrol(guard[k], k);
  }
};

RegisterPlayer(PLAYER_NAME);
