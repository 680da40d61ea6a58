#define HALF 20
