#ifndef ludus_requiem_aibase_h
#define ludus_requiem_aibase_h

// Before the macros of common.h, and more than players may count on: files of
// the time rely on what the headers of their compiler happened to include.
#define LUDUS_FEWER_HEADERS
#include <bits/stdc++.h>
#undef LUDUS_FEWER_HEADERS

#include "common.h"
#include "robots.h"

using namespace std;

// A player derives from this and defines fes_torn(), which is called once per
// round.
struct AIbase {
  Mapa _M;

  AIbase() {}
  virtual ~AIbase() {}

  virtual void fes_torn() = 0;
  virtual AIbase* clone() = 0;
  virtual string name() { return "AIbase"; }
  virtual int color1() { return 0x00112233; }
  virtual int color2() { return 0x00112234; }

  // The current round, from 1, and the rounds left, with this one.
  int torn_actual() { return _M.torn_actual(); }
  int torns_restants() { return _M.torns_restants(); }

  // The colour of a square: -1 wall, 0 none, 1 to 4 the team that painted it.
  int color(int i, int j) { return _M.color(i, j); }

  // Whether there is a robot on a square, or with an id.
  bool existeix(int i, int j) { return _M.existeix(i, j); }
  bool existeix(int id) { return _M.existeix(id); }

  // That robot.
  t_robot robot(int i, int j) { return _M.robot(i, j); }
  t_robot robot(int id) { return _M.robot(id); }

  // The ids of the farmers and of the knights of a team, in increasing order.
  vector<int> pagesos(int e) { return _M.pagesos(e); }
  vector<int> cavallers(int e) { return _M.cavallers(e); }
  vector<int> T80PAG(int e) { return _M.T80PAG(e); }
  vector<int> T100CAV(int e) { return _M.T100CAV(e); }

  // How many squares there are of a colour from -1 to 4.
  int num_caselles(int e) { return _M.num_caselles(e); }

  // A random integer from 0 to n - 1.
  int random(int n) { return _M.random(n); }

  // Gives an order to a robot, and tells whether it is accepted.
  bool ordena(int id, int dir) { return _M.ordena(id, dir); }

  // The players of the program.
  static vector<AIbase*> register_class(AIbase* p);
  static vector<string> name_registrants();
  static bool check_registrants(bool print = false);
  static AIbase* instantiate_robot(string name);

  // Attributes that a constructor leaves out start at zero too.
  static void* operator new(size_t size) { return memset(::operator new(size), 0, size); }
  static void operator delete(void* p) { ::operator delete(p); }

private:
  AIbase(const AIbase&);
  AIbase& operator=(const AIbase&);
};

#endif
