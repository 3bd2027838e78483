#ifndef Settings_hh
#define Settings_hh

#include "Structs.hh"

class Settings {
  // In the order of the config file.
  int ludus_settings_[28] = {};

public:
  static string version() { return "Ants 1.0"; }

  int num_players() const { return ludus_settings_[0]; }
  int num_rounds() const { return ludus_settings_[1]; }
  int board_rows() const { return ludus_settings_[2]; }
  int board_cols() const { return ludus_settings_[3]; }
  int queen_period() const { return ludus_settings_[4]; }
  int soldier_carbo() const { return ludus_settings_[5]; }
  int soldier_prote() const { return ludus_settings_[6]; }
  int soldier_lipid() const { return ludus_settings_[7]; }
  int worker_carbo() const { return ludus_settings_[8]; }
  int worker_prote() const { return ludus_settings_[9]; }
  int worker_lipid() const { return ludus_settings_[10]; }
  int bread_carbo() const { return ludus_settings_[11]; }
  int bread_prote() const { return ludus_settings_[12]; }
  int bread_lipid() const { return ludus_settings_[13]; }
  int seed_carbo() const { return ludus_settings_[14]; }
  int seed_prote() const { return ludus_settings_[15]; }
  int seed_lipid() const { return ludus_settings_[16]; }
  int leaf_carbo() const { return ludus_settings_[17]; }
  int leaf_prote() const { return ludus_settings_[18]; }
  int leaf_lipid() const { return ludus_settings_[19]; }
  int num_ini_soldiers() const { return ludus_settings_[20]; }
  int num_ini_workers() const { return ludus_settings_[21]; }
  int bonus_rows() const { return ludus_settings_[22]; }
  int bonus_cols() const { return ludus_settings_[23]; }
  int bonus_period() const { return ludus_settings_[24]; }
  int worker_life() const { return ludus_settings_[25]; }
  int soldier_life() const { return ludus_settings_[26]; }
  int queen_life() const { return ludus_settings_[27]; }

  // Amount of a nutrient that an egg costs.
  int needed(AntType a, NutrientType n) const {
    if (a == Queen) {
      cerr << "warning: asked for nutrients for an egg of a queen" << endl;
      return 0;
    }
    if ((int)n < 0 || (int)n > 2) return 0;
    return ludus_settings_[(a == Soldier ? 5 : 8) + n];
  }

  // Amount of a nutrient in a piece of food.
  int contains(BonusType b, NutrientType n) const {
    if ((int)b < 0 || (int)b > 2 || (int)n < 0 || (int)n > 2) return 0;
    return ludus_settings_[11 + 3 * b + n];
  }

  int life(AntType a) const {
    switch ((int)a) {
      case Queen: return queen_life();
      case Soldier: return soldier_life();
      case Worker: return worker_life();
      default: return 0;
    }
  }

  bool player_ok(int pl) const { return pl >= 0 && pl < num_players(); }
  bool pos_ok(int i, int j) const { return i >= 0 && i < board_rows() && j >= 0 && j < board_cols(); }
  bool pos_ok(Pos p) const { return pos_ok(p.i, p.j); }

  // For the host only.
  void ludus_read_settings_(const unsigned char* room) { memcpy(ludus_settings_, room, sizeof ludus_settings_); }
};

#endif
