// The part of the SDK of Requiem that is code: what the host calls, the
// registry of players, and what is rarely used of the headers.
#include "aibase.h"

#include "ludus.hh"

#include <unistd.h>

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name)))
#else
#define EXPORT(name)
#endif

// Players register before main, in any order, so the list is made on first use.
static vector<AIbase*>& registrants() {
  static vector<AIbase*>* all = new vector<AIbase*>;
  return *all;
}

vector<AIbase*> AIbase::register_class(AIbase* p) {
  if (p) registrants().push_back(p);
  return registrants();
}

vector<string> AIbase::name_registrants() {
  vector<string> names;
  for (size_t k = 0; k < registrants().size(); ++k) names.push_back(registrants()[k]->name());
  return names;
}

bool AIbase::check_registrants(bool print) {
  vector<string> names = name_registrants();
  if (print)
    for (size_t k = 0; k < names.size(); ++k) cerr << names[k] << endl;
  if (names.empty()) {
    cerr << "Critical error: there are no robot AIs !!" << endl;
    return false;
  }
  sort(names.begin(), names.end());
  vector<string>::iterator twice = adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return true;
  cerr << "Critical error: robot AI '" << *twice << "' appears twice !!" << endl;
  return false;
}

AIbase* AIbase::instantiate_robot(string name) {
  for (size_t k = 0; k < registrants().size(); ++k)
    if (registrants()[k]->name() == name) return registrants()[k]->clone();
  return 0;
}

int s2i(const string& s) {
  istringstream text(s);
  int number = 0;
  text >> number;
  return number;
}

void Mapa::ludus_start_(const string& name, int seat, int dim) {
  whoami = name + "(" + char('1' + seat) + ")";
  ludus_dim_ = dim;
}

void Mapa::escriu_ordres(ostream& os) {
  vector<int> mine[2] = {pagesos(1), cavallers(1)};
  os << mine[0].size() + mine[1].size() << endl;
  const int* given = ludus_orders_.data();
  for (int k = 0; k < given[0]; ++k) os << given[3 * k + 2] << " " << given[3 * k + 3] << endl;
  for (int model = 0; model < 2; ++model)
    for (size_t k = 0; k < mine[model].size(); ++k)
      if (ludus_ordered_[ludus_place_(mine[model][k])] != ludus_head_->round)
        os << mine[model][k] << " " << RES << endl;
}

istream& operator>>(istream& is, Mapa&) {
  is.setstate(ios::failbit);
  return is;
}

// A line about a wrong call, made in one piece and written at once. Hosts keep
// no more than so many bytes of a match, and there are players that write fifty
// times as much: from there on nothing is written.
namespace {

const size_t most_said = 1 << 20;
size_t said = 0;

struct Line {
  char text[256];
  size_t length;

  Line() : length(0) {}

  // Inlined, so that pieces known to the compiler are not copied by a call.
  __attribute__((always_inline)) void add(const char* piece, size_t bytes) {
    bytes = min(bytes, sizeof text - 1 - length);
    memcpy(text + length, piece, bytes);
    length += bytes;
  }
  __attribute__((always_inline)) void add(const char* piece) { add(piece, strlen(piece)); }
  void add(int number) {
    char digits[12];
    char* at = digits + sizeof digits;
    unsigned rest = number < 0 ? 0u - (unsigned)number : (unsigned)number;
    do *--at = char('0' + rest % 10);
    while (rest /= 10);
    if (number < 0) *--at = '-';
    add(at, digits + sizeof digits - at);
  }
  void say() {
    text[length++] = '\n';
    said += length;
    // As cerr does, which keeps nothing back, but without its detours.
    if (write(STDERR_FILENO, text, length) < 0) said = most_said;
  }
};

Line begun(const string& whoami, const char* function, int a) {
  Line line;
  line.add("ERROR ");
  line.add(whoami.data(), min(whoami.size(), (size_t)100));
  line.add(", ");
  line.add(function);
  line.add("(");
  line.add(a);
  return line;
}

}  // namespace

void Mapa::ludus_complain_(const char* function, int a, const char* message) {
  if (said >= most_said) return;
  Line line = begun(whoami, function, a);
  line.add("): ");
  line.add(message);
  line.add(".");
  line.say();
}

void Mapa::ludus_complain_(const char* function, int a, int b, const char* message) {
  if (said >= most_said) return;
  Line line = begun(whoami, function, a);
  line.add(",");
  line.add(b);
  line.add("): ");
  line.add(message);
  line.add(".");
  line.say();
}

// Without a message, there is no such robot.
bool Mapa::ludus_refuse_(int id, int dir, const char* message) {
  if (message) {
    ludus_complain_("ordena", id, dir, message);
  } else {
    Line line;
    line.add("No robot with id=");
    line.add(id);
    line.text[line.length] = 0;
    ludus_complain_("ordena", id, dir, line.text);
  }
  return false;
}

static AIbase* player;

extern "C" {

EXPORT(ludus_game) const char* ludus_game() { return LUDUS_GAME; }

EXPORT(ludus_name) const char* ludus_name() {
  static string* name = new string;
  if (!registrants().empty()) *name = registrants().back()->name();
  return name->c_str();
}

EXPORT(ludus_start) void ludus_start(int seat, int, int) {
  string name = ludus_name();
  player = AIbase::instantiate_robot(name);
  player->_M.ludus_start_(name, seat, ludus::at<int>(4));
}

EXPORT(ludus_play) const int* ludus_play(int) {
  player->_M.ludus_see_(ludus::room);
  player->fes_torn();
  return player->_M.ludus_given_();
}

}  // extern "C"
