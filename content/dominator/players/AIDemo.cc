#include "Player.hh"

#define PLAYER_NAME Demo

// A player that draws most of its decisions.
struct PLAYER_NAME : public Player {

  static Player* factory() { return new PLAYER_NAME; }

  // How each farmer walks, by its id: decided when it is first seen.
  enum Walk { Undecided, Staggers, InCircles };
  vector<Walk> walks;

  void move_farmers() {
    for (int id : farmers(0)) {
      if (id >= (int)walks.size()) walks.resize(id + 1, Undecided);
      if (walks[id] == Undecided) walks[id] = random(0, 1) == 1 ? InCircles : Staggers;
      if (walks[id] == InCircles) command(id, Dir(2 * (round() % 4)));
      else command(id, Dir(2 * random(0, 3)));
    }
  }

  bool is_prey(Pos p) {
    if (!pos_ok(p)) return false;
    int id = cell(p).id;
    if (id == -1) return false;
    Unit u = unit(id);
    return u.player != 0 && u.type != Witch;
  }

  // A direction with somebody to attack, or else any direction.
  Dir attack(Pos p) {
    Dir options[8];
    int count = 0;
    for (int d = 0; d < 8; ++d)
      if (is_prey(p + Dir(d))) options[count++] = Dir(d);
    return count == 0 ? Dir(random(0, 7)) : options[random(0, count - 1)];
  }

  // Knights attack in even rounds, and scatter diagonally in odd ones.
  void move_knights() {
    vector<int> ids = knights(0);
    if (round() % 2 == 0) {
      for (int id : ids) command(id, attack(unit(id).pos));
      return;
    }
    vector<int> perm = random_permutation(ids.size());
    for (int k = 0; k < (int)ids.size(); ++k) command(ids[k], Dir(2 * (perm[k] % 4) + 1));
  }

  // Of four different random places, one has to be in the lower half.
  Dir up_by_chance() {
    set<Pos> places;
    while (places.size() < 4) {
      int j = random(0, 36);  // drawn before the row
      int i = random(0, 36);
      places.insert(Pos(i, j));
    }
    set<Pos>::iterator chosen = places.begin();
    for (int k = random(0, 3); k > 0; --k) ++chosen;
    return chosen->i < 18 ? None : Top;
  }

  Dir first_witch() {
    if (round() < 40) return Top;
    if (round() < 80) return Left;
    if (round() < 120) return None;
    if (round() < 160) return Bottom;
    return up_by_chance();
  }

  Dir second_witch() {
    if (status(0) > 0.8) return Left;
    if (total_score(1) > 10000) return Bottom;
    if (land(3) > 100) return Right;
    if (pos_ok(35, 35) && cell(35, 35).type == Wall) return None;
    return Top;
  }

  virtual void play() {
    move_farmers();
    move_knights();
    vector<int> ids = witches(0);
    if (ids.size() > 0) command(ids[0], first_witch());
    if (ids.size() > 1) command(ids[1], second_witch());
  }
};

RegisterPlayer(PLAYER_NAME);
