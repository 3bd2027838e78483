#ifndef Utils_hh
#define Utils_hh

#define LUDUS_FEWER_HEADERS
#include <bits/stdc++.h>
#undef LUDUS_FEWER_HEADERS
#include <getopt.h>
#include <string.h>

#include "Defs.hh"

using namespace std;

// Games whose assertions say something else define their own in Defs.hh.
#ifndef _my_assert
#define _my_assert(b, s)                 \
  {                                      \
    if (!(b)) {                          \
      cerr << "error: " << s << endl;    \
      assert(b);                         \
    }                                    \
  }

#define _unreachable() _my_assert(false, "Unreachable code reached.")
#endif

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
#endif

#endif
