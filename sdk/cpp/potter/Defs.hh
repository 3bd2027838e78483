#ifndef Defs_hh
#define Defs_hh

#define GAME_NAME "HarryPotter"
#define VERSION "1.0"

// In this game a failed assertion says nothing of its own.
#define _my_assert(b, s) \
  { assert(b); }
#define _unreachable() \
  { assert(false); }

#endif
