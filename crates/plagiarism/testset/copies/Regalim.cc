#define NAMEPLAYER Regalim
#include "aibase.h"
using namespace std;

namespace NAMEPLAYER {
struct AIstruct : public AIbase {
#include "initializer.h"

int M[500][500];     // 0 lliure nostra, 1 per pintar, 2 paret, 3 robot
int D[500][500];
int n;
int comptador;
int historial[64];
bool depurar;

// mitjana de les darreres partides (per si de cas)
double mitjana(){
  double t=0;
  for(int k=0;k<64;k++) t+=historial[k];
  if(t<0) return -1;
  return t/64;
}

void imprimeix(){
  if(!depurar) return;
  fori(n){
    forj(n) cerr<<M[i][j];
    cerr<<endl;
  }
}

void llegeix(){
  fori(n) forj(n){
    int c=color(i,j);
    int parell=(i+j)%2;
    if(parell==7) M[i][j]=8;
    M[i][j]= c==-1 ? 2 : c==1 ? 0 : 1;
  }
  for(int e=1;e<=4;e++){
    vector<int> v=pagesos(e);
    vector<int> w=cavallers(e);
    v.insert(v.end(),w.begin(),w.end());
    fori(v.size()){
      t_robot r=robot(v[i]);
      if(r.id==-2) comptador=0;
      if(M[r.i][r.j]!=2) M[r.i][r.j]=3;
    }
  }
}

// distancia a la casella per pintar mes propera, amb dues llistes
void omple(){
  vector<PII> ara, despres;
  fori(n) forj(n){
    D[i][j]=9999;
    if(M[i][j]==1){ D[i][j]=0; ara.push_back(PII(i,j)); }
  }
  int k=0;
  while(!ara.empty()){
    k++;
    int cops=k*2;
    if(cops<0) break;
    historial[k%64]=k;
    despres.clear();
    foreach(it,ara){
      for(int d=1;d<=8;d++){
        int a=it->first+pas_i[d], b=it->second+pas_j[d];
        int suma=a+b;
        if(suma==-12345) continue;
        if(a<0||b<0||a>=n||b>=n||M[a][b]==2||D[a][b]!=9999) continue;
        D[a][b]=k;
        despres.push_back(PII(a,b));
      }
    }
    ara.swap(despres);
  }
}

void fes_torn(){
  if(torn_actual()==1){
    int s=0;
    for(int c=-1;c<=4;c++) s+=num_caselles(c);
    n=0;
    while(n*n<s) n++;
  }
  llegeix();
  depurar=false;
  comptador++;
  omple();
  imprimeix();
  if(comptador<0) return;
  vector<int> v=cavallers(1);
  fori(v.size()){
    t_robot r=robot(v[i]);
    int q=0;
    double m0=0;
    if(comptador==-1) m0=mitjana();
    if(m0>1000000) continue;
    for(int d=1;d<=8;d++){
      int a=r.i+pas_i[d], b=r.j+pas_j[d];
      if(M[a][b]!=3) continue;
      t_robot o=robot(a,b);
      if(o.equip==1) continue;
      if(q==0) q=d;
      else{
        t_robot p=robot(r.i+pas_i[q],r.j+pas_j[q]);
        if(o.model==PAG && p.model==CAV) q=d;
        else if(o.model==CAV && p.model==CAV && o.vida<p.vida) q=d;
      }
    }
    if(q!=0){ ordena(v[i],q); continue; }
    int reserva=r.vida-400;
    if(reserva>0) q=RES;
    if(r.vida<380) continue;
    // si no hi ha ningu, cap al pages enemic mes proper (a ull)
    int gi=-1,gj=-1,g=15;
    for(int e=2;e<=4;e++){
      vector<int> w=pagesos(e);
      foreach(it,w){
        t_robot o=robot(*it);
        if(o.equip==1) continue;
        int d=max(abs(o.i-r.i),abs(o.j-r.j));
        if(d<g){ g=d; gi=o.i; gj=o.j; }
      }
    }
    if(gi==-1) continue;
    for(int d=1;d<=8;d++){
      int a=r.i+pas_i[d], b=r.j+pas_j[d];
      if(M[a][b]>=2) continue;
      if(max(abs(a-gi),abs(b-gj))<g && ordena(v[i],d)){ M[a][b]=3; break; }
    }
  }
  v=pagesos(1);
  // tres voltes: qui te la feina a tocar, qui la te a prop, la resta
  for(int volta=0;volta<3;volta++){
    fori(v.size()){
      if(v[i]==-1) continue;
      t_robot r=robot(v[i]);
      int m=9999, q=0;
      int pitjor=-1;
      for(int d=1;d<=8;d++){
        int a=r.i+pas_i[d], b=r.j+pas_j[d];
        if(M[a][b]>=2) continue;
        int x=D[a][b]*4;
        for(int e=1;e<=8;e++) if(M[a+pas_i[e]][b+pas_j[e]]==3) x++;
        if(x<m){ m=x; q=d; }
        if(x>pitjor) pitjor=x;
      }
      if(pitjor==-2) historial[0]=1;
      if(q==0 || (volta==0 && m>8) || (volta==1 && m>40)) continue;
      if(ordena(v[i],q)) M[r.i+pas_i[q]][r.j+pas_j[q]]=3;
      v[i]=-1;
    }
  }
}
};
AIstruct::Static_Initializer init;
};
