#include "Player.hh"
#define PLAYER_NAME Guardiola

/*** Possession football: keep the team compact around the queen, soldiers
 *** form a ring, workers only fetch what lies inside the pitch.            ***/

struct PLAYER_NAME : public Player {
    static Player* factory() { return new PLAYER_NAME; }

    using Test = function<bool(Pos)>;
    using Step = optional<Dir>;

    int pitch = 9;          // grows when there is nothing left to fetch
    unordered_set<int> closed;
    Ant captain;

    int key(Pos p) const { return p.i * 1000 + p.j; }
    int gap(Pos a, Pos b) const { return abs(a.i - b.i) + abs(a.j - b.j); }

    bool playable(Pos p) { return pos_ok(p) && cell(p).type != Water; }
    bool open(Pos p) { return playable(p) && cell(p).id < 0 && !closed.count(key(p)); }

    // Wave by wave: 'wave' holds pairs (place, first step taken).
    Step look(Pos from, int depth, Test wanted) {
        unordered_set<int> known = {key(from)};
        vector<pair<Pos, Dir>> wave, next;
        for (Dir d : {Right, Down, Left, Up})
            if (open(from + d)) {
                wave.emplace_back(from + d, d);
                known.insert(key(from + d));
            }
        for (int level = 1; level <= depth && !wave.empty(); ++level) {
            for (auto& w : wave)
                if (wanted(w.first)) return w.second;
            next.clear();
            for (auto& w : wave)
                for (Dir d : {Right, Down, Left, Up}) {
                    Pos p = w.first + d;
                    if (playable(p) && known.insert(key(p)).second) next.emplace_back(p, w.second);
                }
            swap(wave, next);
        }
        return nullopt;
    }

    bool run(int id, Step step) {
        if (!step) return false;
        closed.insert(key(ant(id).pos + *step));
        move(id, *step);
        return true;
    }

    void midfielder(const Ant& w) {
        const int d = gap(w.pos, captain.pos);
        const bool ball = w.bonus != None, grass = cell(w.pos).bonus == None;
        if (ball && grass && d <= 2) return leave(w.id);
        if (!ball && !grass && d > 2) return take(w.id);
        if (ball) {
            run(w.id, look(w.pos, 60, [&](Pos p) { return gap(p, captain.pos) <= 2 && cell(p).bonus == None; }));
            return;
        }
        bool fetched = run(w.id, look(w.pos, 2 * pitch, [&](Pos p) {
            return cell(p).bonus != None && gap(p, captain.pos) > 2 && gap(p, captain.pos) <= pitch && cell(p).id < 0;
        }));
        if (!fetched && d < 4) run(w.id, look(w.pos, 10, [&](Pos p) { return gap(p, captain.pos) == 5; }));
    }

    void defender(const Ant& s) {
        // close down whoever enters the box
        for (Dir d : {Up, Right, Down, Left}) {
            Pos p = s.pos + d;
            if (!playable(p) || cell(p).id < 0) continue;
            Ant rival = ant(cell(p).id);
            if (rival.player != me() && rival.type == Worker) { move(s.id, d); return; }
        }
        if (run(s.id, look(s.pos, 4, [&](Pos p) {
            if (cell(p).id < 0) return false;
            Ant rival = ant(cell(p).id);
            return rival.player != me() && rival.type == Worker && gap(p, captain.pos) < pitch;
        }))) return;
        int d = gap(s.pos, captain.pos);
        if (d < 3 || d > 6) run(s.id, look(s.pos, 40, [&](Pos p) { int g = gap(p, captain.pos); return g >= 3 && g <= 6; }));
    }

    void playCaptain() {
        if (round() % queen_period() == 0)
            if (run(captain.id, look(captain.pos, 3, [&](Pos p) { return cell(p).bonus != None; }))) return;
        AntType signing = soldiers(me()).size() < 2 && workers(me()).size() > 5 ? Soldier : Worker;
        for (int n = Carbohydrate; n <= Lipid; ++n)
            if (captain.reserve[n] < needed(signing, NutrientType(n))) return;
        for (Dir d : {Down, Left, Up, Right})
            if (open(captain.pos + d)) {
                closed.insert(key(captain.pos + d));
                return lay(captain.id, d, signing);
            }
    }

    void play() override {
        closed.clear();
        if (queens(me()).empty()) return;
        captain = ant(queens(me()).front());
        pitch = 9 + round() / 25;
        playCaptain();
        for (int id : soldiers(me())) defender(ant(id));
        for (int id : workers(me())) midfielder(ant(id));
    }
};

RegisterPlayer(PLAYER_NAME);
