#include "Player.hh"
#define PLAYER_NAME Dijk

struct PLAYER_NAME : public Player
{
  static Player* factory()
  {
    return new PLAYER_NAME;
  }

  struct Vertex
  {
    long cost;
    int row, col;
    Vertex(long cost, int row, int col) : cost(cost), row(row), col(col) {}
    bool operator<(const Vertex& other) const { return cost > other.cost; }
  };

  static const int MAXN = 64;
  static const long INFINITE = 1000000000L;
  long toQueen[MAXN][MAXN];
  long toFood[MAXN][MAXN];
  long toVictim[MAXN][MAXN];
  int risk[MAXN][MAXN];
  bool blocked[MAXN][MAXN];

  // What entering a cell costs: one step, plus ten for each enemy that could bite there.
  void computeRisk()
  {
    memset(risk, 0, sizeof risk);
    for (int pl = 0; pl < num_players(); ++pl)
    {
      if (pl == me()) continue;
      vector<int> strong = soldiers(pl);
      vector<int> royal = queens(pl);
      strong.insert(strong.end(), royal.begin(), royal.end());
      for (int id : strong)
      {
        Pos p = ant(id).pos;
        for (int a = p.i - 2; a <= p.i + 2; ++a)
          for (int b = p.j - 2; b <= p.j + 2; ++b)
            if (pos_ok(a, b))
              risk[a][b] += 12 / (1 + abs(a - p.i) + abs(b - p.j));
      }
    }
  }

  void dijkstra(long table[MAXN][MAXN], const vector<Pos>& goals, bool careful)
  {
    for (int i = 0; i < MAXN; ++i) fill(table[i], table[i] + MAXN, INFINITE);
    priority_queue<Vertex> heap;
    for (const Pos& g : goals)
    {
      table[g.i][g.j] = 0;
      heap.push(Vertex(0, g.i, g.j));
    }
    static const int around[5] = {0, 1, 0, -1, 0};
    while (!heap.empty())
    {
      Vertex v = heap.top();
      heap.pop();
      if (v.cost > table[v.row][v.col]) continue;
      for (int k = 0; k < 4; ++k)
      {
        int r = v.row + around[k];
        int c = v.col + around[k + 1];
        if (!pos_ok(r, c) || cell(r, c).type == Water) continue;
        long price = v.cost + 1 + (careful ? risk[v.row][v.col] : 0);
        if (price < table[r][c])
        {
          table[r][c] = price;
          heap.push(Vertex(price, r, c));
        }
      }
    }
  }

  bool descend(const Ant& a, long table[MAXN][MAXN], long limit = INFINITE)
  {
    long lowest = min(limit, table[a.pos.i][a.pos.j]);
    Dir direction = Down;
    bool found = false;
    for (int d = 0; d < 4; ++d)
    {
      Pos p = a.pos + Dir(d);
      if (!pos_ok(p) || blocked[p.i][p.j] || cell(p).type == Water) continue;
      if (table[p.i][p.j] < lowest)
      {
        lowest = table[p.i][p.j];
        direction = Dir(d);
        found = true;
      }
    }
    if (found)
    {
      Pos p = a.pos + direction;
      blocked[p.i][p.j] = true;
      move(a.id, direction);
    }
    return found;
  }

  void handleQueen(const Ant& queen)
  {
    bool moving = round() % queen_period() == 0;
    bool fertile = queen.reserve[Carbohydrate] >= worker_carbo()
                && queen.reserve[Protein] >= worker_prote()
                && queen.reserve[Lipid] >= worker_lipid();
    if (moving && toFood[queen.pos.i][queen.pos.j] < 6 && descend(queen, toFood)) return;
    for (int d = 3; fertile && d >= 0; --d)
    {
      Pos p = queen.pos + Dir(d);
      if (!pos_ok(p) || cell(p).type == Water || blocked[p.i][p.j]) continue;
      lay(queen.id, Dir(d), Worker);
      blocked[p.i][p.j] = true;
      return;
    }
  }

  void handleWorker(const Ant& w)
  {
    long home = toQueen[w.pos.i][w.pos.j];
    if (w.bonus != None)
    {
      if (home <= 2 && cell(w.pos).bonus == None) leave(w.id);
      else descend(w, toQueen);
      return;
    }
    if (cell(w.pos).bonus != None && home > 3) take(w.id);
    else descend(w, toFood);
  }

  void play()
  {
    vector<int> q = queens(me());
    if (q.empty()) return;
    vector<Pos> food, farFood, victims;
    Pos throne = ant(q[0]).pos;
    for (int i = 0; i < board_rows(); ++i)
      for (int j = 0; j < board_cols(); ++j)
      {
        Cell c = cell(i, j);
        blocked[i][j] = c.id != -1 && (ant(c.id).player == me() || ant(c.id).type != Worker);
        if (c.bonus != None) food.push_back(Pos(i, j));
        if (c.bonus != None && abs(i - throne.i) + abs(j - throne.j) > 3) farFood.push_back(Pos(i, j));
        if (c.id != -1 && ant(c.id).player != me() && ant(c.id).type == Worker) victims.push_back(Pos(i, j));
      }
    computeRisk();
    dijkstra(toFood, food, false);
    dijkstra(toQueen, vector<Pos>(1, throne), true);
    handleQueen(ant(q[0]));
    dijkstra(toFood, farFood, true);
    for (int id : workers(me())) handleWorker(ant(id));
    dijkstra(toVictim, victims, false);
    for (int id : soldiers(me())) descend(ant(id), toVictim, 20);
  }
};

RegisterPlayer(PLAYER_NAME);
