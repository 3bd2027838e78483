// What makes a class a player: to be included in the body of AIstruct, with
// NAMEPLAYER defined. There is no include guard, so that a program may hold
// several players.

#define QUOTEME_(x) #x
#define QUOTEME(x) QUOTEME_(x)

struct Static_Initializer {
  Static_Initializer() { AIbase::register_class(new AIstruct()); }
};

static Static_Initializer init;

// The parentheses matter: attributes without a constructor start at zero.
virtual AIbase* clone() { return new AIstruct(); }

virtual string name() { return QUOTEME(NAMEPLAYER); }
