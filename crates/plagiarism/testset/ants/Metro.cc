#include "Player.hh"
#define PLAYER_NAME Metro

// The garden as a network of stations linked by pointers, built once.
class Station {
public:
  Pos where;
  vector<Station*> lines;
  Station* next = nullptr;   // towards the terminus of the last timetable
  int minutes = 0;
  int stamp = 0;
  bool full = false;

  explicit Station(Pos p) : where(p) {}

  Dir heading(const Station* to) const {
    if (to->where.i != where.i) return to->where.i > where.i ? Down : Up;
    return to->where.j > where.j ? Right : Left;
  }
};

class Network {
  vector<unique_ptr<Station>> all;
  vector<vector<Station*>> table;
  int clock_ = 0;
public:
  bool built() const { return !table.empty(); }

  Station* at(Pos p) const { return table[p.i][p.j]; }

  Station* open_station(Pos p) {
    if ((int) table.size() <= p.i) table.resize(p.i + 1);
    if ((int) table[p.i].size() <= p.j) table[p.i].resize(p.j + 1, nullptr);
    all.emplace_back(new Station(p));
    return table[p.i][p.j] = all.back().get();
  }

  void link(Station* a, Station* b) {
    a->lines.push_back(b);
    b->lines.push_back(a);
  }

  const vector<unique_ptr<Station>>& stations() const { return all; }

  // Every station learns the next stop towards its closest terminus.
  void timetable(list<Station*> front) {
    ++clock_;
    for (Station* s : front) {
      s->stamp = clock_;
      s->minutes = 0;
      s->next = nullptr;
    }
    while (!front.empty()) {
      Station* s = front.front();
      front.pop_front();
      for (Station* t : s->lines) {
        if (t->stamp == clock_) continue;
        t->stamp = clock_;
        t->minutes = s->minutes + 1;
        t->next = s;
        front.push_back(t);
      }
    }
  }

  bool reached(const Station* s) const { return s->stamp == clock_; }
};

struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }

  Network metro;

  void dig() {
    int height = board_rows(), width = board_cols();
    vector<vector<Station*>> grid(height, vector<Station*>(width, nullptr));
    for (int i = 0; i < height; ++i)
      for (int j = 0; j < width; ++j) {
        if (cell(i, j).type == Water) continue;
        grid[i][j] = metro.open_station(Pos(i, j));
        if (i > 0 && grid[i - 1][j]) metro.link(grid[i][j], grid[i - 1][j]);
        if (j > 0 && grid[i][j - 1]) metro.link(grid[i][j], grid[i][j - 1]);
      }
  }

  bool travel(const Ant& passenger) {
    Station* here = metro.at(passenger.pos);
    if (!metro.reached(here) || here->next == nullptr) return false;
    Station* stop = here->next;
    if (stop->full)   // another platform with the same travel time
      for (Station* t : here->lines)
        if (!t->full && t->minutes <= stop->minutes + 1) stop = t;
    if (stop->full) return false;
    stop->full = true;
    move(passenger.id, here->heading(stop));
    return true;
  }

  void hatch(const Ant& queen) {
    Station* here = metro.at(queen.pos);
    if (round() % queen_period() == 0)
      for (Station* t : here->lines)
        if (!t->full && cell(t->where).bonus != None) {
          t->full = true;
          move(queen.id, here->heading(t));
          return;
        }
    for (Station* t : here->lines)
      if (!t->full) {
        int lowest = min({queen.reserve[0], queen.reserve[1], queen.reserve[2]});
        if (lowest == 0) return;
        t->full = true;
        lay(queen.id, here->heading(t), lowest >= 3 && round() < 150 ? Soldier : Worker);
        return;
      }
  }

  void play() {
    if (!metro.built()) dig();
    vector<int> crown = queens(me());
    if (crown.empty()) return;
    Ant queen = ant(crown[0]);

    list<Station*> pantry, victims;
    for (auto& s : metro.stations()) {
      Cell c = cell(s->where);
      s->full = c.id != -1;
      int far = abs(s->where.i - queen.pos.i) + abs(s->where.j - queen.pos.j);
      if (c.bonus != None && far > 2) pantry.push_back(s.get());
      if (c.id != -1 && ant(c.id).player != me() && ant(c.id).type == Worker) victims.push_back(s.get());
    }
    hatch(queen);

    vector<Ant> loaded, empty_handed;
    for (int id : workers(me())) (ant(id).bonus == None ? empty_handed : loaded).push_back(ant(id));

    metro.timetable({metro.at(queen.pos)});
    for (const Ant& w : loaded) {
      if (metro.at(w.pos)->minutes <= 2 && cell(w.pos).bonus == None) leave(w.id);
      else travel(w);
    }
    metro.timetable(pantry);
    for (const Ant& w : empty_handed) {
      if (metro.reached(metro.at(w.pos)) && metro.at(w.pos)->minutes == 0) take(w.id);
      else travel(w);
    }
    for (Station* v : victims) v->full = false;
    metro.timetable(victims);
    for (int id : soldiers(me())) travel(ant(id));
  }
};

RegisterPlayer(PLAYER_NAME);
