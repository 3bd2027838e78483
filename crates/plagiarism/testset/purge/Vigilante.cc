#include "Player.hh"
#define PLAYER_NAME Vigilante

/* Looks two plies ahead: my step, then the best answer of the nearest rivals. */

struct PLAYER_NAME : public Player
{
    static Player* factory() { return new PLAYER_NAME; }

    struct Piece
    {
        int row, col, strength, life;
        bool hostile;
    };

    vector<Piece> pieces;
    vector<vector<int>> lootDistance;

    int strengthOf(const Citizen& c) { return weapon_strength_attack(c.weapon); }

    void collect()
    {
        pieces.clear();
        for (int pl = 0; pl < 4; ++pl)
        {
            vector<int> ids = warriors(pl), more = builders(pl);
            ids.insert(ids.end(), more.begin(), more.end());
            for (int id : ids)
            {
                Citizen c = citizen(id);
                pieces.push_back(Piece{c.pos.i, c.pos.j, strengthOf(c), c.life, pl != me()});
            }
        }
    }

    void measureLoot()
    {
        int h = board_rows(), w = board_cols();
        lootDistance.assign(h, vector<int>(w, 60));
        for (int i = 0; i < h; ++i)
            for (int j = 0; j < w; ++j)
            {
                Cell c = cell(i, j);
                if (c.bonus == Money) lootDistance[i][j] = 0;
                else if (c.bonus == Food) lootDistance[i][j] = 6;
            }
        // relax until nothing changes
        for (bool changed = true; changed; )
        {
            changed = false;
            for (int i = 0; i < h; ++i)
                for (int j = 0; j < w; ++j)
                {
                    if (cell(i, j).type == Building) continue;
                    int low = 60;
                    if (i) low = min(low, lootDistance[i - 1][j]);
                    if (j) low = min(low, lootDistance[i][j - 1]);
                    if (i + 1 < h) low = min(low, lootDistance[i + 1][j]);
                    if (j + 1 < w) low = min(low, lootDistance[i][j + 1]);
                    if (low + 1 < lootDistance[i][j])
                    {
                        lootDistance[i][j] = low + 1;
                        changed = true;
                    }
                }
        }
    }

    double fightValue(int mine, int theirs, bool attackerIsMe)
    {
        double p = double(mine) / (mine + theirs);
        return attackerIsMe ? 30 * p - 40 * (1 - p) : -35 * (1 - p);
    }

    // The worst that can happen to somebody of that strength standing there.
    double reply(int row, int col, int strength, int life)
    {
        if (is_day()) return 0;
        double worst = 0;
        for (const Piece& q : pieces)
        {
            if (!q.hostile) continue;
            int d = abs(q.row - row) + abs(q.col - col);
            if (d > 2) continue;
            double harm = fightValue(strength, q.strength, false) * (d <= 1 ? 1.0 : 0.6);
            if (life <= life_lost_in_attack()) harm *= 3;
            worst = min(worst, harm);
        }
        return worst;
    }

    double rate(const Citizen& c, Pos to)
    {
        int s = strengthOf(c);
        double gain = -lootDistance[to.i][to.j] * 0.7;
        Cell target = cell(to);
        if (target.weapon != NoWeapon && c.type == Warrior && target.weapon > c.weapon) gain += 40;
        if (target.bonus == Food) gain += (citizen_ini_life(c.type) - c.life) / 2.0;
        return gain + reply(to.i, to.j, s, c.life);
    }

    void decide(int id)
    {
        Citizen c = citizen(id);
        double best = rate(c, c.pos) - 1;
        int answer = -1;
        for (int d = 0; d < 4; ++d)
        {
            Pos to = c.pos + Dir(d);
            if (!pos_ok(to) || cell(to).type == Building) continue;
            Cell target = cell(to);
            double value;
            if (target.id != -1)
            {
                Citizen o = citizen(target.id);
                if (o.player == me() || is_day() || target.b_owner != -1) continue;
                value = fightValue(strengthOf(c), strengthOf(o), true) + (o.life <= life_lost_in_attack() ? 60 : 0)
                      + reply(c.pos.i, c.pos.j, strengthOf(c), c.life);
            }
            else if (target.b_owner != -1 && target.b_owner != me()) continue;
            else value = rate(c, to);
            if (value > best)
            {
                best = value;
                answer = d;
            }
        }
        if (answer != -1) move(id, Dir(answer));
    }

    void play()
    {
        collect();
        measureLoot();
        for (int id : warriors(me())) decide(id);
        for (int id : builders(me())) decide(id);
    }
};

RegisterPlayer(PLAYER_NAME);
