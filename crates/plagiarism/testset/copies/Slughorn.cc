#include "Player.hh"

#define loop for
#define when if
#define otherwise else
#define give return
#define skip continue
#define number int
#define truth bool
#define yes true
#define no false
#define nothing void

#define PLAYER_NAME Slughorn

struct PLAYER_NAME : public Player {

    static Player* factory () {
        give new PLAYER_NAME;
    }

    /* ---------- potions ---------- */

    vector<number> brew;
    vector<number> flask;
    number flaskSum[5];
    number flaskCount[5];
    number target;

    // Backtracking: drop ingredient k into each flask that still has room.
    truth stir (number k) {
        when (k == 15) give yes;
        truth triedEmpty = no;
        loop (number f = 0; f < 5; ++f) {
            when (flaskCount[f] == 3) skip;
            when (flaskCount[f] == 0) {
                when (triedEmpty) skip;   // empty flasks are all alike
                triedEmpty = yes;
            }
            number sum = flaskSum[f] + brew[k];
            when (sum > target) skip;
            when (flaskCount[f] == 2 && sum != target) skip;
            flaskSum[f] = sum;
            ++flaskCount[f];
            flask[k] = f;
            when (stir(k + 1)) give yes;
            flaskSum[f] -= brew[k];
            --flaskCount[f];
        }
        give no;
    }

    truth prepare () {
        brew = spell_ingredients();
        number total = 0;
        loop (number x : brew) total += x;
        when (total % 5 != 0) give no;
        target = total / 5;
        flask.assign(15, 0);
        loop (number f = 0; f < 5; ++f) flaskSum[f] = flaskCount[f] = 0;
        give stir(0);
    }

    /* ---------- dungeon ---------- */

    truth deadly (const Pos& p, number margin) {
        Pos v = pos_voldemort();
        give abs(p.i - v.i) <= margin && abs(p.j - v.j) <= margin;
    }

    truth usable (const Pos& p) {
        give pos_ok(p) && cell(p).type == Corridor && cell(p).id == -1 && !deadly(p, 2);
    }

    nothing ghostTurn () {
        number g = ghost(me());
        Unit u = unit(g);
        truth inTime = num_rounds() - round() > 50;
        when (u.resting_rounds() == 0 && inTime && !deadly(u.pos, 2) && prepare()) {
            spell(g, flask);
            give;
        }
        number bestScore = -1000;
        Dir best = Up;
        loop (number d = 0; d < 8; ++d) {
            Pos p = u.pos + Dir(d);
            when (!usable(p)) skip;
            number s = random(0, 3);
            when (cell(p).owner != me()) s += 10;
            // keep away from enemy wizards
            loop (number a = -2; a <= 2; ++a)
                loop (number b = -2; b <= 2; ++b) {
                    Pos q(p.i + a, p.j + b);
                    when (pos_ok(q) && cell(q).id != -1 && unit(cell(q).id).player != me()) s -= 4;
                }
            when (s > bestScore) {
                bestScore = s;
                best = Dir(d);
            }
        }
        when (bestScore > -1000) move(g, best);
    }

    set<Pos> promised;

    // Depth-first look at what a corridor offers: new cells within five steps.
    number harvest (const Pos& p, number depth, set<Pos>& path) {
        when (depth == 0 || !usable(p) || path.count(p)) give 0;
        number here = 0;
        when (cell(p).owner != me()) here += 2;
        when (cell(p).book) here += 9;
        path.insert(p);
        number rest = 0;
        loop (number d = 0; d < 8; d += 2) rest = max(rest, harvest(p + Dir(d), depth - 1, path));
        path.erase(p);
        give here * depth + rest;
    }

    nothing student (number id) {
        Unit u = unit(id);
        number top = 0;
        number choice = -1;
        loop (number d = 0; d < 8; d += 2) {
            Pos p = u.pos + Dir(d);
            when (!pos_ok(p) || promised.count(p)) skip;
            number other = cell(p).id;
            number value = 0;
            when (other != -1) {
                Unit o = unit(other);
                when (o.player != me() && o.type == Wizard && !o.is_in_conversion_process()
                        && !u.is_in_conversion_process() && magic_strength(me()) >= magic_strength(o.player)) value = 1000;
                when (o.player == me() && o.is_in_conversion_process()) value = 900;
            } otherwise {
                set<Pos> path;
                path.insert(u.pos);
                value = harvest(p, 4, path);
            }
            when (value > top) {
                top = value;
                choice = d;
            }
        }
        when (choice == -1) choice = 2 * random(0, 3);
        Pos p = u.pos + Dir(choice);
        when (!pos_ok(p) || deadly(p, 2)) give;
        promised.insert(p);
        move(id, Dir(choice));
    }

    nothing play () {
        promised.clear();
        ghostTurn();
        when (status(me()) > 0.9) give;
        loop (number id : wizards(me())) student(id);
    }

};

RegisterPlayer(PLAYER_NAME);
