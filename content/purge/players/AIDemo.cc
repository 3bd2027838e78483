#include "Player.hh"

/**
 * The example player: it leaves nearly everything to chance.
 */
#define PLAYER_NAME Demo

struct PLAYER_NAME : public Player {

  static Player* factory () {
    return new PLAYER_NAME;
  }

  // The order in which it looks around.
  const vector<Dir> dirs = {Up, Down, Left, Right};

  Dir any_dir () {
    return dirs[random(0, 3)];
  }

  // Orders a move to food next to the builder, to the last if there are several.
  bool eat (const Citizen& builder) {
    int chosen = -1;
    for (Dir d : dirs)
      if (pos_ok(builder.pos + d) and cell(builder.pos + d).bonus == Food) chosen = d;
    if (chosen == -1) return false;
    move(builder.id, Dir(chosen));
    return true;
  }

  // Builds in the first direction that stays on the board.
  void build_anywhere (const Citizen& builder) {
    for (Dir d : dirs)
      if (pos_ok(builder.pos + d)) {
        build(builder.id, d);
        return;
      }
  }

  void wander (const Citizen& builder) {
    Dir d = any_dir();
    Pos next = builder.pos + d;
    if (not pos_ok(next)) return;
    int id = cell(next).id;
    if (id == -1 or citizen(id).type == Builder) move(builder.id, d);
  }

  void play_builder (const Citizen& builder) {
    if (eat(builder)) return;
    if (random(0, 3) < 2) build_anywhere(builder);
    else wander(builder);
  }

  void play_warrior (const Citizen& warrior) {
    if (random(0, 9) >= 6) return;
    Dir d = any_dir();
    if (pos_ok(warrior.pos + d)) move(warrior.id, d);
  }

  virtual void play () {
    if (status(me()) >= 0.9 or round() > num_rounds() / 2) return;
    if (is_day())
      for (int id : builders(me())) play_builder(citizen(id));
    else
      for (int id : warriors(me())) play_warrior(citizen(id));
  }

};

RegisterPlayer(PLAYER_NAME);
