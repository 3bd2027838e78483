#define NAMEPLAYER Cargol
#include "aibase.h"
using namespace std;

namespace NAMEPLAYER {

enum Gait { Winding, Escaping };

struct Walker {
	int heading;
	Gait gait;
	int age;
};

struct AIstruct : public AIbase {
#include "initializer.h"

	map<int, Walker> walkers;
	vector<pair<int,int> > steps;

	static int turned(int dir, int eighths) {
		return (dir - 1 + eighths + 16) % 8 + 1;
	}

	bool promised(int i, int j) {
		size_t k = 0;
		while (k < steps.size()) {
			if (steps[k].first == i && steps[k].second == j) return true;
			++k;
		}
		return false;
	}

	bool open(const t_robot& r, int dir) {
		int i = r.i + pas_i[dir], j = r.j + pas_j[dir];
		return color(i, j) != -1 && !existeix(i, j) && !promised(i, j);
	}

	bool fresh(const t_robot& r, int dir) {
		return open(r, dir) && color(r.i + pas_i[dir], r.j + pas_j[dir]) != 1;
	}

	// Looks along the eight rays for the nearest square to paint.
	int ray(const t_robot& r, int& best) {
		int answer = 0;
		best = 30;
		int dir = 0;
		while (dir < 8) {
			++dir;
			if (!open(r, dir)) continue;
			int i = r.i, j = r.j;
			int k = 1;
			while (k < best) {
				i += pas_i[dir];
				j += pas_j[dir];
				int c = color(i, j);
				if (c == -1) break;
				if (c != 1) {
					best = k;
					answer = dir;
				}
				++k;
			}
		}
		return answer;
	}

	void walk(int id, const t_robot& r, int dir) {
		if (!ordena(id, dir)) return;
		steps.push_back(make_pair(r.i + pas_i[dir], r.j + pas_j[dir]));
		walkers[id].heading = dir;
	}

	void farmer(int id) {
		t_robot r = robot(id);
		if (walkers.find(id) == walkers.end()) {
			Walker w = { 1 + 2 * (id % 4), Winding, 0 };
			walkers[id] = w;
		}
		Walker& w = walkers[id];
		++w.age;
		int k;
		if (w.gait == Winding) {
			static const int preference[8] = { 2, 1, 0, -1, -2, 3, -3, 4 };
			k = 0;
			while (k < 8) {
				int dir = turned(w.heading, preference[k]);
				if (fresh(r, dir)) {
					walk(id, r, dir);
					return;
				}
				++k;
			}
			w.gait = Escaping;
		}
		int far, dir = ray(r, far);
		if (dir != 0) {
			if (far == 1) w.gait = Winding;
			walk(id, r, dir);
			return;
		}
		// nothing in sight: straight on, and a turn when something is in the way
		k = 0;
		while (k < 8) {
			int d = turned(w.heading, (w.age / 20 % 2 ? k : -k));
			if (open(r, d)) {
				walk(id, r, d);
				return;
			}
			++k;
		}
	}

	void knight(int id) {
		t_robot r = robot(id);
		int wanted = PAG;
		while (wanted <= CAV) {
			int dir = 0;
			while (dir++ < 8) {
				int i = r.i + pas_i[dir], j = r.j + pas_j[dir];
				if (color(i, j) == -1 || !existeix(i, j)) continue;
				t_robot o = robot(i, j);
				if (o.equip == 1 || o.model != wanted) continue;
				ordena(id, dir);
				return;
			}
			++wanted;
		}
	}

	void fes_torn() {
		steps.clear();
		vector<int> f = pagesos(1);
		size_t k = 0;
		while (k < f.size()) {
			farmer(f[k]);
			++k;
		}
		vector<int> c = cavallers(1);
		k = 0;
		while (k != c.size()) knight(c[k++]);
	}
};

AIstruct::Static_Initializer init;

};
