#include "Player.hh"
#define PLAYER_NAME Bee9
#define REP(k,n) for(int k=0;k<(n);k++)
#define ALL(v) (v).begin(),(v).end()
typedef unsigned char uc;

struct PLAYER_NAME : public Player {
  static Player* factory(){ return new PLAYER_NAME; }

  int R,C,N;
  vector<vector<uc>> D; // all pairs, 255 = no way
  vector<int> busy;     // cell -> taken this round

  int ix(Pos p){ return p.i*C+p.j; }
  bool soil(int x){ return cell(x/C,x%C).type==Soil; }

  void allpairs(){
    R=board_rows(); C=board_cols(); N=R*C;
    D.assign(N,vector<uc>(N,255));
    vector<vector<int>> adj(N);
    REP(x,N) if(soil(x)){
      if(x/C+1<R && soil(x+C)) adj[x].push_back(x+C),adj[x+C].push_back(x);
      if(x%C+1<C && soil(x+1)) adj[x].push_back(x+1),adj[x+1].push_back(x);
    }
    vector<int> o(N);
    REP(s,N) if(soil(s)){
      vector<uc>& d=D[s];
      int a=0,b=0; o[b++]=s; d[s]=0;
      while(a<b){
        int x=o[a++];
        for(int y:adj[x]) if(d[y]==255 && d[x]<250) d[y]=d[x]+1,o[b++]=y;
      }
    }
  }

  // go one step so that distance to x shrinks; ties broken at random
  void toward(const Ant& a,int x){
    int bd=-1,bv=D[ix(a.pos)][x]+1;
    for(int d:random_permutation(4)){
      Pos p=a.pos+Dir(d);
      if(!pos_ok(p)||busy[ix(p)]) continue;
      int v=D[ix(p)][x];
      if(v<bv) bv=v,bd=d;
    }
    if(bd==-1) return;
    busy[ix(a.pos+Dir(bd))]=1;
    move(a.id,Dir(bd));
  }

  void play(){
    if(round()==0) allpairs();
    busy.assign(N,0);
    vector<int> foods;
    REP(x,N){
      Cell c=cell(x/C,x%C);
      if(c.type==Water||c.id!=-1) busy[x]=1;
      if(c.bonus!=None) foods.push_back(x);
    }
    if(queens(me()).empty()) return;
    Ant Q=ant(queens(me())[0]);
    int q=ix(Q.pos);

    // queen
    int nearest=-1;
    for(int f:foods) if(nearest==-1||D[q][f]<D[q][nearest]) nearest=f;
    bool can=true;
    REP(k,3) if(Q.reserve[k]<needed(Worker,NutrientType(k))) can=false;
    if(can) REP(d,4){
      Pos p=Q.pos+Dir(d);
      if(pos_ok(p)&&!busy[ix(p)]){ lay(Q.id,Dir(d),Worker); busy[ix(p)]=1; break; }
    }
    if(!can && nearest!=-1 && D[q][nearest]<=4 && round()%queen_period()==0) toward(Q,nearest);

    // loaded ones first, then pair the free ones with food, cheapest pair first
    vector<int> freew;
    for(int w:workers(me())){
      Ant a=ant(w);
      int x=ix(a.pos);
      if(a.bonus!=None){
        if(D[x][q]<=2 && cell(a.pos).bonus==None) leave(w);
        else toward(a,q);
      }
      else if(cell(a.pos).bonus!=None && D[x][q]>3) take(w);
      else freew.push_back(w);
    }
    vector<tuple<int,int,int>> pairs;
    REP(i,(int)freew.size()) for(int f:foods){
      int home=D[f][q];
      if(home<=3||home==255) continue;
      int d=D[ix(ant(freew[i]).pos)][f];
      if(d+home<ant(freew[i]).life) pairs.emplace_back(d+home/2,i,f);
    }
    sort(ALL(pairs));
    vector<char> used(freew.size(),0);
    set<int> gone;
    for(auto& t:pairs){
      int c,i,f; tie(c,i,f)=t;
      if(used[i]||gone.count(f)) continue;
      used[i]=1; gone.insert(f);
      toward(ant(freew[i]),f);
    }
    // nobody needs you: go far from the queen but not too far
    REP(i,(int)freew.size()) if(!used[i]){
      Ant a=ant(freew[i]);
      REP(d,4){
        Pos p=a.pos+Dir(d);
        if(pos_ok(p)&&!busy[ix(p)]&&D[ix(p)][q]>D[ix(a.pos)][q]&&D[ix(p)][q]<9){
          busy[ix(p)]=1; move(a.id,Dir(d)); break;
        }
      }
    }
    // soldiers escort the closest enemy worker to the other world
    for(int s:soldiers(me())){
      Ant a=ant(s); int t=-1;
      REP(pl,4) if(pl!=me()) for(int w:workers(pl)){
        int x=ix(ant(w).pos);
        if(t==-1||D[ix(a.pos)][x]<D[ix(a.pos)][t]) t=x;
      }
      if(t==-1) continue;
      busy[t]=0; toward(a,t); busy[t]=1;
    }
  }
};
RegisterPlayer(PLAYER_NAME);
