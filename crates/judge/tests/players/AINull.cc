#include "Player.hh"

/**
 * The name of your player: 1 to 12 letters, digits or underscores.
 * It is what `ludus play` and the results show.
 */
#define PLAYER_NAME Null

struct PLAYER_NAME : public Player {

  /**
   * Makes your player. Leave it as it is.
   */
  static Player* factory () {
    return new PLAYER_NAME;
  }

  /**
   * Types and attributes of your own go here.
   * Attributes keep their values from one round to the next.
   */

  /**
   * Called once per round: look at the board and give your orders.
   * You are always player 0, and your quadrant is at the top left.
   * For instance, this sends all your farmers down:
   *
   *   for (int id : farmers(0)) command(id, Bottom);
   *
   * API.md lists everything you can ask and order.
   */
  virtual void play () {
  }

};

/**
 * Tells the game about your player. Leave it as it is.
 */
RegisterPlayer(PLAYER_NAME);
