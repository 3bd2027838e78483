#ifndef Names_hh
#define Names_hh

#include "Utils.hh"

// What the games share to print the values of their enumerations.
namespace ludus {

// Enumerators are printed by name; other values as the number they are.
inline ostream& print_name(ostream& os, int value, const char* const* names, int count) {
  if (value >= 0 && value < count) return os << names[value];
  return os << value;
}

// Letters of match files; unknown values have a letter of their own, unknown letters are -1.
inline char letter_of(int value, const char* letters, char other = '_') {
  int count = (int)strlen(letters);
  return value >= 0 && value < count ? letters[value] : other;
}
inline int value_of(char letter, const char* letters) {
  const char* found = letter ? strchr(letters, letter) : 0;
  return found ? (int)(found - letters) : -1;
}

}  // namespace ludus

#endif
