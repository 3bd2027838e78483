#ifndef Registry_hh
#define Registry_hh

#include "Utils.hh"

class Player;

#define _stringification(s) #s
#define RegisterPlayer(x) static int registration = Registry::Register(_stringification(x), x::factory)

// The players of the program, by name.
class Registry {
public:
  typedef Player* (*Factory)();

  static int Register(const char* name, Factory fact);
  static Player* new_player(string name);
  static void print_players(ostream& os);

  // For the host only: the name registered last, or an empty one.
  static const char* ludus_name_();
};

#endif
