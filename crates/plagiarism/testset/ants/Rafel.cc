#include "Player.hh"


#define PLAYER_NAME Rafel


struct PLAYER_NAME : public Player {


  static Player* factory () {
    return new PLAYER_NAME;
  }


  // last place of every ant, so they do not go back where they come from
  int lasti[20000];
  int lastj[20000];


  void play () {
    double st = status(me());
    if (st >= 0.9) return;
    bool used[60][60];
    for (int i=0; i<60; i++)
      for (int j=0; j<60; j++)
        used[i][j] = false;
    if (queens(me()).size() == 0) return;
    int qid = queens(me())[0];
    Ant q = ant(qid);

    // QUEEN
    int done = 0;
    if (q.reserve[0] >= 1 && q.reserve[1] >= 1 && q.reserve[2] >= 1) {
      int d = random(0,3);
      for (int t=0; t<4 && !done; t++) {
        Pos p = q.pos + Dir((d+t)%4);
        if (pos_ok(p) && cell(p).type != Water && cell(p).id == -1) {
          if (q.reserve[0] >= 3 && q.reserve[1] >= 3 && q.reserve[2] >= 3 && random(0,2) == 0) lay(qid, Dir((d+t)%4), Soldier);
          else lay(qid, Dir((d+t)%4), Worker);
          used[p.i][p.j] = true;
          done = 1;
        }
      }
    }
    if (!done && round()%2 == 0) {
      // food in the 5x5 square around her
      int besti=0, bestj=0, best=99;
      for (int i=-3; i<=3; i++)
        for (int j=-3; j<=3; j++) {
          Pos p(q.pos.i+i, q.pos.j+j);
          if (pos_ok(p) && cell(p).bonus != None && abs(i)+abs(j) < best && abs(i)+abs(j) > 0) {
            best = abs(i)+abs(j);
            besti = i;
            bestj = j;
          }
        }
      if (best < 99) {
        Dir d;
        if (abs(besti) > abs(bestj)) d = besti > 0 ? Down : Up;
        else d = bestj > 0 ? Right : Left;
        Pos p = q.pos + d;
        if (cell(p).type != Water && cell(p).id == -1) {
          move(qid, d);
          used[p.i][p.j] = true;
        }
      }
    }

    // WORKERS AND SOLDIERS, same code
    vector<int> mine = workers(me());
    vector<int> sol = soldiers(me());
    int nw = mine.size();
    for (int k=0; k<(int)sol.size(); k++) mine.push_back(sol[k]);
    for (int k=0; k<(int)mine.size(); k++) {
      Ant a = ant(mine[k]);
      int ti=-1, tj=-1;
      int best=1000;
      if (k < nw && a.bonus != None) {
        ti = q.pos.i;
        tj = q.pos.j;
        best = abs(ti-a.pos.i)+abs(tj-a.pos.j);
        if (best <= 2 && cell(a.pos).bonus == None) { leave(a.id); continue; }
      }
      else if (k < nw) {
        if (cell(a.pos).bonus != None && abs(q.pos.i-a.pos.i)+abs(q.pos.j-a.pos.j) > 3) { take(a.id); continue; }
        for (int i=0; i<board_rows(); i++)
          for (int j=0; j<board_cols(); j++)
            if (cell(i,j).bonus != None && abs(q.pos.i-i)+abs(q.pos.j-j) > 3) {
              int dd = abs(i-a.pos.i)+abs(j-a.pos.j);
              if (dd < best && (cell(i,j).id == -1 || ant(cell(i,j).id).player != me())) { best = dd; ti = i; tj = j; }
            }
      }
      else {
        for (int p=0; p<4; p++) {
          if (p == me()) continue;
          vector<int> w = workers(p);
          for (int x=0; x<(int)w.size(); x++) {
            Pos e = ant(w[x]).pos;
            int dd = abs(e.i-a.pos.i)+abs(e.j-a.pos.j);
            if (dd < best) { best = dd; ti = e.i; tj = e.j; }
          }
        }
      }
      // choose the step: closer is better, back is bad, a bit of luck
      int bestd=-1, bestv=100000;
      for (int d=0; d<4; d++) {
        Pos p = a.pos + Dir(d);
        if (!pos_ok(p) || cell(p).type == Water || used[p.i][p.j]) continue;
        if (cell(p).id != -1) {
          Ant b = ant(cell(p).id);
          if (b.player == me() || b.type <= a.type) continue;
        }
        int v = random(0,2);
        if (ti != -1) v += 4*(abs(ti-p.i)+abs(tj-p.j));
        if (a.id < 20000 && lasti[a.id] == p.i+1 && lastj[a.id] == p.j+1) v += 7;
        if (v < bestv) { bestv = v; bestd = d; }
      }
      if (bestd != -1) {
        Pos p = a.pos + Dir(bestd);
        used[p.i][p.j] = true;
        if (a.id < 20000) { lasti[a.id] = a.pos.i+1; lastj[a.id] = a.pos.j+1; }
        move(a.id, Dir(bestd));
      }
    }
  }


};


RegisterPlayer(PLAYER_NAME);
