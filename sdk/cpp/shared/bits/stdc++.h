// The header that includes every standard header, for files that rely on it.

// Our own headers leave out the ones whose names a file may want for itself.
#if __cplusplus >= 201703L && !defined(LUDUS_FEWER_HEADERS)
#include <any>
#include <charconv>
#include <optional>
#include <string_view>
#include <variant>
#endif

#ifndef ludus_bits_stdcpp_h
#define ludus_bits_stdcpp_h

#include <algorithm>
#include <array>
#include <bitset>
#include <cassert>
#include <cctype>
#include <cerrno>
#include <cfloat>
#include <chrono>
#include <cinttypes>
#include <climits>
#include <cmath>
#include <complex>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <exception>
#include <forward_list>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iomanip>
#include <ios>
#include <iosfwd>
#include <iostream>
#include <istream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <ostream>
#include <queue>
#include <random>
#include <ratio>
#include <set>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <valarray>
#include <vector>

#include <sys/types.h>

// Functions of the GNU library that old files use under their internal names.
// libc++ has a __gcd too, for unsigned numbers only.
#ifdef _LIBCPP_VERSION
namespace std {
template <class T> inline T ludus_gcd_(T m, T n) {
  while (n != 0) {
    T rest = m % n;
    m = n;
    n = rest;
  }
  return m;
}
inline int __gcd(int m, int n) { return ludus_gcd_(m, n); }
inline long __gcd(long m, long n) { return ludus_gcd_(m, n); }
inline long long __gcd(long long m, long long n) { return ludus_gcd_(m, n); }

// The position of the highest bit.
inline int __lg(int n) { return 31 - __builtin_clz(n); }
inline int __lg(unsigned n) { return 31 - __builtin_clz(n); }
inline long __lg(long n) { return 63 - __builtin_clzll(n); }
inline long __lg(unsigned long n) { return 63 - __builtin_clzll(n); }
inline long long __lg(long long n) { return 63 - __builtin_clzll(n); }
inline long long __lg(unsigned long long n) { return 63 - __builtin_clzll(n); }

// Where `long` has 64 bits, int64_t is the same type, and size_t the same as uint64_t.
inline long long max(long a, long long b) { return a < b ? b : a; }
inline long long max(long long a, long b) { return a < b ? b : a; }
inline long long min(long a, long long b) { return b < a ? b : a; }
inline long long min(long long a, long b) { return b < a ? b : a; }
inline unsigned long long max(unsigned long a, unsigned long long b) { return a < b ? b : a; }
inline unsigned long long max(unsigned long long a, unsigned long b) { return a < b ? b : a; }
inline unsigned long long min(unsigned long a, unsigned long long b) { return b < a ? b : a; }
inline unsigned long long min(unsigned long long a, unsigned long b) { return b < a ? b : a; }
}  // namespace std
#endif

#include "../order.hh"

#endif
