#ifndef Defs_hh
#define Defs_hh

#include <fcntl.h>
#include <unistd.h>

// How this game differs from the others in what Utils.hh defines.
#define LUDUS_ERROR "ERROR: "
#define LUDUS_NO_CONVERSIONS

#endif
