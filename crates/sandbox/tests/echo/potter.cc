#include "Player.hh"
#define PLAYER_NAME Echoes

struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }

  void settings() {
    Echo e;
    e.words({num_players(), num_rounds(), board_rows(), board_cols(), num_ini_wizards_per_clan(), num_ini_books(),
             clan_ini_magic_strength(), points_for_converting_wizard(), points_per_owned_cell(), book_magic_strength(),
             rounds_for_converting_wizard(), rounds_attack_resting_ghost(), rounds_spell_resting_ghost(),
             rounds_no_attack_ghost()});
    e.tell("settings");
  }

  virtual void play() {
    if (round() == 0) settings();
    int units = 0;
    while (unit(units).id == units) ++units;
    vector<int> ingredients = spell_ingredients();
    Echo e;
    e.words({round(), units, (int)ingredients.size(), 0, pos_voldemort().i, pos_voldemort().j});
    for (int pl = 0; pl < 4; ++pl) e.real(status(pl));
    for (int pl = 0; pl < 4; ++pl) e.word(score(pl));
    for (int pl = 0; pl < 4; ++pl) e.word(magic_strength(pl));
    for (int pl = 0; pl < 4; ++pl) e.word(ghost(pl));
    for (int pl = 0; pl < 4; ++pl) e.word(wizards(pl).size());
    for (int i = 0; i < board_rows(); ++i) {
      unsigned long long books = 0;
      for (int j = 0; j < board_cols(); ++j) books |= (unsigned long long)cell(i, j).book << j;
      e.raw(&books, 8);
    }
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j) {
        Cell c = cell(i, j);
        e.byte(c.type == Wall ? 'W' : c.owner == -1 ? '.' : '0' + c.owner);
      }
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j) e.half(cell(i, j).id);
    for (int id = 0; id < units; ++id) {
      Unit u = unit(id);
      for (int value : {(int)u.type, u.player, u.pos.i, u.pos.j}) e.byte(value);
      if (u.type == Wizard) e.words({u.rounds_for_converting(), u.player_to_be_converted_to()});
      else e.words({u.resting_rounds(), u.last_attack_received()});
    }
    e.words(ingredients);
    for (int pl = 0; pl < 4; ++pl)
      for (int id : wizards(pl)) e.half(id);
    e.tell("state");
  }
};

RegisterPlayer(PLAYER_NAME);
