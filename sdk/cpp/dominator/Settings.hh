#ifndef Settings_hh
#define Settings_hh

#include "Structs.hh"

class Settings {
  // In the order of the config file.
  int ludus_settings_[13] = {};

public:
  static string version() { return "Dominator 4.0"; }

  int nb_players() const { return ludus_settings_[0]; }
  int nb_rounds() const { return ludus_settings_[1]; }
  // Units of each player at the beginning.
  int nb_farmers() const { return ludus_settings_[2]; }
  int nb_knights() const { return ludus_settings_[3]; }
  int nb_witches() const { return ludus_settings_[4]; }
  // Health at birth, which is also the most a unit can have.
  int farmers_health() const { return ludus_settings_[5]; }
  int knights_health() const { return ludus_settings_[6]; }
  // What a unit without an order gains in a round.
  int farmers_regen() const { return ludus_settings_[7]; }
  int knights_regen() const { return ludus_settings_[8]; }
  // What an attack takes.
  int damage_min() const { return ludus_settings_[9]; }
  int damage_max() const { return ludus_settings_[10]; }
  int rows() const { return ludus_settings_[11]; }
  int cols() const { return ludus_settings_[12]; }

  bool player_ok(int pl) const { return pl >= 0 && pl < nb_players(); }
  bool pos_ok(int i, int j) const { return i >= 0 && i < rows() && j >= 0 && j < cols(); }
  bool pos_ok(Pos p) const { return pos_ok(p.i, p.j); }

  // For the host only.
  void ludus_read_settings_(const unsigned char* room) { memcpy(ludus_settings_, room, sizeof ludus_settings_); }
};

#endif
