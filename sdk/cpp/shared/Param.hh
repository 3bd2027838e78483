// Parameters of a player: constants, of which `ludus tune` tries other values.
//
//   LUDUS_PARAM(patience, 12, 0, 40);        // a whole number from 0 to 40
//   LUDUS_PARAM(boldness, 0.35, 0.0, 1.0);   // any number from 0 to 1
//
// It stands outside of functions, or in a class, and all three values are plain
// numbers. Everywhere but in `ludus tune` it is a constant like any other.
#ifndef Param_hh
#define Param_hh

#define LUDUS_PARAM(name, standard, low, high) static constexpr auto name = standard

#endif
