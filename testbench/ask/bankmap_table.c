/* bankmap_table.c - one access on every capability, side by side. */
#include "ask/bankmap.h"

#include <string.h>

enum ops { OPS_ALL, OPS_NO_ATOMICS, OPS_ATOMICS };

struct family { /* capabilities whose rules agree; a test compares them */
    const char *name;
    uint32_t cc, bank_mode;
    bool in_l1;
    uint32_t cycles; /* that the banks work for a pass: PG4.2 F.3.3, F.4.3, F.5.3 */
    const char *clock;
    enum ops ops; /* that the row is for */
};

static const struct family shared[] = {
    {"1.0, 1.1", 10, 4, false, 2, "shader", OPS_ALL},
    {"1.2, 1.3", 13, 4, false, 2, "shader", OPS_ALL},
    {"2.x", 20, 4, false, 2, "shader", OPS_ALL},
    {"3.x, 4-byte words", 30, 4, false, 1, "core", OPS_ALL},
    {"3.x, 8-byte words", 30, 8, false, 1, "core", OPS_ALL},
    {"5.0 to 9.0", 90, 4, false, 1, "core", OPS_ALL},
};

static const struct family global[] = {
    {"1.0, 1.1", 10, 4, false, 0, "", OPS_ALL},
    {"1.2, 1.3", 13, 4, false, 0, "", OPS_ALL},
    {"2.x, L1 and L2", 20, 4, true, 0, "", OPS_ALL},
    {"2.x, L2 only", 20, 4, false, 0, "", OPS_ALL},
    {"3.x, L2 only", 30, 4, false, 0, "", OPS_ALL},
    {"3.x, L1 opted in", 30, 4, true, 0, "", OPS_ALL},
    {"5.0 to 9.0", 90, 4, true, 0, "", OPS_NO_ATOMICS},
    {"5.0 to 6.2", 60, 4, true, 0, "", OPS_ATOMICS},
    {"7.0 to 9.0", 90, 4, true, 0, "", OPS_ATOMICS},
};

/* NULL past the last. What there is once only for loads is passed over for others. */
static const struct family *family(const struct bankmap_request *r, uint32_t i)
{
    if (r->setup.space == BANKMAP_SHARED) {
        return i < ARRAY_LEN(shared) ? &shared[i] : NULL;
    }
    return i < ARRAY_LEN(global) ? &global[i] : NULL;
}

static struct bankmap_setup setup_of(const struct bankmap_request *r,
                                     const struct family *f)
{
    struct bankmap_setup s = r->setup;

    s.rules = *rules_find(f->cc);
    s.rules.broadcast = r->setup.rules.broadcast;
    s.bank_mode = f->bank_mode;
    s.in_l1 = f->in_l1;
    return s;
}

static void put_color(struct text *out, bool color, const char *how)
{
    if (color) {
        text_add(out, "\033[%sm", how);
    }
}

static void shared_row(const struct bankmap_request *r, const struct family *f,
                       bool color, struct text *out)
{
    struct bankmap_setup s = setup_of(r, f);
    struct rules_waves w;

    text_add(out, "%-18s %5u  ", f->name, s.rules.banks);
    if (s.op >= MEM_ATOM && s.rules.atomics == RULES_ATOMICS_NONE) {
        text_add(out, "no atomics on shared memory\n");
        return;
    }
    bankmap_shared(&s, &r->access, &w);
    put_color(out, color, w.n > w.ideal ? "31" : "32");
    text_add(out, "%10u  %5u  %6u", w.n, w.ideal, w.degree);
    put_color(out, color, "0");
    text_add(out, "  %4u %s\n", w.n * f->cycles, f->clock);
}

static void global_row(const struct bankmap_request *r, const struct family *f,
                       bool color, struct text *out)
{
    struct bankmap_setup s = setup_of(r, f);
    struct rules_lines l;
    char transactions[48];
    uint32_t used = 0;

    bankmap_global(&s, &r->access, &l);
    bankmap_transactions(&l, transactions);
    for (uint32_t i = 0; i < l.n; i++) {
        used += bankmap_touched(&l.line[i]);
    }
    text_add(out, "%-18s %8u  %5u  %7u  %-18s", f->name, l.requests, l.lines, l.sectors,
             transactions);
    put_color(out, color, l.moved > used ? "31" : "32");
    text_add(out, "%6u  %3u %%", l.moved, l.moved == 0 ? 0 : 100 * used / l.moved);
    put_color(out, color, "0");
    text_add(out, "\n");
}

void bankmap_table(const struct bankmap_request *r, bool color, struct text *out)
{
    bool is_shared = r->setup.space == BANKMAP_SHARED;
    const struct family *f;

    bankmap_describe(r, out);
    text_add(out, "\n\n");
    put_color(out, color, "1");
    text_add(out,
             is_shared
                 ? "capability         banks  wavefronts  ideal  degree  banks busy\n"
                 : "capability         requests  lines  sectors  transactions      "
                   " bytes  used\n");
    put_color(out, color, "0");
    for (uint32_t i = 0; (f = family(r, i)) != NULL; i++) {
        if (f->ops == (r->setup.op >= MEM_ATOM ? OPS_NO_ATOMICS : OPS_ATOMICS)) {
            continue;
        }
        if (!is_shared && r->setup.op != MEM_LOAD && f->in_l1 && f->cc < 50) {
            continue; /* only loads go to the L1 */
        }
        if (is_shared) {
            shared_row(r, f, color, out);
        } else {
            global_row(r, f, color, out);
        }
    }
    if (is_shared) {
        text_add(out,
                 "\nbanks busy: clocks in which they work for it, of the clock named. "
                 "128-bit\naccesses on 3.x: assumed.\n");
    }
}
