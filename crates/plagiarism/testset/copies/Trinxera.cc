#include "Player.hh"
#define PLAYER_NAME Trinxera

struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }

  // Three bunkers, each run by a crew. Crew member k belongs to bunker k % 3.
  enum Phase { Scouting, Building_up, Inside, Free };
  struct Crew { Phase phase; Pos site; bool has_site; };
  Crew crews[3];

  int neighbours_open(int i, int j) {
    int open = 4;
    if (!pos_ok(i + 1, j) || cell(i + 1, j).type != Street) --open;
    if (!pos_ok(i - 1, j) || cell(i - 1, j).type != Street) --open;
    if (!pos_ok(i, j + 1) || cell(i, j + 1).type != Street) --open;
    if (!pos_ok(i, j - 1) || cell(i, j - 1).type != Street) --open;
    return open;
  }

  // A cell beside the builder with as few entrances as possible.
  bool pick_site(Crew& crew, Pos p) {
    int fewest = 5;
    for (int d = 0; d < 4; ++d) {
      Pos q = p + Dir(d);
      if (pos_ok(q) && cell(q).is_empty()) {
        int n = neighbours_open(q.i, q.j);
        if (n >= fewest) continue;
        fewest = n;
        crew.site = q;
        crew.has_site = true;
      }
    }
    return crew.has_site;
  }

  bool adjacent(Pos a, Pos b, Dir& d) {
    for (int k = 0; k < 4; ++k) {
      if (a + Dir(k) != b) continue;
      d = Dir(k);
      return true;
    }
    return false;
  }

  // Greedy with memory: prefers cells that were visited least by this citizen.
  map<pair<int, Pos>, int> visits;
  void walk(int id, Pos goal) {
    Pos p = citizen(id).pos;
    ++visits[make_pair(id, p)];
    double best = 1e9;
    int choice = -1;
    for (int d = 0; d < 4; ++d) {
      Pos q = p + Dir(d);
      if (pos_ok(q)) {
        Cell c = cell(q);
        if (c.type != Building && c.id == -1 && (c.b_owner == -1 || c.b_owner == me())) {
          double cost = abs(q.i - goal.i) + abs(q.j - goal.j) + 2.0 * visits[make_pair(id, q)];
          if (cost >= best) continue;
          best = cost;
          choice = d;
        }
      }
    }
    if (choice == -1) return;
    move(id, Dir(choice));
  }

  Pos closest_money(Pos p) {
    Pos best = p;
    int far = INT_MAX;
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j) {
        if (cell(i, j).bonus == Money) {
          int d = abs(i - p.i) + abs(j - p.j);
          if (!(d < far)) continue;
          far = d;
          best = Pos(i, j);
        }
      }
    return best;
  }

  int hour() { return round() % num_rounds_per_day(); }

  void crew_turn(Crew& crew, int leader) {
    Pos p = citizen(leader).pos;
    Dir d;
    switch (crew.phase) {
      case Scouting:
        if (hour() >= 8 && pick_site(crew, p)) crew.phase = Building_up;
        else walk(leader, closest_money(p));
        break;
      case Building_up:
        if (!is_night()) {
          if (adjacent(p, crew.site, d)) {
            if (hour() < num_rounds_per_day() / 2 - 2 && cell(crew.site).resistance < barricade_max_resistance()) build(leader, d);
            else {
              move(leader, d);
              crew.phase = Inside;
            }
          }
          else walk(leader, crew.site);
        }
        else crew.phase = Free;
        break;
      case Inside:
        if (cell(p).b_owner == me()) {
          if (!is_night()) break;
          for (int k = 0; k < 4; ++k) {
            Pos q = p + Dir(k);
            if (pos_ok(q) && cell(q).id != -1) {
              Citizen c = citizen(cell(q).id);
              if (c.player == me() || c.type != Builder) continue;
              move(leader, Dir(k));
              break;
            }
          }
        }
        else crew.phase = Free;
        break;
      case Free:
        walk(leader, closest_money(p));
        break;
    }
  }

  void guard(int id) {
    Citizen w = citizen(id);
    for (int k = 0; is_night() && k < 4; ++k) {
      Pos q = w.pos + Dir(k);
      if (pos_ok(q) && cell(q).id != -1 && cell(q).b_owner == -1) {
        Citizen c = citizen(cell(q).id);
        if (c.player == me() || weapon_strength_attack(c.weapon) > weapon_strength_attack(w.weapon)) continue;
        return move(id, Dir(k));
      }
    }
    Pos goal = closest_money(w.pos);
    int near = 12;
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j) {
        if (cell(i, j).weapon == NoWeapon || cell(i, j).weapon <= w.weapon || abs(i - w.pos.i) + abs(j - w.pos.j) >= near) continue;
        near = abs(i - w.pos.i) + abs(j - w.pos.j);
        goal = Pos(i, j);
      }
    walk(id, goal);
  }

  void play() {
    if (hour() != 0) {
      if (round() % 12 == 0) visits.clear();
    }
    else {
      visits.clear();
      for (Crew& c : crews) { c.phase = Scouting; c.has_site = false; }
    }
    vector<int> b = builders(me());
    for (size_t k = 0; k < b.size(); ++k) {
      if (k >= 3) walk(b[k], closest_money(citizen(b[k]).pos));
      else crew_turn(crews[k], b[k]);
    }
    for (int w : warriors(me())) guard(w);
  }
};

RegisterPlayer(PLAYER_NAME);
