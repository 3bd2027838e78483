#include "Player.hh"
#define PLAYER_NAME Marauder

// The castle is cut into square sectors. Each round the sectors are ranked by
// how much there is to win in them, and every wizard is posted to one.

struct PLAYER_NAME : public Player
{
	static Player* factory() { return new PLAYER_NAME; }

	static const int SIDE = 6;

	struct Sector
	{
		int top, left;
		int unpainted;
		int books;
		int friends;
		int foes;
		Pos middle() const { return Pos(top + SIDE / 2, left + SIDE / 2); }
		int prize() const { return unpainted + 8 * books + 2 * foes - 12 * friends; }
	};

	vector<Sector> sectors;
	map<int, int> post;
	vector<vector<int>> occupied;

	void survey()
	{
		sectors.clear();
		for (int top = 0; top < board_rows(); top += SIDE)
			for (int left = 0; left < board_cols(); left += SIDE)
			{
				Sector s = { top, left, 0, 0, 0, 0 };
				for (int i = top; i < top + SIDE && i < board_rows(); i++)
					for (int j = left; j < left + SIDE && j < board_cols(); j++)
					{
						Cell c = cell(i, j);
						if (c.type == Wall) continue;
						if (c.owner != me()) s.unpainted++;
						if (c.book) s.books++;
						if (c.id == -1) continue;
						if (unit(c.id).player == me()) s.friends++;
						else s.foes++;
					}
				sectors.push_back(s);
			}
	}

	int sectorOf(Pos p)
	{
		int perRow = (board_cols() + SIDE - 1) / SIDE;
		return (p.i / SIDE) * perRow + p.j / SIDE;
	}

	int choosePost(int id)
	{
		Pos p = unit(id).pos;
		int best = sectorOf(p);
		double bestValue = -1e18;
		for (int k = 0; k < (int)sectors.size(); k++)
		{
			Pos m = sectors[k].middle();
			double way = abs(m.i - p.i) + abs(m.j - p.j);
			double value = sectors[k].prize() - 1.5 * way;
			if (post.count(id) && post[id] == k) value += 6;
			if (value > bestValue)
			{
				bestValue = value;
				best = k;
			}
		}
		sectors[best].friends++;
		return best;
	}

	bool hunted(Pos p)
	{
		Pos v = pos_voldemort();
		return abs(v.i - p.i) < 4 && abs(v.j - p.j) < 4;
	}

	bool steppable(Pos p)
	{
		if (!pos_ok(p)) return false;
		if (cell(p).type == Wall || occupied[p.i][p.j]) return false;
		return !hunted(p);
	}

	void go(int id, Dir d)
	{
		Pos p = unit(id).pos + d;
		occupied[p.i][p.j] = 1;
		move(id, d);
	}

	// Inside the sector: nearest unpainted cell by a little BFS over the sector's
	// own cells only. Outside: straight to it.
	bool workInside(int id, const Sector& s)
	{
		Pos start = unit(id).pos;
		int seen[SIDE][SIDE];
		for (auto& row : seen) for (int& x : row) x = -1;
		vector<Pos> list(1, start);
		seen[start.i - s.top][start.j - s.left] = 99;
		for (unsigned k = 0; k < list.size(); k++)
			for (int d = 0; d < 8; d += 2)
			{
				Pos q = list[k] + Dir(d);
				int a = q.i - s.top, b = q.j - s.left;
				if (a < 0 || b < 0 || a >= SIDE || b >= SIDE) continue;
				if (!steppable(q) || seen[a][b] != -1) continue;
				int first = seen[list[k].i - s.top][list[k].j - s.left];
				seen[a][b] = first == 99 ? d : first;
				if (cell(q).owner != me() || cell(q).book)
				{
					go(id, Dir(seen[a][b]));
					return true;
				}
				list.push_back(q);
			}
		return false;
	}

	void travel(int id, Pos goal)
	{
		Pos p = unit(id).pos;
		vector<pair<int, int>> options;
		for (int d = 0; d < 8; d += 2)
		{
			Pos q = p + Dir(d);
			if (steppable(q)) options.push_back(make_pair(10 * (abs(goal.i - q.i) + abs(goal.j - q.j)) - 4 * (cell(q).owner != me()) + random(0, 12), d));
		}
		if (options.empty()) return;
		sort(options.begin(), options.end());
		go(id, Dir(options[0].second));
	}

	void play()
	{
		survey();
		occupied.assign(board_rows(), vector<int>(board_cols(), 0));
		for (int i = 0; i < board_rows(); i++)
			for (int j = 0; j < board_cols(); j++) occupied[i][j] = cell(i, j).id != -1;
		for (int id : wizards(me()))
		{
			Unit u = unit(id);
			bool done = false;
			for (int d = 0; d < 8 && !done; d += 2)
			{
				Pos q = u.pos + Dir(d);
				if (!pos_ok(q) || cell(q).id == -1 || hunted(q)) continue;
				Unit o = unit(cell(q).id);
				bool attack = o.player != me() && o.type == Wizard && !o.is_in_conversion_process() && magic_strength(me()) * 2 >= magic_strength(o.player);
				bool rescue = o.player == me() && o.is_in_conversion_process();
				if (attack || rescue) { move(id, Dir(d)); done = true; }
			}
			if (done) continue;
			post[id] = choosePost(id);
			if (sectorOf(u.pos) != post[id] || !workInside(id, sectors[post[id]])) travel(id, sectors[post[id]].middle());
		}
	}
};

RegisterPlayer(PLAYER_NAME);
