/* Contraction: against what ptxas does with the same text, and as arithmetic that loses
 * nothing, where no joining may change a result. */
#include "ptx/contract_cases_test.h"
#include "ptx/opt_test.h"

#include <stdlib.h>

enum { SIZE = 400 };

#define MODULE(body)                                                                   \
    HEAD ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n" CONTRACT_START, body,  \
        "\nret;\n}\n"

static void contract(struct ptx_opt *o)
{
    static void (*const passes[])(struct ptx_opt *) = {ptx_opt_copies, ptx_opt_dead,
                                                       ptx_opt_contract, ptx_opt_dead};

    o->fmad = true;
    for (uint32_t i = 0; i < ARRAY_LEN(passes); i++) {
        ptx_opt_look(o);
        passes[i](o);
        ptx_opt_sweep(o);
    }
}

static struct ptx_module *module_of(const char *body, uint32_t cc,
                                    void (*fn)(struct ptx_opt *))
{
    const char *const parts[] = {MODULE(body)};
    char text[8000];

    (void)snprintf(text, sizeof(text), "%s%s%s", parts[0], parts[1], parts[2]);
    return pass(text, cc, fn);
}

/* ---- expressions, in the form of the table ---- */

static void opposite(char *e)
{
    const size_t n = strlen(e);

    assert_true(n + 2 < SIZE);
    if (e[0] == '-') {
        memmove(e, e + 1, n);
    } else {
        memmove(e + 1, e, n + 1);
        e[0] = '-';
    }
}

static void sort2(char *a, char *b)
{
    char t[SIZE];

    if (strcmp(a, b) > 0) {
        memcpy(t, a, SIZE);
        memcpy(a, b, SIZE);
        memcpy(b, t, SIZE);
    }
}

static void put(char *out, const char *fmt, ...) ATTR_PRINTF(2, 3);

static void put(char *out, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    assert_true(vsnprintf(out, SIZE, fmt, ap) < SIZE);
    va_end(ap);
}

static void join(char *out, const char *op, const char *suffix, char *a, char *b)
{
    sort2(a, b);
    if (strcmp(op, "add") == 0 && (strcmp(a, "-0") == 0 || strcmp(b, "-0") == 0)) {
        put(out, "%s", strcmp(a, "-0") == 0 ? b : a);
    } else {
        put(out, "%s%s(%s,%s)", op, suffix, a, b);
    }
}

/* x * y, + z unless that is NULL. */
static void multiply(char *out, const char *suffix, char *x, char *y, char *z)
{
    const bool minus = (x[0] == '-') != (y[0] == '-');

    if (x[0] == '-') {
        opposite(x);
    }
    if (y[0] == '-') {
        opposite(y);
    }
    sort2(x, y);
    if (z == NULL) {
        put(out, "%smul%s(%s,%s)", minus ? "-" : "", suffix, x, y);
    } else if (strcmp(x, "1") == 0) {
        if (minus) {
            opposite(y);
        }
        join(out, "add", suffix, y, z);
    } else if (strcmp(z, "-0") == 0) {
        multiply(out, suffix, x, y, NULL);
    } else {
        put(out, "fma%s(%s%s,%s,%s)", suffix, minus ? "-" : "", x, y, z);
    }
}

static void operand(const struct ptx_insn *in, const struct ptx_opnd *o,
                    char (*value)[SIZE], char *out)
{
    const uint32_t bits = (uint32_t)o->value;
    double d;
    float f;

    if (o->kind == OK_REG) {
        memcpy(out, value[o->id], SIZE);
    } else if (in->form.type == ISA_T_F64) {
        memcpy(&d, &o->value, sizeof(d));
        put(out, "%.9g", d);
    } else {
        memcpy(&f, &bits, sizeof(f));
        put(out, "%.9g", (double)f);
    }
}

static void compute(const struct ptx_insn *in, char (*a)[SIZE], char *out)
{
    char suffix[16];

    (void)snprintf(suffix, sizeof(suffix), "%s%s%s",
                   (in->form.flags & ISA_F_FTZ) != 0 ? ".ftz" : "",
                   (in->form.flags & ISA_F_SAT) != 0 ? ".sat" : "",
                   in->form.round == ISA_R_RZ ? ".rz" : "");
    switch ((enum isa_op)in->form.op) {
    case ISA_OP_SUB:
        opposite(a[1]);
        join(out, "add", suffix, a[0], a[1]);
        break;
    case ISA_OP_ADD: join(out, "add", suffix, a[0], a[1]); break;
    case ISA_OP_MIN: join(out, "min", suffix, a[0], a[1]); break;
    case ISA_OP_MUL: multiply(out, suffix, a[0], a[1], NULL); break;
    case ISA_OP_MAD:
    case ISA_OP_FMA:
        if (in->form.sub == ISA_S_NEG_AB || in->form.sub == ISA_S_NEG_ABC) {
            opposite(a[0]);
        }
        if (in->form.sub == ISA_S_NEG_C || in->form.sub == ISA_S_NEG_ABC) {
            opposite(a[2]);
        }
        multiply(out, suffix, a[0], a[1], a[2]);
        break;
    case ISA_OP_NEG:
        put(out, "%s", a[0]);
        opposite(out);
        break;
    case ISA_OP_ABS: put(out, "|%s|", a[0][0] == '-' ? a[0] + 1 : a[0]); break;
    case ISA_OP_MOV: put(out, "%s", a[0]); break;
    default: put(out, "?"); break;
    }
}

static void expressions(const struct ptx_ir *f, char *out)
{
    char(*const value)[SIZE] = calloc(f->n_vreg + 1, SIZE);

    for (uint32_t i = 0; i < f->n_insn; i++) {
        const struct ptx_insn *const in = &f->insn[i];
        const struct ptx_opnd *const o = &f->opnd[in->opnd];
        char a[3][SIZE], result[SIZE];

        if (in->form.op == ISA_OP_LD && in->form.space == ISA_SP_GLOBAL) {
            const uint32_t at = (uint32_t)o[1].value;

            put(value[o[0].id], "%c",
                (char)(at < 64 ? 'a' + (int)at / 4 : 'A' + ((int)at - 64) / 8));
        } else if (in->form.op == ISA_OP_ST) {
            (void)snprintf(out + strlen(out), 2 * SIZE - strlen(out), "%s%s",
                           out[0] == '\0' ? "" : "; ", value[o[1].id]);
        } else if (in->n_opnds >= 2 && in->n_opnds <= 4 && o[0].kind == OK_REG) {
            for (uint32_t k = 1; k < in->n_opnds; k++) {
                operand(in, &o[k], value, a[k - 1]);
            }
            compute(in, a, result);
            memcpy(value[o[0].id], result, SIZE);
        }
    }
    free(value);
}

static void counts(const struct ptx_ir *f, char *out)
{
    uint32_t mul = 0, add = 0, fma = 0;

    for (uint32_t i = 0; i < f->n_insn; i++) {
        const struct isa_form *const form = &f->insn[i].form;
        const bool is_float = isa_type_is_float((enum isa_type)form->type);

        mul += is_float && form->op == ISA_OP_MUL;
        add += is_float && (form->op == ISA_OP_ADD || form->op == ISA_OP_SUB);
        fma += is_float && form->op == ISA_OP_FMA;
    }
    (void)snprintf(out, 2 * SIZE, "%u mul %u add %u fma", mul, add, fma);
}

static void test_as_ptxas_does(void **state)
{
    uint32_t wrong = 0;

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(contract_cases); i++) {
        const struct contract_case *const c = &contract_cases[i];
        struct ptx_module *const m = module_of(c->body, 90, contract);
        char got[2 * SIZE] = "";

        (strchr(c->body, '@') != NULL ? counts : expressions)(m->priv->fn[0], got);
        if (strcmp(got, c->expected) != 0) {
            print_error("%s: %s, expected %s\n", c->name, got, c->expected);
            wrong++;
        }
        ptx_free(m);
    }
    assert_true(ARRAY_LEN(contract_cases) >= 100);
    assert_int_equal(wrong, 0);
}

/* Of halves as of f32, but a negated product of bf16, as ptxas 13.0 does for sm_75
 * (f16) and sm_90. @: the type, which has size bits. */
static void test_of_halves(void **state)
{
    static const struct {
        const char *body;
        bool bf16;
        const char *expected;
    } rows[] = {
        {"mul.@ %h5,%h1,%h2; add.@ %h6,%h5,%h3;", true, "0 mul 0 add 1 fma"},
        {"mul.rn.@ %h5,%h1,%h2; add.@ %h6,%h5,%h3;", true, "1 mul 1 add 0 fma"},
        {"mul.@ %h5,%h1,%h2; add.rn.@ %h6,%h5,%h3;", true, "1 mul 1 add 0 fma"},
        {"mul.@ %h5,%h1,%h2; sub.@ %h6,%h5,%h3;", true, "0 mul 0 add 1 fma"},
        {"mul.@ %h5,%h1,%h2; sub.@ %h6,%h3,%h5;", true, "0 mul 0 add 1 fma"},
        {"mul.@ %h5,%h1,%h2; add.@ %h6,%h5,%h3; st.global.b% [%rd1+72],%h5;", true,
         "1 mul 1 add 0 fma"},
        {"mul.ftz.@ %h5,%h1,%h2; add.ftz.@ %h6,%h5,%h3;", false, "0 mul 0 add 1 fma"},
        {"mul.ftz.@ %h5,%h1,%h2; add.@ %h6,%h5,%h3;", false, "1 mul 1 add 0 fma"},
        {"mul.@ %h5,%h1,%h2; add.ftz.@ %h6,%h5,%h3;", false, "1 mul 1 add 0 fma"},
        {"mul.@ %h5,%h1,%h2; add.sat.@ %h6,%h5,%h3;", false, "0 mul 0 add 1 fma"},
        {"mul.sat.@ %h5,%h1,%h2; add.@ %h6,%h5,%h3;", false, "1 mul 1 add 0 fma"},
        {"mul.@ %h5,%h1,%h2; neg.@ %h5,%h5; add.@ %h6,%h3,%h5;", false,
         "0 mul 0 add 1 fma"},
    };
    static const char *const types[] = {"f16", "f16x2", "bf16", "bf16x2"};

    (void)state;
    for (uint32_t i = 0; i < 4 * ARRAY_LEN(rows); i++) {
        const char *const type = types[i % 4], *const size = i % 2 == 0 ? "16" : "32";
        char body[512], got[2 * SIZE] = "";
        size_t at;
        struct ptx_module *m;

        at = (size_t)snprintf(body, sizeof(body),
                              ".reg .b%s %%h<9>; ld.global.b%s %%h1,[%%rd1]; "
                              "ld.global.b%s %%h2,[%%rd1+4]; "
                              "ld.global.b%s %%h3,[%%rd1+8]; ",
                              size, size, size, size);
        for (const char *s = rows[i / 4].body; *s != '\0'; s++) {
            const char *const put = *s == '@'                  ? type
                                    : *s == '%' && s[1] == ' ' ? size
                                                               : NULL;

            at += (size_t)(put != NULL
                               ? snprintf(body + at, sizeof(body) - at, "%s", put)
                               : snprintf(body + at, sizeof(body) - at, "%c", *s));
        }
        (void)snprintf(body + at, sizeof(body) - at, " st.global.b%s [%%rd1+64],%%h6;",
                       size);
        if (i % 4 >= 2 && strstr(rows[i / 4].body, "neg") == NULL &&
            !rows[i / 4].bf16) {
            continue;
        }
        m = module_of(body, i % 4 < 2 ? 75 : 90, contract);
        counts(m->priv->fn[0], got);
        assert_string_equal(got, i % 4 >= 2 && !rows[i / 4].bf16
                                     ? "1 mul 1 add 0 fma"
                                     : rows[i / 4].expected);
        ptx_free(m);
    }
}

/* 1.x has no fused f32 operation; what is switched off is not done. */
static void test_not_done(void **state)
{
    static const char body[] =
        "mul.f32 %f7, %f1, %f2; add.f32 %f8, %f7, %f3; st.global.f32 [%rd1+128], %f8;\n"
        "mul.f64 %fd7, %fd1, %fd2; add.f64 %fd8, %fd7, %fd3;\n"
        "st.global.f64 [%rd1+136], %fd8;";
    static const struct {
        uint32_t cc;
        bool fmad;
        const char *expected;
    } rows[] = {{90, true, "fma(a,b,c); fma(A,B,C)"},
                {20, true, "fma(a,b,c); fma(A,B,C)"},
                {13, true, "add(c,mul(a,b)); fma(A,B,C)"},
                {90, false, "add(c,mul(a,b)); add(C,mul(A,B))"}};

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct ptx_module *const m =
            module_of(body, rows[i].cc, rows[i].fmad ? contract : ptx_opt_contract);
        char got[2 * SIZE] = "";

        expressions(m->priv->fn[0], got);
        assert_string_equal(got, rows[i].expected);
        ptx_free(m);
    }
}

/* The multiply-add has the name and place of the addition. */
static void test_name(void **state)
{
    struct ptx_module *const m = module_of("mul.f32 %f7, %f1, %f2;\n"
                                           "sub.f32 %f8, %f3, %f7;\n"
                                           "st.global.f32 [%rd1+128], %f8;",
                                           90, contract);
    const struct ptx_ir *const f = m->priv->fn[0];
    const struct ptx_insn *const in = &f->insn[f->n_insn - 3];

    (void)state;
    assert_int_equal(in->form.op, ISA_OP_FMA);
    assert_int_equal(in->form.sub, ISA_S_NEG_AB);
    assert_memory_equal(in->text, "sub.f32", 7);
    assert_int_equal(in->line, f->insn[f->n_insn - 2].line - 1);
    ptx_free(m);
}

/* ---- random programs, in whole numbers modulo 2^64 ---- */

enum { REGS = 7, LENGTH = 24, PROGRAMS = 3000 };

static uint32_t draw(uint32_t *seed, uint32_t n)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % n;
}

static void make(uint32_t *seed, char *text, size_t size)
{
    static const char *const ops[] = {"mul", "mul", "mul", "add", "add",
                                      "sub", "sub", "neg", "mov", "mul.rn"};
    size_t n = 0;

    for (uint32_t i = 0; i < LENGTH; i++) {
        const char *const op = ops[draw(seed, ARRAY_LEN(ops))];
        const char *const guard = draw(seed, 8) != 0   ? ""
                                  : draw(seed, 2) != 0 ? "@%p1 "
                                                       : "@!%p1 ";
        const bool one = strcmp(op, "neg") == 0 || strcmp(op, "mov") == 0;
        const uint32_t d = 1 + draw(seed, REGS - 1), a = 1 + draw(seed, REGS - 1),
                       b = 1 + draw(seed, REGS - 1);

        n += (size_t)snprintf(text + n, size - n, "%s%s.f32 %%f%u, %%f%u", guard, op, d,
                              a);
        n += (size_t)(one ? snprintf(text + n, size - n, ";\n")
                          : snprintf(text + n, size - n, ", %%f%u;\n", b));
    }
    for (uint32_t r = 1; r < REGS; r++) {
        if (draw(seed, 2) != 0 || r == 1) {
            n += (size_t)snprintf(text + n, size - n,
                                  "st.global.f32 [%%rd1+%u], %%f%u;\n", 128 + 4 * r, r);
        }
    }
}

static uint64_t ring(const struct isa_form *form, const uint64_t *v)
{
    const bool ab = form->sub == ISA_S_NEG_AB || form->sub == ISA_S_NEG_ABC;
    const bool c = form->sub == ISA_S_NEG_C || form->sub == ISA_S_NEG_ABC;

    switch ((enum isa_op)form->op) {
    case ISA_OP_MUL: return v[0] * v[1];
    case ISA_OP_ADD: return v[0] + v[1];
    case ISA_OP_SUB: return v[0] - v[1];
    case ISA_OP_NEG: return 0 - v[0];
    case ISA_OP_FMA: return (ab ? 0 - v[0] : v[0]) * v[1] + (c ? 0 - v[2] : v[2]);
    default: return v[0];
    }
}

/* What is stored, one number of it all. */
static uint64_t outcome(const struct ptx_ir *f, bool p1, uint32_t *fused)
{
    uint64_t *const value = calloc(f->n_vreg + 1, sizeof(value[0]));
    uint64_t sum = 0;

    for (uint32_t i = 0; i < f->n_insn; i++) {
        const struct ptx_insn *const in = &f->insn[i];
        const struct ptx_opnd *const o = &f->opnd[in->opnd];
        uint64_t v[3] = {0};

        *fused += in->form.op == ISA_OP_FMA;
        if (in->guard != PTX_NONE && p1 == (in->guard_neg != 0)) {
            continue;
        }
        if (in->form.op == ISA_OP_LD && in->form.space == ISA_SP_GLOBAL) {
            value[o[0].id] = (o[1].value + 3) * UINT64_C(0x9e3779b97f4a7c15);
        } else if (in->form.op == ISA_OP_ST) {
            sum = sum * 1000003 + value[o[1].id];
        } else if (in->n_opnds <= 4 && in->form.op != ISA_OP_SETP && in->n_opnds > 1) {
            for (uint32_t k = 1; k < in->n_opnds; k++) {
                v[k - 1] = o[k].kind == OK_REG ? value[o[k].id] : o[k].value;
            }
            value[o[0].id] = ring(&in->form, v);
        }
    }
    free(value);
    return sum;
}

static void test_random(void **state)
{
    uint32_t seed = 1, fused = 0, before = 0;

    (void)state;
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        char text[4000];

        make(&seed, text, sizeof(text));
        struct ptx_module *const plain = module_of(text, 90, ptx_opt_look);
        struct ptx_module *const done = module_of(text, 90, contract);

        for (uint32_t p1 = 0; p1 < 2; p1++) {
            const uint64_t a = outcome(plain->priv->fn[0], p1 != 0, &before);
            const uint64_t b = outcome(done->priv->fn[0], p1 != 0, &fused);

            if (a != b) {
                fail_msg("program %u:\n%s", i, text);
            }
        }
        ptx_free(plain);
        ptx_free(done);
    }
    assert_int_equal(before, 0);
    assert_true(fused > PROGRAMS); /* two runs of each: one in two programs, at least */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_ptxas_does), cmocka_unit_test(test_of_halves),
        cmocka_unit_test(test_not_done),      cmocka_unit_test(test_name),
        cmocka_unit_test(test_random),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
