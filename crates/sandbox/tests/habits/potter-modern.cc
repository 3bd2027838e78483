#include "Player.hh"
#include <bits/stdc++.h>
#include <optional>
#define PLAYER_NAME Modern

constexpr int SIDE = 60;
using Grid = std::array<std::array<int, SIDE>, SIDE>;
template <class T> using Maybe = std::optional<T>;
namespace std { template <> struct hash<Pos> { size_t operator()(const Pos& p) const { return p.i * 64 + p.j; } }; }
Pos operator-(const Pos& a, const Pos& b) { return Pos(a.i - b.i, a.j - b.j); }
int dist(Pos a, Pos b) { Pos d = a - b; return std::abs(d.i) + std::abs(d.j); }

struct PLAYER_NAME final : public Player {
  static Player* factory () { return new PLAYER_NAME; }

  struct Node { int cost = 0; Pos pos; bool operator<(const Node& o) const { return cost > o.cost; } };
  struct Target { int id = -1; Pos pos = {0, 0}; };
  const std::vector<Dir> dirs{Up, Down, Left, Right};
  std::unordered_map<Pos, Target> targets;
  std::unique_ptr<Grid> costs = std::make_unique<Grid>();
  std::mt19937 chance{42};
  std::vector<State> history;
  std::function<bool(Pos)> free = [this](Pos p) { return pos_ok(p) && cell(p).type == Corridor; };

  Maybe<Dir> towards (Pos from) {
    std::unordered_set<Pos> seen{from};
    std::queue<std::pair<Pos, Maybe<Dir>>> border;
    border.push({from, std::nullopt});
    while (!border.empty()) {
      auto [pos, first] = border.front(); border.pop();
      if (cell(pos).book && first) return first;
      for (Dir d : dirs)
        if (Pos q = pos + d; free(q) && seen.insert(q).second) border.push({q, first ? first : Maybe<Dir>(d)});
    }
    return {};
  }

  void play () override {
    history.push_back(*this);
    for (size_t k = 0; k < history.size(); ++k) assert(history[k].round() == round() + 1 + int(k) - int(history.size()));
    if (history.size() > 5) {
      history[0] = history[3];
      assert(history[0].round() == history[3].round() && history[0].wizards(1) == history[3].wizards(1));
      history.clear();
    }
    for (auto& row : *costs) std::fill(row.begin(), row.end(), INT_MAX);
    std::priority_queue<Node> q; q.push({3, {1, 2}}); q.push(Node{1, Pos{2, 2}}); assert(q.top().cost == 1);
    std::uniform_int_distribution<int> die(0, 3); std::shuffle(std::begin(costs->at(0)), std::end(costs->at(0)), chance);
    auto far = [&](const auto& a, const auto& b) { return dist(a, Pos()) < dist(b, Pos()); };
    std::set<Pos, decltype(far)> ordered(far); ordered.insert({1, 2});
    for (int id : wizards(me())) {
      Pos pos = unit(id).pos;
      targets[pos] = {.id = id, .pos = pos};
      if (auto d = towards(pos); d.has_value()) move(id, *d);
      else move(id, Dir(2 * die(chance)));
    }
    if (auto now = std::chrono::steady_clock::now(); round() == 3) std::cerr << now.time_since_epoch().count() << std::endl;
    spell(ghost(me()), {});
  }
};

RegisterPlayer(PLAYER_NAME);
