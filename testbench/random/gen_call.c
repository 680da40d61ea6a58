/* Functions and calls; exchanges of a warp and of a block. */
#include "gen_priv.h"

#include <string.h>

static const char *const bits_of[N_CLASSES] = {"b16", "b32", "b64",
                                               "f32", "f64", "pred"};
static const char *const prefix[N_CLASSES] = {"%h", "%r", "%d", "%f", "%g", "%p"};

/* ---- functions ---- */

static void formals(struct gen *g, const struct gen_function *f)
{
    put(g, "(");
    for (uint32_t i = 0; i < f->n_args; i++) {
        putf(g, "%s.%s .%s %s%u", i > 0 ? ", " : "", f->by_reg ? "reg" : "param",
             bits_of[f->arg[i]], f->by_reg ? "%x" : "pa", i);
    }
    put(g, ")\n{\n");
}

static void function(struct gen *g, uint32_t number)
{
    struct gen_function *f = &g->function[number];

    f->by_reg = gen_chance(g, 40);
    f->has_result = gen_chance(g, 90);
    f->result = (uint8_t)(CLASS_R + gen_below(g, CLASS_P - CLASS_R));
    f->n_args = (uint8_t)(1 + gen_below(g, MAX_FORMALS));
    for (uint32_t i = 0; i < f->n_args; i++) {
        f->arg[i] = (uint8_t)(CLASS_R + gen_below(g, CLASS_P - CLASS_R));
    }
    if (number > 0 && gen_chance(g, 50)) { /* calls through a register choose */
        const bool by_reg = f->by_reg;

        *f = g->function[number - 1];
        f->by_reg = by_reg;
    }
    put(g, ".func ");
    if (f->has_result) {
        putf(g, "(.%s .%s %s) ", f->by_reg ? "reg" : "param", bits_of[f->result],
             f->by_reg ? "%y" : "pr");
    }
    putf(g, "f%u", number);
    formals(g, f);
}

/* What no argument goes to has some value too. */
static void first_values(struct gen *g)
{
    for (uint32_t c = 0; c < N_CLASSES; c++) {
        for (uint32_t i = 0; i < g->n_regs[c]; i++) {
            if (c == CLASS_P) {
                putf(g, "\tsetp.eq.u32 %p%u, %r%u, 0;\n", i, i);
            } else if (c == CLASS_F || c == CLASS_G) {
                putf(g,
                     c == CLASS_F ? "\tmov.f32 %f%u, 0f3fc0000%u;\n"
                                  : "\tmov.f64 %g%u, 0d3ff800000000000%u;\n",
                     i, i);
            } else {
                putf(g, "\tmov.%s %s%u, %u;\n", bits_of[c], prefix[c], i,
                     gen_below(g, 30000));
            }
        }
    }
}

static void load_arguments(struct gen *g, const struct gen_function *f)
{
    for (uint32_t i = 0; i < f->n_args; i++) {
        putf(g, f->by_reg ? "\tmov.%s %s%u, %x%u;\n" : "\tld.param.%s %s%u, [pa%u];\n",
             bits_of[f->arg[i]], prefix[f->arg[i]], gen_below(g, g->n_regs[f->arg[i]]),
             i);
    }
}

void gen_value_registers(struct gen *g)
{
    putf(g, "\t.reg .b%s %v<2>;\n", g->wide ? "64" : "32");
}

static void registers(struct gen *g)
{
    for (uint32_t c = 0; c < N_CLASSES; c++) {
        putf(g, "\t.reg .%s %s<%u>;\n", bits_of[c], prefix[c], g->n_regs[c]);
    }
    put(g, "\t.reg .b16 %z16;\n\t.reg .b32 %z32;\n\t.reg .b64 %z64;\n"
           "\t.reg .b32 %t<8>;\n\t.reg .b32 %c<16>;\n\t.reg .pred %k<4>;\n");
    gen_value_registers(g);
}

static void give_result(struct gen *g, const struct gen_function *f)
{
    if (f->has_result) {
        putf(g, f->by_reg ? "\tmov.%s %y, " : "\tst.param.%s [pr], ",
             bits_of[f->result]);
        gen_reg(g, f->result);
        put(g, "; //=\n");
    }
}

void gen_functions(struct gen *g)
{
    static const uint8_t few[N_CLASSES] = {2, 4, 2, 3, 2, 3};
    uint32_t n = gen_chance(g, 30) ? 1 + gen_below(g, MAX_FUNCTIONS) : 0;

    for (uint32_t c = 0; c < N_CLASSES; c++) {
        g->n_regs[c] = few[c];
    }
    g->in_function = true;
    for (uint32_t i = 0; i < n; i++) {
        function(g, i);
        registers(g);
        first_values(g);
        give_result(g, &g->function[i]); /* for those who return early */
        load_arguments(g, &g->function[i]);
        g->n_counters = 0;
        g->left = 3 + gen_below(g, 10);
        while (g->left > 0) {
            gen_statement(g, 1);
        }
        give_result(g, &g->function[i]);
        put(g, gen_chance(g, 20)   ? "\tret.uni;\n}\n"
               : gen_chance(g, 70) ? "\tret;\n}\n"
                                   : "}\n");
        g->n_functions = i + 1; /* the later ones may call it */
    }
    g->in_function = false;
}

/* ---- through a register ---- */

static bool look_alike(const struct gen_function *a, const struct gen_function *b)
{
    return a->has_result == b->has_result && a->result == b->result &&
           a->n_args == b->n_args && memcmp(a->arg, b->arg, a->n_args) == 0;
}

/* %v0 is function number, or for some threads another that looks alike. */
static void choose(struct gen *g, uint32_t number)
{
    const char *type = g->wide ? "u64" : "u32";
    uint32_t other = (number + 1 + gen_below(g, MAX_FUNCTIONS)) % g->n_functions;

    putf(g, "\tmov.%s %v0, f%u; //=\n", type, number);
    if (other != number && look_alike(&g->function[number], &g->function[other])) {
        putf(g, "\tmov.%s %v1, f%u; //=\n\tselp.b%s %v0, ", type, other, type + 1);
        put(g, "%v0, %v1, ");
        gen_reg(g, CLASS_P);
        put(g, "; //=\n");
    }
}

static void put_prototype(struct gen *g, const struct gen_function *f)
{
    put(g, "\tproto: .callprototype ");
    if (f->has_result) {
        putf(g, "(.param .%s _) ", bits_of[f->result]);
    }
    put(g, "_ (");
    for (uint32_t i = 0; i < f->n_args; i++) {
        putf(g, "%s.param .%s _", i > 0 ? ", " : "", bits_of[f->arg[i]]);
    }
    put(g, "); //=\n");
}

static void put_callee(struct gen *g, uint32_t number, bool by_value)
{
    if (by_value) {
        put(g, "%v0, (");
    } else {
        putf(g, "f%u, (", number);
    }
}

static void call_by_reg(struct gen *g, uint32_t number, bool by_value)
{
    const struct gen_function *f = &g->function[number];
    const char *const keep = by_value ? " //=" : "";

    if (by_value) {
        put(g, "\t{ //=\n");
        choose(g, number);
        put_prototype(g, f);
    }
    put(g, "\tcall");
    put(g, !by_value && gen_chance(g, 20) ? ".uni " : " ");
    if (f->has_result) {
        put(g, "(");
        gen_reg(g, f->result);
        put(g, "), ");
    }
    put_callee(g, number, by_value);
    for (uint32_t i = 0; i < f->n_args; i++) {
        put(g, i > 0 ? ", " : "");
        gen_reg(g, f->arg[i]);
    }
    putf(g, ")%s;%s\n", by_value ? ", proto" : "", keep);
    if (by_value) {
        put(g, "\t} //=\n");
    }
}

static const char *func_space(struct gen *g)
{
    return g->newest && gen_chance(g, 30) ? "::func" : "";
}

static void call_by_param(struct gen *g, uint32_t number, bool by_value)
{
    const struct gen_function *f = &g->function[number];

    put(g, "\t{ //=\n");
    if (by_value) {
        choose(g, number);
        put_prototype(g, f);
    }
    for (uint32_t i = 0; i < f->n_args; i++) {
        putf(g, "\t.param .%s q%u; //=\n\tst.param%s.%s [q%u], ", bits_of[f->arg[i]], i,
             func_space(g), bits_of[f->arg[i]], i);
        gen_reg(g, f->arg[i]);
        put(g, "; //=\n");
    }
    if (f->has_result) {
        putf(g, "\t.param .%s qr; //=\n", bits_of[f->result]);
    }
    putf(g, "\tcall%s %s", !by_value && gen_chance(g, 20) ? ".uni" : "",
         f->has_result ? "(qr), " : "");
    put_callee(g, number, by_value);
    for (uint32_t i = 0; i < f->n_args; i++) {
        putf(g, "%sq%u", i > 0 ? ", " : "", i);
    }
    putf(g, ")%s; //=\n", by_value ? ", proto" : "");
    if (f->has_result) {
        putf(g, "\tld.param%s.%s ", func_space(g), bits_of[f->result]);
        gen_reg(g, f->result);
        put(g, ", [qr]; //=\n");
    }
    put(g, "\t} //=\n");
}

void gen_call(struct gen *g)
{
    uint32_t number;
    bool by_value;

    if (g->n_functions == 0) {
        gen_alu(g);
        return;
    }
    number = gen_below(g, g->n_functions);
    by_value = gen_chance(g, 30);
    if (g->function[number].by_reg) {
        call_by_reg(g, number, by_value);
    } else {
        call_by_param(g, number, by_value);
    }
}

/* ---- exchanges ---- */

/* bar or, since 6.0, barrier, up to its operation. */
static const char *bar(struct gen *g)
{
    if (!g->sync || gen_chance(g, 60)) {
        return "\tbar";
    }
    return gen_chance(g, 40)   ? "\tbar.cta"
           : gen_chance(g, 60) ? "\tbarrier"
                               : "\tbarrier.cta";
}

/* The instruction, .aligned where it may say so. */
static void put_bar(struct gen *g, const char *op, const char *type)
{
    const char *name = bar(g);

    putf(g, "%s.%s%s%s", name, op,
         name[4] == 'r' && gen_chance(g, 50) ? ".aligned" : "", type);
}

void gen_switch_mode(struct gen *g, enum shared_mode mode)
{
    if (g->mode != mode) {
        if (gen_chance(g, 70)) {
            put_bar(g, "sync", " 0; //=\n");
        } else if (!g->exited && gen_chance(g, 50)) {
            put_bar(g, "sync", "");
            putf(g, " %u, %u; //=\n", gen_below(g, 16),
                 (g->p->n_threads + 31) / 32 * 32);
        } else {
            put_bar(g, "sync", "");
            putf(g, " %u; //=\n", gen_below(g, 16));
        }
        g->mode = mode;
    }
}

static void vote(struct gen *g)
{
    const char *sync = g->sync ? ".sync" : "", *mask = g->sync ? ", -1" : "";

    g->p->in_step |= !g->sync;
    if (gen_chance(g, 50)) {
        putf(g, "\tvote%s.ballot.b32 ", sync);
        gen_reg(g, CLASS_R);
    } else {
        putf(g, "\tvote%s.", sync);
        gen_expand(g, "{all|any|uni}.pred ", "");
        gen_reg(g, CLASS_P);
    }
    put(g, ", ");
    gen_predicate(g, true);
    putf(g, "%s;\n", mask);
}

/* Only of full warps that all threads still belong to. */
static void shuffle(struct gen *g)
{
    static const uint32_t segments[] = {0, 0, 0x1f, 0x1e, 0x1c, 0x18, 0x10, 0x15};
    uint32_t kind = gen_below(g, 4);
    uint32_t c = segments[gen_below(g, 8)] << 8 |
                 (gen_chance(g, 70) ? (kind == 0 ? 0 : 31) : gen_below(g, 32));

    g->p->in_step |= !g->sync;
    putf(g, "\tshfl%s.%s.b32 ", g->sync ? ".sync" : "",
         kind == 0   ? "up"
         : kind == 1 ? "down"
         : kind == 2 ? "bfly"
                     : "idx");
    gen_reg(g, CLASS_R);
    if (gen_chance(g, 40)) {
        put(g, "|");
        gen_reg(g, CLASS_P);
    }
    put(g, ", ");
    gen_reg(g, CLASS_R);
    put(g, ", ");
    if (gen_chance(g, 60)) {
        put_u(g, gen_below(g, 32));
    } else {
        gen_reg(g, CLASS_R);
    }
    putf(g, ", %u%s;\n", c, g->sync ? ", -1" : "");
}

static void match(struct gen *g)
{
    bool all = gen_chance(g, 50), big = gen_chance(g, 30);

    putf(g, "\tmatch.%s.sync.%s ", all ? "all" : "any", big ? "b64" : "b32");
    gen_reg(g, CLASS_R);
    if (all && gen_chance(g, 60)) {
        put(g, "|");
        gen_reg(g, CLASS_P);
    }
    put(g, ", ");
    gen_reg(g, big ? CLASS_D : CLASS_R);
    put(g, ", -1;\n");
}

static void reduction(struct gen *g)
{
    put(g, "\tredux.sync.");
    gen_expand(
        g, "{add.u32|add.s32|min.u32|min.s32|max.u32|max.s32|and.b32|or.b32|xor.b32}",
        "");
    put(g, " ");
    gen_reg(g, CLASS_R);
    put(g, ", ");
    gen_reg(g, CLASS_R);
    put(g, ", -1;\n");
}

static void barrier(struct gen *g)
{
    if (gen_chance(g, 50)) {
        put_bar(g, "red.popc", ".u32 ");
        gen_reg(g, CLASS_R);
    } else {
        put_bar(g, gen_chance(g, 50) ? "red.and" : "red.or", ".pred ");
        gen_reg(g, CLASS_P);
    }
    putf(g, ", %u, ", gen_below(g, 16));
    gen_predicate(g, true);
    put(g, "; //=\n");
}

static void of_warp(struct gen *g)
{
    switch (gen_below(g, 7)) {
    case 0:
    case 1:
        if (!g->exited && g->p->n_threads % 32 == 0) {
            shuffle(g);
            return;
        }
        break;
    case 2:
        if (g->sync) {
            match(g);
            return;
        }
        break;
    case 3:
        if (g->sync) {
            reduction(g);
            return;
        }
        break;
    case 4:
        if (g->newest && gen_chance(g, 50)) {
            put(g, "\telect.sync ");
            gen_reg(g, CLASS_R);
            put(g, "|");
            gen_reg(g, CLASS_P);
            put(g, ", -1;\n");
            return;
        }
        /* others that have polled may be elsewhere: each sees itself */
        put(g, "\tactivemask.b32 %t1; //=\n\tmov.u32 %t2, %lanemask_eq; //=\n"
               "\tand.b32 ");
        gen_reg(g, CLASS_R);
        put(g, ", %t1, %t2; //=\n");
        return;
    default: break;
    }
    vote(g);
}

void gen_exchange(struct gen *g)
{
    uint32_t kind = gen_below(g, 10);

    if (kind < 4 && g->has_shared) {
        gen_switch_mode(g, g->mode == SHARED_READ ? SHARED_WRITE : SHARED_READ);
    } else if (kind < 5) {
        barrier(g);
    } else if (kind < 6) {
        gen_expand(g,
                   g->sync && gen_chance(g, 50) ? "\tbar.warp.sync -1;\n"
                                                : "\tmembar.{cta|gl};\n",
                   "");
    } else {
        of_warp(g);
    }
}
