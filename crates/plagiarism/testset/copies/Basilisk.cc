// Programming project, group 13
// Final version
#include "Player.hh"
#define PLAYER_NAME Basilisk

struct PLAYER_NAME : public Player
{
	static Player* factory() { return new PLAYER_NAME; }

	// State of each unit between rounds.
	struct Snake { int side; int stuck; Pos before; };
	map<int, Snake> snakes;
	set<Pos> bitten;
	set<Pos> steps;

	typedef bool(PLAYER_NAME::*Taste)(Pos);

	bool tasty_book(Pos p) { return cell(p).book; }

	bool tasty_wizard(Pos p)
	{
		int id = cell(p).id;
		if (id == -1) return false;
		Unit o = unit(id);
		return o.player != me() && o.type == Wizard && !o.is_in_conversion_process() &&
						magic_strength(me()) > magic_strength(o.player);
	}

	bool tasty_friend(Pos p)
	{
		int id = cell(p).id;
		return id != -1 && unit(id).player == me() && unit(id).is_in_conversion_process();
	}

	bool tasty_ground(Pos p) { return cell(p).type == Corridor && cell(p).owner != me() && cell(p).id == -1; }

	bool probe(Pos p, Taste taste, Pos& found)
	{
		if (!pos_ok(p) || bitten.count(p) || !(this->*taste)(p)) return false;
		found = p;
		return true;
	}

	/*
	 * Rhombus of radius r.
	 */
	bool ring(Pos c, int r, Taste taste, Pos& found)
	{
		for (int k = 0; k < r; ++k)
		{
			if (probe(Pos(c.i - r + k, c.j + k), taste, found)) return true;
			if (probe(Pos(c.i + k, c.j + r - k), taste, found)) return true;
			if (probe(Pos(c.i + r - k, c.j - k), taste, found)) return true;
			if (probe(Pos(c.i - k, c.j - r + k), taste, found)) return true;
		}
		return false;
	}

	bool closest(Pos c, int from, int to, Taste taste, Pos& found)
	{
		for (int r = from; r <= to; ++r) if (ring(c, r, taste, found)) return true;
		return false;
	}

	bool can(Pos p, Pos goal)
	{
		if (!pos_ok(p) || cell(p).type == Wall || steps.count(p)) return false;
		Pos v = pos_voldemort();
		if (abs(v.i - p.i) <= 2 && abs(v.j - p.j) <= 2) return false;
		return cell(p).id == -1 || p == goal;
	}

	/*
	 * Movement.
	 */
	void slither(int id, Pos goal)
	{
		Pos p = unit(id).pos;
		Snake& s = snakes[id];
		if (s.side == 0) s.side = id%2 ? 2 : 6;
		int di = goal.i - p.i, dj = goal.j - p.j;
		vector<int> order;
		int vertical = di > 0 ? Down : Up, horizontal = dj > 0 ? Right : Left;
		if (di != 0 && (dj == 0 || abs(di) >= abs(dj))) order.push_back(vertical);
		if (dj != 0) order.push_back(horizontal);
		if (di != 0 && abs(di) < abs(dj)) order.push_back(vertical);
		order.push_back((order[0] + s.side)%8);
		order.push_back((order[0] + 8 - s.side)%8);
		for (int d : order)
		{
			Pos q = p + Dir(d);
			if (!can(q, goal)) continue;
			if (q == s.before && s.stuck < 2) continue;
			if (q == s.before) { s.stuck = 0; s.side = 8 - s.side; }
			s.before = p;
			steps.insert(q);
			move(id, Dir(d));
			return;
		}
		++s.stuck;
	}

	/*
	 * Voldemort is near!!!
	 */
	void flee(int id)
	{
		Pos p = unit(id).pos, v = pos_voldemort();
		int d;
		if (abs(p.i - v.i) > abs(p.j - v.j)) d = p.i > v.i ? Down : Up;
		else d = p.j > v.j ? Right : Left;
		for (int turn : {0, 2, 6})
		{
			Pos q = p + Dir((d + turn)%8);
			if (pos_ok(q) && cell(q).is_empty() && !steps.count(q))
			{
				steps.insert(q);
				move(id, Dir((d + turn)%8));
				return;
			}
		}
	}

	// MAIN
	void play()
	{
		bitten.clear();
		steps.clear();
		Pos v = pos_voldemort();
		for (int id : wizards(me()))
		{
			Pos p = unit(id).pos, goal;
			if (abs(p.i - v.i) <= 3 && abs(p.j - v.j) <= 3) flee(id);
			else if (closest(p, 1, 1, &PLAYER_NAME::tasty_friend, goal)
						|| closest(p, 1, 6, &PLAYER_NAME::tasty_wizard, goal)
						|| closest(p, 1, 15, &PLAYER_NAME::tasty_book, goal)
						|| closest(p, 1, 20, &PLAYER_NAME::tasty_ground, goal))
						{
				bitten.insert(goal);
				slither(id, goal);
			}
		}
		int g = ghost(me());
		Pos p = unit(g).pos;
		if (abs(p.i - v.i) + abs(p.j - v.j) < 9)
		{
			int di = p.i >= v.i ? 1 : -1, dj = p.j >= v.j ? 1 : -1;
			Dir diagonal = di > 0 ? (dj > 0 ? DR : LD) : (dj > 0 ? RU : UL);
			move(g, diagonal);
		}
	}
};

RegisterPlayer(PLAYER_NAME);
