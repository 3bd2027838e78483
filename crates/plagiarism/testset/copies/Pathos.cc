#include "Player.hh"
#define PLAYER_NAME Pathos

struct PLAYER_NAME : public Player
{
  static Player* factory()
  {
    return new PLAYER_NAME;
  }

  struct Item
  {
    long w;
    int y, x;
    Item(long w, int y, int x) : w(w), y(y), x(x) {}
    bool operator<(const Item& o) const { return w > o.w; }
  };

  static const int LIM = 64;
  static const long FAR = 1000000000L;
  long mapA[LIM][LIM];
  long mapB[LIM][LIM];
  long mapC[LIM][LIM];
  int heat[LIM][LIM];
  bool full[LIM][LIM];

  void warmUp()
  {
    memset(heat, 0, sizeof heat);
    for (int pl = 0; pl < num_players(); ++pl)
    {
      if (pl == me()) continue;
      vector<int> bad = soldiers(pl);
      vector<int> extra = queens(pl);
      bad.insert(bad.end(), extra.begin(), extra.end());
      for (int n : bad)
      {
        Pos q = ant(n).pos;
        for (int one = q.i - 2; one <= q.i + 2; ++one)
          for (int b = q.j - 2; b <= q.j + 2; ++b)
            if (pos_ok(one, b))
              heat[one][b] += 12 / (1 + abs(one - q.i) + abs(b - q.j));
      }
    }
  }

  void expand(long m[LIM][LIM], const vector<Pos>& from, bool shy)
  {
    for (int i = 0; i < LIM; ++i) fill(m[i], m[i] + LIM, FAR);
    priority_queue<Item> pq;
    for (const Pos& g : from)
    {
      m[g.i][g.j] = 0;
      pq.push(Item(0, g.i, g.j));
    }
    static const int delta[5] = {0, 1, 0, -1, 0};
    while (!pq.empty())
    {
      Item cur = pq.top();
      pq.pop();
      if (cur.w > m[cur.y][cur.x]) continue;
      for (int t = 0; t < 4; ++t)
      {
        int ny = cur.y + delta[t];
        int nx = cur.x + delta[t + 1];
        if (!pos_ok(ny, nx) || cell(ny, nx).type == Water) continue;
        long total = cur.w + 1 + (shy ? heat[cur.y][cur.x] : 0);
        if (total < m[ny][nx])
        {
          m[ny][nx] = total;
          pq.push(Item(total, ny, nx));
        }
      }
    }
  }

  bool slide(const Ant& one, long m[LIM][LIM], long cap = FAR)
  {
    long mn = min(cap, m[one.pos.i][one.pos.j]);
    Dir way = Down;
    bool ok = false;
    for (int e = 0; e < 4; ++e)
    {
      Pos q = one.pos + Dir(e);
      if (!pos_ok(q) || full[q.i][q.j] || cell(q).type == Water) continue;
      if (m[q.i][q.j] < mn)
      {
        mn = m[q.i][q.j];
        way = Dir(e);
        ok = true;
      }
    }
    if (ok)
    {
      Pos q = one.pos + way;
      full[q.i][q.j] = true;
      move(one.id, way);
    }
    return ok;
  }

  void boss(const Ant& b)
  {
    bool turn = round() % queen_period() == 0;
    bool rich = b.reserve[Carbohydrate] >= worker_carbo()
                && b.reserve[Protein] >= worker_prote()
                && b.reserve[Lipid] >= worker_lipid();
    if (turn && mapB[b.pos.i][b.pos.j] < 6 && slide(b, mapB)) return;
    for (int e = 3; rich && e >= 0; --e)
    {
      Pos q = b.pos + Dir(e);
      if (!pos_ok(q) || cell(q).type == Water || full[q.i][q.j]) continue;
      lay(b.id, Dir(e), Worker);
      full[q.i][q.j] = true;
      return;
    }
  }

  void ant_step(const Ant& w)
  {
    long back = mapA[w.pos.i][w.pos.j];
    if (w.bonus != None)
    {
      if (back <= 2 && cell(w.pos).bonus == None) leave(w.id);
      else slide(w, mapA);
      return;
    }
    if (cell(w.pos).bonus != None && back > 3) take(w.id);
    else slide(w, mapB);
  }

  void play()
  {
    vector<int> z = queens(me());
    if (z.empty()) return;
    vector<Pos> f1, f2, f3;
    Pos base = ant(z[0]).pos;
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j)
      {
        Cell nx = cell(i, j);
        full[i][j] = nx.id != -1 && (ant(nx.id).player == me() || ant(nx.id).type != Worker);
        if (nx.bonus != None) f1.push_back(Pos(i, j));
        if (nx.bonus != None && abs(i - base.i) + abs(j - base.j) > 3) f2.push_back(Pos(i, j));
        if (nx.id != -1 && ant(nx.id).player != me() && ant(nx.id).type == Worker) f3.push_back(Pos(i, j));
      }
    warmUp();
    expand(mapB, f1, false);
    expand(mapA, vector<Pos>(1, base), true);
    boss(ant(z[0]));
    expand(mapB, f2, true);
    for (int n : workers(me())) ant_step(ant(n));
    expand(mapC, f3, false);
    for (int n : soldiers(me())) slide(ant(n), mapC, 20);
  }
};

RegisterPlayer(PLAYER_NAME);
