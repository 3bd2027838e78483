#include "Player.hh"
#define PLAYER_NAME Peeves

/* Montecarlo de bolsillo: para cada mago se prueban unos cuantos paseos al
   azar y se da el primer paso del mejor. */

struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }

  static constexpr int PASEOS = 14;
  static constexpr int LARGO = 9;

  // El azar propio es más barato que random().
  unsigned semilla = 12345;
  unsigned azar(unsigned n) {
    semilla ^= semilla << 13;
    semilla ^= semilla >> 17;
    semilla ^= semilla << 5;
    return semilla % n;
  }

  int sello[60][60];
  int paseo_actual = 0;
  bool tomada[60][60];
  Pos oscuro;

  int peligro(int i, int j) { return max(abs(i - oscuro.i), abs(j - oscuro.j)); }

  double pasear(Pos inicio, Dir primero, int quien) {
    ++paseo_actual;
    double total = 0, descuento = 1;
    Pos p = inicio;
    Dir d = primero;
    for (int k = 0; k < LARGO; ++k) {
      Pos q = p + d;
      if (!pos_ok(q) || cell(q).type == Wall) { d = Dir(2 * azar(4)); descuento *= 0.8; continue; }
      if (peligro(q.i, q.j) <= 2 + k / 3) return total - 50 * descuento;
      Cell c = cell(q);
      if (c.id != -1 && c.id != quien) {
        Unit o = unit(c.id);
        if (o.player == me()) {
          if (o.is_in_conversion_process()) total += 60 * descuento;
          return total;
        }
        if (o.type == Wizard && !o.is_in_conversion_process()) {
          int yo = magic_strength(me()), otro = magic_strength(o.player);
          if (yo > 2 * otro) return total + 100 * descuento;
          if (otro > 2 * yo) return total - 100 * descuento;
          return total + descuento * (100.0 * yo / (yo + otro + 1) - 35);
        }
        return total;
      }
      if (sello[q.i][q.j] != paseo_actual) {
        sello[q.i][q.j] = paseo_actual;
        if (c.book) total += 30 * descuento;
        if (c.owner == -1) total += 2 * descuento;
        else if (c.owner != me()) total += 3 * descuento;
      }
      p = q;
      descuento *= 0.9;
      if (azar(3) == 0) d = Dir(2 * azar(4));
    }
    return total;
  }

  void mago(int id) {
    Pos p = unit(id).pos;
    double mejor = -1e9;
    int paso = -1;
    for (int k = 0; k < 4; ++k) {
      Pos q = p + Dir(2 * k);
      if (!pos_ok(q) || cell(q).type == Wall || tomada[q.i][q.j]) continue;
      double suma = 0, maximo = -1e9;
      for (int n = 0; n < PASEOS; ++n) {
        double v = pasear(p, Dir(2 * k), id);
        suma += v;
        maximo = max(maximo, v);
      }
      double nota = 0.6 * maximo + 0.4 * suma / PASEOS;
      if (nota > mejor) { mejor = nota; paso = 2 * k; }
    }
    if (paso < 0) return;
    Pos q = p + Dir(paso);
    tomada[q.i][q.j] = true;
    move(id, Dir(paso));
  }

  // El fantasma prueba repartos al azar y los mejora cambiando dos ingredientes.
  bool hechizo(vector<int>& grupos) {
    vector<int> x = spell_ingredients();
    int meta = 0;
    for (int v : x) meta += v;
    meta /= 5;
    for (int intento = 0; intento < 40; ++intento) {
      for (int k = 0; k < 15; ++k) grupos[k] = k % 5;
      for (int k = 14; k > 0; --k) swap(grupos[k], grupos[azar(k + 1)]);
      int s[5] = {0, 0, 0, 0, 0};
      for (int k = 0; k < 15; ++k) s[grupos[k]] += x[k];
      for (int cambio = 0; cambio < 300; ++cambio) {
        int error = 0;
        for (int g = 0; g < 5; ++g) error += abs(s[g] - meta);
        if (error == 0) return true;
        int a = azar(15), b = azar(15), ga = grupos[a], gb = grupos[b];
        if (ga == gb) continue;
        int dif = x[a] - x[b];
        int antes = abs(s[ga] - meta) + abs(s[gb] - meta);
        int ahora = abs(s[ga] - dif - meta) + abs(s[gb] + dif - meta);
        if (ahora > antes && azar(20) != 0) continue;
        s[ga] -= dif;
        s[gb] += dif;
        swap(grupos[a], grupos[b]);
      }
    }
    return false;
  }

  void play() {
    oscuro = pos_voldemort();
    memset(tomada, 0, sizeof(tomada));
    int f = ghost(me());
    vector<int> grupos(15);
    if (unit(f).resting_rounds() == 0 && num_rounds() - round() > 50 && hechizo(grupos)) spell(f, grupos);
    if (status(me()) > 0.9) return;
    vector<int> mios = wizards(me());
    for (unsigned k = 0; k < mios.size(); ++k) mago(mios[k]);
  }
};

RegisterPlayer(PLAYER_NAME);
