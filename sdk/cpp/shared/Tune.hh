// What `ludus tune` puts in front of a player: parameters take the values that
// the host gives, before anything else of the player runs. Nothing here is meant
// for players.
#ifndef Tune_hh
#define Tune_hh

#undef LUDUS_PARAM
#define LUDUS_TUNED(number, name, standard, low, high) static inline const auto name = ludus::tuned(number, standard)

namespace ludus {

// Zero before any constructor runs.
struct Tuned {
  double value;
  bool is_given;
};

inline Tuned tunings[64];

template <class T> T tuned(int number, T standard) {
  return tunings[number].is_given ? static_cast<T>(tunings[number].value) : standard;
}

}  // namespace ludus

extern "C" __attribute__((export_name("ludus_tune"))) void ludus_tune(int number, double value) {
  if (number >= 0 && number < 64) ludus::tunings[number] = {value, true};
}

#endif
