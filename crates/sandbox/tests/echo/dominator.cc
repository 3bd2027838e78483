#include "Player.hh"
#define PLAYER_NAME Echoes

struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }

  void settings() {
    Echo e;
    e.words({nb_players(), nb_rounds(), nb_farmers(), nb_knights(), nb_witches(), farmers_health(), knights_health(),
             farmers_regen(), knights_regen(), damage_min(), damage_max(), rows(), cols()});
    e.tell("settings");
  }

  virtual void play() {
    if (round() == 0) settings();
    vector<int> ids;
    Echo e;
    e.words({round(), nb_units()});
    for (int pl = 0; pl < 4; ++pl) e.word(land(pl));
    for (int pl = 0; pl < 4; ++pl) e.word(total_score(pl));
    for (int pl = 0; pl < 4; ++pl) e.real(status(pl));
    for (int pl = 0; pl < 4; ++pl)
      for (const vector<int>& list : {farmers(pl), knights(pl), witches(pl)}) {
        ids.insert(ids.end(), list.begin(), list.end());
        e.word(ids.size());
      }
    e.words({0, 0});
    for (int i = 0; i < rows(); ++i)
      for (int j = 0; j < cols(); ++j) {
        Cell c = cell(i, j);
        e.byte((c.owner + 1) | (c.type == Wall) << 4 | c.haunted << 5);
      }
    e.align();
    for (int i = 0; i < rows(); ++i)
      for (int j = 0; j < cols(); ++j) e.word(cell(i, j).id);
    e.words(ids);
    for (int id = 0; id < nb_units(); ++id) {
      Unit u = unit(id);
      e.words({u.type, u.id, u.player, u.health, u.pos.i, u.pos.j, u.active});
    }
    e.tell("state");
  }
};

RegisterPlayer(PLAYER_NAME);
