#ifndef Defs_hh
#define Defs_hh

#include <fcntl.h>
#include <unistd.h>

#define _my_assert(b, s)               \
  {                                    \
    if (!(b)) {                        \
      cerr << "ERROR: " << s << endl;  \
      assert(b);                       \
    }                                  \
  }

#define _unreachable() _my_assert(false, "Unreachable code reached.")

// Their names are free for players in this game.
#define LUDUS_NO_CONVERSIONS

// Nobody sleeps in this game.
#ifndef __wasm__
extern "C" inline unsigned int sleep(unsigned int) { return 0; }
#endif

#endif
