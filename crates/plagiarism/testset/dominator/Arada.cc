#include "Player.hh"
#define PLAYER_NAME Arada

// Un BFS per pagès, amb la cua dins d'un vector i tot en una sola matriu.
// Els cavallers només es mouen si tenen algú a quatre passes.

struct PLAYER_NAME : public Player {

  static Player* factory () { return new PLAYER_NAME; }

  struct Node {
    int i, j, anterior;
    Dir com;
  };

  vector<vector<char>> ple;

  bool es_pot (int i, int j) {
    return pos_ok(i, j) && cell(i, j).type == Empty && !cell(i, j).haunted && !ple[i][j];
  }

  bool es_enemic (int i, int j) {
    if (!pos_ok(i, j) || cell(i, j).id == -1) return false;
    Unit u = unit(cell(i, j).id);
    return u.player != 0 && u.type != Witch;
  }

  // Recula des d'un node fins al primer pas.
  Dir desfes (const vector<Node>& nodes, int k) {
    while (nodes[k].anterior != 0) k = nodes[k].anterior;
    return nodes[k].com;
  }

  Dir busca_terra (Pos p, int limit) {
    vector<Node> nodes;
    vector<vector<char>> vist(rows(), vector<char>(cols(), 0));
    nodes.push_back(Node{p.i, p.j, -1, None});
    vist[p.i][p.j] = 1;
    for (int k = 0; k < (int)nodes.size() && k < limit; ++k) {
      for (int d = Bottom; d <= Left; d += 2) {
        Pos q = Pos(nodes[k].i, nodes[k].j) + Dir(d);
        if (!es_pot(q.i, q.j) || vist[q.i][q.j]) continue;
        vist[q.i][q.j] = 1;
        nodes.push_back(Node{q.i, q.j, k, Dir(d)});
        if (cell(q).owner != 0) return desfes(nodes, nodes.size() - 1);
      }
    }
    return None;
  }

  Dir busca_enemic (Pos p, int passos) {
    vector<Node> nodes(1, Node{p.i, p.j, -1, None});
    map<Pos, bool> vist;
    vist[p] = true;
    int fi_nivell = 1;
    for (int k = 0; k < (int)nodes.size(); ++k) {
      if (k == fi_nivell) {
        if (--passos == 0) break;
        fi_nivell = nodes.size();
      }
      for (int d = 0; d < 8; ++d) {
        Pos q = Pos(nodes[k].i, nodes[k].j) + Dir(d);
        if (vist[q]) continue;
        vist[q] = true;
        if (es_enemic(q.i, q.j)) return nodes[k].anterior == -1 ? Dir(d) : desfes(nodes, k);
        if (es_pot(q.i, q.j)) nodes.push_back(Node{q.i, q.j, k, Dir(d)});
      }
    }
    return None;
  }

  void camina (int id, Dir d) {
    if (d == None) return;
    Pos q = unit(id).pos + d;
    ple[q.i][q.j] = 1;
    command(id, d);
  }

  bool cavaller_a_prop (Pos p) {
    for (int d = 0; d < 8; ++d) {
      Pos q = p + Dir(d);
      if (es_enemic(q.i, q.j) && unit(cell(q).id).type == Knight) return true;
    }
    return false;
  }

  void pages (int id) {
    Unit u = unit(id);
    if (cavaller_a_prop(u.pos)) {
      for (int d = 0; d < 8; d += 2) {
        Pos q = u.pos + Dir(d);
        if (es_pot(q.i, q.j) && !cavaller_a_prop(q)) return camina(id, Dir(d));
      }
    }
    camina(id, busca_terra(u.pos, 500));
  }

  virtual void play () {
    ple = vector<vector<char>>(rows(), vector<char>(cols(), 0));
    for (int k = 0; k < nb_units(); ++k) {
      Pos p = unit(k).pos;
      if (pos_ok(p)) ple[p.i][p.j] = 1;
    }
    if (status(0) > 0.9) return;
    vector<int> f = farmers(0);
    for (int k = 0; k < (int)f.size(); ++k) pages(f[k]);
    vector<int> c = knights(0);
    for (int k = 0; k < (int)c.size(); ++k) {
      if (unit(c[k]).health < knights_health()/3) continue;   // que descansi
      camina(c[k], busca_enemic(unit(c[k]).pos, 4));
    }
  }
};

RegisterPlayer(PLAYER_NAME);
