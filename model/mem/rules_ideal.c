#include "mem/rules_ideal.h"

void ideal_shared(const struct rules_cc *r, const struct rules_access *a,
                  uint64_t addr[ISA_LANES])
{
    const uint64_t step = r->split_words && a->bytes > 4 ? 4 : a->bytes;

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        addr[lane] = step * lane;
    }
}

uint32_t ideal_places(const struct rules_access *a, uint8_t place[ISA_LANES])
{
    uint64_t seen[ISA_LANES];
    uint32_t n = 0;

    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m), i = 0;

        while (i < n && seen[i] != a->addr[lane]) {
            i++;
        }
        seen[i] = a->addr[lane];
        n += i == n;
        place[lane] = (uint8_t)i;
    }
    return n;
}

static uint64_t line_of(uint64_t addr)
{
    return addr & ~(uint64_t)(MEM_LINE - 1);
}

/* The lines that lanes touch, in the order of the lanes. */
static uint32_t lines_of(const struct rules_access *a, uint64_t line[ISA_LANES])
{
    uint32_t n = 0;

    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        const uint64_t at = line_of(a->addr[__builtin_ctz(m)]);
        uint32_t i = 0;

        while (i < n && line[i] != at) {
            i++;
        }
        line[i] = at;
        n += i == n;
    }
    return n;
}

void ideal_global(const struct rules_access *a, uint64_t addr[ISA_LANES])
{
    uint8_t place[ISA_LANES] = {0};
    uint64_t line[ISA_LANES], first;
    uint32_t n_lines, n_places, needed, from;

    if (a->mask == 0) {
        return;
    }
    n_places = ideal_places(a, place);
    n_lines = lines_of(a, line);
    needed = (n_places * a->bytes + MEM_LINE - 1) / MEM_LINE;
    first = a->addr[__builtin_ctz(a->mask)] - line[0];
    from = (uint32_t)(first / a->bytes) * needed % n_lines;
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        const uint32_t at = (uint32_t)place[lane] * a->bytes;

        addr[lane] = line[(from + at / MEM_LINE) % n_lines] + at % MEM_LINE;
    }
}
