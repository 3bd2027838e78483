#define NAMEPLAYER Tempera
#include "aibase.h"
using namespace std;

namespace NAMEPLAYER {

// The field is halved again and again, so that each half has as many farmers
// as it deserves; in the end every farmer has a plot of its own.

struct Plot {
    int top;
    int left;
    int bottom;
    int right;
    int height() const { return bottom - top + 1; }
    int width() const { return right - left + 1; }
    bool holds(int i, int j) const { return i >= top && i <= bottom && j >= left && j <= right; }
};

struct AIstruct : public AIbase {
#include "initializer.h"

    int side;
    vector<vector<int>> sums;          // summed area of squares to paint
    map<int, Plot> plots; set<pair<int, int>> used;

    void sum_up() {
        sums.assign(side + 1, vector<int>(side + 1, 0));
        for (int i = 0; i < side; ++i)
            for (int j = 0; j < side; ++j) {
                int c = color(i, j), one = (c == -1 || c == 1) ? 0 : 1;
                sums[i + 1][j + 1] = sums[i][j + 1]
                                   + sums[i + 1][j]
                                   - sums[i][j]
                                   + one;
            }
    }

    int work(const Plot& p) {
        return sums[p.bottom + 1][p.right + 1]
             - sums[p.top][p.right + 1]
             - sums[p.bottom + 1][p.left]
             + sums[p.top][p.left];
    }

    void halve(Plot p, vector<int> crew) {
        if (crew.empty()) return;
        if (crew.size() == 1 || (p.height() < 4 && p.width() < 4)) {
            for (int id : crew) plots[id] = p; return;
        }
        bool across = p.height() >= p.width();
        int total = work(p) + 1;
        int first = crew.size() / 2;
        int cut;
        cut = across ? p.top : p.left;
        Plot a = p;
        Plot b = p;
        // move the fence until the first half has its share
        for (;;) {
            if (across) {
                a.bottom = cut;
                b.top = cut + 1;
            } else {
                a.right = cut;
                b.left = cut + 1;
            }
            bool last = across ? cut + 1 >= p.bottom : cut + 1 >= p.right;
            if (last || work(a) * (int)crew.size() >= first * total) break;
            ++cut;
        }
        sort(crew.begin(), crew.end(), [&](int x, int y) {
            t_robot r = robot(x);
            t_robot s = robot(y);
            return across ? r.i < s.i : r.j < s.j;
        });
        halve(a, vector<int>(crew.begin(), crew.begin() + first));
        halve(b, vector<int>(crew.begin() + first, crew.end()));
    }

    bool vacant(int i, int j) {
        return color(i, j) != -1 && !existeix(i, j) && !used.count({i, j});
    }

    bool step(int id, int dir) {
        t_robot r = robot(id); int i = r.i + pas_i[dir]; int j = r.j + pas_j[dir];
        if (!vacant(i, j)
            || !ordena(id, dir))
            return false;
        used.insert({i, j});
        return true;
    }

    // Row by row inside the plot: the unpainted square that comes first.
    bool next_square(const Plot& p, t_robot r, int& gi, int& gj) {
        int best = INT_MAX;
        for (int i = p.top; i <= p.bottom; ++i)
            for (int j = p.left; j <= p.right; ++j) {
                int c = color(i, j);
                if (c == -1 || c == 1) continue;
                int d = 8 * max(abs(i - r.i), abs(j - r.j)) + (i - p.top);
                if (d < best) {
                    best = d; gi = i;
                    gj = j;
                }
            }
        return best != INT_MAX;
    }

    void paint(int id) {
        t_robot r = robot(id); if (!plots.count(id)) return; Plot& p = plots[id];
        int gi = (p.top + p.bottom) / 2;
        int gj = (p.left + p.right) / 2;
        if (!next_square(p, r, gi, gj) && p.holds(r.i, r.j)) return;
        int si, sj, straight = 1;
        si = (gi > r.i) - (gi < r.i); sj = (gj > r.j) - (gj < r.j);
        while (straight <= 8 && (pas_i[straight] != si || pas_j[straight] != sj)) ++straight;
        if (straight > 8) straight = 1 + random(8);
        int side_first = id % 2 ? 1 : 7;
        for (int turn : {0, side_first, 8 - side_first, 2, 6, 3, 5})
            if (step(id, (straight - 1 + turn) % 8 + 1)) return;
    }

    void fight(int id) {
        int weakest = 0; t_robot r = robot(id);
        for (int d = EST; d <= NE; ++d) {
            int i = r.i + pas_i[d];
            int j = r.j + pas_j[d];
            if (color(i, j) == -1 || !existeix(i, j) || robot(i, j).equip == 1) continue;
            if (robot(i, j).model == PAG) { ordena(id, d); return; }
            if (!weakest || robot(i, j).vida < robot(r.i + pas_i[weakest], r.j + pas_j[weakest]).vida) weakest = d;
        }
        if (weakest) ordena(id, weakest);
        else if (r.vida == 400 && torn_actual() % 3 == 0) step(id, 1 + (id + torn_actual() / 15) % 8);
    }

    void fes_torn() {
        if (torn_actual() == 1) {
            int area = 0;
            for (int c = -1; c <= 4; ++c) area += num_caselles(c);
            side = int(sqrt(area) + 0.5);
        }
        used.clear();
        if (torn_actual() % 10 == 1) {
            sum_up(); plots.clear(); int reach = min(side - 2, 24 + torn_actual() / 8);
            halve(Plot{1, 1, reach, reach}, pagesos(1));
        }
        for (int id : cavallers(1)) fight(id);
        for (int id : pagesos(1)) paint(id);
    }
};

AIstruct::Static_Initializer init;

};
