#include "Registry.hh"

// Players register before main, in any order, so the table is made on first use.
static map<string, Registry::Factory>& table() {
  static map<string, Registry::Factory>* all = new map<string, Registry::Factory>;
  return *all;
}

static string& last_name() {
  static string* name = new string;
  return *name;
}

int Registry::Register(const char* name, Factory fact) {
  table()[name] = fact;
  last_name() = name;
  return 999;
}

Player* Registry::new_player(string name) {
  map<string, Factory>::iterator found = table().find(name);
  _my_assert(found != table().end(), "Player " + name + " not registered.");
  return found->second();
}

void Registry::print_players(ostream&) {
  for (map<string, Factory>::iterator it = table().begin(); it != table().end(); ++it) cout << it->first << endl;
}

const char* Registry::ludus_name_() { return last_name().c_str(); }

extern "C"
#ifdef __wasm__
__attribute__((export_name("ludus_name")))
#endif
const char* ludus_name() { return Registry::ludus_name_(); }
