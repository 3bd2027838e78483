#define NAMEPLAYER old
#include "aibase.h"
#include <vector>
#include <queue>
#include <algorithm>
#include <tr1/unordered_map>
#include <ext/hash_map>
using namespace std;
using namespace std::tr1;

namespace NAMEPLAYER {

typedef vector<vector<int> > Mat;
typedef vector<int>::iterator iter;
const int INF = 1000000000;
int list[50][50], count, data;

struct Nearer: public binary_function<PII, PII, bool> {
  bool operator()(const PII& a, const PII& b) { return a.second < b.second; }
};

struct AIstruct: public AIbase {
  #include "initializer.h"

  struct square { int i, j, d; square(int i, int j, int d): i(i), j(j), d(d) {} };
  int dir, rounds;
  map<int, int> dfs;
  unordered_map<int, int> goal;
  set<PII, Nearer> order;

  inline bool inside(int i, int j) { return i >= 0 and i < 50 and j >= 0 and j < 50; }

  int towards(int i, int j, int min, int max) {
    int direction, next = 0;
    Mat dist(50, vector<int>(50, INF));
    queue<square> q;
    dist[i][j] = 0;
    for (int d = 1; d <= 8; ++d) q.push(square(i + pas_i[d], j + pas_j[d], d));
    while (not q.empty()) {
      register square s = q.front(); q.pop();
      if (not inside(s.i, s.j) or dist[s.i][s.j] < INF or color(s.i, s.j) == -1) continue;
      dist[s.i][s.j] = ++next;
      if (color(s.i, s.j) != 1 and robot(s.i, s.j).id == -1) return s.d;
      for (int d = 1; d <= 8; ++d) q.push(square(s.i + pas_i[d], s.j + pas_j[d], s.d));
    }
    return direction;
  }

  void fes_torn() {
    ++rounds;
    if (rounds != torn_actual()) cerr << "lost count" << endl;
    vector<int> map = pagesos(1), c = cavallers(1);
    random_shuffle(map.begin(), map.end());
    for (iter it = map.begin(); it != map.end(); ++it) {
      t_robot r = robot(*it);
      ordena(r.id, towards(r.i, r.j, 0, 9));
      order.insert(PII(r.i, r.j));
    }
    foreach(it, c) { goal[*it] = random(8); dfs[*it] = 1 + goal[*it]; ordena(*it, dfs[*it]); }
    fori(3) forj(3) list[i][j] = count + data + i * j;
    ordena(-1, dir);
    stable_sort(c.begin(), c.end(), ptr_fun(before));
    count = count_if(c.begin(), c.end(), bind2nd(less<int>(), 10));
  }

  static bool before(int a, int b) { return a < b; }
};

AIstruct::Static_Initializer init;

};
