#ifndef Defs_hh
#define Defs_hh

#define GAME_NAME "ThePurge"
#define VERSION "1.0"

#endif
