#include "Player.hh"

// The name of your player: at most 12 letters, and the same as that of the
// file, which is called AI<name>.cc.
#define PLAYER_NAME Null

struct PLAYER_NAME : public Player {

  // Makes your player. Leave it as it is.
  static Player* factory() { return new PLAYER_NAME; }

  // Attributes go here. They keep their values from round to round.

  // This function is called once per round. It looks at the board and gives at
  // most one order to each of your units. You are always player 0, and your
  // quadrant is at the top left. For instance, to send all farmers down:
  //
  //   for (int id : farmers(0)) command(id, Bottom);
  //
  virtual void play() {}
};

// Makes your player known. Leave it as it is.
RegisterPlayer(PLAYER_NAME);
