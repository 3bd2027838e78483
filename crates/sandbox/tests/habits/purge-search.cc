#include "Player.hh"


/**
 * Write the name of your player and save this file
 * with the same name and .cc extension.
 */
#define PLAYER_NAME Search


struct PLAYER_NAME : public Player {

  static Player* factory () {
    return new PLAYER_NAME;
  }

	typedef vector<int> VI;
	typedef pair<int, Pos> Arc;
	const vector<Dir> dirs = {Up,Down,Left,Right};
	set<int, Pos> never_used;
	vector<State> past;
	struct Board_cell { int dist; Pos prev; bool seen; };
	struct Board {
		Board_cell c[15][30];
		Board_cell& operator[] (Pos p) { return c[p.i][p.j]; }
	};
	Board board;
	int kind;

	bool good (const Cell& c) { return c.bonus != NoBonus or c.weapon == 2 or c.weapon == Gun; }

	// Dijkstra with a heap of arcs, because that is what the course taught.
	Pos search (Pos from, bool& found) {
		for (int i = 0; i < 15; ++i) for (int j = 0; j < 30; ++j) board.c[i][j] = {INT_MAX, Pos(-1, -1), false};
		priority_queue<Arc, vector<Arc>, greater<Arc> > q;
		board[from].dist = 0;
		q.push(Arc(0, from));
		while (not q.empty()) {
			Arc a = q.top(); q.pop();
			Pos p = a.second;
			if (board[p].seen) continue;
			board[p].seen = true;
			if (p != from and good(cell(p))) { found = true; return p; }
			for (uint k = 0; k < dirs.size(); ++k) {
				Pos n = p + dirs[k];
				if (pos_ok(n) and cell(n).type == Street and cell(n).id == -1) {
					int d = board[p].dist + 1;
					if (d < board[n].dist) { board[n].dist = d; board[n].prev = p; q.push(make_pair(d, n)); }
				}
			}
		}
		found = false;
	}

	Dir first_step (Pos from, Pos to) {
		while (board[to].prev != from) to = board[to].prev;
		for (auto d : dirs) if (from + d == to) return d;
		_unreachable();
	}

	void send (VI ids) {
		for (int id : ids) {
			Citizen c = citizen(id);
			bool found;
			Pos p = search(c.pos, found);
			if (found) move(id, first_step(c.pos, p));
			else if (is_day() and c.type == Builder) build(id, Up);
		}
	}

  /**
   * Play method, invoked once per each round.
   */
  virtual void play () {
		past.push_back(*this);
		if (past.size() == 60) {
			for (int k = 0; k < 60; ++k) _my_assert(past[k].round() == round() - 59 + k and past[k].is_day() == is_round_day(past[k].round()), "round " << k);
			past.clear();
		}
		if (status(me()) >= 0.9) return;
		int map = 0, max = 1; map += max;
		send(builders(me()));
		send(warriors(me()));
  }

};


/**
 * Do not modify the following line.
 */
RegisterPlayer(PLAYER_NAME);
