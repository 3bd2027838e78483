#ifndef Info_hh
#define Info_hh

#include "Settings.hh"
#include "State.hh"

class Info : public Settings, public State {
public:
  static Cell char2cell(char c) {
    if (c == '.') return Cell();
    if (c == 'X') return Cell(Wall, -1, -1, false);
    _my_assert(c >= '0' && c <= '4', c << " in grid definition.");
    return Cell(Empty, c - '0', -1, false);
  }

  // Nothing for players: cells from text, a word for each row.
  void read_grid(istream& is) {
    vector<vector<Cell> > cells(rows());
    for (int i = 0; i < rows(); ++i) {
      string row;
      is >> row;
      _my_assert((int)row.size() == cols(), "The read map has a line with incorrect lenght.");
      for (int j = 0; j < cols(); ++j) cells[i].push_back(char2cell(row[j]));
    }
    ludus_replace_cells_(cells);
  }
};

#endif
