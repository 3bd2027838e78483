#define NAMEPLAYER Llop
#include "aibase.h"
using namespace std;

namespace NAMEPLAYER {

/*
   El ramat de llops: cada cavaller té una presa fixa i la persegueix amb A*
   ponderat; els pagesos pinten a l'ombra dels cavallers.
*/

struct Estat {
    int f, g, i, j;
    friend bool operator> (const Estat& a, const Estat& b) {
        if (a.f != b.f) return a.f > b.f;
        return a.g < b.g;
    }
};

struct AIstruct : public AIbase {
#include "initializer.h"

    map<int,int> presa;               // cavaller -> robot que persegueix
    vector<vector<int> > millor_g;
    vector<vector<int> > d_inicial;
    set<PII> presos;

    static int xeb (int i, int j, int a, int b) {
        return max(abs(i - a), abs(j - b));
    }

    bool bloquejat (int i, int j) {
        return color(i, j) == -1 or presos.count(PII(i, j));
    }

    int astar (t_robot r, int fi, int fj) {
        const int DIM = 120;
        millor_g.assign(DIM, vector<int>(DIM, 1000000));
        d_inicial.assign(DIM, vector<int>(DIM, 0));
        priority_queue<Estat, vector<Estat>, greater<Estat> > oberts;
        millor_g[r.i][r.j] = 0;
        oberts.push(Estat{xeb(r.i, r.j, fi, fj)*2, 0, r.i, r.j});
        int expandits = 0;
        while (not oberts.empty() and ++expandits < 400) {
            Estat e = oberts.top();
            oberts.pop();
            if (e.g > millor_g[e.i][e.j]) continue;
            if (xeb(e.i, e.j, fi, fj) <= 1) {
                if (e.g > 0) return d_inicial[e.i][e.j];
                for (int d = EST; d <= NE; ++d)
                    if (r.i + pas_i[d] == fi and r.j + pas_j[d] == fj) return d;
            }
            for (int d = EST; d <= NE; ++d) {
                int i = e.i + pas_i[d], j = e.j + pas_j[d];
                if (bloquejat(i, j)) continue;
                int g = e.g + (existeix(i, j) ? 4 : 1);
                if (e.g == 0 and existeix(i, j)) continue;
                if (g >= millor_g[i][j]) continue;
                millor_g[i][j] = g;
                d_inicial[i][j] = e.g == 0 ? d : d_inicial[e.i][e.j];
                oberts.push(Estat{g + 2*xeb(i, j, fi, fj), g, i, j});
            }
        }
        return 0;
    }

    int tria_presa (t_robot r) {
        int quina = -1, nota = 1000000;
        for (int e = 2; e <= 4; ++e) {
            vector<int> v = pagesos(e);
            foreach(it, v) {
                t_robot o = robot(*it);
                int n = 10*xeb(r.i, r.j, o.i, o.j);
                foreach(p, presa) if (p->second == *it and p->first != r.id) n += 60;
                if (n < nota) { nota = n; quina = *it; }
            }
        }
        return quina;
    }

    bool mossega (t_robot r) {
        int on = 0, vida = 1000;
        for (int d = EST; d <= NE; ++d) {
            int i = r.i + pas_i[d], j = r.j + pas_j[d];
            if (color(i, j) == -1 or not existeix(i, j)) continue;
            t_robot o = robot(i, j);
            if (o.equip == 1) continue;
            int v = o.model == PAG ? 1 : o.vida;
            if (v < vida) { vida = v; on = d; }
        }
        return on and ordena(r.id, on);
    }

    void llop (int id) {
        t_robot r = robot(id);
        if (mossega(r) or r.vida < 150) return;
        if (not presa.count(id) or not existeix(presa[id]) or robot(presa[id]).equip == 1) presa[id] = tria_presa(r);
        if (presa[id] == -1) return;
        t_robot o = robot(presa[id]);
        int d = astar(r, o.i, o.j);
        if (d and ordena(id, d)) presos.insert(PII(r.i + pas_i[d], r.j + pas_j[d]));
        else presa.erase(id);
    }

    void xai (int id) {
        t_robot r = robot(id);
        int millor = -100000, on = 0;
        for (int d = EST; d <= NE; ++d) {
            int i = r.i + pas_i[d], j = r.j + pas_j[d];
            if (bloquejat(i, j) or existeix(i, j)) continue;
            int n = random(4);
            if (color(i, j) != 1) n += 40;
            for (int a = i - 3; a <= i + 3; ++a)
                for (int b = j - 3; b <= j + 3; ++b) {
                    if (a < 1 or b < 1 or color(a, b) == -1) continue;
                    if (color(a, b) != 1) n += 2;
                    if (existeix(a, b)) {
                        t_robot o = robot(a, b);
                        if (o.equip != 1 and o.model == CAV) n -= 30;
                        else if (o.equip == 1 and o.model == CAV) n += 5;
                        else if (o.id != id) n -= 4;
                    }
                }
            if (n > millor) { millor = n; on = d; }
        }
        if (on and ordena(id, on)) presos.insert(PII(r.i + pas_i[on], r.j + pas_j[on]));
    }

    void fes_torn () {
        presos.clear();
        vector<int> c = cavallers(1);
        foreach(it, c) llop(*it);
        vector<int> p = pagesos(1);
        foreach(it, p) xai(*it);
    }
};

AIstruct::Static_Initializer init;

};
