// A player that leaves most of its decisions to chance.
#include "Player.hh"

#define PLAYER_NAME Demo

struct PLAYER_NAME : public Player {
  static Player* factory() {
    return new PLAYER_NAME;
  }

  // Wizards go in these; ghosts also diagonally.
  const vector<Dir> dirs = {Up, Down, Left, Right};

  bool is_open(Pos p) {
    return pos_ok(p) and cell(p).type != Wall;
  }

  bool has_enemy_wizard(Pos p) {
    if (not pos_ok(p) or cell(p).id == -1) return false;
    Unit u = unit(cell(p).id);
    return u.type == Wizard and u.player != me();
  }

  void wander(const vector<int>& ids) {
    for (int id : ids) {
      Dir d = dirs[random(0, 3)];
      if (is_open(unit(id).pos + d)) move(id, d);
    }
  }

  void drift(const vector<int>& ids) {
    for (int id : ids)
      if (is_open(unit(id).pos + Left)) move(id, Left);
  }

  void attack(const vector<int>& ids) {
    for (int id : ids) {
      for (Dir d : dirs) {
        if (has_enemy_wizard(unit(id).pos + d)) {
          move(id, d);
          break;
        }
      }
    }
  }

  virtual void play() {
    // A player that uses up its CPU time gives no more orders at all.
    if (status(me()) >= 0.9) return;

    // It decides for everybody as many times as it has wizards. Only the first
    // order for a wizard counts, so a wizard that got none has more chances.
    vector<int> ids = wizards(me());
    for (int times = 0; times < int(ids.size()); ++times) {
      if (round() % 2 == 0) wander(ids);
      else if (random(0, 3) <= 1) drift(ids);
      else attack(ids);
    }

    // The group of each ingredient: right for very few puzzles.
    spell(ghost(me()), {0, 2, 4, 1, 3, 2, 0, 1, 4, 1, 4, 0, 3, 3, 2});
  }
};

RegisterPlayer(PLAYER_NAME);
