#include "Player.hh"
#define PLAYER_NAME Names
#define int long long

// Globals with names that the standard library has, in headers that this file
// does not include.
struct list { int first; list () : first(0) {} };
int function, bitset[4], complex;
struct slice { int from, to; };
static int real (Pos p) { return p.i; }
int norm = 3;
int dist[60][60];
enum atomic { H, He, Li };

struct PLAYER_NAME : public Player {
  static Player* factory () { return new PLAYER_NAME; }

  struct Info { int d; Info (int d) : d(d) {} };
  struct Board { vector<vector<char> > cells; };
  int status, prev, next, hash, count, left, right, begin, end, min, max, y1, time;
  vector<int> map, data, queue;

  virtual void play () {
    list all; slice part = { 1, 2 }; atomic kind = He; Board board; Info info(3);
    function = all.first + part.from + real(Pos(1, 2)) + norm + kind + bitset[0] + complex + info.d;
    dist[0][0] = map.size() + data.size() + status + y1 + count;
    for (int id : workers(me())) move(id, Dir(random(0, 3)));
  }
};

RegisterPlayer(PLAYER_NAME);
