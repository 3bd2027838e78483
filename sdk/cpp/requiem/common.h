// Small things that players of the time know. There is no include guard:
// everything here may be read again.

#include <iostream>
#include <string>
#include <utility>

using namespace std;

#define REQUIEM_VERSION "1.1"

#define fori(n) for (int i = 0; i < int(n); ++i)
#define forj(n) for (int j = 0; j < int(n); ++j)
#define foreach(it, container) \
  for (__typeof__((container).begin()) it = (container).begin(); it != (container).end(); ++it)

typedef pair<int, int> PII;
typedef pair<int, PII> PIPII;

// The integer that a text begins with.
int s2i(const string& s);
