#ifndef Defs_hh
#define Defs_hh

#include <fcntl.h>
#include <unistd.h>

// How this game differs from the others in what Utils.hh defines.
#define LUDUS_ERROR "ERROR: "
#define LUDUS_NO_CONVERSIONS

// Nobody sleeps in this game.
#ifndef __wasm__
extern "C" inline unsigned int sleep(unsigned int) { return 0; }
#endif

#endif
