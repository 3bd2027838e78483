#include "Player.hh"
#define PLAYER_NAME Hermione
using Claim = tuple<int, int, int>;   // distance, wizard, book

struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }

  struct Library {
    vector<Pos> shelves;
    int nearest_to(Pos p) const {
      int best = -1, far = 1 << 20;
      for (size_t k = 0; k < shelves.size(); ++k) {
        int d = abs(shelves[k].i - p.i) + abs(shelves[k].j - p.j);
        if (d < far) far = d, best = k;
      }
      return best;
    }
  };

  Library library;
  vector<string> parchment;   // '#' wall, 'o' mine, '.' not mine, 'u' somebody there, '!' death

  void copy_map() {
    parchment.assign(board_rows(), string(board_cols(), '.'));
    library.shelves.clear();
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j) {
        Cell c = cell(i, j);
        char& mark = parchment[i][j];
        if (c.type == Wall) mark = '#';
        else if (c.id >= 0) mark = 'u';
        else if (c.owner == me()) mark = 'o';
        if (c.book) library.shelves.push_back(Pos(i, j));
      }
    Pos v = pos_voldemort();
    for (int i = max(0, v.i - 2); i <= min(board_rows() - 1, v.i + 2); ++i)
      for (int j = max(0, v.j - 2); j <= min(board_cols() - 1, v.j + 2); ++j) parchment[i][j] = '!';
  }

  bool clear(Pos p) {
    return pos_ok(p) and (parchment[p.i][p.j] == '.' or parchment[p.i][p.j] == 'o');
  }

  // Bounded BFS which stops at the target and tells the first step.
  int route(Pos from, Pos to) {
    map<Pos, int> first;
    queue<Pos> corridor;
    corridor.push(from);
    first[from] = -1;
    int patience = 400;
    while (not corridor.empty() and patience-- > 0) {
      Pos p = corridor.front(); corridor.pop();
      if (p == to) return first[p];
      for (int d = 0; d < 8; d += 2) {
        Pos q = p + Dir(d);
        if (not clear(q) or first.count(q)) continue;
        first[q] = first[p] == -1 ? d : first[p];
        corridor.push(q);
      }
    }
    return -1;
  }

  void step(int id, int d) {
    Pos p = unit(id).pos + Dir(d);
    parchment[p.i][p.j] = 'u';
    move(id, Dir(d));
  }

  bool duel(int id) {
    Unit u = unit(id);
    if (u.is_in_conversion_process()) return false;
    for (int d = 0; d < 8; d += 2) {
      Pos p = u.pos + Dir(d);
      if (not pos_ok(p) or cell(p).id == -1 or parchment[p.i][p.j] == '!') continue;
      Unit o = unit(cell(p).id);
      if (o.type == Ghost and o.player != me()) { move(id, Dir(d)); return true; }
      if (o.player == me() and o.is_in_conversion_process()) { move(id, Dir(d)); return true; }
      if (o.player != me() and not o.is_in_conversion_process() and 3 * magic_strength(me()) > 2 * magic_strength(o.player)) {
        move(id, Dir(d));
        return true;
      }
    }
    return false;
  }

  // All triples with the right sum as bit masks, and then five that are disjoint.
  vector<int> masks;
  bool cover(int used, size_t from, vector<int>& chosen) {
    if (used == (1 << 15) - 1) return true;
    int lowest = 0;
    while (used >> lowest & 1) ++lowest;
    for (size_t k = from; k < masks.size(); ++k)
      if ((masks[k] >> lowest & 1) and not (masks[k] & used)) {
        chosen.push_back(masks[k]);
        if (cover(used | masks[k], 0, chosen)) return true;
        chosen.pop_back();
      }
    return false;
  }

  bool cast() {
    int g = ghost(me());
    if (unit(g).resting_rounds() > 0 or num_rounds() - round() <= 50) return false;
    vector<int> x = spell_ingredients(), chosen, answer(15);
    int goal = accumulate(x.begin(), x.end(), 0) / 5;
    masks.clear();
    for (int a = 0; a < 15; ++a)
      for (int b = a + 1; b < 15; ++b)
        for (int c = b + 1; c < 15; ++c)
          if (x[a] + x[b] + x[c] == goal) masks.push_back(1 << a | 1 << b | 1 << c);
    if (not cover(0, 0, chosen)) return false;
    for (int k = 0; k < 15; ++k)
      for (int g5 = 0; g5 < 5; ++g5) if (chosen[g5] >> k & 1) answer[k] = g5;
    spell(g, answer);
    return true;
  }

  void play() {
    copy_map();
    cast();
    vector<int> mine = wizards(me());
    vector<Claim> claims;
    vector<bool> busy(mine.size()), read(library.shelves.size());
    for (size_t w = 0; w < mine.size(); ++w) {
      if (duel(mine[w])) { busy[w] = true; continue; }
      Pos p = unit(mine[w]).pos;
      for (size_t b = 0; b < library.shelves.size(); ++b)
        claims.emplace_back(abs(p.i - library.shelves[b].i) + abs(p.j - library.shelves[b].j), w, b);
    }
    sort(claims.begin(), claims.end());
    for (auto [d, w, b] : claims) {
      if (busy[w] or read[b]) continue;
      busy[w] = read[b] = true;
      int go = d < 25 ? route(unit(mine[w]).pos, library.shelves[b]) : -1;
      if (go == -1) go = 2 * random(0, 3);
      if (clear(unit(mine[w]).pos + Dir(go))) step(mine[w], go);
    }
  }
};

RegisterPlayer(PLAYER_NAME);
