#include "Player.hh"
#define PLAYER_NAME Wolfpack

// All warriors chase the same victim, chosen once and kept until it is dead
// or safe. Paths are found with a 0-1 search: open street is free of charge
// compared with a street where somebody stands.

struct PLAYER_NAME : public Player {
    static Player* factory() { return new PLAYER_NAME; }

    int victim = -1;

    struct Trail {
        int width;
        vector<int> price;
        int operator()(Pos p) const { return price[p.i * width + p.j]; }
    };

    Trail smell(Pos source) {
        Trail t;
        t.width = board_cols();
        t.price.assign(board_rows() * board_cols(), INT_MAX);
        deque<Pos> open;
        t.price[source.i * t.width + source.j] = 0;
        open.push_back(source);
        while (!open.empty()) {
            Pos p = open.front();
            open.pop_front();
            int base = t(p);
            for (int d = 3; d >= 0; --d) {
                Pos q = p + Dir(d);
                if (!pos_ok(q)) continue;
                Cell c = cell(q);
                if (c.type == Building) continue;
                // every step costs 1; crossing a crowd or a rival barricade 1 more step of waiting
                bool heavy = c.id != -1 || (c.b_owner != -1 && c.b_owner != me());
                int total = base + (heavy ? 2 : 1);
                int& old = t.price[q.i * t.width + q.j];
                if (total >= old) continue;
                old = total;
                if (heavy) open.push_back(q);
                else open.push_front(q);
            }
        }
        return t;
    }

    double appetite(int id) {
        Citizen c = citizen(id);
        if (c.id == -1 || c.player == me()) return -1e9;
        if (cell(c.pos).b_owner != -1) return -500;
        double sum = 0;
        for (int w : warriors(me())) {
            Citizen wolf = citizen(w);
            sum -= 3 * (abs(wolf.pos.i - c.pos.i) + abs(wolf.pos.j - c.pos.j));
            if (weapon_strength_attack(wolf.weapon) < weapon_strength_attack(c.weapon)) sum -= 80;
        }
        sum -= c.life / 2.0;
        if (c.type == Warrior) sum += 25;
        return sum;
    }

    void choose_victim() {
        double best = victim == -1 ? -1e8 : appetite(victim) + 15;
        if (best < -1e7) victim = -1;
        for (int pl = 0; pl < num_players(); ++pl) {
            if (pl == me()) continue;
            vector<int> flock = builders(pl);
            for (int w : warriors(pl)) flock.push_back(w);
            for (int id : flock)
                if (appetite(id) > best) {
                    best = appetite(id);
                    victim = id;
                }
        }
    }

    void stalk(int wolf, const Trail& t) {
        Pos p = citizen(wolf).pos;
        int low = t(p);
        int step = -1;
        for (int d = 0; d < 4; ++d) {
            Pos q = p + Dir(d);
            if (!pos_ok(q) || t(q) == INT_MAX) continue;
            Cell c = cell(q);
            if (c.id != -1 && citizen(c.id).player == me()) continue;
            if (t(q) < low) low = t(q), step = d;
        }
        if (step != -1) move(wolf, Dir(step));
    }

    // Where wolves go by day: weapons first, then money.
    bool errand(int id, function<bool(const Cell&)> good, int reach) {
        Pos start = citizen(id).pos, goal = start;
        int near = reach;
        for (int i = 0; i < board_rows(); ++i)
            for (int j = 0; j < board_cols(); ++j) {
                int d = abs(start.i - i) + abs(start.j - j);
                if (d < near && good(cell(i, j))) near = d, goal = Pos(i, j);
            }
        if (goal == start) return false;
        stalk(id, smell(goal));
        return true;
    }

    void play() {
        if (status(me()) > 0.9) return;
        auto money = [](const Cell& c) { return c.bonus == Money; };
        for (int id : builders(me())) {
            if (is_day() && cell(citizen(id).pos).b_owner == -1 && round() % 50 > 15)
                for (int d = 0; d < 4; ++d) {
                    Pos q = citizen(id).pos + Dir(d);
                    if (pos_ok(q) && cell(q).b_owner == me() && cell(q).id == -1) build(id, Dir(d));
                    else if (pos_ok(q) && cell(q).is_empty() && barricades(me()).size() < 3 && id % 2) build(id, Dir(d));
                }
            errand(id, money, 50);
        }
        choose_victim();
        for (int id : warriors(me())) {
            WeaponType mine = citizen(id).weapon;
            auto better = [mine](const Cell& c) { return c.weapon != NoWeapon && c.weapon > mine; };
            auto food = [](const Cell& c) { return c.bonus == Food; };
            if (citizen(id).life < 50 && errand(id, food, 12)) continue;
            if (errand(id, better, is_day() ? 40 : 5)) continue;
            if (is_night() && victim != -1) stalk(id, smell(citizen(victim).pos));
            else errand(id, money, 50);
        }
    }
};

RegisterPlayer(PLAYER_NAME);
