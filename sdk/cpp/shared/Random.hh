#ifndef Random_hh
#define Random_hh

#include "Utils.hh"

// The player's own generator; what it draws changes nobody else's luck.
class Random_generator {
  long long ludus_state_ = 0;

  // Two steps of the generator x -> (843314861 x + 453816693) mod 2^31 at once: every draw takes two.
  void ludus_advance_() {
    const unsigned long long a = 843314861, c = 453816693;
    ludus_state_ = (long long)(a * a % (1ull << 31) * (unsigned long long)ludus_state_ + a * c + c) & 0x7fffffffLL;
  }

public:
  // An integer between l and u; l, without a draw, if there is none or there are over a million.
  int random(int l, int u) {
    long long width = (long long)u - l + 1;
    if (width <= 0 || width > 1000000) return l;
    ludus_advance_();
    return l + (int)((width * ludus_state_) >> 31);
  }

  // The numbers from 0 to n-1 in random order.
  vector<int> random_permutation(int n) {
    if (n < 0 || n > 1000000) return vector<int>();
    vector<int> v(n);
    for (int i = 0; i < n; ++i) v[i] = i;
    for (int i = 0; i < n; ++i) {
      int k = random(i, n - 1);
      int x = v[i];
      v[i] = v[k];
      v[k] = x;
    }
    return v;
  }

  // For the host only.
  void ludus_seed_(int seed) { ludus_state_ = (seed < 0 ? 0u - (unsigned)seed : (unsigned)seed) & 0x7fffffffu; }
};

#endif
