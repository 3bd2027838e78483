// What players of every game include, by the name that it has in most of them.
#include "aibase.h"
