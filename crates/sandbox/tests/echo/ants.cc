#include "Player.hh"
#define PLAYER_NAME Echoes

struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }

  void settings() {
    Echo e;
    e.words({num_players(), num_rounds(), board_rows(), board_cols(), queen_period()});
    for (AntType a : {Soldier, Worker})
      for (NutrientType n : {Carbohydrate, Protein, Lipid}) e.word(needed(a, n));
    for (BonusType b : {Bread, Seed, Leaf})
      for (NutrientType n : {Carbohydrate, Protein, Lipid}) e.word(contains(b, n));
    e.words({num_ini_soldiers(), num_ini_workers(), bonus_rows(), bonus_cols(), bonus_period()});
    for (AntType a : {Worker, Soldier, Queen}) e.word(life(a));
    e.tell("settings");
  }

  virtual void play() {
    if (round() == 0) settings();
    set<int> ids;
    for (int pl = 0; pl < 4; ++pl)
      for (const vector<int>& list : {queens(pl), soldiers(pl), workers(pl)}) ids.insert(list.begin(), list.end());
    Echo e;
    e.words({round(), (int)ids.size()});
    for (int pl = 0; pl < 4; ++pl) e.word(score(pl));
    for (int pl = 0; pl < 4; ++pl) e.real(status(pl));
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j) e.byte(cell(i, j).bonus + 16 * (cell(i, j).type == Water));
    e.align();
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j) e.word(cell(i, j).id);
    for (int id : ids) {
      Ant a = ant(id);
      e.words({a.id, a.type, a.player, a.pos.i, a.pos.j, a.reserve[0], a.reserve[1], a.reserve[2], a.bonus, a.life});
    }
    e.tell("state");
  }
};

RegisterPlayer(PLAYER_NAME);
