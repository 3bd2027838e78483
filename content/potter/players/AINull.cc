// A player that does nothing: copy it, give it a name of your own, and begin.
#include "Player.hh"

// The name of your player: at most 12 letters and digits.
#define PLAYER_NAME Null

struct PLAYER_NAME : public Player {
  // Ludus makes your player with this. Leave it as it is.
  static Player* factory() {
    return new PLAYER_NAME;
  }

  // Attributes that you write here keep their values from one round to the next.

  // Called once per round. Look at the board and give orders, for instance:
  //
  //   for (int id : wizards(me())) {      // for each of my wizards
  //     Pos p = unit(id).pos + Up;        // the cell above it
  //     if (pos_ok(p) and cell(p).type == Corridor) move(id, Up);
  //   }
  //
  // Each unit takes one order in a round; the first one counts. Everything that
  // you can ask and order is in API.md.
  virtual void play() {
  }
};

// Makes the player known. Leave it as it is, at the end.
RegisterPlayer(PLAYER_NAME);
