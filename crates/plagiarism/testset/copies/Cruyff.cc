#include "Player.hh"
#define PLAYER_NAME Cruyff

struct PLAYER_NAME : public Player {
    static Player* factory() { return new PLAYER_NAME; }

    using Test = function<bool(Pos)>;
    using Step = optional<Dir>;

    int pitch = 9;          // grows when there is nothing left to fetch
    unordered_set<int> closed;
    Ant captain;

    // Wave by wave: 'wave' holds pairs (place, first step taken).
    Step look(Pos from, int depth, Test wanted) {
        unordered_set<int> known = {from.i * 1000 + from.j};
        vector<pair<Pos, Dir>> wave, next;
        for (Dir d : {Right, Down, Left, Up}) {
            Pos p = from + d;
            if (pos_ok(p) && cell(p).type != Water && cell(p).id < 0 && !closed.count(p.i * 1000 + p.j)) {
                wave.emplace_back(p, d);
                known.insert(p.i * 1000 + p.j);
            }
        }
        for (int level = 1; level <= depth && !wave.empty(); ++level) {
            for (auto& w : wave)
                if (wanted(w.first)) return w.second;
            next.clear();
            for (auto& w : wave)
                for (Dir d : {Right, Down, Left, Up}) {
                    Pos p = w.first + d;
                    if (pos_ok(p) && cell(p).type != Water && known.insert(p.i * 1000 + p.j).second) next.emplace_back(p, w.second);
                }
            swap(wave, next);
        }
        return nullopt;
    }

    void play() override {
        closed.clear();
        if (queens(me()).empty()) return;
        captain = ant(queens(me()).front());
        pitch = 9 + round() / 25;

        // the captain
        bool eaten = false;
        if (round() % queen_period() == 0) {
            Step step = look(captain.pos, 3, [&](Pos p) { return cell(p).bonus != None; });
            if (step) {
                Pos to = captain.pos + *step;
                closed.insert(to.i * 1000 + to.j);
                move(captain.id, *step);
                eaten = true;
            }
        }
        if (!eaten) {
            AntType signing = soldiers(me()).size() < 2 && workers(me()).size() > 5 ? Soldier : Worker;
            bool rich = true;
            for (int n = Carbohydrate; n <= Lipid; ++n)
                if (captain.reserve[n] < needed(signing, NutrientType(n))) rich = false;
            if (rich)
                for (Dir d : {Down, Left, Up, Right}) {
                    Pos p = captain.pos + d;
                    if (pos_ok(p) && cell(p).type != Water && cell(p).id < 0 && !closed.count(p.i * 1000 + p.j)) {
                        closed.insert(p.i * 1000 + p.j);
                        lay(captain.id, d, signing);
                        break;
                    }
                }
        }

        // the defenders close down whoever enters the box
        for (int id : soldiers(me())) {
            Ant s = ant(id);
            bool done = false;
            for (Dir d : {Up, Right, Down, Left}) {
                Pos p = s.pos + d;
                if (done || !pos_ok(p) || cell(p).type == Water || cell(p).id < 0) continue;
                Ant rival = ant(cell(p).id);
                if (rival.player != me() && rival.type == Worker) { move(s.id, d); done = true; }
            }
            if (done) continue;
            Step step = look(s.pos, 4, [&](Pos p) {
                if (cell(p).id < 0) return false;
                Ant rival = ant(cell(p).id);
                return rival.player != me() && rival.type == Worker && abs(p.i - captain.pos.i) + abs(p.j - captain.pos.j) < pitch;
            });
            if (!step) {
                int d = abs(s.pos.i - captain.pos.i) + abs(s.pos.j - captain.pos.j);
                if (d < 3 || d > 6)
                    step = look(s.pos, 40, [&](Pos p) {
                        int g = abs(p.i - captain.pos.i) + abs(p.j - captain.pos.j);
                        return g >= 3 && g <= 6;
                    });
            }
            if (!step) continue;
            Pos to = s.pos + *step;
            closed.insert(to.i * 1000 + to.j);
            move(s.id, *step);
        }

        // and the midfielders carry
        for (int id : workers(me())) {
            Ant w = ant(id);
            const int d = abs(w.pos.i - captain.pos.i) + abs(w.pos.j - captain.pos.j);
            const bool ball = w.bonus != None, grass = cell(w.pos).bonus == None;
            if (ball && grass && d <= 2) { leave(w.id); continue; }
            if (!ball && !grass && d > 2) { take(w.id); continue; }
            Step step;
            if (ball) step = look(w.pos, 60, [&](Pos p) { return abs(p.i - captain.pos.i) + abs(p.j - captain.pos.j) <= 2 && cell(p).bonus == None; });
            else {
                step = look(w.pos, 2 * pitch, [&](Pos p) {
                    int g = abs(p.i - captain.pos.i) + abs(p.j - captain.pos.j);
                    return cell(p).bonus != None && g > 2 && g <= pitch && cell(p).id < 0;
                });
                if (!step && d < 4) step = look(w.pos, 10, [&](Pos p) { return abs(p.i - captain.pos.i) + abs(p.j - captain.pos.j) == 5; });
            }
            if (!step) continue;
            Pos to = w.pos + *step;
            closed.insert(to.i * 1000 + to.j);
            move(w.id, *step);
        }
    }
};

RegisterPlayer(PLAYER_NAME);
