/*
 * lane_bench.c - what lane functions cost.
 *
 *   lane_bench [-a] [-k] [FILTER]
 *
 * Nanoseconds per warp instruction of every form that can be selected (one type of each
 * row of the tables; -a: each type) and of the functions around memory: all lanes and
 * half of them, by the plain functions and by the wide ones, the best of many rounds.
 * -k: operands but the first are constants. FILTER: forms whose name contains it. Run
 * by hand on a quiet machine, no test.
 */
#include "isa/lane.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 64, PREDS = 64, ROUNDS = 15, HALF = 0x5a5a93c6 };

struct bench {
    uint32_t r[SLOTS * ISA_LANES];
    uint32_t k[SLOTS * ISA_LANES];
    uint32_t p[PREDS];
    struct isa_env env;
    const char *filter;
    bool all_types, constants;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* Everyday values of the type in every register and constant. */
static void fill(struct bench *b, enum isa_type type)
{
    uint64_t seed = 1;

    for (uint32_t i = 0; i < SLOTS * ISA_LANES; i++) {
        uint32_t v = (uint32_t)next_random(&seed);

        if (type == ISA_T_F32) {
            v = 0x3f000000u + v % 0x01800000u; /* 0.5 to 4 */
        } else if (type == ISA_T_F64 && i % 2 == 1) {
            v = 0x3fe00000u + v % 0x00300000u;
        }
        b->r[i] = v;
    }
    for (uint32_t i = 0; i < SLOTS * ISA_LANES; i++) {
        const bool wide = isa_type_bits(type) == 64;

        b->k[i] = b->r[i / ISA_LANES * ISA_LANES + (wide ? i % 2 : 0)];
    }
    for (uint32_t i = 0; i < PREDS; i++) {
        b->p[i] = (uint32_t)next_random(&seed);
    }
}

/* ---- timing ---- */

struct call {
    isa_exec_fn *exec;
    const struct isa_uop *u;
    const struct isa_lanes *w;
    uint32_t mask;
};

static double time_calls(const struct call *c, uint32_t n)
{
    const double t = now();

    for (uint32_t i = 0; i < n; i++) {
        c->exec(c->u, c->w, c->mask);
    }
    return (now() - t) / n;
}

static double cost(struct bench *b, isa_exec_fn *exec, const struct isa_uop *u,
                   uint32_t mask)
{
    const struct isa_lanes w = {.r = b->r, .p = b->p, .k = b->k, .env = &b->env};
    const struct call c = {exec, u, &w, mask};
    double best = time_calls(&c, 4);
    uint32_t n;

    best = time_calls(&c, 16);
    n = best > 1000 ? 16 : (uint32_t)(16000 / (best + 1));
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const double t = time_calls(&c, n);

        best = t < best ? t : best;
    }
    return best;
}

static void report(struct bench *b, const char *name, isa_exec_fn *plain,
                   isa_exec_fn *wide, const struct isa_uop *u)
{
    double ns[4];

    if (b->filter != NULL && strstr(name, b->filter) == NULL) {
        return;
    }
    ns[0] = cost(b, plain, u, LANE_ALL);
    ns[1] = cost(b, plain, u, HALF);
    ns[2] = cost(b, wide, u, LANE_ALL);
    ns[3] = cost(b, wide, u, HALF);
    printf("%-36s %8.1f %8.1f %8.1f %8.1f\n", name, ns[0], ns[1], ns[2], ns[3]);
}

/* ---- forms ---- */

static const char *const round_names[] = {"",     ".rn",  ".rz",  ".rm", ".rp",
                                          ".rni", ".rzi", ".rmi", ".rpi"};
static const char *const cmp_names[] = {"",     ".eq",  ".ne",  ".lt",  ".le",
                                        ".gt",  ".ge",  ".lo",  ".ls",  ".hi",
                                        ".hs",  ".equ", ".neu", ".ltu", ".leu",
                                        ".gtu", ".geu", ".num", ".nan"};

static void name_form(char name[64], const struct isa_form *f)
{
    const char *type = f->type == ISA_T_NONE ? "" : isa_type_name(f->type);
    const char *type2 = f->type2 == ISA_T_NONE ? "" : isa_type_name(f->type2);

    (void)snprintf(name, 64, "%s%s%s.%s%s%s%s%s%s", isa_op_name(f->op),
                   cmp_names[f->cmp], round_names[f->round], type,
                   *type2 == '\0' ? "" : ".", type2,
                   (f->flags & ISA_F_FTZ) != 0 ? " ftz" : "",
                   (f->flags & ISA_F_SAT) != 0 ? " sat" : "",
                   f->boolop != ISA_B_NONE ? " bool" : "");
    if (f->sub != ISA_S_NONE) {
        const size_t n = strlen(name);

        (void)snprintf(name + n, 64 - n, " sub %u", f->sub);
    }
}

static void one_form(struct bench *b, const struct lane_row *row, struct isa_form f)
{
    struct isa_uop u = {.form = f, .dst = {1, 3, 5, 7}, .dst2 = 2, .cc = 3};
    char name[64];

    u.n_src = 1;
    for (uint32_t i = 0; i < 4; i++) {
        u.src[i] = (isa_ref)(8 + 4 * i);
        if (i > 0 && b->constants && f.op != ISA_OP_SELP) {
            u.src[i] = (isa_ref)(-1 - u.src[i]);
        }
    }
    fill(b, f.type2 != ISA_T_NONE ? f.type2 : f.type);
    name_form(name, &f);
    report(b, name, row->exec, row->exec_wide, &u);
}

static uint8_t lowest(uint32_t set)
{
    return set == 0 ? 0 : (uint8_t)__builtin_ctz(set);
}

static void forms_of(struct bench *b, const struct lane_row *row)
{
    struct isa_form f = {.op = row->op,
                         .round = lowest(row->rounds),
                         .cmp = row->cmp,
                         .boolop = lowest(row->bools & ~1u),
                         .sub = row->sub,
                         .vec = row->vec,
                         .flags = row->flags};

    for (uint8_t t = 0; t < ISA_N_TYPES; t++) {
        for (uint8_t s = 0; s < ISA_N_TYPES; s++) {
            const bool has_t = row->types == 0 ? t == 0 : (row->types >> t & 1) != 0;
            const bool has_s = row->types2 == 0 ? s == 0 : (row->types2 >> s & 1) != 0;

            if (!has_t || !has_s) {
                continue;
            }
            f.type = t;
            f.type2 = s;
            one_form(b, row, f);
            if (!b->all_types) {
                return;
            }
        }
    }
}

/* ---- around memory ---- */

static uint64_t addresses[ISA_LANES];
static uint32_t data[8][ISA_LANES];

static void do_addresses(const struct isa_uop *u, const struct isa_lanes *w,
                         uint32_t mask)
{
    isa_addresses(u, w, mask, addresses);
}

static void do_store(const struct isa_uop *u, const struct isa_lanes *w, uint32_t mask)
{
    isa_store_data(u, w, mask, data);
}

static void do_load(const struct isa_uop *u, const struct isa_lanes *w, uint32_t mask)
{
    isa_load_data(u, w, mask, (const uint32_t(*)[ISA_LANES])data);
}

/* An atomic by every lane of the mask, on words of their own. */
static void do_atom(const struct isa_uop *u, const struct isa_lanes *w, uint32_t mask)
{
    const uint32_t *b = w->r + u->src[0] * (int)ISA_LANES;

    for (uint32_t l = 0; l < ISA_LANES; l++) {
        if ((mask & lane_bit[l]) != 0) {
            data[0][l] =
                (uint32_t)isa_atom(u->form.sub, u->form.type, data[0][l], b[l], b[l]);
        }
    }
}

static void around_memory(struct bench *b)
{
    struct isa_uop u = {
        .form = {.op = ISA_OP_LD, .type = ISA_T_U32, .vec = 1, .sub = ISA_S_ADD},
        .kind = ISA_K_LOAD,
        .dst = {1, 3, 5, 7},
        .src = {9, 11, 13, 15},
        .addr = 20,
        .imm = 64};
    static const struct {
        uint8_t size, vec, bits;
        enum isa_type type;
    } shapes[] = {{4, 1, 32, ISA_T_U32}, {1, 1, 32, ISA_T_S8},  {2, 1, 16, ISA_T_U16},
                  {8, 1, 64, ISA_T_U64}, {4, 2, 32, ISA_T_F32}, {4, 4, 32, ISA_T_F32},
                  {8, 2, 64, ISA_T_F64}, {4, 1, 64, ISA_T_S32}};

    fill(b, ISA_T_U32);
    report(b, "addresses 32", do_addresses, do_addresses, &u);
    u.addr64 = true;
    report(b, "addresses 64", do_addresses, do_addresses, &u);
    u.addr = ISA_NO_REF;
    report(b, "addresses constant", do_addresses, do_addresses, &u);
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        char name[64];

        u.size = shapes[i].size;
        u.dst_bits = shapes[i].bits;
        u.form.vec = shapes[i].vec;
        u.form.type = (uint8_t)shapes[i].type;
        (void)snprintf(name, sizeof(name), "store data %u x %u of %u", u.form.vec,
                       u.size, u.dst_bits);
        report(b, name, do_store, do_store, &u);
        (void)snprintf(name, sizeof(name), "load data %u x %u to %u", u.form.vec,
                       u.size, u.dst_bits);
        report(b, name, do_load, do_load, &u);
    }
    u.form.type = ISA_T_U32;
    report(b, "atom.add.u32 of every lane", do_atom, do_atom, &u);
    u.form.type = ISA_T_F32;
    fill(b, ISA_T_F32);
    report(b, "atom.add.f32 of every lane", do_atom, do_atom, &u);
}

static void registers(struct bench *b)
{
    struct isa_uop u = {.form = {.op = ISA_OP_MOV, .type = ISA_T_U32}, .dst = {1}};

    report(b, "sreg tid.x", isa_exec_sreg(ISA_SR_TID_X), isa_exec_sreg(ISA_SR_TID_X),
           &u);
    report(b, "sreg ctaid.x", isa_exec_sreg(ISA_SR_CTAID_X),
           isa_exec_sreg(ISA_SR_CTAID_X), &u);
    u.form.op = ISA_OP_LD;
    u.addr = ISA_NO_REF;
    u.size = 4;
    u.dst_bits = 32;
    report(b, "kernel parameter 32", isa_exec_kernel_param(), isa_exec_kernel_param(),
           &u);
    u.form.type = ISA_T_U64;
    u.size = 8;
    u.dst_bits = 64;
    report(b, "kernel parameter 64", isa_exec_kernel_param(), isa_exec_kernel_param(),
           &u);
}

int main(int argc, char **argv)
{
    static const uint8_t param[64] = {1, 2, 3};
    static struct bench b;
    int o;

    while ((o = getopt(argc, argv, "ak")) != -1) {
        switch (o) {
        case 'a': b.all_types = true; break;
        case 'k': b.constants = true; break;
        default: fprintf(stderr, "usage: lane_bench [-a] [-k] [FILTER]\n"); return 2;
        }
    }
    b.filter = optind < argc ? argv[optind] : NULL;
    b.env.param = param;
    b.env.param_bytes = sizeof(param);
    printf("%-36s %17s %17s\n", "ns per warp instruction", "plain", "wide");
    printf("%-36s %8s %8s %8s %8s\n", "", "all", "half", "all", "half");
    for (uint32_t t = 0; t < lane_n_tables; t++) {
        for (uint32_t i = 0; i < lane_tables[t]->n; i++) {
            forms_of(&b, &lane_tables[t]->row[i]);
        }
    }
    around_memory(&b);
    registers(&b);
    return 0;
}
