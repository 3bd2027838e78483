#define NAMEPLAYER Carcoma
#include "aibase.h"
using namespace std; namespace NAMEPLAYER {struct AIstruct : public AIbase {
#include "initializer.h"
typedef vector<vector<double> > Olor; Olor propio, sangre; int lado; void empezar() {int total = 0;
for (int c = -1; c <= 4; c++) total += num_caselles(c); lado = 1; while (lado * lado < total) lado++;
propio = Olor(lado, vector<double>(lado, 0)); sangre = propio; }
void evaporar(Olor& o, double factor) {for (auto& fila : o) for (auto& x : fila) x *= factor; }
void difundir(Olor& o) {Olor nuevo = o; for (int i = 1; i+1 < lado; i++) for (int j = 1; j+1 < lado; j++) {
if (color(i, j) == -1) {nuevo[i][j] = 0; continue; } double suma = o[i-1][j] + o[i+1][j] + o[i][j-1] + o[i][j+1];
nuevo[i][j] = max(o[i][j], 0.22 * suma); } o.swap(nuevo); } void oler() {evaporar(propio, 0.93); evaporar(sangre, 0.6);
for (int e = 2; e <= 4; e++) {for (int id : cavallers(e)) {t_robot r = robot(id); sangre[r.i][r.j] += 4; }
} difundir(sangre); for (int id : pagesos(1)) {t_robot r = robot(id); propio[r.i][r.j] += 1; }
} double atractivo(int i, int j) {double a = 0; int c = color(i, j); if (c == 0) a += 3; else if (c != 1) a += 4; int vecinos = 0;
for (int d = 1; d <= 8; d++) {int k = color(i+pas_i[d], j+pas_j[d]); if (k != -1 and k != 1) vecinos++; }
a += 0.2 * vecinos; a -= 1.5 * propio[i][j]; a -= 0.8 * sangre[i][j]; return a; }
void termita(int id) {t_robot r = robot(id); double mejor = -1e100; int paso = 0; for (int d = 1; d <= 8; d++) {
int i = r.i+pas_i[d], j = r.j+pas_j[d]; if (color(i, j) == -1 or existeix(i, j)) continue;
double a = atractivo(i, j)+0.01 * random(10); double peso = 0.5; int x = i, y = j; for (int k = 0; k < 3; k++) {x += pas_i[d];
y += pas_j[d]; if (x <= 0 or y <= 0 or x >= lado - 1 or y >= lado - 1 or color(x, y) == -1) break; a += peso * atractivo(x, y);
peso *= 0.6; } if (a > mejor) {mejor = a; paso = d; } }
if (paso and ordena(id, paso)) propio[r.i+pas_i[paso]][r.j+pas_j[paso]] += 2; }
void soldado(int id) {t_robot r = robot(id); int golpe = 0; for (int d = 1; d <= 8; d++) {
int i = r.i+pas_i[d], j = r.j+pas_j[d]; if (color(i, j) == -1 or not existeix(i, j)) continue; t_robot o = robot(i, j);
if (o.equip == 1) continue; if (golpe == 0 or o.model == PAG) golpe = d; }
if (golpe) {ordena(id, golpe); return; } if (r.vida < 300) return; int amigos = 0; for (int k : cavallers(1)) {
t_robot o = robot(k); if (abs(o.i - r.i) <= 4 and abs(o.j - r.j) <= 4) amigos++; }
if (amigos < 3) return; int paso = 0; double mas = sangre[r.i][r.j] + 0.01; for (int d = 1; d <= 8; d++) {
int i = r.i+pas_i[d], j = r.j+pas_j[d];
if (color(i, j) != -1 and not existeix(i, j) and sangre[i][j] > mas) {mas = sangre[i][j]; paso = d; } }
if (paso) ordena(id, paso); } void fes_torn() {if (torn_actual() == 1) empezar(); oler(); for (int id : pagesos(1)) termita(id);
for (int id : cavallers(1)) soldado(id); } }; AIstruct::Static_Initializer init; };
