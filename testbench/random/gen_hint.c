/*
 * Cache policies: %jp<2>, made at the kernel's begin and now and then again, or
 * numbers. They change no answer; who has no such group draws nothing here.
 */
#include "gen_priv.h"

#include <string.h>

/* A policy of an H100 for all of the lines, evicted as any other; as a decimal. */
#define EVICT_NORMAL UINT64_C(0x16f0000000000000)

bool gen_hint(struct gen *g)
{
    if ((g->groups & GEN_HINT) == 0 || gen_chance(g, 40)) {
        return false;
    }
    put(g, ".L2::cache_hint");
    return true;
}

void gen_hint_policy(struct gen *g, bool hinted)
{
    if (!hinted) {
        return;
    }
    if (gen_chance(g, 75)) {
        putf(g, ", %jp%u", gen_below(g, 2));
    } else {
        put(g, ", ");
        put_u(g, gen_chance(g, 70) ? EVICT_NORMAL : rng_next(&g->rng));
    }
}

bool gen_hint_type(struct gen *g, bool may)
{
    char type[16];
    char *point = strrchr(g->p->text, '.');
    const bool is_short = point != NULL && strlen(point) < sizeof(type);
    bool hinted;

    if (!may || !is_short) {
        return false;
    }
    strcpy(type, point);
    g->p->n = (uint32_t)(point - g->p->text);
    *point = '\0';
    hinted = gen_hint(g);
    put(g, type);
    return hinted;
}

static void make(struct gen *g, uint32_t i)
{
    /* of all lines, of the half of them, of a tenth */
    static const char *const parts[] = {"", ", 0f3F800000", ", 0f3F000000",
                                        ", 0f3DCCCCCD"};

    switch (gen_below(g, 4)) {
    case 0:
    case 1:
        put(g, "\tcreatepolicy.fractional");
        gen_expand(g,
                   ".L2::{evict_last|evict_normal|evict_first|evict_unchanged}"
                   "{|.L2::evict_first|.L2::evict_unchanged}",
                   "");
        putf(g, ".b64 %jp%u%s; //=\n", i, parts[gen_below(g, 4)]);
        break;
    case 2:
        put(g, "\tcreatepolicy.range");
        gen_expand(g,
                   "{|.global}.L2::{evict_last|evict_normal|evict_first|"
                   "evict_unchanged}{|.L2::evict_first|.L2::evict_unchanged}",
                   "");
        putf(g, ".b64 %jp%u, [%a0], %u, %u; //=\n", i, 64 * (1 + gen_below(g, 4)),
             GEN_IN);
        break;
    default:
        putf(g, "\tcreatepolicy.cvt.L2.b64 %jp%u, ", i);
        put_u(g, EVICT_NORMAL);
        put(g, "; //=\n");
        break;
    }
}

void gen_policy(struct gen *g)
{
    make(g, gen_below(g, 2));
}

void gen_policy_places(struct gen *g)
{
    put(g, "\t.reg .b64 %jp<2>;\n");
    make(g, 0);
    make(g, 1);
}
