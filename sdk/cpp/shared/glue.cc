// What the host calls, for the games whose players derive from `Player`.
#include "Player.hh"

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name)))
#else
#define EXPORT(name)
#endif

static Player* player;

extern "C" {

EXPORT(ludus_game) const char* ludus_game() { return LUDUS_GAME; }

EXPORT(ludus_start) void ludus_start(int seat, int seed, int) {
  player = Registry::new_player(ludus_name());
  player->ludus_start_(seat, seed, ludus::room);
}

EXPORT(ludus_play) const int* ludus_play(int) { return player->ludus_play_(ludus::room); }

}  // extern "C"
