#pragma GCC optimize("O3,unroll-loops")
#pragma GCC target("avx2")
#include "Player.hh"
#include <immintrin.h>
#include <cstdio>
#include <fstream>
#include <list>
#include <csetjmp>
#include <unistd.h>
#include <thread>
#define PLAYER_NAME Language
#define ALL(x) (x).begin(), (x).end()
#define FOR(i, a, b) for (int i = (a); i < (b); ++i)
#define pb push_back
using namespace std;

typedef struct { int x; vector<int> y; } Thing;
typedef long long ll;
typedef vector<vector<int> > Matrix;

// Comparators that are not const, and take what they want by reference.
struct ByRow { bool operator()(const Pos& a, const Pos& b) { return a.i < b.i; } };
struct Nearest { bool operator () (pair<int, Pos>& a, pair<int, Pos>& b) { return a.first > b.first; } };
bool by_column (Pos a, Pos b) { return a.j < b.j; }

template <class T> T square (T x) { return x * x; }
static int calls = 0;
extern int defined_below;
ofstream journal("journal.txt");

class Counter {
  Player* p;
public:
  Counter (Player* p) : p(p) {}
  int rows () { int n = 0; while (p->pos_ok(n, 0)) ++n; return n; }
};

struct PLAYER_NAME : public Player {
  static Player* factory () { return new PLAYER_NAME; }

  static const int MAX = 30;
  static const double ratio;
  static int shared;
  int unset, mat[MAX][MAX];
  map<Pos, int, ByRow> rows_seen;
  set<Pos, ByRow> visited;
  vector<bool> marks;
  vector<Info> memories;
  enum { A, B = 5 };
  union { int whole; char bytes[4]; };
  struct { int left_, right_; };
  const vector<Dir> dirs = { Up, Down, Left, Right };

  PLAYER_NAME () : marks(10), whole(3) { memset(mat, -1, sizeof(mat)); }
  ~PLAYER_NAME () {}

  int falls_off (int x) { if (x > 3) return 4; }
  ll factorial (int n) const { return n <= 1 ? 1 : n * factorial(n - 1); }

  void remember () {
    memories.pb(*this);
    State copy = *this;
    FOR (k, 0, (int)memories.size()) {
      assert(memories[k].round() == k);
      memories[k].score(0);
    }
    assert(copy.round() == round() and copy.workers(0) == workers(0));
    assert(memories[0].ant(1).life >= ant(1).life or ant(1).id == -1);
  }

  virtual void play () {
    assert(unset == 0 and mat[3][3] == -1);
    if (round() < 20) remember();
    visited.insert(Pos(1, 2)); rows_seen[Pos(1, 2)]++;
    priority_queue<pair<int, Pos>, vector<pair<int, Pos> >, Nearest> near;
    FOR (k, 0, 10) near.push({ k, Pos(k, k) });
    assert(near.top().first == 0);
    vector<Pos> v(5); sort(ALL(v), by_column); stable_sort(ALL(v), ByRow());
    register int n = 3 + v.size();
    int late[n][n] = { {0}, 0 }, later[n] = {}; assert(late[2][1] + later[n - 1] == 0);
    constexpr double root = sqrt(2), two = pow(root, 2);
    Pos narrow{v.size(), 3u}; vector<int> w = { v.size(), 3 }; char letter = { w[0] };
    for (int i = 0; i < v.size(); ++i) if (i == v.size() - 1) w[0] == 1;
    Thing t; t.x = 3; t.y.pb(MAX); int most = max(MAX, n);
    auto next = [this, &w](int x) mutable -> int { w[0] += x; return round() + x; }; next(3);
    char* text = "literal"; string s = string("a") + text + 'c' + to_string(3); s += 65;
    list<int> l(3, 4); l.sort(); l.erase(++l.begin()); assert(l.size() == 2);
    try { if (n == 12345) throw string("never"); } catch (string& e) { cerr << e; } catch (...) {}
    FILE* f = fopen("log.txt", "a"); if (f) { fprintf(f, "x"); fclose(f); }
    journal << "round " << round() << endl;
    static int times = 0; ++times; ++calls; ++shared; ++defined_below; assert(times == round() + 1);
    int x = Counter(this).rows() + square(3) + falls_off(1) + A + B + whole;
    switch (x) { case 1 ... 3: { int y = 3; x += y; } break; default: break; }
    int año = (x ? : 3), niña = año; cerr << "ñandú·çà €" << niña << endl;
    bool b = marks[0] and not marks[1] or marks[2] xor marks[3];
    srand(42); vector<int> perm = random_permutation(4); random_shuffle(ALL(perm)); rand();
    int bits = __builtin_popcount(13) + __gcd(12, 18) + __lg(100); assert(bits == 15);
    uint64_t hash = 7; hash = max(hash, v.size()); __int128 wide = 1; wide <<= 100;
    clock_t start = clock(); time_t now = time(NULL); usleep(10); sleep(1);
    tuple<int, Pos> pair_; get<1>(pair_).i = 3; int first; tie(first, ignore) = pair_;
    Action other; other.move(0, Up);
    Random_generator dice; dice.random(0, 3);
    if (round() > 100) goto end;
    for (int id : workers(me())) {
      Dir d = dirs[random(0, dirs.size() - 1)];
      if (pos_ok(ant(id).pos + d) and cell(ant(id).pos + d).type != Water) move(id, d);
    }
  end:
    return;
  }
};

const double PLAYER_NAME::ratio = 3.14; int PLAYER_NAME::shared = 0; int defined_below = 3;
RegisterPlayer(PLAYER_NAME);
