#include "Player.hh"

#define PLAYER_NAME Sheriff

/*
 * Jobs are objects. Each job says how urgent it is for a citizen and how to
 * do it; a citizen takes the most urgent one.
 */

struct PLAYER_NAME;

class Job {
public:
  virtual ~Job() {}
  virtual int urgency(PLAYER_NAME& town, const Citizen& c) = 0;
  virtual void perform(PLAYER_NAME& town, const Citizen& c) = 0;
};

struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }

  vector<unique_ptr<Job>> jobs;
  set<Pos> reserved;

  bool walkable(Pos p) {
    return pos_ok(p) && cell(p).type == Street && (cell(p).b_owner == -1 || cell(p).b_owner == me());
  }

  // Bidirectional in spirit: grows a ball around the target until it touches a
  // neighbour of the citizen, so the answer is the step itself.
  int step_towards(Pos from, Pos to) {
    set<Pos> ball = {to}, shell = {to};
    for (int radius = 0; radius < 60 && !shell.empty(); ++radius) {
      for (int d = 0; d < 4; ++d)
        if (shell.count(from + Dir(d)) && (cell(from + Dir(d)).id == -1 || from + Dir(d) == to)) return d;
      set<Pos> outer;
      for (const Pos& p : shell)
        for (int d = 0; d < 4; ++d) {
          Pos q = p + Dir(d);
          if (walkable(q) && ball.insert(q).second) outer.insert(q);
        }
      shell = outer;
    }
    return -1;
  }

  bool nearest(Pos from, const function<bool(Pos)>& good, Pos& answer, int limit = 99) {
    int best = limit;
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j) {
        Pos p(i, j);
        int d = abs(i - from.i) + abs(j - from.j);
        if (d > 0 && d < best && !reserved.count(p) && good(p)) {
          best = d;
          answer = p;
        }
      }
    return best < limit;
  }

  bool ride(int id, Pos goal) {
    int d = step_towards(citizen(id).pos, goal);
    if (d == -1) return false;
    reserved.insert(goal);
    reserved.insert(citizen(id).pos + Dir(d));
    move(id, Dir(d));
    return true;
  }

  bool outlaw(Pos p, int weaker_than) {
    int id = cell(p).id;
    if (id == -1 || citizen(id).player == me() || cell(p).b_owner != -1) return false;
    return weapon_strength_attack(citizen(id).weapon) < weaker_than;
  }

  void play() override;
};

class Arm : public Job {
  Pos spot;
public:
  int urgency(PLAYER_NAME& town, const Citizen& c) override {
    if (c.type == Builder || c.weapon == Bazooka) return 0;
    auto good = [&](Pos p) { return town.cell(p).weapon != NoWeapon && town.cell(p).weapon > c.weapon; };
    return town.nearest(c.pos, good, spot, 25) ? 60 : 0;
  }
  void perform(PLAYER_NAME& town, const Citizen& c) override { town.ride(c.id, spot); }
};

class Arrest : public Job {
  Pos spot;
public:
  int urgency(PLAYER_NAME& town, const Citizen& c) override {
    if (c.type == Builder || town.is_day()) return 0;
    int s = town.weapon_strength_attack(c.weapon);
    return town.nearest(c.pos, [&](Pos p) { return town.outlaw(p, s); }, spot, 18) ? 50 + (c.life > 60 ? 20 : 0) : 0;
  }
  void perform(PLAYER_NAME& town, const Citizen& c) override {
    town.ride(c.id, spot);
    town.reserved.erase(spot);
  }
};

class Heal : public Job {
  Pos spot;
public:
  int urgency(PLAYER_NAME& town, const Citizen& c) override {
    int lost = town.citizen_ini_life(c.type) - c.life;
    if (lost < 20) return 0;
    return town.nearest(c.pos, [&](Pos p) { return town.cell(p).bonus == Food; }, spot, 15) ? 30 + lost : 0;
  }
  void perform(PLAYER_NAME& town, const Citizen& c) override { town.ride(c.id, spot); }
};

class Collect : public Job {
  Pos spot;
public:
  int urgency(PLAYER_NAME& town, const Citizen& c) override {
    return town.nearest(c.pos, [&](Pos p) { return town.cell(p).bonus == Money; }, spot) ? 20 : 0;
  }
  void perform(PLAYER_NAME& town, const Citizen& c) override { town.ride(c.id, spot); }
};

class Hide : public Job {
  int way;
public:
  int urgency(PLAYER_NAME& town, const Citizen& c) override {
    if (town.is_day() || c.type == Warrior) return 0;
    Pos threat;
    auto armed = [&](Pos p) { return town.cell(p).id != -1 && town.citizen(town.cell(p).id).player != town.me()
                                  && town.citizen(town.cell(p).id).type == Warrior; };
    if (!town.nearest(c.pos, armed, threat, 5)) return 0;
    way = -1;
    int best = abs(threat.i - c.pos.i) + abs(threat.j - c.pos.j);
    for (int d = 0; d < 4; ++d) {
      Pos q = c.pos + Dir(d);
      int far = abs(threat.i - q.i) + abs(threat.j - q.j);
      if (town.walkable(q) && town.cell(q).id == -1 && far > best) best = far, way = d;
    }
    return way == -1 ? 0 : 90;
  }
  void perform(PLAYER_NAME& town, const Citizen& c) override { town.move(c.id, Dir(way)); }
};

void PLAYER_NAME::play() {
  if (jobs.empty()) {
    jobs.emplace_back(new Hide);
    jobs.emplace_back(new Heal);
    jobs.emplace_back(new Arm);
    jobs.emplace_back(new Arrest);
    jobs.emplace_back(new Collect);
  }
  reserved.clear();
  if (status(me()) > 0.9) return;
  vector<int> everybody = warriors(me());
  for (int id : builders(me())) everybody.push_back(id);
  for (int id : everybody) {
    Job* chosen = nullptr;
    int top = 0;
    for (auto& job : jobs) {
      int u = job->urgency(*this, citizen(id));
      if (u > top) top = u, chosen = job.get();
    }
    if (chosen) chosen->perform(*this, citizen(id));
  }
}

RegisterPlayer(PLAYER_NAME);
