#ifndef Settings_hh
#define Settings_hh

#include "Structs.hh"

class Settings {
  // In the order of the config file.
  int ludus_settings_[34] = {};

public:
  static string version() { return "ThePurge 1.0"; }

  int num_players() const { return ludus_settings_[0]; }
  int num_days() const { return ludus_settings_[1]; }
  int num_rounds_per_day() const { return ludus_settings_[2]; }
  int board_rows() const { return ludus_settings_[3]; }
  int board_cols() const { return ludus_settings_[4]; }
  int num_ini_builders() const { return ludus_settings_[5]; }
  int num_ini_warriors() const { return ludus_settings_[6]; }
  int num_ini_money() const { return ludus_settings_[7]; }
  int num_ini_food() const { return ludus_settings_[8]; }
  int num_ini_guns() const { return ludus_settings_[9]; }
  int num_ini_bazookas() const { return ludus_settings_[10]; }
  int builder_ini_life() const { return ludus_settings_[11]; }
  int warrior_ini_life() const { return ludus_settings_[12]; }
  int money_points() const { return ludus_settings_[13]; }
  int kill_builder_points() const { return ludus_settings_[14]; }
  int kill_warrior_points() const { return ludus_settings_[15]; }
  int food_incr_life() const { return ludus_settings_[16]; }
  int life_lost_in_attack() const { return ludus_settings_[17]; }
  int builder_strength_attack() const { return ludus_settings_[18]; }
  int hammer_strength_attack() const { return ludus_settings_[19]; }
  int gun_strength_attack() const { return ludus_settings_[20]; }
  int bazooka_strength_attack() const { return ludus_settings_[21]; }
  int builder_strength_demolish() const { return ludus_settings_[22]; }
  int hammer_strength_demolish() const { return ludus_settings_[23]; }
  int gun_strength_demolish() const { return ludus_settings_[24]; }
  int bazooka_strength_demolish() const { return ludus_settings_[25]; }
  int num_rounds_regen_builder() const { return ludus_settings_[26]; }
  int num_rounds_regen_warrior() const { return ludus_settings_[27]; }
  int num_rounds_regen_food() const { return ludus_settings_[28]; }
  int num_rounds_regen_money() const { return ludus_settings_[29]; }
  int num_rounds_regen_weapon() const { return ludus_settings_[30]; }
  int barricade_resistance_step() const { return ludus_settings_[31]; }
  int barricade_max_resistance() const { return ludus_settings_[32]; }
  int max_num_barricades() const { return ludus_settings_[33]; }

  int num_rounds() const { return num_days() * num_rounds_per_day(); }

  int citizen_ini_life(CitizenType t) const {
    switch ((int)t) {
      case Builder: return builder_ini_life();
      case Warrior: return warrior_ini_life();
      default: return -1;
    }
  }

  // Strength in a fight; without a weapon, that of a builder.
  int weapon_strength_attack(WeaponType w) const {
    switch ((int)w) {
      case Hammer: return hammer_strength_attack();
      case Gun: return gun_strength_attack();
      case Bazooka: return bazooka_strength_attack();
      case NoWeapon: return builder_strength_attack();
      default: return -1;
    }
  }

  // Strength against a barricade; without a weapon, that of a builder.
  int weapon_strength_demolish(WeaponType w) const {
    switch ((int)w) {
      case Hammer: return hammer_strength_demolish();
      case Gun: return gun_strength_demolish();
      case Bazooka: return bazooka_strength_demolish();
      case NoWeapon: return builder_strength_demolish();
      default: return -1;
    }
  }

  int num_rounds_regen_citizen(CitizenType t) const {
    switch ((int)t) {
      case Builder: return num_rounds_regen_builder();
      case Warrior: return num_rounds_regen_warrior();
      default: return -1;
    }
  }

  bool player_ok(int pl) const { return pl >= 0 && pl < num_players(); }
  bool pos_ok(int i, int j) const { return i >= 0 && i < board_rows() && j >= 0 && j < board_cols(); }
  bool pos_ok(Pos p) const { return pos_ok(p.i, p.j); }

  // Any round, even one after the end of the match.
  bool is_round_day(int r) const { return r % num_rounds_per_day() < num_rounds_per_day() / 2; }
  bool is_round_night(int r) const { return !is_round_day(r); }

  // For the host only.
  void ludus_read_settings_(const unsigned char* room) { memcpy(ludus_settings_, room, sizeof ludus_settings_); }
};

#endif
