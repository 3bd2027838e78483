#include "Player.hh"
#define PLAYER_NAME Harrow

struct PLAYER_NAME : public Player {
	static Player* factory() { return new PLAYER_NAME; }

	// The board with a frame of walls, row after row, as plain arrays.
	long W, total;
	vector<long> dFree, dPrey, ring;
	deque<bool> shut, fatal;
	array<long, 8> off;

	long at(Pos p) { return (p.i + 1) * W + p.j + 1; }

	void prepare() {
		W = cols() + 2;
		total = (rows() + 2) * W;
		dFree.resize(total);
		dPrey.resize(total);
		ring.resize(total);
		off = {W, W + 1, 1, 1 - W, -W, -W - 1, -1, W - 1};
	}

	void scan(vector<long>& freeCells, vector<long>& prey) {
		shut.assign(total, true);
		fatal.assign(total, true);
		for (short i = 0; i < rows(); i++)
			for (short j = 0; j < cols(); j++) {
				const auto c = cell(i, j);
				auto x = (i + 1) * W + j + 1;
				if (c.type == Wall) continue;
				fatal[x] = c.haunted;
				shut[x] = c.haunted || c.id != -1;
				if (c.owner != 0 && !c.haunted) freeCells.push_back(x);
				if (c.id != -1) {
					const auto u = unit(c.id);
					if (u.player != 0 && u.type != Witch && !c.haunted) prey.push_back(x);
				}
			}
	}

	void wave(vector<long>& d, const vector<long>& from, unsigned stride) {
		fill(d.begin(), d.end(), 1 << 20);
		size_t a = 0, b = 0;
		for (auto x : from) d[x] = 0, ring[b++] = x;
		for (; a < b; a++) {
			auto x = ring[a];
			for (unsigned k = 0; k < 8; k += stride) {
				auto y = x + off[k];
				if (fatal[y] || d[y] <= d[x] + 1) continue;
				d[y] = d[x] + 1;
				ring[b++] = y;
			}
		}
	}

	void drive(int id, const vector<long>& d, unsigned stride, int strike) {
		long x = at(unit(id).pos), best = d[x], go = -1;
		for (unsigned k = 0; k < 8; k += stride) {
			long y = x + off[k];
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
		vector<long> freeCells, prey;
		scan(freeCells, prey);
		wave(dFree, freeCells, 2);
		wave(dPrey, prey, 1);

		// Farmers nearest to work go first; they take what is left afterwards.
		vector<pair<long, int>> turn;
		for (auto f : farmers(0)) turn.push_back({dFree[at(unit(f).pos)], f});
		sort(turn.begin(), turn.end());
		for (auto& t : turn) {
			const auto x = at(unit(t.second).pos);
			if (dFree[x] == 0) {
				// standing on foreign ground (just captured): any neighbour will do
				long go = -1;
				for (int k = 0; k < 8; k += 2)
					if (!shut[x + off[k]] && (go < 0 || dFree[x + off[k]] == 0)) go = k;
				if (go >= 0) shut[x + off[go]] = true, command(t.second, Dir(go));
			}
			else drive(t.second, dFree, 2, false);
		}
		for (auto k : knights(0)) drive(k, dPrey, 1, true);
		for (auto w : witches(0)) {
			long x = at(unit(w).pos), go = -1, best = dPrey[x];
			for (int k = 0; k < 8; k += 2) {
				auto q = unit(w).pos + Dir(k);
				if (!pos_ok(q) || cell(q).type == Wall || cell(q).id != -1) continue;
				if (dPrey[x + off[k]] < best) best = dPrey[x + off[k]], go = k;
			}
			if (go >= 0 && unit(w).pos.i + unit(w).pos.j > rows() / 2) command(w, Dir(go));
		}
	}
};

RegisterPlayer(PLAYER_NAME);
