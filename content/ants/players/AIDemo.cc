#include "Player.hh"

/**
 * The example player: it leaves nearly everything to chance.
 */
#define PLAYER_NAME Demo

struct PLAYER_NAME : public Player {

  static Player* factory () {
    return new PLAYER_NAME;
  }

  // Where soldiers go; drawn in the first round and kept.
  Dir direction;

  bool ahead_of_everybody () {
    for (int pl = 0; pl < num_players(); ++pl)
      if (pl != me() and score(pl) >= score(me())) return false;
    return true;
  }

  // One soldier walks, three times out of four.
  void move_a_soldier () {
    vector<int> mine = soldiers(me());
    if (random(0, 3) != 0 and not mine.empty())
      move(mine[random(0, (int)mine.size() - 1)], direction);
  }

  // Workers pick up food, put it down again, and otherwise walk up.
  void move_workers () {
    vector<int> mine = workers(me());
    for (int k : random_permutation(mine.size())) {
      Ant worker = ant(mine[k]);
      Pos above = worker.pos + Up;
      if (cell(worker.pos).bonus != None) take(worker.id);
      else if (worker.bonus != None) leave(worker.id);
      else if (pos_ok(above) and cell(above).type != Water and cell(above).id == -1) move(worker.id, Up);
    }
  }

  void lay_an_egg () {
    vector<int> mine = queens(me());
    if (mine.empty()) return;
    if (random(0, 1) == 1) lay(mine[0], Right, Soldier);
    else lay(mine[0], Left, Worker);
  }

  virtual void play () {
    if (round() == 0) direction = Dir(random(0, 3));
    if (round() > num_rounds() / 2 or ahead_of_everybody() or status(me()) >= 0.9) return;
    move_a_soldier();
    move_workers();
    lay_an_egg();
  }

};

RegisterPlayer(PLAYER_NAME);
