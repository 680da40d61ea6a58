/* What compilers write: accepted as it is; damaged, refused or accepted, never a crash.
 */
#include "ptx/front_test.h"

#include <stdlib.h>

static const char *const samples[] = {
    "arith.sm_75.ptx",
    "clang.sm_20.ptx",
    "clang.sm_35.O0.ptx",
    "clang.sm_70.ptx",
    "control.sm_75.debug.ptx",
    "control.sm_75.ptx",
    "control.sm_80.lineinfo.ptx",
    "handwritten.ptx",
    "memory.sm_75.debug.ptx",
    "memory.sm_75.ptx",
    "warp.sm_90.ptx",
    "warp80.sm_80.ptx",
};

static char *slurp(const char *name, size_t *size)
{
    char path[512];
    char *text;
    FILE *f;
    long n;

    snprintf(path, sizeof(path), "%s/%s", PTX_SAMPLES, name);
    f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    n = ftell(f);
    rewind(f);
    text = malloc((size_t)n);
    assert_int_equal(fread(text, 1, (size_t)n, f), (size_t)n);
    fclose(f);
    *size = (size_t)n;
    return text;
}

/* Every micro-op refers to what exists. */
static void check_refs(const struct ptx_module *m, const struct isa_uop *u)
{
    const isa_ref refs[] = {u->src[0], u->src[1], u->src[2], u->src[3], u->addr};

    for (uint32_t i = 0; i < ARRAY_LEN(refs); i++) {
        assert_true(refs[i] >= 0 || refs[i] == ISA_NO_REF ||
                    -1 - refs[i] < (int)m->n_k);
    }
    assert_true(u->kind != ISA_K_ALU || u->exec != NULL);
    assert_true(u->class < ISA_N_CLASSES);
    assert_true((u->sets & ~u->needs) == 0 && (u->sets_p & ~u->needs_p) == 0);
    if (u->kind == ISA_K_BRANCH || u->kind == ISA_K_CALL) {
        assert_true(u->target < m->n_uops);
    }
    if (u->kind == ISA_K_BRX) {
        for (uint32_t i = 0; i < u->n_targets; i++) {
            assert_true(m->targets[u->target + i] < m->n_uops);
        }
    }
    assert_true(u->reconv == ISA_NO_PC || u->reconv < m->n_uops);
    if (u->kind == ISA_K_LOAD || u->kind == ISA_K_STORE || u->kind == ISA_K_ATOM) {
        assert_true(u->size == 1 || u->size == 2 || u->size == 4 || u->size == 8);
        assert_true(u->dst_bits == 16 || u->dst_bits == 32 || u->dst_bits == 64);
    }
}

static void check_module(const struct ptx_module *m)
{
    char text[256];

    for (uint32_t i = 0; i < m->n_uops; i++) {
        check_refs(m, &m->uops[i]);
        ptx_disasm(m, i, text, sizeof(text));
        assert_true(text[0] != '\0');
    }
    for (uint32_t i = 0; i < m->n_kernels; i++) {
        const struct ptx_kernel *const k = &m->kernels[i];
        const char *what;
        uint32_t line;
        struct smw_err e;

        err_clear(&e);
        assert_true(k->entry < m->n_uops);
        assert_true(k->frame_slots >= k->n_slots && k->frame_preds >= k->n_preds);
        assert_ptr_equal(ptx_find_kernel(m, k->name, &e), k);
        assert_true(ptx_requires(m, k, &line, &what) >= 10);
        assert_non_null(what);
        for (uint32_t p = 0; p < k->n_params; p++) {
            assert_true(k->params[p].offset + k->params[p].size <= k->param_bytes);
        }
    }
}

static bool load(const char *text, size_t size)
{
    struct ptx_module *m;
    struct smw_err e;
    bool ok;

    err_clear(&e);
    m = ptx_parse(text, size, "sample", &e);
    ok = m != NULL && lower_all(m, &e);
    if (ok) {
        assert_int_equal(e.kind, SMW_ERR_NONE);
        check_module(m);
    } else {
        assert_int_equal(e.kind, SMW_ERR_INPUT);
        assert_true(e.line > 0 && e.message[0] != '\0');
    }
    ptx_free(m);
    return ok;
}

static void test_samples(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        size_t size;
        char *const text = slurp(samples[i], &size);

        if (!load(text, size)) {
            print_error("%s\n", samples[i]);
            fail();
        }
        free(text);
    }
}

/* The same with CR LF ends. */
static void test_samples_with_crlf(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        size_t size, n = 0;
        char *const text = slurp(samples[i], &size);
        char *const crlf = malloc(2 * size);

        for (size_t k = 0; k < size; k++) {
            if (text[k] == '\n') {
                crlf[n++] = '\r';
            }
            crlf[n++] = text[k];
        }
        assert_true(load(crlf, n));
        free(text);
        free(crlf);
    }
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* The text is copied to a block of its exact size, so that a sanitizer sees overruns.
 */
static void test_truncations(void **state)
{
    uint32_t seed = 3;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        size_t size;
        char *const text = slurp(samples[i], &size);

        for (uint32_t k = 0; k < PTX_FUZZ_ROUNDS; k++) {
            const size_t n = next(&seed) % size;
            char *const cut = malloc(n + 1);

            memcpy(cut, text, n);
            load(cut, n);
            free(cut);
        }
        free(text);
    }
}

static void test_flipped_bytes(void **state)
{
    static const char likely[] = "0123456789.,;:{}()[]<>%@!$_+-*/|\"\0\n rdfpbsux";
    uint32_t seed = 5;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        size_t size;
        char *const text = slurp(samples[i], &size);
        char *const copy = malloc(size);

        for (uint32_t k = 0; k < 3 * PTX_FUZZ_ROUNDS; k++) {
            const uint32_t flips = 1 + next(&seed) % 3;

            memcpy(copy, text, size);
            for (uint32_t f = 0; f < flips; f++) {
                copy[next(&seed) % size] = next(&seed) % 3 == 0
                                               ? (char)next(&seed)
                                               : likely[next(&seed) % sizeof(likely)];
            }
            load(copy, size);
        }
        free(text);
        free(copy);
    }
}

/* Lines lost, doubled, swapped. */
static void test_shuffled_lines(void **state)
{
    uint32_t seed = 11;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        size_t size;
        char *const text = slurp(samples[i], &size);
        char *const copy = malloc(3 * size);

        for (uint32_t k = 0; k < PTX_FUZZ_ROUNDS; k++) {
            size_t n = 0;

            for (size_t at = 0; at < size;) {
                const char *const nl = memchr(text + at, '\n', size - at);
                const size_t len =
                    nl != NULL ? (size_t)(nl - text) + 1 - at : size - at;
                const uint32_t what = next(&seed) % 400;

                if (what != 0) {
                    memcpy(copy + n, text + at, len);
                    n += len;
                }
                if (what == 1) {
                    memcpy(copy + n, text + at, len);
                    n += len;
                }
                at += len;
            }
            load(copy, n);
        }
        free(text);
        free(copy);
    }
}

/* Cost grows with the size of the text, not with its square. */
static void test_huge_inputs(void **state)
{
    enum { N = 60000 };
    char *const text = malloc(64u * N);
    size_t n;

    (void)state;
    n = (size_t)sprintf(text, HEAD ".entry k () {\n.reg .b32 %%r<%u>;\n.reg .pred p;\n",
                        N + 1);
    for (uint32_t i = 0; i < N; i++) { /* one block each, all left by one exit */
        n += (size_t)sprintf(text + n, "L%u: add.s32 %%r%u, %%r%u, %u;\n@p bra END;\n",
                             i, i % 900 + 1, i % 900, i % 7);
    }
    n += (size_t)sprintf(text + n, "END: ret;\n}\n");
    assert_true(load(text, n));
    n = (size_t)sprintf(text, HEAD);
    for (uint32_t i = 0; i < N; i++) { /* calls one below the other */
        n += (size_t)sprintf(text + n, ".func f%u () { %s%s%u%s ret; }\n", i,
                             i > 0 ? "call f" : "", i > 0 ? "" : "// ",
                             i > 0 ? i - 1 : 0, i > 0 ? ";" : "\n");
    }
    n += (size_t)sprintf(text + n, ".entry k () { call f%u; }\n", N - 1);
    assert_true(load(text, n));
    free(text);
}

static void test_too_many_registers(void **state)
{
    enum { N = 33000 };
    char *const text = malloc(64u * N);
    size_t n;
    struct ptx_module *m;
    struct smw_err e;

    (void)state;
    n = (size_t)sprintf(text, HEAD ".entry k () {\n.reg .b32 %%r<%u>;\n", N + 1);
    for (uint32_t i = 0; i < N; i++) {
        n += (size_t)sprintf(text + n, "mov.u32 %%r%u, %%tid.x;\n", i);
    }
    for (uint32_t i = 0; i < N; i++) {
        n += (size_t)sprintf(text + n, "st.shared.u32 [0], %%r%u;\n", i);
    }
    n += (size_t)sprintf(text + n, "}\n");
    err_clear(&e);
    m = ptx_parse(text, n, "big", &e);
    assert_non_null(m);
    assert_false(lower_all(m, &e));
    assert_string_equal(
        e.message, "'k' needs 33000 registers at a time, at most 32000 are possible");
    assert_int_equal(e.line, 4);
    ptx_free(m);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_samples_with_crlf),
        cmocka_unit_test(test_truncations),
        cmocka_unit_test(test_flipped_bytes),
        cmocka_unit_test(test_shuffled_lines),
        cmocka_unit_test(test_huge_inputs),
        cmocka_unit_test(test_too_many_registers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
