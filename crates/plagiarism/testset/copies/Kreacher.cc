#include "Player.hh"
#define PLAYER_NAME Kreacher

// Kreacher keeps promises: a wizard walks its whole errand before it gets another.

struct Errand {
    bool over() const { return left.empty(); }
    int begun = -1;
    vector<Dir> left;      // steps still to walk, last one first
};

struct PLAYER_NAME : public Player {
    void play() {
        if (status(me()) > 0.9) return;
        goals.assign(board_rows() * cols(), 0);
        for (auto& kv : errands) {
            if (unit(kv.first).player != me()) { kv.second.left.clear(); continue; }
            Pos p = unit(kv.first).pos;
            for (auto it = kv.second.left.rbegin(); it != kv.second.left.rend(); ++it) p += *it;
            if (!kv.second.over() && pos_ok(p)) goals[code(p)] = 1;
        }
        for (int id : wizards(me())) serve(id);
        int g = ghost(me());
        if (scary(unit(g).pos, 5)) {
            for (int d = 0; d < 8; ++d) {
                Pos q = unit(g).pos + Dir(d);
                if (pos_ok(q) && cell(q).is_empty() && !scary(q, 4)) { move(g, Dir(d)); break; }
            }
        }
    }

    static Player* factory() { return new PLAYER_NAME; }

    void panic(int id) {
        Pos p = unit(id).pos, v = pos_voldemort();
        Dir choice = Up;
        int best = -1;
        for (Dir d : {Up, Down, Left, Right}) {
            Pos q = p + d;
            if (!pos_ok(q) || !cell(q).is_empty()) continue;
            int gain = abs(q.i - v.i) + abs(q.j - v.j);
            if (gain > best) best = gain, choice = d;
        }
        if (best >= 0) move(id, choice);
        errands.erase(id);
    }

    bool scary(Pos p, int margin = 2) {
        Pos v = pos_voldemort();
        return max(abs(p.i - v.i), abs(p.j - v.j)) <= margin;
    }

    void serve(int id) {
        const Unit u = unit(id);
        if (scary(u.pos, 3)) return panic(id);
        Errand& e = errands[id];
        if (e.over() || round() - e.begun > 15) e = find_errand(u.pos);
        if (e.over()) {
            Dir d = Dir(2 * random(0, 3));
            if (pos_ok(u.pos + d) && cell(u.pos + d).is_empty() && !scary(u.pos + d)) move(id, d);
            return;
        }
        Dir d = e.left.back();
        Pos next = u.pos + d;
        if (scary(next)) return panic(id);
        if (cell(next).id == -1) e.left.pop_back();
        else {
            Unit o = unit(cell(next).id);
            bool fight = o.player != me() && o.type == Wizard && !o.is_in_conversion_process();
            bool help = o.player == me() && o.is_in_conversion_process();
            if (!fight && !help) {
                e.left.clear();
                return;
            }
        }
        move(id, d);
    }

    Errand find_errand(Pos start) {
        vector<int> came(board_rows() * cols(), -1);
        deque<int> todo = {code(start)};
        came[code(start)] = 8;
        Errand e;
        e.begun = round();
        while (!todo.empty()) {
            int x = todo.front();
            todo.pop_front();
            Pos p(x / cols(), x % cols());
            if (x != code(start) && interesting(p)) {
                goals[x] = 1;
                for (Pos q = p; came[code(q)] != 8; ) {
                    int d = came[code(q)];
                    e.left.push_back(Dir(d));
                    q += Dir((d + 4) % 8);
                }
                return e;
            }
            // enemies end a road, friends and books do not
            if (x != code(start) && cell(p).id != -1 && unit(cell(p).id).player != me()) continue;
            for (int d = 0; d < 8; d += 2) {
                Pos q = p + Dir(d);
                if (!pos_ok(q) || came[code(q)] != -1 || cell(q).type == Wall || scary(q, 4)) continue;
                came[code(q)] = d;
                todo.push_back(code(q));
            }
        }
        return e;
    }

    int cols() { return board_cols(); }
    int code(Pos p) { return p.i * cols() + p.j; }

    bool interesting(Pos p) {
        if (goals[code(p)]) return false;
        const Cell c = cell(p);
        if (c.book) return true;
        if (c.id == -1) return false;
        const Unit o = unit(c.id);
        return o.type == Wizard && o.player != me() && !o.is_in_conversion_process()
            && magic_strength(o.player) < magic_strength(me()) * 1.3;
    }

    unordered_map<int, Errand> errands;
    vector<uint8_t> goals;        // cells that somebody is walking to
};

RegisterPlayer(PLAYER_NAME);
