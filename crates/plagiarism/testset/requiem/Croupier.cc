#define NAMEPLAYER Croupier
#include "aibase.h"
using namespace std;

namespace NAMEPLAYER {

// Deals clusters of unpainted squares to farmers like cards: connected blobs are
// found by union-find, then given to the farmer with the greatest regret.

class Sets {
  vector<int> parent, size_;
public:
  void reset(int n) {
    parent.resize(n);
    size_.assign(n, 1);
    for (int k = 0; k < n; ++k) parent[k] = k;
  }
  int find(int x) {
    while (parent[x] != x) x = parent[x] = parent[parent[x]];
    return x;
  }
  void join(int a, int b) {
    a = find(a), b = find(b);
    if (a == b) return;
    if (size_[a] < size_[b]) swap(a, b);
    parent[b] = a;
    size_[a] += size_[b];
  }
  int size(int x) { return size_[find(x)]; }
};

struct AIstruct : public AIbase {
#include "initializer.h"

  int dim;
  Sets blobs;
  vector<char> reserved;

  int code(int i, int j) { return i * dim + j; }
  bool todo(int i, int j) { int c = color(i, j); return c != -1 && c != 1; }

  void find_blobs() {
    blobs.reset(dim * dim);
    for (int i = 1; i < dim - 1; ++i)
      for (int j = 1; j < dim - 1; ++j) {
        if (!todo(i, j)) continue;
        // blobs are cut at every tenth row and column, to keep them small
        if (i % 10 && todo(i - 1, j)) blobs.join(code(i, j), code(i - 1, j));
        if (j % 10 && todo(i, j - 1)) blobs.join(code(i, j), code(i, j - 1));
      }
  }

  struct Card { int blob, near, i, j; };

  // For one farmer, the nearest square of every blob.
  vector<Card> hand(const t_robot& r) {
    map<int, Card> best;
    for (int i = 1; i < dim - 1; ++i)
      for (int j = 1; j < dim - 1; ++j) {
        if (!todo(i, j)) continue;
        int b = blobs.find(code(i, j));
        int d = max(abs(i - r.i), abs(j - r.j));
        auto it = best.find(b);
        if (it == best.end() || d < it->second.near) best[b] = Card{b, d, i, j};
      }
    vector<Card> cards;
    for (auto& kv : best) cards.push_back(kv.second);
    auto cost = [&](const Card& c) { return 4 * c.near - min(30, blobs.size(c.blob)); };
    sort(cards.begin(), cards.end(), [&](const Card& a, const Card& b) { return cost(a) < cost(b); });
    return cards;
  }

  map<int, pair<int, int>> deal() {
    map<int, vector<Card>> hands;
    for (int id : pagesos(1)) hands[id] = hand(robot(id));
    map<int, int> players_on;
    map<int, pair<int, int>> goals;
    while (!hands.empty()) {
      int who = -1, regret = INT_MIN;
      for (auto& h : hands) {
        vector<Card>& c = h.second;
        c.erase(remove_if(c.begin(), c.end(), [&](const Card& x) { return players_on[x.blob] * 12 >= blobs.size(x.blob); }), c.end());
        int r = c.empty() ? 0 : c.size() == 1 ? 100 : c[1].near - c[0].near + 1;
        if (r > regret) regret = r, who = h.first;
      }
      if (!hands[who].empty()) {
        Card top = hands[who][0];
        ++players_on[top.blob];
        goals[who] = {top.i, top.j};
      }
      hands.erase(who);
    }
    return goals;
  }

  void step(int id, int gi, int gj) {
    t_robot r = robot(id);
    int best = 1 << 20, dir = 0;
    for (int d = 1; d <= 8; ++d) {
      int i = r.i + pas_i[d], j = r.j + pas_j[d];
      if (color(i, j) == -1 || existeix(i, j) || reserved[code(i, j)]) continue;
      int v = 4 * max(abs(gi - i), abs(gj - j)) + abs(gi - i) + abs(gj - j);
      if (todo(i, j)) v -= 7;
      if (v < best) best = v, dir = d;
    }
    if (dir && ordena(id, dir)) reserved[code(r.i + pas_i[dir], r.j + pas_j[dir])] = 1;
  }

  void bouncer(int id) {
    t_robot r = robot(id);
    vector<pair<int, int>> hits;
    for (int d = 1; d <= 8; ++d) {
      int i = r.i + pas_i[d], j = r.j + pas_j[d];
      if (color(i, j) == -1 || !existeix(i, j) || robot(i, j).equip == 1) continue;
      hits.push_back({robot(i, j).model == CAV ? robot(i, j).vida : 60, d});
    }
    if (!hits.empty()) ordena(id, min_element(hits.begin(), hits.end())->second);
  }

  void fes_torn() {
    if (torn_actual() == 1) {
      int area = 0;
      for (int c = -1; c <= 4; ++c) area += num_caselles(c);
      dim = int(sqrt(area) + 0.5);
    }
    reserved.assign(dim * dim, 0);
    find_blobs();
    auto goals = deal();
    for (int id : pagesos(1)) {
      if (goals.count(id)) step(id, goals[id].first, goals[id].second);
      else step(id, dim / 2, dim / 2);
    }
    for (int id : cavallers(1)) bouncer(id);
  }
};

AIstruct::Static_Initializer init;

};
