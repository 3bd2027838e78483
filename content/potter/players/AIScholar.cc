// A player that reads, fights and casts spells, and knows when to act.
//
// At the beginning of a round it looks at the whole board and notes what each
// cell is worth. Then every unit looks for the goal that gives most for the
// steps it takes; if two want the same, the closer one gets it.
//
// What makes it strong is the sequence of its orders, which are carried out in
// that sequence, mixed with those of the others. Whoever attacks first mostly
// wins, so attacks are ordered first. And steps towards an enemy are ordered
// last: if he comes closer before that, the step becomes an attack.
#include "Player.hh"

#define PLAYER_NAME Scholar

struct PLAYER_NAME : public Player {
  static Player* factory() {
    return new PLAYER_NAME;
  }

  // What there is to gain: play with these.
  static const int worth_of_an_even_fight = 20;
  static const int worth_of_a_sure_fight = 40;
  static const int worth_of_a_rescue = 40;
  static const int worth_of_a_book = 20;
  static const int worth_of_a_cell = 1;
  static const int worth_of_a_ghost = 3;
  static const int worth_of_safety = 40;
  static const int most_worth = 40;

  // How far a unit looks for a goal.
  static const int sight = 16;

  // Wizards go in the first four directions, ghosts in all of them.
  const vector<Dir> dirs = {Up, Down, Left, Right, DR, RU, UL, LD};

  // The board as one long list of cells, with a wall around it, so that no
  // step leads outside. A step in some direction always adds the same number.
  static const int width = 62;
  static int place(Pos p) { return (p.i + 1) * width + p.j + 1; }

  vector<Pos> corridors;
  bool is_open[width * width] = {};    // whether a unit can go there now
  bool is_beside[width * width] = {};  // whether an enemy that can fight is next to it
  bool is_feared[width * width] = {};  // whether one that is too strong for us is

  // What cells are worth depends on who goes there: wizards fight and rescue,
  // ghosts do not, and a wizard in conversion wants to be rescued.
  enum Role { Fighter, Calm, Weak };
  int worth[3][width * width] = {};

  // The number of the last search that reached each cell, so that nothing has
  // to be cleared between searches.
  int reached[width * width] = {};
  int searches = 0;

  // A cell that a search has reached.
  struct Found {
    int place, steps;
    Dir first;  // the first step on the way there
  };
  Found found[width * width];

  // What a unit is going to do, and when: orders are given by increasing turn.
  enum Turn { Flight, Attack, Rescue, Walk, Approach, Never };
  struct Plan {
    Found goal;
    Turn turn;
  };

  // By id of the unit: there are never more units than cells.
  Plan plans[width * width];
  int rank_of[width * width] = {};  // of each wizard in its clan

  // A goal for one unit alone is a cell, a book or a mate to rescue.
  bool is_for_one[width * width] = {};
  int taker[width * width];  // the unit that goes there, or -1

  int strength[4];  // of each clan

  virtual void play() {
    if (status(me()) >= 0.9) return;
    if (round() == 0) find_corridors();
    look();
    int g = ghost(me());
    plans[g].turn = Never;
    bool may_cast = unit(g).resting_rounds() == 0 and num_rounds() - round() > 50;
    vector<int> units = wizards(me());
    if (not may_cast or not cast(g)) units.insert(units.begin(), g);
    // Whoever loses its goal to a unit that is closer has to plan again.
    vector<int> waiting = units;
    for (int k = 0; k < int(waiting.size()); ++k) {
      int loser = plan(unit(waiting[k]));
      if (loser != -1) waiting.push_back(loser);
    }
    give_orders(units);
  }

  // Walls stay where they are, so they are looked at once.
  void find_corridors() {
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j)
        if (cell(i, j).type == Corridor) corridors.push_back(Pos(i, j));
  }

  void look() {
    for (Pos p : corridors) is_beside[place(p)] = is_feared[place(p)] = false;
    for (int pl = 0; pl < num_players(); ++pl) strength[pl] = magic_strength(pl);
    for (int pl = 0; pl < num_players(); ++pl) look_at_clan(pl);
    for (Pos p : corridors) look_at_cell(p);
  }

  void look_at_clan(int pl) {
    int rank = 0;
    for (int id : wizards(pl)) {
      rank_of[id] = rank++;
      Unit u = unit(id);
      if (pl == me() or u.is_in_conversion_process()) continue;
      int here = place(u.pos);
      for (int there : {here, here - 1, here + 1, here - width, here + width}) {
        is_beside[there] = true;
        if (is_too_strong(pl)) is_feared[there] = true;
      }
    }
  }

  // Against a clan that is over twice as strong every fight is lost at once.
  bool is_too_strong(int pl) { return strength[pl] > 2 * strength[me()]; }

  void look_at_cell(Pos p) {
    Cell c = cell(p);
    int here = place(p);
    bool safe = not is_deadly(p) and not is_feared[here];
    is_open[here] = c.id == -1 and safe;
    is_for_one[here] = is_open[here];
    taker[here] = -1;
    int calm = not is_open[here] ? 0 : c.book ? worth_of_a_book : c.owner != me() ? worth_of_a_cell : 0;
    worth[Fighter][here] = worth[Calm][here] = worth[Weak][here] = calm;
    if (c.id == -1 or not safe) return;
    Unit u = unit(c.id);
    bool is_mate = u.type == Wizard and u.player == me();
    is_for_one[here] = is_mate and u.is_in_conversion_process();
    worth[Fighter][here] = is_for_one[here] ? worth_of_a_rescue : u.player != me() ? worth_of_attacking(u) : 0;
    worth[Weak][here] = is_mate and not is_for_one[here] ? worth_of_a_rescue : 0;
  }

  int worth_of_attacking(const Unit& u) {
    if (u.type == Ghost) {
      // It will have to rest longer before its next spell, if there is to be one.
      int last = u.last_attack_received();
      bool is_protected = last != -1 and round() - last <= rounds_no_attack_ghost();
      return is_protected or num_rounds() - round() <= 50 ? 0 : worth_of_a_ghost;
    }
    int mine = strength[me()], theirs = strength[u.player];
    if (u.is_in_conversion_process() or is_too_strong(u.player)) return 0;
    if (mine > 2 * theirs) return worth_of_a_sure_fight;
    // Surprise wins 30 of 100 fights, and strength decides the others.
    int percent = 30 + 70 * mine / max(1, mine + theirs);
    return worth_of_an_even_fight * percent / 65;
  }

  // Whether Voldemort can reach a cell in this round: he takes one step, and
  // then whatever is next to him.
  bool is_deadly(Pos p) {
    Pos v = pos_voldemort();
    return abs(p.i - v.i) <= 2 and abs(p.j - v.j) <= 2;
  }

  // Plans for a unit. Returns the unit that loses its goal by this, or -1.
  int plan(const Unit& u) {
    Role role = u.type == Ghost ? Calm : u.is_in_conversion_process() ? Weak : Fighter;
    int start = place(u.pos);
    bool is_afraid = is_feared[start] and role == Fighter;
    const int* worths = is_afraid or is_deadly(u.pos) ? nullptr : worth[role];
    Found goal = role == Calm ? best_goal<8>(start, worths) : best_goal<4>(start, worths);

    Turn turn = Walk;
    if (goal.steps == 0) turn = Never;
    else if (is_afraid) turn = Flight;
    else if (role == Fighter) turn = turn_of_fighter(place(u.pos + goal.first));
    plans[u.id] = {goal, turn};

    if (goal.steps == 0 or not is_for_one[goal.place]) return -1;
    int loser = taker[goal.place];
    taker[goal.place] = u.id;
    return loser;
  }

  // When a fighter takes a step to this cell.
  Turn turn_of_fighter(int next) {
    if (not is_open[next]) return is_for_one[next] ? Rescue : Attack;
    return is_beside[next] ? Approach : Walk;
  }

  // The goal with most worth per step, without those that somebody closer has
  // taken; 0 steps away if there is none. Without worths any open cell is good.
  // The number of directions is known to the compiler, which makes the search
  // faster.
  template <int num_dirs> Found best_goal(int start, const int* worths) {
    int step[8];
    for (int k = 0; k < num_dirs; ++k) step[k] = place(Pos(1, 1) + dirs[k]) - place(Pos(1, 1));
    ++searches;
    reached[start] = searches;
    found[0] = {start, 0, Up};
    int count = 1, best = 0;
    Found goal = {start, 1, Up};
    for (int next = 0; next < count; ++next) {
      Found here = found[next];
      int steps = here.steps + 1;
      // Worth per step is what counts, so nothing that far away can be better.
      if (steps > sight or best * steps >= most_worth * goal.steps) break;
      for (int k = 0; k < num_dirs; ++k) {
        int there = here.place + step[k];
        if (reached[there] == searches) continue;
        reached[there] = searches;
        Dir first = here.steps == 0 ? dirs[k] : here.first;
        int gain = worths ? worths[there] : is_open[there] * worth_of_safety;
        if (gain * goal.steps > best * steps and not is_taken(there, steps)) {
          best = gain;
          goal = {there, steps, first};
        }
        if (is_open[there]) found[count++] = {there, steps, first};
      }
    }
    if (best == 0) goal.steps = 0;
    return goal;
  }

  bool is_taken(int there, int steps) { return taker[there] != -1 and plans[taker[there]].goal.steps <= steps; }

  // Enemies who are early in their clan will probably act early, so they are
  // attacked before the others.
  void give_orders(const vector<int>& units) {
    vector<array<int, 3>> orders;
    for (int id : units) {
      Turn turn = plans[id].turn;
      int rank = turn == Attack ? rank_of[cell(unit(id).pos + plans[id].goal.first).id] : 0;
      if (turn != Never) orders.push_back({turn, rank, id});
    }
    sort(orders.begin(), orders.end());
    if (orders.size() > 999) orders.resize(999);  // one more than this and a spell is too much
    for (auto& order : orders) move(order[2], plans[order[2]].goal.first);
  }

  // Casts a spell, if the puzzle has an answer.
  bool cast(int id) {
    vector<int> numbers = spell_ingredients();
    int groups = numbers.size() / 3;
    if (groups == 0) return false;
    int sum = accumulate(numbers.begin(), numbers.end(), 0) / groups;
    vector<int> group_of(numbers.size(), -1);
    if (not split(numbers, sum, 0, groups, group_of)) return false;
    spell(id, group_of);
    return true;
  }

  // Makes this group and all the following ones, of three numbers each with
  // the same sum. The first free number has to be in some group, so it is in this one.
  bool split(const vector<int>& numbers, int sum, int group, int groups, vector<int>& group_of) {
    if (group == groups) return true;
    int n = numbers.size();
    int a = 0;
    while (group_of[a] != -1) ++a;
    for (int b = a + 1; b < n; ++b) {
      if (group_of[b] != -1) continue;
      for (int c = b + 1; c < n; ++c) {
        if (group_of[c] != -1 or numbers[a] + numbers[b] + numbers[c] != sum) continue;
        group_of[a] = group_of[b] = group_of[c] = group;
        if (split(numbers, sum, group + 1, groups, group_of)) return true;
        group_of[a] = group_of[b] = group_of[c] = -1;
      }
    }
    return false;
  }
};

RegisterPlayer(PLAYER_NAME);
