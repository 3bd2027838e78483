#include "Player.hh"
#define PLAYER_NAME Scent

// Everything smells. Food, home and enemies each leave a scent that spreads
// over the soil and fades away; ants simply follow their noses.

struct PLAYER_NAME : public Player {
	static Player* factory() { return new PLAYER_NAME; }

	struct Layer {
		int h, w;
		vector<double> v;
		void reset(int rows, int cols) { h = rows; w = cols; v.assign(h * w, 0.0); }
		double& at(Pos p) { return v[p.i * w + p.j]; }
		double get(int i, int j) const {
			if (i < 0 or j < 0 or i >= h or j >= w) return 0;
			return v[i * w + j];
		}
	};

	Layer food, home, prey, fear;
	vector<char> wet;
	vector<char> reserved;

	// One step of diffusion: each cell becomes the mean of its neighbours,
	// times a decay; sources are written back afterwards.
	void diffuse(Layer& layer, const vector<pair<Pos, double>>& sources, int times, double decay) {
		for (auto& s : sources) layer.at(s.first) = s.second;
		vector<double> other(layer.v.size());
		while (times--) {
			for (int i = 0; i < layer.h; ++i)
				for (int j = 0; j < layer.w; ++j) {
					int k = i * layer.w + j;
					if (wet[k]) { other[k] = 0; continue; }
					double best = max(max(layer.get(i + 1, j), layer.get(i - 1, j)), max(layer.get(i, j + 1), layer.get(i, j - 1)));
					double mean = (layer.get(i + 1, j) + layer.get(i - 1, j) + layer.get(i, j + 1) + layer.get(i, j - 1)) / 4;
					other[k] = decay * (0.7 * best + 0.3 * mean);
				}
			layer.v.swap(other);
			for (auto& s : sources) layer.at(s.first) = max(layer.at(s.first), s.second);
		}
	}

	void sniff(Pos queen) {
		vector<pair<Pos, double>> f, h, p, e;
		h.push_back({queen, 100.0});
		for (int i = 0; i < board_rows(); ++i)
			for (int j = 0; j < board_cols(); ++j) {
				Cell c = cell(i, j);
				Pos here(i, j);
				if (c.bonus != None and abs(queen.i - i) + abs(queen.j - j) > 3) f.push_back({here, 80.0});
				if (c.id == -1) continue;
				Ant a = ant(c.id);
				if (a.player == me()) continue;
				if (a.type == Worker) p.push_back({here, 50.0});
				else e.push_back({here, a.type == Queen ? 30.0 : 20.0});
			}
		food.reset(board_rows(), board_cols()); diffuse(food, f, 30, 0.95);
		home.reset(board_rows(), board_cols()); diffuse(home, h, 40, 0.95);
		prey.reset(board_rows(), board_cols()); diffuse(prey, p, 12, 0.9);
		fear.reset(board_rows(), board_cols()); diffuse(fear, e, 3, 0.5);
	}

	// Walks to the neighbour with the highest mark.
	template <class Mark> bool climb(const Ant& a, Mark mark) {
		double top = mark(a.pos);
		int choice = -1;
		for (int d : random_permutation(4)) {
			Pos q = a.pos + Dir(d);
			if (not pos_ok(q) or wet[q.i * board_cols() + q.j] or reserved[q.i * board_cols() + q.j]) continue;
			if (cell(q).id != -1) {
				Ant b = ant(cell(q).id);
				if (b.player == me() or b.type <= a.type) continue;
			}
			if (mark(q) > top) { top = mark(q); choice = d; }
		}
		if (choice < 0) return false;
		Pos q = a.pos + Dir(choice);
		reserved[q.i * board_cols() + q.j] = 1;
		move(a.id, Dir(choice));
		return true;
	}

	void worker(const Ant& a, Pos queen) {
		int far = abs(a.pos.i - queen.i) + abs(a.pos.j - queen.j);
		if (a.bonus == None) {
			if (cell(a.pos).bonus != None and far > 3) take(a.id);
			else if (not climb(a, [&](Pos p) { return food.at(p) - 3 * fear.at(p); }))
				climb(a, [&](Pos p) { return -home.at(p) - fear.at(p); });
		}
		else if (far <= 2 and cell(a.pos).bonus == None) leave(a.id);
		else climb(a, [&](Pos p) { return home.at(p) - 2 * fear.at(p); });
	}

	void play() {
		int n = board_rows() * board_cols();
		if (round() == 0) {
			wet.assign(n, 0);
			for (int k = 0; k < n; ++k) wet[k] = cell(k / board_cols(), k % board_cols()).type == Water;
		}
		reserved.assign(n, 0);
		vector<int> q = queens(me());
		if (q.empty() or status(me()) > 0.95) return;
		Ant queen = ant(q[0]);
		sniff(queen.pos);

		bool ate = false;
		if (round() % queen_period() == 0)
			ate = climb(queen, [&](Pos p) { return cell(p).bonus != None and p != queen.pos ? 1.0 : 0.0; });
		if (not ate) {
			AntType egg = workers(me()).size() < 8 ? Worker : Soldier;
			for (int d = 0; d < 4; ++d) {
				Pos p = queen.pos + Dir(d);
				if (pos_ok(p) and cell(p).type == Soil and cell(p).id == -1) { lay(q[0], Dir(d), egg); break; }
			}
		}
		for (int w : workers(me())) worker(ant(w), queen.pos);
		for (int s : soldiers(me())) climb(ant(s), [&](Pos p) { return prey.at(p); });
	}
};

RegisterPlayer(PLAYER_NAME);
