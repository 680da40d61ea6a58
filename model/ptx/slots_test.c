/* Live ranges and slots of random programs, checked instruction by instruction. */
#include "ptx/flow_priv.h"

#include "ptx/front_test.h"

enum { MAX_TEXT = 40000, MAX_INSN = 200, MAX_REG = 64 };

struct rnd {
    uint32_t seed;
};

static uint32_t draw(struct rnd *r, uint32_t n)
{
    r->seed = r->seed * 1664525u + 1013904223u;
    return (r->seed >> 8) % n;
}

static void put(char *text, const char *fmt, ...) ATTR_PRINTF(2, 3);

static void put(char *text, const char *fmt, ...)
{
    const size_t n = strlen(text);
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text + n, MAX_TEXT - n, fmt, ap);
    va_end(ap);
}

static void random_insn(char *text, struct rnd *r, uint32_t regs)
{
    const uint32_t a = draw(r, regs), b = draw(r, regs), c = draw(r, regs);

    if (draw(r, 4) == 0) {
        put(text, "@%s%%p%u ", draw(r, 2) ? "!" : "", draw(r, 4));
    }
    switch (draw(r, 9)) {
    case 0: put(text, "add.s32 %%r%u, %%r%u, %%r%u;\n", a, b, c); break;
    case 1: put(text, "mov.u32 %%r%u, %%tid.x;\n", a); break;
    case 2: put(text, "mul.wide.s32 %%d%u, %%r%u, %%r%u;\n", a, b, c); break;
    case 3: put(text, "mov.b64 {%%r%u, %%r%u}, %%d%u;\n", a, (a + 1) % regs, c); break;
    case 4: put(text, "mov.b64 %%d%u, {%%r%u, %%r%u};\n", a, b, c); break;
    case 5: put(text, "setp.lt.s32 %%p%u, %%r%u, %%r%u;\n", a % 4, b, c); break;
    case 6:
        put(text, "ld.global.v2.u32 {%%r%u, %%r%u}, [%%d%u];\n", a, (a + 1) % regs, c);
        break;
    case 7: put(text, "st.global.u64 [%%d%u], %%d%u;\n", a, b); break;
    default:
        put(text, "shfl.sync.idx.b32 %%r%u|%%p%u, %%r%u, %%r%u, 31, -1;\n", a, b % 4, b,
            c);
    }
}

static void random_program(char *text, struct rnd *r)
{
    const uint32_t regs = 3 + draw(r, 12), n = 5 + draw(r, 60), labels = 1 + n / 6;
    uint32_t placed = 0;

    text[0] = '\0';
    put(text,
        HEAD ".entry k () {\n.reg .pred %%p<4>;\n.reg .b32 %%r<%u>;\n"
             ".reg .b64 %%d<%u>;\n",
        regs, regs);
    for (uint32_t i = 0; i < n; i++) {
        if (i % 6 == 5 && placed < labels) {
            put(text, "L%u:\n", placed++);
        }
        if (draw(r, 6) == 0) {
            put(text, "@%%p%u bra L%u;\n", draw(r, 4), draw(r, labels));
        } else if (draw(r, 30) == 0) {
            put(text, "bra L%u;\n", draw(r, labels));
        } else {
            random_insn(text, r, regs);
        }
    }
    while (placed < labels) {
        put(text, "L%u:\n", placed++);
    }
    put(text, "ret;\n}\n");
}

/* ---- the oracle: liveness by iteration over instructions ---- */

struct oracle {
    const struct ptx_ir *f;
    bool in[MAX_INSN][MAX_REG], out[MAX_INSN][MAX_REG];
};

static uint32_t successors(const struct ptx_ir *f, uint32_t i, uint32_t s[2])
{
    const struct ptx_insn *const in = &f->insn[i];
    uint32_t n = 0;

    if (in->form.op == ISA_OP_BRA) {
        s[n++] = f->label[f->opnd[in->opnd].id].at;
    }
    if (i + 1 < f->n_insn && (in->guard != PTX_NONE || (in->form.op != ISA_OP_BRA &&
                                                        in->form.op != ISA_OP_RET))) {
        s[n++] = i + 1;
    }
    return n;
}

static bool step(struct oracle *o, uint32_t i)
{
    struct ptx_access x;
    bool live[MAX_REG] = {false}, changed = false;
    uint32_t s[2];
    const uint32_t n = successors(o->f, i, s);

    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t r = 0; r < o->f->n_vreg; r++) {
            live[r] |= o->in[s[k]][r];
        }
    }
    memcpy(o->out[i], live, sizeof(live));
    ptx_accesses(o->f, &o->f->insn[i], &x);
    for (uint32_t k = 0; k < x.n_def && o->f->insn[i].guard == PTX_NONE; k++) {
        live[x.def[k]] = false;
    }
    for (uint32_t k = 0; k < x.n_def && o->f->insn[i].guard != PTX_NONE; k++) {
        live[x.def[k]] = true; /* what was there may stay */
    }
    for (uint32_t k = 0; k < x.n_use; k++) {
        live[x.use[k]] = true;
    }
    changed = memcmp(o->in[i], live, sizeof(live)) != 0;
    memcpy(o->in[i], live, sizeof(live));
    return changed;
}

static uint32_t width(const struct ptx_ir *f, uint32_t r)
{
    return f->vreg[r].type == ISA_T_PRED ? 0 : ptx_reg_bits(f, r) == 64 ? 2 : 1;
}

static bool overlap(const struct ptx_ir *f, const struct ptx_slots *s, uint32_t a,
                    uint32_t b)
{
    const uint32_t wa = width(f, a), wb = width(f, b);

    if ((wa == 0) != (wb == 0)) {
        return false;
    }
    return s->of[a] < s->of[b] + (wb == 0 ? 1 : wb) &&
           s->of[b] < s->of[a] + (wa == 0 ? 1 : wa);
}

static void check_apart(const struct ptx_ir *f, const struct ptx_slots *s,
                        const bool *live, uint32_t r)
{
    for (uint32_t q = 0; q < f->n_vreg; q++) {
        if (q != r && live[q]) {
            assert_false(overlap(f, s, r, q));
        }
    }
}

static void verify(const struct ptx_ir *f, struct oracle *o)
{
    struct ptx_flow flow;
    struct ptx_live live;
    struct ptx_slots slots;
    struct ptx_access x;
    struct arena a;
    uint32_t most = 0;
    bool zero = false, changed = true;

    memset(o, 0, sizeof(*o));
    o->f = f;
    while (changed) {
        changed = false;
        for (uint32_t i = f->n_insn; i > 0; i--) {
            changed |= step(o, i - 1);
        }
    }
    arena_init(&a);
    ptx_flow_build(&a, f, &flow);
    ptx_live_build(&a, f, &flow, &live);
    ptx_slots_build(&a, f, &live, 3, 2, &slots);
    for (uint32_t i = 0; i < f->n_insn; i++) {
        uint32_t words = 0;

        ptx_accesses(f, &f->insn[i], &x);
        for (uint32_t r = 0; r < f->n_vreg; r++) {
            zero |= i == 0 && o->in[0][r];
            if (o->in[i][r]) {
                words += width(f, r);
                assert_true(slots.of[r] != PTX_NONE);
                check_apart(f, &slots, o->in[i], r);
            }
        }
        most = words > most ? words : most;
        for (uint32_t k = 0; k < x.n_def;
             k++) { /* results must not hit what lives on */
            check_apart(f, &slots, o->out[i], x.def[k]);
            for (uint32_t q = 0; q < x.n_def; q++) {
                assert_true(x.def[q] == x.def[k] ||
                            !overlap(f, &slots, x.def[q], x.def[k]));
            }
            for (uint32_t q = 0; q < x.n_use && x.n_def > 1; q++) {
                assert_true(x.use[q] == x.def[k] ||
                            !overlap(f, &slots, x.use[q], x.def[k]));
            }
        }
    }
    for (uint32_t r = 0; r < f->n_vreg; r++) {
        if (slots.of[r] != PTX_NONE && width(f, r) > 0) {
            assert_true(slots.of[r] >= 3 && slots.of[r] + width(f, r) <= slots.temp);
        }
    }
    assert_int_equal(slots.n_slots, slots.temp + 2);
    assert_true(live.max_words >= most);
    assert_true(live.zero_first || !zero);
    arena_free(&a);
}

static void test_random_programs(void **state)
{
    static char text[MAX_TEXT];
    static struct oracle o;
    struct rnd r = {7};

    (void)state;
    for (uint32_t i = 0; i < 1500; i++) {
        struct ptx_module *m;

        random_program(text, &r);
        m = load_text(text);
        assert_true(m->priv->fn[0]->n_insn <= MAX_INSN);
        assert_true(m->priv->fn[0]->n_vreg <= MAX_REG);
        verify(m->priv->fn[0], &o);
        ptx_free(m);
    }
}

static struct ptx_module *kernel(const char *body)
{
    char text[4096];

    snprintf(text, sizeof(text), HEAD ".entry k () {\n%s}\n", body);
    return load_text(text);
}

static void test_straight_code_reuses_slots(void **state)
{
    struct ptx_module *const m = kernel(
        ".reg .b32 %r<100>;\nmov.u32 %r0, 1;\nadd.s32 %r1, %r0, 1;\n"
        "add.s32 %r2, %r1, 1;\nadd.s32 %r3, %r2, 1;\nst.shared.u32 [16], %r3;\n");

    (void)state;
    assert_int_equal(m->kernels[0].n_slots, 1);
    assert_int_equal(m->kernels[0].regs, 1 + PTX_REGS_EXTRA);
    assert_false(m->kernels[0].zero_first);
    ptx_free(m);
}

static void test_giant_declarations_cost_nothing(void **state)
{
    struct ptx_module *const m =
        kernel(".reg .b32 %r<4294967295>;\nmov.u32 %r4294967294, 1;\n"
               "st.shared.u32 [16], %r4294967294;\n");

    (void)state;
    assert_int_equal(m->kernels[0].n_slots, 1);
    ptx_free(m);
}

static void test_loops_keep_what_goes_round(void **state)
{
    struct ptx_module *const m = kernel(
        ".reg .b32 %r<9>;\n.reg .pred p;\nmov.u32 %r0, 1;\nmov.u32 %r1, 2;\n"
        "L: mov.u32 %r2, %tid.x;\nadd.s32 %r1, %r1, %r2;\nadd.s32 %r1, %r1, %r0;\n"
        "setp.lt.s32 p, %r1, 9;\n@p bra L;\n");

    (void)state;
    assert_int_equal(m->kernels[0].n_slots, 3); /* r0 lives through all of it */
    ptx_free(m);
}

static void test_guarded_writes_do_not_end_a_life(void **state)
{
    struct ptx_module *const m =
        kernel(".reg .b32 %r<9>;\n.reg .pred p;\nmov.u32 %r0, 1;\nmov.u32 %r1, 2;\n"
               "setp.lt.s32 p, %r1, 9;\nmov.u32 %r2, 4;\n@p mov.u32 %r0, %r2;\n"
               "st.shared.u32 [16], %r0;\n");

    (void)state;
    assert_int_equal(m->kernels[0].n_slots, 2);
    assert_false(m->kernels[0].zero_first);
    ptx_free(m);
}

static void test_reads_before_writes_are_told(void **state)
{
    struct ptx_module *const m = kernel(".reg .b32 %r<9>;\nst.shared.u32 [16], %r0;\n");

    (void)state;
    assert_true(m->kernels[0].zero_first);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_programs),
        cmocka_unit_test(test_straight_code_reuses_slots),
        cmocka_unit_test(test_giant_declarations_cost_nothing),
        cmocka_unit_test(test_loops_keep_what_goes_round),
        cmocka_unit_test(test_guarded_writes_do_not_end_a_life),
        cmocka_unit_test(test_reads_before_writes_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
