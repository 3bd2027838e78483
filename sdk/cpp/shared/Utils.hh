#ifndef Utils_hh
#define Utils_hh

#include <bits/stdc++.h>
#include <getopt.h>
#include <string.h>

#include "Defs.hh"

using namespace std;

// A game's Defs.hh may say otherwise.
#ifndef LUDUS_ERROR
#define LUDUS_ERROR "error: "
#endif

#define _my_assert(b, s)                 \
  {                                      \
    if (!(b)) {                          \
      cerr << LUDUS_ERROR << s << endl;  \
      assert(b);                         \
    }                                    \
  }

#define _unreachable() _my_assert(false, "Unreachable code reached.")

#ifndef LUDUS_NO_CONVERSIONS

inline string int_to_string(int i) {
  ostringstream text;
  text << i;
  return text.str();
}

inline string double_to_string(double d) {
  ostringstream text;
  text << d;
  return text.str();
}

inline int string_to_int(const string& s) {
  istringstream text(s);
  int i = 0;
  text >> i;
  return i;
}

#endif  // LUDUS_NO_CONVERSIONS

#endif
