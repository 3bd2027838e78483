#ifndef Settings_hh
#define Settings_hh

#include "Structs.hh"

class Settings {
  // In the order of the config file.
  int ludus_settings_[14] = {};

public:
  static string version() { return "HarryPotter 1.0"; }

  int num_players() const { return ludus_settings_[0]; }
  int num_rounds() const { return ludus_settings_[1]; }
  int board_rows() const { return ludus_settings_[2]; }
  int board_cols() const { return ludus_settings_[3]; }
  int num_ini_wizards_per_clan() const { return ludus_settings_[4]; }
  int num_ini_books() const { return ludus_settings_[5]; }
  int clan_ini_magic_strength() const { return ludus_settings_[6]; }
  int points_for_converting_wizard() const { return ludus_settings_[7]; }
  int points_per_owned_cell() const { return ludus_settings_[8]; }
  int book_magic_strength() const { return ludus_settings_[9]; }
  int rounds_for_converting_wizard() const { return ludus_settings_[10]; }
  int rounds_attack_resting_ghost() const { return ludus_settings_[11]; }
  int rounds_spell_resting_ghost() const { return ludus_settings_[12]; }
  int rounds_no_attack_ghost() const { return ludus_settings_[13]; }

  bool player_ok(int pl) const { return pl >= 0 && pl < num_players(); }
  bool pos_ok(int i, int j) const { return i >= 0 && i < board_rows() && j >= 0 && j < board_cols(); }
  bool pos_ok(Pos p) const { return pos_ok(p.i, p.j); }

  // For the host only.
  void ludus_read_settings_(const unsigned char* room) { memcpy(ludus_settings_, room, sizeof ludus_settings_); }
};

#endif
