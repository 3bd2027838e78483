#include "Player.hh"

#define PLAYER_NAME Snape

struct PLAYER_NAME : public Player {

    static Player* factory () {
        return new PLAYER_NAME;
    }

    /* ---------- potions ---------- */

    vector<int> brew;
    vector<int> flask;
    int flaskSum[5];
    int flaskCount[5];
    int target;

    // Backtracking: drop ingredient k into each flask that still has room.
    bool stir (int k) {
        if (k == 15) return true;
        bool triedEmpty = false;
        for (int f = 0; f < 5; ++f) {
            if (flaskCount[f] == 3) continue;
            if (flaskCount[f] == 0) {
                if (triedEmpty) continue;   // empty flasks are all alike
                triedEmpty = true;
            }
            int sum = flaskSum[f] + brew[k];
            if (sum > target) continue;
            if (flaskCount[f] == 2 && sum != target) continue;
            flaskSum[f] = sum;
            ++flaskCount[f];
            flask[k] = f;
            if (stir(k + 1)) return true;
            flaskSum[f] -= brew[k];
            --flaskCount[f];
        }
        return false;
    }

    bool prepare () {
        brew = spell_ingredients();
        int total = 0;
        for (int x : brew) total += x;
        if (total % 5 != 0) return false;
        target = total / 5;
        flask.assign(15, 0);
        for (int f = 0; f < 5; ++f) flaskSum[f] = flaskCount[f] = 0;
        return stir(0);
    }

    /* ---------- dungeon ---------- */

    bool deadly (const Pos& p, int margin) {
        Pos v = pos_voldemort();
        return abs(p.i - v.i) <= margin && abs(p.j - v.j) <= margin;
    }

    bool usable (const Pos& p) {
        return pos_ok(p) && cell(p).type == Corridor && cell(p).id == -1 && !deadly(p, 2);
    }

    void ghostTurn () {
        int g = ghost(me());
        Unit u = unit(g);
        bool inTime = num_rounds() - round() > 50;
        if (u.resting_rounds() == 0 && inTime && !deadly(u.pos, 2) && prepare()) {
            spell(g, flask);
            return;
        }
        int bestScore = -1000;
        Dir best = Up;
        for (int d = 0; d < 8; ++d) {
            Pos p = u.pos + Dir(d);
            if (!usable(p)) continue;
            int s = random(0, 3);
            if (cell(p).owner != me()) s += 10;
            // keep away from enemy wizards
            for (int a = -2; a <= 2; ++a)
                for (int b = -2; b <= 2; ++b) {
                    Pos q(p.i + a, p.j + b);
                    if (pos_ok(q) && cell(q).id != -1 && unit(cell(q).id).player != me()) s -= 4;
                }
            if (s > bestScore) {
                bestScore = s;
                best = Dir(d);
            }
        }
        if (bestScore > -1000) move(g, best);
    }

    set<Pos> promised;

    // Depth-first look at what a corridor offers: new cells within five steps.
    int harvest (const Pos& p, int depth, set<Pos>& path) {
        if (depth == 0 || !usable(p) || path.count(p)) return 0;
        int here = 0;
        if (cell(p).owner != me()) here += 2;
        if (cell(p).book) here += 9;
        path.insert(p);
        int rest = 0;
        for (int d = 0; d < 8; d += 2) rest = max(rest, harvest(p + Dir(d), depth - 1, path));
        path.erase(p);
        return here * depth + rest;
    }

    void student (int id) {
        Unit u = unit(id);
        int top = 0;
        int choice = -1;
        for (int d = 0; d < 8; d += 2) {
            Pos p = u.pos + Dir(d);
            if (!pos_ok(p) || promised.count(p)) continue;
            int other = cell(p).id;
            int value = 0;
            if (other != -1) {
                Unit o = unit(other);
                if (o.player != me() && o.type == Wizard && !o.is_in_conversion_process()
                        && !u.is_in_conversion_process() && magic_strength(me()) >= magic_strength(o.player)) value = 1000;
                if (o.player == me() && o.is_in_conversion_process()) value = 900;
            } else {
                set<Pos> path;
                path.insert(u.pos);
                value = harvest(p, 4, path);
            }
            if (value > top) {
                top = value;
                choice = d;
            }
        }
        if (choice == -1) choice = 2 * random(0, 3);
        Pos p = u.pos + Dir(choice);
        if (!pos_ok(p) || deadly(p, 2)) return;
        promised.insert(p);
        move(id, Dir(choice));
    }

    void play () {
        promised.clear();
        ghostTurn();
        if (status(me()) > 0.9) return;
        for (int id : wizards(me())) student(id);
    }

};

RegisterPlayer(PLAYER_NAME);
