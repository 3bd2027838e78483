#include "Player.hh"

/**
 * Termiter: cada obrera busca el menjar més proper amb un BFS i el porta
 * al costat de la reina. La reina menja i posa ous d'obrera.
 */
#define PLAYER_NAME Termiter

struct PLAYER_NAME : public Player {

    static Player* factory () {
        return new PLAYER_NAME;
    }

    typedef vector<int> VI;
    typedef vector<VI> VVI;
    typedef pair<int,int> Casella;

    const int DI[4] = {1, 0, -1, 0};
    const int DJ[4] = {0, 1, 0, -1};

    VVI ocupat;     // caselles que ja tenen amo aquest torn
    set<Casella> promesos;

    bool transitable (int i, int j) {
        return pos_ok(i, j) && cell(i, j).type == Soil;
    }

    bool perillos (int i, int j) {
        int d = -1;
        while (++d < 4) {
            int a = i + DI[d], b = j + DJ[d];
            if (!pos_ok(a, b)) continue;
            int id = cell(a, b).id;
            if (id == -1) continue;
            Ant f = ant(id);
            if (f.player != me() && f.type != Worker) return true;
        }
        return false;
    }

    // Retorna la primera direcció cap a l'objectiu més proper, o -1.
    int primer_pas (Pos origen, int que, Pos on) {
        int n = board_rows(), m = board_cols();
        VVI dist(n, VI(m, -1));
        vector<vector<Casella>> pare(n, vector<Casella>(m));
        queue<Casella> Q;
        Q.push(Casella(origen.i, origen.j));
        dist[origen.i][origen.j] = 0;
        Casella fi(-1, -1);
        while (!Q.empty() && fi.first == -1) {
            Casella c = Q.front();
            Q.pop();
            int d = -1;
            while (++d < 4) {
                int i = c.first + DI[d], j = c.second + DJ[d];
                if (!transitable(i, j) || dist[i][j] != -1) continue;
                dist[i][j] = dist[c.first][c.second] + 1;
                pare[i][j] = c;
                bool hi_soc;
                if (que == 0) hi_soc = cell(i, j).bonus != None && !promesos.count(Casella(i, j)) && abs(i - on.i) + abs(j - on.j) > 2;
                else hi_soc = abs(i - on.i) + abs(j - on.j) <= 1 && cell(i, j).bonus == None;
                if (hi_soc) {
                    fi = Casella(i, j);
                    break;
                }
                if (cell(i, j).id == -1) Q.push(Casella(i, j));
            }
        }
        if (fi.first == -1) return -1;
        if (que == 0) promesos.insert(fi);
        Casella c = fi;
        for (; pare[c.first][c.second] != Casella(origen.i, origen.j); c = pare[c.first][c.second]);
        int d = 0;
        while (d < 4) {
            if (origen.i + DI[d] == c.first && origen.j + DJ[d] == c.second) return d;
            ++d;
        }
        return -1;
    }

    bool mou (const Ant& f, int d) {
        int i = f.pos.i + DI[d], j = f.pos.j + DJ[d];
        if (!transitable(i, j) || ocupat[i][j]) return false;
        if (f.type == Worker && perillos(i, j)) return false;
        ocupat[i][j] = 1;
        move(f.id, Dir(d));
        return true;
    }

    void mou_obrera (const Ant& f, const Ant& reina) {
        int dr = abs(f.pos.i - reina.pos.i) + abs(f.pos.j - reina.pos.j);
        bool menjar_aqui = cell(f.pos).bonus != None;
        if (f.bonus == None && menjar_aqui && dr > 2) { take(f.id); return; }
        if (f.bonus != None && !menjar_aqui && dr <= 2) { leave(f.id); return; }
        int d = primer_pas(f.pos, f.bonus == None ? 0 : 1, reina.pos);
        if (d == -1 || !mou(f, d)) mou(f, random(0, 3));
    }

    void mou_reina (const Ant& reina) {
        if (round()%queen_period() == 0) {
            int d = 0;
            while (d < 4) {
                Pos p = reina.pos + Dir(d);
                if (pos_ok(p) && cell(p).bonus != None && mou(reina, d)) return;
                d++;
            }
        }
        bool prou = true;
        int k = 0;
        while (k < 3) {
            if (reina.reserve[k] < needed(Worker, NutrientType(k))) prou = false;
            k++;
        }
        if (!prou) return;
        int d = 0;
        do {
            Pos p = reina.pos + Dir(d);
            if (transitable(p.i, p.j) && !ocupat[p.i][p.j]) {
                lay(reina.id, Dir(d), Worker);
                ocupat[p.i][p.j] = 1;
                return;
            }
            d++;
        } while (d < 4);
    }

    virtual void play () {
        ocupat = VVI(board_rows(), VI(board_cols(), 0));
        promesos.clear();
        int i = 0;
        while (i < board_rows()) {
            int j = 0;
            while (j < board_cols()) {
                if (cell(i, j).id != -1) ocupat[i][j] = 1;
                ++j;
            }
            ++i;
        }
        VI r = queens(me());
        if (r.empty()) return;
        Ant reina = ant(r[0]);
        mou_reina(reina);
        VI obreres = workers(me());
        int k = 0;
        while (k < (int)obreres.size()) {
            mou_obrera(ant(obreres[k]), reina);
            ++k;
        }
        VI soldats = soldiers(me());
        k = 0;
        while (k < (int)soldats.size()) {
            mou(ant(soldats[k]), random(0, 3));
            ++k;
        }
    }

};

RegisterPlayer(PLAYER_NAME);
