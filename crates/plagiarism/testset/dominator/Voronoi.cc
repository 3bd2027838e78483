#include "Player.hh"
#define PLAYER_NAME Voronoi

// All farmers flood the board at once, so that each gets the cells it reaches
// first. A farmer works only on its own province.

struct PLAYER_NAME : public Player
{
    static Player* factory() { return new PLAYER_NAME; }

    struct Province
    {
        int farmer;
        Pos seat;
        Pos nearest;        // closest cell that needs paint
        int distance;
        int work;
    };

    vector<Province> provinces;
    vector<vector<int>> lord;      // province of each cell
    vector<vector<int>> steps;
    vector<vector<Dir>> back;      // direction towards the seat

    bool passable(Pos p)
    {
        return pos_ok(p) && cell(p).type == Empty && !cell(p).haunted;
    }

    void divide()
    {
        provinces.clear();
        lord.assign(rows(), vector<int>(cols(), -1));
        steps.assign(rows(), vector<int>(cols(), 0));
        back.assign(rows(), vector<Dir>(cols(), None));
        queue<Pos> frontier;
        for (int id : farmers(0))
        {
            Pos p = unit(id).pos;
            if (!pos_ok(p)) continue;
            lord[p.i][p.j] = provinces.size();
            Province fresh = { id, p, p, 0, 0 };
            provinces.push_back(fresh);
            frontier.push(p);
        }
        while (!frontier.empty())
        {
            Pos p = frontier.front();
            frontier.pop();
            Province& mine = provinces[lord[p.i][p.j]];
            if (cell(p).owner != 0 && p != mine.seat && cell(p).id == -1)
            {
                if (mine.work++ == 0)
                {
                    mine.nearest = p;
                    mine.distance = steps[p.i][p.j];
                }
            }
            for (int d = 0; d < 8; d += 2)
            {
                Pos q = p + Dir(d);
                if (!passable(q) || lord[q.i][q.j] != -1) continue;
                lord[q.i][q.j] = lord[p.i][p.j];
                steps[q.i][q.j] = steps[p.i][p.j] + 1;
                back[q.i][q.j] = Dir((d + 4) % 8);
                frontier.push(q);
            }
        }
    }

    Dir retrace(Pos from, Pos seat)
    {
        Dir last = None;
        while (from != seat)
        {
            last = back[from.i][from.j];
            from += last;
        }
        return last == None ? None : Dir((last + 4) % 8);
    }

    void govern(const Province& p)
    {
        if (p.work > 0)
        {
            command(p.farmer, retrace(p.nearest, p.seat));
            return;
        }
        // Nothing to do at home: move towards the neighbour with most work.
        int most = 0;
        Pos help = p.seat;
        for (const Province& q : provinces)
        {
            int value = q.work - 2 * (abs(q.seat.i - p.seat.i) + abs(q.seat.j - p.seat.j));
            if (q.farmer != p.farmer && value > most)
            {
                most = value;
                help = q.seat;
            }
        }
        int di = help.i - p.seat.i, dj = help.j - p.seat.j;
        Dir d = abs(di) > abs(dj) ? (di > 0 ? Bottom : Top) : (dj > 0 ? Right : Left);
        if (di == 0 && dj == 0) d = Dir(2 * random(0, 3));
        if (passable(p.seat + d) && cell(p.seat + d).id == -1) command(p.farmer, d);
    }

    // Knights defend the province in which a rival was seen.
    void defend(int id, vector<int>& hunted)
    {
        Unit k = unit(id);
        int goal = -1, near = 14;
        for (int u = 0; u < nb_units(); ++u)
        {
            Unit o = unit(u);
            if (o.player == 0 || o.type == Witch || !pos_ok(o.pos)) continue;
            if (cell(o.pos).haunted || hunted[u] >= 2) continue;
            int d = max(abs(o.pos.i - k.pos.i), abs(o.pos.j - k.pos.j));
            if (cell(o.pos).owner == 0) d -= 3;
            if (d < near) near = d, goal = u;
        }
        if (goal == -1) return;
        hunted[goal]++;
        Pos t = unit(goal).pos;
        int di = (t.i > k.pos.i) - (t.i < k.pos.i), dj = (t.j > k.pos.j) - (t.j < k.pos.j);
        static const Dir compass[3][3] = { { TL, Top, RT }, { Left, None, Right }, { LB, Bottom, BR } };
        Dir straight = compass[di + 1][dj + 1];
        for (int turn : { 0, 1, 7, 2, 6 })
        {
            Dir d = Dir((straight + turn) % 8);
            Pos q = k.pos + d;
            if (!passable(q)) continue;
            if (cell(q).id != -1 && unit(cell(q).id).player == 0) continue;
            command(id, d);
            return;
        }
    }

    void play()
    {
        divide();
        for (const Province& p : provinces) govern(p);
        vector<int> hunted(nb_units(), 0);
        for (int id : knights(0)) defend(id, hunted);
    }
};

RegisterPlayer(PLAYER_NAME);
