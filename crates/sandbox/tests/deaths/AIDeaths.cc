// Ways to die, one for every number of rounds of a match: see deaths.rs. Where a
// player dies, the line says by which number, in which function, and of what.
#include "Player.hh"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#define PLAYER_NAME Deaths

struct Refusal : std::logic_error {
  explicit Refusal(const std::string& why) : std::logic_error("refused: " + why) {}
};

struct Shape { virtual ~Shape() {} virtual int area() const = 0; };
struct Square : Shape { int area() const override { return 1; } };
struct Circle : Shape { int area() const override { return 3; } };

struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }

  // What the compiler cannot know.
  volatile int zero = 0, large = 300000000;
  std::vector<int> numbers = {1, 2, 3};
  std::map<std::string, int> prices;

  void throws_error() { throw std::runtime_error("boom"); }  //= 0 throws_error: uncaught exception std::runtime_error: boom
  void throws_own() { throw Refusal("number " + std::to_string(7 + zero)); }  //= 1 throws_own: uncaught exception Refusal: refused: number 7
  void throws_number() { throw 42 + zero; }  //= 2 throws_number: uncaught exception int: 42
  void throws_text() { throw "no way"; }  //= 3 throws_text: uncaught exception char const*: no way
  void throws_string() { throw std::string("a string"); }  //= 4 throws_string: a string
  int asks_vector() { return numbers.at(3 + zero); }  //= 5 asks_vector: uncaught exception std::out_of_range: vector
  int reads_number() { return std::stoi("no number"); }  //= 6 reads_number: std::invalid_argument: stoi
  char asks_string() { return std::string("abc").at(5 + zero); }  //= 7 asks_string: std::out_of_range
  int asks_map() { return prices.at("bread"); }  //= 8 asks_map: uncaught exception std::out_of_range
  int asks_optional() {
    std::optional<int> nothing;
    if (zero) nothing = 1;
    return nothing.value();  //= 9 asks_optional: uncaught exception std::bad_optional_access
  }
  int asks_variant() {
    std::variant<int, std::string> either = std::string("text");
    if (zero) either = 1;
    return std::get<int>(either);  //= 10 asks_variant: uncaught exception std::bad_variant_access
  }
  void asserts() {
    assert(zero == 1);  //= 11 asserts: an assertion does not hold
  }
  void aborts() { abort(); }  //= 12 aborts: it called abort()
  void exits() { exit(3); }  //= 13 exits: it called exit(3)
  void terminates() { std::terminate(); }  //= 14 terminates: it called abort()
  __attribute__((noinline)) void traps() { __builtin_trap(); }  //= 15 traps: it came to code that cannot be reached
  int divides() { return 7 / zero; }  //= 16 divides: division by zero
  int takes_rest() { return 7 % zero; }  //= 17 takes_rest: division by zero
  int divides_smallest() {
    int smallest = -2147483647 - 1 + zero;
    return smallest / (zero - 1);  //= 18 divides_smallest: integer overflow in a division
  }
  int reads_anywhere() { return *reinterpret_cast<volatile int*>(2000000000 + zero); }  //= 19 reads_anywhere: access outside of its memory
  int reads_far() {
    const int* first = &numbers[0];
    return first[large];  //= 20 reads_far: access outside of its memory
  }
  void writes_far() {
    numbers[large] = 1;  //= 21 writes_far: access outside of its memory
  }
  void loops() {
    while (zero == 0) ++spins;  //= 22 loops: it ran out of CPU time
  }
  int recurses(int n) {
    return zero ? n : recurses(n + 1) + n * large;  //= 23 recurses: the recursion is too deep
  }
  int ping(int n) {
    return zero ? n : pong(n + 1) * large + 1;  //= 24 ping: the recursion is too deep
  }
  __attribute__((noinline)) int pong(int n) {
    return zero ? n : ping(n + 1) * large + 2;
  }
  int recurses_with_room(int n) {
    volatile int room[1000];
    room[n % 1000] = n;
    return recurses_with_room(n + 1) + room[(n + 1) % 1000];  //= 25 recurses_with_room: the recursion is too deep
  }
  void wants_much() {
    std::vector<int> much(large);  //= 26 wants_much: more memory
    numbers.swap(much);
  }
  void wants_ever_more() {
    while (zero == 0) numbers.push_back(spins);  //= 27 wants_ever_more: more memory
  }
  void calls_nothing() {
    void (*volatile nothing)() = nullptr;
    nothing();  //= 28 calls_nothing: call of a function that is none
  }
  int calls_garbage() {
    volatile unsigned garbage[4] = {0x7fffffff, 1, 2, 3};
    return reinterpret_cast<const Shape*>(const_cast<const unsigned*>(garbage))->area();  //= 29 calls_garbage: access outside of its memory
  }
  void calls_empty() {
    std::function<void()> nothing;
    if (zero) nothing = [] {};
    nothing();  //= 30 calls_empty: uncaught exception std::bad_function_call
  }
  void reserves() { numbers.reserve(-1 - zero); }  //= 31 reserves: uncaught exception std::length_error
  void orders_too_much() {
    for (int k = 0; k < 2000; ++k) move(k, Up);  //= 32 orders_too_much: too many orders
  }
  int casts() {
    Square square;
    Shape& shape = zero ? static_cast<Shape&>(square) : *circle_;
    return dynamic_cast<Square&>(shape).area();  //= 33 casts: it called abort()
  }
  void sorts() {
    std::vector<int> many(1000);
    std::sort(many.begin(), many.end(), [this](int a, int b) {
      while (zero == 0) ++spins;  //= 34 operator(): it ran out of CPU time
      return a < b;
    });
  }
  int third(int n) { return 100 / (n - 3); }  //= 35 third: division by zero
  int second(int n) { return third(n + 1) + 1; }
  int first(int n) { return second(n + 1) + 1; }
  void throws_nonetheless() noexcept { throw std::runtime_error("no except"); }  //= 36 throws_nonetheless: std::runtime_error: no except

  struct Plan { int age; int steps[4]; };
  Plan* volatile no_plan = nullptr;
  void writes_null() { no_plan->steps[1] = 1; }  //= 37 writes_null: access through a null pointer
  int reads_null() { return no_plan->age; }  //= 38 reads_null: access through a null pointer
  void clears_null() { memset(no_plan, 0, sizeof(Plan) * (200 + zero)); }  //= 39 clears_null: access through a null pointer
  void copies_null() {
    Plan plan = *no_plan;  //= 40 copies_null: access through a null pointer
    numbers.assign(plan.steps, plan.steps + 4);
  }

  // As deep as programs can on most systems: nobody dies.
  __attribute__((noinline)) int deep(int n) { return n == 0 ? zero : deep(n - 1) * large + n; }

  volatile unsigned spins = 0;
  Shape* circle_ = new Circle;

  void play() override {
    switch (num_rounds() - 20) {
      case 0: return throws_error();
      case 1: return throws_own();
      case 2: return throws_number();
      case 3: return throws_text();
      case 4: return throws_string();
      case 5: zero = asks_vector(); return;
      case 6: zero = reads_number(); return;
      case 7: zero = asks_string(); return;
      case 8: zero = asks_map(); return;
      case 9: zero = asks_optional(); return;
      case 10: zero = asks_variant(); return;
      case 11: return asserts();
      case 12: return aborts();
      case 13: return exits();
      case 14: return terminates();
      case 15: return traps();
      case 16: zero = divides(); return;
      case 17: zero = takes_rest(); return;
      case 18: zero = divides_smallest(); return;
      case 19: zero = reads_anywhere(); return;
      case 20: zero = reads_far(); return;
      case 21: return writes_far();
      case 22: return loops();
      case 23: zero = recurses(1); return;
      case 24: zero = ping(1); return;
      case 25: zero = recurses_with_room(1); return;
      case 26: return wants_much();
      case 27: return wants_ever_more();
      case 28: return calls_nothing();
      case 29: zero = calls_garbage(); return;
      case 30: return calls_empty();
      case 31: return reserves();
      case 32: return orders_too_much();
      case 33: zero = casts(); return;
      case 34: return sorts();
      case 35: zero = first(1 + zero); return;
      case 36: return throws_nonetheless();
      case 37: return writes_null();
      case 38: zero = reads_null(); return;
      case 39: return clears_null();
      case 40: return copies_null();
      case 50: zero = deep(58000) & 0; return;
    }
  }
};

RegisterPlayer(PLAYER_NAME);
