// A player that reads, attacks when it is strong enough, and casts spells.
//
// Every unit looks for the goal that gives most for the steps it takes, and
// makes the first step towards it.
#include "Player.hh"

#define PLAYER_NAME Scholar

struct PLAYER_NAME : public Player {
  static Player* factory() {
    return new PLAYER_NAME;
  }

  const vector<Dir> wizard_dirs = {Up, Down, Left, Right};
  const vector<Dir> ghost_dirs = {Down, DR, Right, RU, Up, UL, Left, LD};

  // What goals are worth: play with these.
  static const int worth_of_a_fight = 15;
  static const int worth_of_a_rescue = 15;
  static const int worth_of_a_book = 15;
  static const int worth_of_a_cell = 1;
  static const int worth_of_safety = 15;

  // A place that a search has reached.
  struct Place {
    Pos pos;
    int steps;
    Dir first;  // the first step on the way there
  };

  // The number of the last search that reached each cell, so that nothing has
  // to be cleared between searches.
  int reached[60][60] = {};
  int searches = 0;
  // The round in which somebody chose each cell as a goal, counted from 1.
  int chosen[60][60] = {};

  virtual void play() {
    if (status(me()) >= 0.9) return;
    Unit g = unit(ghost(me()));
    bool may_cast = g.resting_rounds() == 0 and num_rounds() - round() > 50;
    if (not may_cast or not cast(g.id)) go(g, ghost_dirs);
    for (int id : wizards(me())) go(unit(id), wizard_dirs);
  }

  // Makes the first step towards the best goal, if there is any.
  void go(const Unit& u, const vector<Dir>& dirs) {
    ++searches;
    reached[u.pos.i][u.pos.j] = searches;
    queue<Place> q;
    q.push({u.pos, 0, Up});
    Place goal = {u.pos, 1, Up};
    int best = 0;
    while (not q.empty()) {
      Place here = q.front();
      q.pop();
      int steps = here.steps + 1;
      // Nothing that far away can be better: worth per step is what counts.
      if (best * steps >= worth_of_safety * goal.steps) break;
      for (Dir d : dirs) {
        Pos p = here.pos + d;
        if (not pos_ok(p) or reached[p.i][p.j] == searches) continue;
        reached[p.i][p.j] = searches;
        Cell c = cell(p);
        if (c.type == Wall or is_deadly(p)) continue;
        Place there = {p, steps, steps == 1 ? d : here.first};
        int worth = worth_for(u, p, c);
        if (worth * goal.steps > best * steps) {
          best = worth;
          goal = there;
        }
        if (c.id == -1) q.push(there);  // units are in the way
      }
    }
    if (best == 0) return;
    chosen[goal.pos.i][goal.pos.j] = round() + 1;
    move(u.id, goal.first);
  }

  // What it is worth to a unit to go to a cell.
  int worth_for(const Unit& u, Pos p, const Cell& c) {
    if (c.id != -1) return worth_of_meeting(u, unit(c.id));
    if (is_deadly(u.pos)) return worth_of_safety;
    if (chosen[p.i][p.j] == round() + 1) return 0;
    if (c.book) return worth_of_a_book;
    if (c.owner != me()) return worth_of_a_cell;
    return 0;
  }

  int worth_of_meeting(const Unit& u, Unit other) {
    if (u.type == Ghost or u.rounds_pending > 0 or other.type == Ghost) return 0;
    if (other.player == me()) return other.is_in_conversion_process() ? worth_of_a_rescue : 0;
    // Whoever attacks has luck on its side, unless the other is over twice as strong.
    bool too_strong = magic_strength(other.player) > 2 * magic_strength(me());
    return other.is_in_conversion_process() or too_strong ? 0 : worth_of_a_fight;
  }

  // Whether Voldemort can reach a cell in this round: he takes one step, and
  // then whatever is next to him.
  bool is_deadly(Pos p) {
    Pos v = pos_voldemort();
    return abs(p.i - v.i) <= 2 and abs(p.j - v.j) <= 2;
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
