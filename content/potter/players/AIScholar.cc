// A player that reads, attacks when it is strong enough, and casts spells.
//
// At the beginning of a round it looks at the whole board and notes what each
// cell is worth. Then every unit looks for the cell that gives most for the
// steps it takes, and makes the first step towards it.
#include "Player.hh"

#define PLAYER_NAME Scholar

struct PLAYER_NAME : public Player {
  static Player* factory() {
    return new PLAYER_NAME;
  }

  // What there is to gain: play with these.
  static const int worth_of_a_fight = 15;
  static const int worth_of_a_rescue = 15;
  static const int worth_of_a_book = 15;
  static const int worth_of_a_cell = 1;
  static const int worth_of_safety = 15;
  static const int most_worth = 15;

  // Wizards go in the first four directions, ghosts in all of them.
  const vector<Dir> dirs = {Up, Down, Left, Right, DR, RU, UL, LD};

  // The board as one long list of cells, with a wall around it, so that no
  // step leads outside. A step in some direction always adds the same number.
  static const int width = 62;
  static int place(Pos p) { return (p.i + 1) * width + p.j + 1; }

  bool is_open[width * width] = {};    // whether a unit can go there now
  int worth[width * width] = {};       // to a wizard
  int calm_worth[width * width] = {};  // to a unit that cannot fight

  vector<Pos> corridors;

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

  virtual void play() {
    if (status(me()) >= 0.9) return;
    if (round() == 0) find_corridors();
    look();
    Unit g = unit(ghost(me()));
    bool may_cast = g.resting_rounds() == 0 and num_rounds() - round() > 50;
    if (not may_cast or not cast(g.id)) go<8>(g, calm_worth);
    for (int id : wizards(me())) {
      Unit u = unit(id);
      go<4>(u, u.is_in_conversion_process() ? calm_worth : worth);
    }
  }

  void look() {
    for (Pos p : corridors) {
      Cell c = cell(p);
      int k = place(p);
      bool safe = not is_deadly(p);
      is_open[k] = c.id == -1 and safe;
      int calm = not is_open[k] ? 0 : c.book ? worth_of_a_book : c.owner != me() ? worth_of_a_cell : 0;
      calm_worth[k] = calm;
      worth[k] = c.id != -1 and safe ? worth_of_meeting(unit(c.id)) : calm;
    }
  }

  // Walls stay where they are, so they are looked at once.
  void find_corridors() {
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j)
        if (cell(i, j).type == Corridor) corridors.push_back(Pos(i, j));
  }

  // What a wizard gains by moving against a unit.
  int worth_of_meeting(Unit u) {
    if (u.type == Ghost) return 0;
    if (u.player == me()) return u.is_in_conversion_process() ? worth_of_a_rescue : 0;
    // Whoever attacks has luck on its side, unless the other is over twice as strong.
    bool is_too_strong = magic_strength(u.player) > 2 * magic_strength(me());
    return u.is_in_conversion_process() or is_too_strong ? 0 : worth_of_a_fight;
  }

  // Whether Voldemort can reach a cell in this round: he takes one step, and
  // then whatever is next to him.
  bool is_deadly(Pos p) {
    Pos v = pos_voldemort();
    return abs(p.i - v.i) <= 2 and abs(p.j - v.j) <= 2;
  }

  // Makes the first step towards the best goal, if there is any. The number of
  // directions is known to the compiler, which makes the search faster.
  template <int num_dirs> void go(const Unit& u, int* worth) {
    int start = place(u.pos);
    bool flees = is_deadly(u.pos);
    int step[8];
    for (int k = 0; k < num_dirs; ++k) step[k] = place(u.pos + dirs[k]) - start;

    ++searches;
    reached[start] = searches;
    found[0] = {start, 0, Up};
    int count = 1;
    Found goal = {start, 1, Up};
    int best = 0;
    for (int next = 0; next < count; ++next) {
      Found here = found[next];
      int steps = here.steps + 1;
      // Worth per step is what counts, so nothing that far away can be better.
      if (best * steps >= most_worth * goal.steps) break;
      for (int k = 0; k < num_dirs; ++k) {
        int there = here.place + step[k];
        if (reached[there] == searches) continue;
        reached[there] = searches;
        Dir first = here.steps == 0 ? dirs[k] : here.first;
        int gain = flees ? is_open[there] * worth_of_safety : worth[there];
        if (gain * goal.steps > best * steps) {
          best = gain;
          goal = {there, steps, first};
        }
        if (is_open[there]) found[count++] = {there, steps, first};
      }
    }
    if (best == 0) return;
    move(u.id, goal.first);
    // Nobody else has to go to the same cell, but they may attack the same unit.
    if (is_open[goal.place]) this->worth[goal.place] = calm_worth[goal.place] = 0;
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
