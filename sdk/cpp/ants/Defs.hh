#ifndef Defs_hh
#define Defs_hh

#define GAME_NAME "Ants"
#define VERSION "1.0"

#endif
