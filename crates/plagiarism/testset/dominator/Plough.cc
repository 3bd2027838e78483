#include "Player.hh"
#define PLAYER_NAME Plough

struct PLAYER_NAME : public Player {
	static Player* factory() { return new PLAYER_NAME; }

	// The board with a frame of walls, row after row, as plain arrays.
	int W, total;
	vector<int> dFree, dPrey, ring;
	vector<bool> shut, fatal;
	int off[8];

	int at(const Pos& p) { return (p.i + 1) * W + p.j + 1; }

	void prepare() {
		W = cols() + 2;
		total = (rows() + 2) * W;
		dFree.resize(total);
		dPrey.resize(total);
		ring.resize(total);
		int o[8] = {W, W + 1, 1, 1 - W, -W, -W - 1, -1, W - 1};
		copy(o, o + 8, off);
	}

	void scan(vector<int>& freeCells, vector<int>& prey) {
		shut.assign(total, true);
		fatal.assign(total, true);
		for (int i = 0; i < rows(); i++)
			for (int j = 0; j < cols(); j++) {
				Cell c = cell(i, j);
				int x = (i + 1) * W + j + 1;
				if (c.type == Wall) continue;
				fatal[x] = c.haunted;
				shut[x] = c.haunted || c.id != -1;
				if (c.owner != 0 && !c.haunted) freeCells.push_back(x);
				if (c.id != -1) {
					Unit u = unit(c.id);
					if (u.player != 0 && u.type != Witch && !c.haunted) prey.push_back(x);
				}
			}
	}

	void wave(vector<int>& d, const vector<int>& from, int stride) {
		fill(d.begin(), d.end(), 1 << 20);
		int a = 0, b = 0;
		for (int x : from) d[x] = 0, ring[b++] = x;
		for (; a < b; a++) {
			int x = ring[a];
			for (int k = 0; k < 8; k += stride) {
				int y = x + off[k];
				if (fatal[y] || d[y] <= d[x] + 1) continue;
				d[y] = d[x] + 1;
				ring[b++] = y;
			}
		}
	}

	void drive(int id, const vector<int>& d, int stride, bool strike) {
		int x = at(unit(id).pos), best = d[x], go = -1;
		for (int k = 0; k < 8; k += stride) {
			int y = x + off[k];
			if (fatal[y]) continue;
			if (shut[y] && !(strike && d[y] == 0)) continue;
			if (d[y] < best) best = d[y], go = k;
		}
		if (go < 0) return;
		if (!shut[x + off[go]]) shut[x + off[go]] = true;
		command(id, Dir(go));
	}

	void play() {
		if (round() == 0) prepare();
		vector<int> freeCells, prey;
		scan(freeCells, prey);
		wave(dFree, freeCells, 2);
		wave(dPrey, prey, 1);

		// Farmers nearest to work go first; they take what is left afterwards.
		vector<pair<int, int>> turn;
		for (int f : farmers(0)) turn.push_back({dFree[at(unit(f).pos)], f});
		sort(turn.begin(), turn.end());
		for (auto& t : turn) {
			int x = at(unit(t.second).pos);
			if (dFree[x] == 0) {
				// standing on foreign ground (just captured): any neighbour will do
				int go = -1;
				for (int k = 0; k < 8; k += 2)
					if (!shut[x + off[k]] && (go < 0 || dFree[x + off[k]] == 0)) go = k;
				if (go >= 0) shut[x + off[go]] = true, command(t.second, Dir(go));
			}
			else drive(t.second, dFree, 2, false);
		}
		for (int k : knights(0)) drive(k, dPrey, 1, true);
		for (int w : witches(0)) {
			int x = at(unit(w).pos), go = -1, best = dPrey[x];
			for (int k = 0; k < 8; k += 2) {
				Pos q = unit(w).pos + Dir(k);
				if (!pos_ok(q) || cell(q).type == Wall || cell(q).id != -1) continue;
				if (dPrey[x + off[k]] < best) best = dPrey[x + off[k]], go = k;
			}
			if (go >= 0 && unit(w).pos.i + unit(w).pos.j > rows() / 2) command(w, Dir(go));
		}
	}
};

RegisterPlayer(PLAYER_NAME);
