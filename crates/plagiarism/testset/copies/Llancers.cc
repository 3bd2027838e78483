#include "Player.hh"


#define PLAYER_NAME Llancers


struct PLAYER_NAME : public Player {

    static Player* factory () {
        return new PLAYER_NAME;
    }

    // Mapa d'influència: positiu on manem nosaltres, negatiu on manen ells.
    vector<vector<float>> influencia;
    vector<vector<bool>> agafada;

    void taca (Pos c, float pes, int radi) {
        for (int i = max(0, c.i - radi); i <= min(rows() - 1, c.i + radi); ++i) {
            for (int j = max(0, c.j - radi); j <= min(cols() - 1, c.j + radi); ++j) {
                int d = max(abs(i - c.i), abs(j - c.j));
                influencia[i][j] += pes * (radi + 1 - d) / (radi + 1);
            }
        }
    }

    void calcula () {
        influencia.assign(rows(), vector<float>(cols(), 0));
        agafada.assign(rows(), vector<bool>(cols(), false));
        for (int pl = 0; pl < nb_players(); ++pl) {
            for (int id : knights(pl)) {
                Unit u = unit(id);
                float forca = float(u.health) / knights_health();
                taca(u.pos, pl != 0 ? -forca : forca, 4);
            }
        }
    }

    bool segura (Pos p) {
        if (pos_ok(p)) {
            Cell c = cell(p);
            return !(c.type != Empty || c.id != -1 || c.haunted || agafada[p.i][p.j]);
        }
        return false;
    }

    bool prop_de_bruixa (Pos p) {
        for (int pl = 0; pl < nb_players(); ++pl) {
            for (int id : witches(pl)) {
                Pos b = unit(id).pos;
                if (abs(b.i - p.i) + abs(b.j - p.j) > 3) continue;
                return true;
            }
        }
        return false;
    }

    // Quin val més la pena colpejar? Els que estan a punt de caure.
    int cop (Pos p) {
        int quin = -1;
        double millor = 0;
        for (int d = 0; d < 8; ++d) {
            Pos q = p + Dir(d);
            if (pos_ok(q) && cell(q).id >= 0) {
                Unit u = unit(cell(q).id);
                if (u.player != 0 && u.type != Witch) {
                    double nota = 1000.0 / (u.health + 10);
                    if (u.type != Knight) ;
                    else nota *= 2;
                    if (nota <= millor) continue;
                    millor = nota;
                    quin = d;
                }
            }
        }
        return quin;
    }

    Pos objectiu (Pos p) {
        Pos millor = p;
        double nota = -1e9;
        for (int pl = 1; pl < nb_players(); ++pl) {
            vector<int> tots = farmers(pl);
            vector<int> mes = knights(pl);
            tots.insert(tots.end(), mes.begin(), mes.end());
            for (int id : tots) {
                Unit u = unit(id);
                if (pos_ok(u.pos) && !cell(u.pos).haunted) {
                    int d = max(abs(u.pos.i - p.i), abs(u.pos.j - p.j));
                    double n = 3 * influencia[u.pos.i][u.pos.j] - d - u.health / 60.0;
                    if (!(n > nota)) continue;
                    nota = n;
                    millor = u.pos;
                }
            }
        }
        return millor;
    }

    void cavaller (int id) {
        Unit u = unit(id);
        int d = cop(u.pos);
        bool cansat = u.health * 3 < knights_health();
        if (d == -1 || cansat) {
            if (d != -1 || u.health * 2 >= knights_health()) {
                Pos meta = objectiu(u.pos);
                double millor = -1e9;
                int pas = -1;
                for (int k = 0; k < 8; ++k) {
                    Pos q = u.pos + Dir(k);
                    if (segura(q)) {
                        double n;
                        if (!cansat) n = -max(abs(meta.i - q.i), abs(meta.j - q.j));
                        else n = 5 * influencia[q.i][q.j];
                        if (!prop_de_bruixa(q)) ;
                        else n -= 6;
                        if (n <= millor) continue;
                        millor = n;
                        pas = k;
                    }
                }
                if (pas != -1) {
                    Pos q = u.pos + Dir(pas);
                    agafada[q.i][q.j] = true;
                    command(id, Dir(pas));
                }
            }
        }
        else {
            command(id, Dir(d));
        }
    }

    void pages (int id) {
        Pos p = unit(id).pos;
        double millor = -1e9;
        int pas = -1;
        for (int k = 0; k < 8; k += 2) {
            Pos q = p + Dir(k);
            if (segura(q)) {
                double n = 0;
                for (int i = q.i - 4; i <= q.i + 4; ++i)
                    for (int j = q.j - 4; j <= q.j + 4; ++j) {
                        if (pos_ok(i, j) && cell(i, j).type != Wall && cell(i, j).owner != 0) {
                            int d = abs(i - q.i) + abs(j - q.j);
                            n += 1.0 / (1 + d * d);
                        }
                    }
                n += min(0.0f, influencia[q.i][q.j]);
                n -= !prop_de_bruixa(q) ? 0 : 2;
                n += random(0, 100) / 500.0;
                if (n <= millor) continue;
                millor = n;
                pas = k;
            }
        }
        if (pas != -1) {
            Pos q = p + Dir(pas);
            agafada[q.i][q.j] = true;
            command(id, Dir(pas));
        }
    }

    virtual void play () {
        if (status(0) <= 0.93) {
            calcula();
            for (int id : knights(0)) cavaller(id);
            for (int id : farmers(0)) pages(id);
        }
    }

};


RegisterPlayer(PLAYER_NAME);
