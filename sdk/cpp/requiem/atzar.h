#ifndef ludus_requiem_atzar_h
#define ludus_requiem_atzar_h

#include <vector>

using namespace std;

// The generator of the game. The same seed gives the same numbers for ever.
class atzar {
  static const int ludus_modulus_ = 2147483647;

  // The step from a negative state. The products are made of halves of 16
  // bits, which for negative numbers do not add up to the true product.
  static int ludus_after_negative_(int s) {
    int x1 = s / 65536, x0 = s & 0xffff;
    int z = 1894 * x0, z1 = z / 65536, z0 = z & 0xffff;
    int w = 27319 * x1, w1 = w / 32768, w0 = w & 0x7fff;
    int t = 453816693 + 1894 * x1 + z1 + w1 - ludus_modulus_;
    t += 27319 * x0;
    if (t >= 0) t -= ludus_modulus_;
    t += 32768 * z0;
    if (t >= 0) t -= ludus_modulus_;
    t += 65536 * w0;
    if (t < 0) t += ludus_modulus_;
    return t;
  }

  void ludus_advance_() {
    if (llavor < 0) {
      llavor = ludus_after_negative_(llavor);
      return;
    }
    // 2^31 counts as 1, so the high bits are added to the low ones.
    unsigned long long product = 62089911ULL * (unsigned)llavor + 453816693ULL;
    unsigned long long folded = (product & 2147483647ULL) + (product >> 31);
    llavor = (int)(folded >= 2147483647ULL ? folded - 2147483647ULL : folded);
  }

public:
  int llavor;  // the state

  atzar() : llavor(0) {}
  atzar(int seed) : llavor(seed) {}

  // A real number in [0, 1).
  double uniforme() {
    ludus_advance_();
    return (double)llavor / 2147483647.0;
  }

  // An integer from l to r.
  int uniforme(int l, int r) {
    int width = (int)((unsigned)r - (unsigned)l + 1u);
    return (int)((unsigned)l + (unsigned)(int)((double)width * uniforme()));
  }

  // A real number from l to r with so many digits after the point.
  double uniforme(int l, int r, int dig) {
    int power = 1;
    for (int k = 0; k < dig; ++k) power = (int)((unsigned)power * 10u);
    int low = (int)((unsigned)l * (unsigned)power), high = (int)((unsigned)r * (unsigned)power);
    return (double)uniforme(low, high) / (double)power;
  }

  // Whether something of probability p happens.
  bool probabilitat(double p) { return uniforme() < p; }

  // The numbers from 0 to n - 1 in random order.
  vector<int> permutacio(int n) {
    vector<int> v(n > 0 ? n : 0);
    for (int i = 0; i < n; ++i) v[i] = i;
    for (int i = n - 1; i >= 1; --i) {
      int k = uniforme(0, i);
      int x = v[i];
      v[i] = v[k];
      v[k] = x;
    }
    return v;
  }

  // An integer from 0 to n - 1.
  int tria(int n) { return (int)(uniforme() * (double)n); }
};

#endif
