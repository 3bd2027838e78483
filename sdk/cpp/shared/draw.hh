// Drawing for your own eyes: cells, lines, texts and notes on units, shown by
// `ludus view` over the board of the round in which you draw them.
//
//   #include "draw.hh"
//   draw::cell(p);                         in the colour of your seat
//   draw::line(p, q, draw::rgb(255, 0, 0));
//   draw::text(p, "here");
//   draw::note(id, "goes home");
//
// In official matches nothing of it is kept. A round has room for a thousand
// drawings, and texts for eighty bytes.
#ifndef ludus_draw_hh
#define ludus_draw_hh

#include <string>

#ifdef __wasm__
extern "C" __attribute__((import_module("ludus"), import_name("draw"))) void ludus_draw(
    int kind, int colour, int a, int b, int c, int d, const char* text, int bytes);
#else
inline void ludus_draw(int, int, int, int, int, int, const char*, int) {}
#endif

namespace draw {

// The colour of your seat.
const int own = -1;

// Red, green and blue, each from 0 to 255.
inline int rgb(int red, int green, int blue) { return (red & 255) << 16 | (green & 255) << 8 | (blue & 255); }

inline void cell(int row, int col, int colour = own) { ludus_draw(1, colour, row, col, 0, 0, "", 0); }

inline void line(int row, int col, int to_row, int to_col, int colour = own) {
  ludus_draw(2, colour, row, col, to_row, to_col, "", 0);
}

inline void text(int row, int col, const std::string& words, int colour = own) {
  ludus_draw(3, colour, row, col, 0, 0, words.data(), words.size());
}

inline void note(int unit, const std::string& words, int colour = own) {
  ludus_draw(4, colour, unit, 0, 0, 0, words.data(), words.size());
}

// The same with positions.
template <class Place> auto cell(const Place& p, int colour = own) -> decltype(p.i, void()) { cell(p.i, p.j, colour); }

template <class Place> auto line(const Place& p, const Place& q, int colour = own) -> decltype(p.i, void()) {
  line(p.i, p.j, q.i, q.j, colour);
}

template <class Place> auto text(const Place& p, const std::string& words, int colour = own) -> decltype(p.i, void()) {
  text(p.i, p.j, words, colour);
}

}  // namespace draw

#endif
