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

// Old files take the greatest common divisor of signed numbers with this
// function of the GNU library; libc++ has one of this name for unsigned ones only.
#ifdef _LIBCPP_VERSION
namespace std {
inline int __gcd(int m, int n) {
  while (n != 0) {
    int rest = m % n;
    m = n;
    n = rest;
  }
  return m;
}
inline long __gcd(long m, long n) {
  while (n != 0) {
    long rest = m % n;
    m = n;
    n = rest;
  }
  return m;
}
inline long long __gcd(long long m, long long n) {
  while (n != 0) {
    long long rest = m % n;
    m = n;
    n = rest;
  }
  return m;
}
}  // namespace std
#endif

#endif
