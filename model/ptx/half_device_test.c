/*
 * Narrow floating point against an H100: every case of half_cases_test.h, all 2^16
 * operands of one half, 2^20 of several or of wider ones (half_operands_test.h), by a
 * hash of the results. testbench/tools/half_probe.cu made the hashes, on 2026-11-23,
 * built by nvcc 13.0 for sm_90; compare with what it prints elsewhere.
 *
 * A case is a kernel of one instruction, or of a few: its loads say which registers the
 * operands are in, its store where the result is.
 */
#include "ptx/front_test.h"
#include "ptx/half_operands_test.h"

#include <stdlib.h>

struct half_case {
    const char *kind, *text;
    uint64_t hash;
};

static const struct half_case cases[] = {
#define HALF_CASE(kind, text, hash) {#kind, text, hash},
#include "ptx/half_cases_test.h"
#undef HALF_CASE
};
enum { N_CASES = sizeof(cases) / sizeof(cases[0]), MAX_OPERANDS = 3, MAX_UOPS = 16 };

static const char *dump_file; /* for looking closer: results of one case to a file */
static uint32_t dump_case = UINT32_MAX;

/* Several 16-bit operands of all cases: [operand][case]. */
static uint16_t *several[MAX_OPERANDS];

static const char *memory_word(char kind)
{
    switch (kind) {
    case 'H': return "b16";
    case 'R': return "b32";
    case 'L': return "b64";
    case 'F': return "f32";
    default: return "f64";
    }
}

/* The instruction with registers for %0 ...: of the kinds of result and operands. */
static void write_kernel(const struct half_case *c, uint32_t n, char *text, size_t size)
{
    char body[512];
    size_t at = 0;
    const char *in = c->kind + 2;

    for (const char *s = c->text; *s != '\0'; s++) {
        const uint32_t k = s[0] == '%' && s[1] >= '0' && s[1] <= '3'
                               ? (uint32_t)(s[1] - '0')
                               : UINT32_MAX;

        if (k == UINT32_MAX) {
            body[at++] = *s;
        } else {
            at += (size_t)snprintf(body + at, sizeof(body) - at, "%%%c%u",
                                   k == 0 ? c->kind[0] : in[k - 1], k);
            s++;
        }
        assert_true(at < sizeof(body) - 8);
    }
    body[at] = '\0';
    at =
        (size_t)snprintf(text, size,
                         ".visible .entry c%u() {\n.reg .b16 %%H<4>; .reg .b32 %%R<4>; "
                         ".reg .b64 %%L<4>; .reg .f32 %%F<4>; .reg .f64 %%D<4>;\n",
                         n);
    for (uint32_t k = 0; in[k] != '\0'; k++) {
        at += (size_t)snprintf(text + at, size - at, "ld.global.%s %%%c%u, [%u];\n",
                               memory_word(in[k]), in[k], k + 1, 8 * k + 4096);
    }
    snprintf(text + at, size - at, "%s\nst.global.%s [8192], %%%c0;\nret;\n}\n", body,
             memory_word(c->kind[0]), c->kind[0]);
}

/* ---- operands ---- */

static uint32_t count(const struct half_case *c)
{
    const char *const in = strchr(c->kind, '_') + 1;

    return strcmp(in, "H") == 0 || strcmp(in, "R") == 0 ? HALF_ALL : HALF_MANY;
}

static uint64_t operand(char kind, bool is_only, uint32_t i, uint32_t k)
{
    switch (kind) {
    case 'H': return is_only ? i : several[k][i];
    case 'R':
        return is_only ? half_pair(i)
                       : several[k][2 * i] | (uint32_t)several[k][2 * i + 1] << 16;
    case 'L': return half_integer(i);
    case 'F': return is_only ? half_f32(i) : half_f32_of(i, k);
    default: return half_f64(i);
    }
}

static int prepare(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < MAX_OPERANDS; k++) {
        several[k] = malloc(2 * HALF_MANY * sizeof(several[k][0]));
        for (uint32_t i = 0; i < 2 * HALF_MANY; i++) {
            several[k][i] = (uint16_t)half_one_of(i, k);
        }
    }
    return 0;
}

static int finish(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < MAX_OPERANDS; k++) {
        free(several[k]);
    }
    return 0;
}

/* ---- running ---- */

struct machine {
    uint32_t r[128 * ISA_LANES], p[64];
    struct isa_lanes w;
    const struct isa_uop *uop;
    isa_ref in[MAX_OPERANDS], out;
    uint32_t n_in;
    bool wide_out;
};

/* Which registers the loads write and the store reads. */
static void find_registers(struct machine *x, const struct half_case *c)
{
    const struct isa_uop *u = x->uop;

    x->n_in = 0;
    for (; u->kind != ISA_K_STORE; u++) {
        if (u->kind == ISA_K_LOAD) {
            x->in[x->n_in++] = u->dst[0];
        } else {
            assert_true(u->kind == ISA_K_ALU || u->kind == ISA_K_SEQ);
            assert_non_null(u->exec);
        }
    }
    x->out = u->src[0];
    x->wide_out = strchr("LD", c->kind[0]) != NULL;
    assert_int_equal(x->n_in, strlen(c->kind) - 2);
}

static void put(struct machine *x, uint32_t k, char kind, uint32_t l, uint64_t v)
{
    if (strchr("LD", kind) != NULL) {
        memcpy(&x->r[(uint32_t)x->in[k] * ISA_LANES + 2 * l], &v, sizeof(v));
    } else {
        x->r[(uint32_t)x->in[k] * ISA_LANES + l] = (uint32_t)v;
    }
}

static uint64_t got(const struct machine *x, uint32_t l)
{
    uint64_t v;

    if (!x->wide_out) {
        return x->r[(uint32_t)x->out * ISA_LANES + l];
    }
    memcpy(&v, &x->r[(uint32_t)x->out * ISA_LANES + 2 * l], sizeof(v));
    return v;
}

static uint64_t run_kernel(struct machine *x, const struct half_case *c, FILE *dump)
{
    const char *const in = c->kind + 2;
    const uint32_t n = count(c);
    uint64_t h = HALF_HASH_START;

    find_registers(x, c);
    for (uint32_t i = 0; i < n; i += ISA_LANES) {
        for (uint32_t k = 0; k < x->n_in; k++) {
            for (uint32_t l = 0; l < ISA_LANES; l++) {
                put(x, k, in[k], l, operand(in[k], x->n_in == 1, i + l, k));
            }
        }
        for (const struct isa_uop *u = x->uop; u->kind != ISA_K_STORE; u++) {
            if (u->kind != ISA_K_LOAD) {
                u->exec(u, &x->w, isa_guarded(u, &x->w, UINT32_MAX));
            }
        }
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            const uint64_t v = got(x, l);

            h = half_hash(h, v);
            if (dump != NULL) {
                fwrite(&v, sizeof(v), 1, dump);
            }
        }
    }
    return h;
}

static uint64_t run_atomic(const struct half_case *c, FILE *dump)
{
    const bool pair = c->kind[3] == 'R';
    const enum isa_type type = strstr(c->text, ".bf16") != NULL
                                   ? (pair ? ISA_T_BF16X2 : ISA_T_BF16)
                                   : (pair ? ISA_T_F16X2 : ISA_T_F16);
    uint64_t h = HALF_HASH_START;

    for (uint32_t i = 0; i < HALF_MANY; i++) {
        const uint64_t v = isa_atom(ISA_S_ADD, type, operand(c->kind[3], false, i, 0),
                                    operand(c->kind[3], false, i, 1), 0);

        h = half_hash(h, v);
        if (dump != NULL) {
            fwrite(&v, sizeof(v), 1, dump);
        }
    }
    return h;
}

static bool is_atomic(const struct half_case *c)
{
    return c->kind[2] == '_';
}

static struct ptx_module *all_kernels(void)
{
    static const char head[] = ".version 8.6\n.target sm_90\n.address_size 64\n";
    const size_t size = sizeof(head) + N_CASES * 1024u;
    char *const text = malloc(size);
    size_t at = (size_t)snprintf(text, size, "%s", head);
    struct ptx_module *m;

    for (uint32_t i = 0; i < N_CASES; i++) {
        if (!is_atomic(&cases[i])) {
            write_kernel(&cases[i], i, text + at, size - at);
            at += strlen(text + at);
        }
    }
    m = load_text(text);
    free(text);
    return m;
}

static void every_case(void **state)
{
    struct ptx_module *const m = all_kernels();
    struct machine *const x = calloc(1, sizeof(*x));
    uint32_t kernel = 0, wrong = 0;

    (void)state;
    x->w = (struct isa_lanes){.r = x->r, .p = x->p, .k = m->k};
    for (uint32_t i = 0; i < N_CASES; i++) {
        const struct half_case *const c = &cases[i];
        FILE *dump = NULL;
        uint64_t h;

        if (i == dump_case) {
            dump = fopen(dump_file, "wb");
            assert_non_null(dump);
        }
        if (dump_case != UINT32_MAX && i != dump_case) { /* the others do not matter */
            kernel += !is_atomic(c);
            continue;
        }
        if (is_atomic(c)) {
            h = run_atomic(c, dump);
        } else {
            assert_true(m->kernels[kernel].n_slots <= 128);
            x->uop = &m->uops[m->kernels[kernel++].entry];
            h = run_kernel(x, c, dump);
        }
        if (h != c->hash) {
            print_error("%u: %s gives 0x%016llx\n", i, c->text, (unsigned long long)h);
            wrong++;
        }
        if (dump != NULL) {
            fclose(dump);
        }
    }
    free(x);
    ptx_free(m);
    assert_int_equal(wrong, 0);
}

/* half_device_test [CASE FILE]: the results of one case, 64 bits each, to a file. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_case, prepare, finish)};

    if (argc == 3) {
        dump_case = (uint32_t)strtoul(argv[1], NULL, 10);
        dump_file = argv[2];
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
