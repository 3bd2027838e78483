#include "Player.hh"
#define PLAYER_NAME Coyote

// Floyd-Warshall on the streets, once; afterwards every decision is a lookup.

struct PLAYER_NAME : public Player {
	static Player* factory() { return new PLAYER_NAME; }

	unsigned V;
	vector<vector<long>> name;     // cell -> vertex or -1
	vector<Pos> place;             // vertex -> cell
	vector<vector<int>> dist;
	vector<bool> claimed;

	void roads() {
		V = 0;
		name.assign(board_rows(), vector<long>(board_cols(), -1));
		for (int i = 0; i < board_rows(); ++i)
			for (int j = 0; j < board_cols(); ++j)
				if (cell(i, j).type == Street) {
					name[i][j] = V++;
					place.push_back(Pos(i, j));
				}
		dist.assign(V, vector<int>(V, 3000));
		for (unsigned u = 0; u < V; ++u) {
			dist[u][u] = 0;
			for (Dir d : {Down, Right, Up, Left}) {
				Pos p = place[u] + d;
				if (pos_ok(p) && name[p.i][p.j] != -1) dist[u][name[p.i][p.j]] = 1;
			}
		}
		for (auto k = 0u; k < V; ++k) {
			const auto& dk = dist[k];
			for (auto u = 0u; u < V; ++u) {
				auto first = dist[u][k];
				if (first > 200) continue;
				auto& du = dist[u];
				for (unsigned w = 0; w < V; ++w)
					if (first + dk[w] < du[w]) du[w] = first + dk[w];
			}
		}
	}

	long vertex(const Pos& p) { return name[p.i][p.j]; }

	bool beep(int id, long goal, bool attack) {
		auto c = citizen(id);
		auto here = vertex(c.pos);
		for (auto d : {Left, Up, Right, Down}) {
			Pos p = c.pos + d;
			if (!pos_ok(p) || vertex(p) == -1) continue;
			auto v = vertex(p);
			if (dist[v][goal] >= dist[here][goal] || claimed[v]) continue;
			const auto k = cell(p);
			bool somebody = k.id != -1 || (k.b_owner != -1 && k.b_owner != me());
			if (somebody && !(attack && is_night())) continue;
			if (k.id != -1 && citizen(k.id).player == me()) continue;
			claimed[v] = 1;
			move(id, d);
			return true;
		}
		return false;
	}

	struct Wish { float value; int citizen; long goal; int attack; };

	void wishes(int id, vector<Wish>& all) {
		const auto c = citizen(id);
		long here = vertex(c.pos);
		for (unsigned v = 0; v < V; ++v) {
			auto k = cell(place[v]);
			float worth = 0;
			bool attack = false;
			if (k.bonus == Money) worth = money_points();
			if (k.bonus == Food) worth = (citizen_ini_life(c.type) - c.life) / 4.0;
			if (k.weapon != NoWeapon && c.type == Warrior)
				worth = k.weapon > c.weapon ? 20 : 0;
			if (k.id != -1 && is_night() && c.type == Warrior) {
				auto o = citizen(k.id);
				if (o.player != me() && k.b_owner == -1 && weapon_strength_attack(o.weapon) < weapon_strength_attack(c.weapon)) {
					worth = (o.type == Warrior ? kill_warrior_points() : kill_builder_points()) * 20.0 / o.life;
					attack = true;
				}
			}
			if (worth > 0) all.push_back({worth / (2 + dist[here][v]), id, (long) v, attack});
		}
	}

	long nightmare(Pos p) {
		long near = 99;
		for (int pl = 0; pl < 4; ++pl)
			if (pl != me())
				for (int w : warriors(pl)) near = min<long>(near, dist[vertex(p)][vertex(citizen(w).pos)]);
		return near;
	}

	void escape(int id) {
		Pos p = citizen(id).pos;
		Dir way = Up;
		auto best = nightmare(p);
		for (Dir d : {Down, Left, Up, Right}) {
			Pos q = p + d;
			if (!pos_ok(q) || vertex(q) == -1 || cell(q).id != -1) continue;
			auto n = nightmare(q);
			if (cell(q).b_owner == me()) n += 50;
			if (n > best) best = n, way = d;
		}
		move(id, way);
	}

	void play() {
		if (round() == 0) roads();
		claimed.assign(V, 0);
		vector<Wish> all;
		set<long> settled, goals;
		for (int b : builders(me())) {
			if (is_night() && nightmare(citizen(b).pos) <= 3) { escape(b); settled.insert(b); }
			else wishes(b, all);
		}
		for (int w : warriors(me())) wishes(w, all);
		sort(all.begin(), all.end(), [](const Wish& a, const Wish& b) { return a.value > b.value; });
		for (const Wish& w : all) {
			if (settled.count(w.citizen) || goals.count(w.goal)) continue;
			if (!beep(w.citizen, w.goal, w.attack)) continue;
			settled.insert(w.citizen);
			if (!w.attack) goals.insert(w.goal);
		}
	}
};

RegisterPlayer(PLAYER_NAME);
