#include "Player.hh"
#define PLAYER_NAME Echoes

struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }

  void settings() {
    Echo e;
    e.words({num_players(), num_days(), num_rounds_per_day(), board_rows(), board_cols(), num_ini_builders(),
             num_ini_warriors(), num_ini_money(), num_ini_food(), num_ini_guns(), num_ini_bazookas(),
             citizen_ini_life(Builder), citizen_ini_life(Warrior), money_points(), kill_builder_points(),
             kill_warrior_points(), food_incr_life(), life_lost_in_attack()});
    for (WeaponType w : {NoWeapon, Hammer, Gun, Bazooka}) e.word(weapon_strength_attack(w));
    for (WeaponType w : {NoWeapon, Hammer, Gun, Bazooka}) e.word(weapon_strength_demolish(w));
    e.words({num_rounds_regen_citizen(Builder), num_rounds_regen_citizen(Warrior), num_rounds_regen_food(),
             num_rounds_regen_money(), num_rounds_regen_weapon(), barricade_resistance_step(),
             barricade_max_resistance(), max_num_barricades()});
    e.tell("settings");
  }

  virtual void play() {
    if (round() == 0) settings();
    set<int> ids;
    map<Pos, int> owners;
    for (int pl = 0; pl < 4; ++pl) {
      for (const vector<int>& list : {builders(pl), warriors(pl)}) ids.insert(list.begin(), list.end());
      for (Pos p : barricades(pl)) owners[p] = pl;
    }
    Echo e;
    e.words({round(), is_day(), (int)ids.size(), (int)owners.size()});
    for (int pl = 0; pl < 4; ++pl) e.word(score(pl));
    for (int pl = 0; pl < 4; ++pl) e.real(status(pl));
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j) {
        Cell c = cell(i, j);
        e.byte(c.weapon | c.bonus << 2 | c.type << 4 | (c.b_owner + 1) << 5);
      }
    e.align();
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j) e.word(cell(i, j).id);
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j) e.word(cell(i, j).resistance);
    for (int id : ids) {
      Citizen c = citizen(id);
      e.words({c.id, c.type, c.player, c.pos.i, c.pos.j, c.weapon, c.life});
    }
    for (const pair<const Pos, int>& b : owners) e.words({b.second, b.first.i, b.first.j, cell(b.first).resistance});
    e.tell("state");
  }
};

RegisterPlayer(PLAYER_NAME);
