/*
 * What the lowered kernels compute, against the same functions compiled by the host's
 * compiler (model/ptx/samples/exec.h). One thread at a time: no divergence, no time.
 */
#include "ptx/front_test.h"

#include <math.h>
#include <stdlib.h>

#define FN static
#include "exec.h"

enum {
    SLOTS = 4096,
    PREDS = 1024,
    MEM = 1 << 16,
    MAX_CALLS = 256,
    MAX_STEPS = 2000000
};

struct machine {
    const struct ptx_module *m;
    uint32_t *r, *p;
    uint8_t global[MEM], shared[MEM], local[MEM];
    uint8_t param[4096];
    struct isa_env env;
    struct {
        uint32_t pc, r, p;
    } call[MAX_CALLS];
    uint32_t depth, pc, base_r, base_p, fn_preds;
    bool done;
};

static uint8_t *at_address(struct machine *x, enum isa_space space, uint64_t a,
                           uint32_t bytes)
{
    if (space == ISA_SP_GENERIC && a < ISA_GLOBAL_BASE) {
        space = a >= ISA_CONST_WINDOW    ? ISA_SP_CONST
                : a >= ISA_LOCAL_WINDOW  ? ISA_SP_LOCAL
                : a >= ISA_SHARED_WINDOW ? ISA_SP_SHARED
                                         : ISA_SP_REG;
        a &= ISA_WINDOW_SIZE - 1;
    }
    if (space == ISA_SP_SHARED || space == ISA_SP_LOCAL) {
        assert_true(a + bytes <= MEM && a % bytes == 0);
        return (space == ISA_SP_SHARED ? x->shared : x->local) + a;
    }
    if (space == ISA_SP_CONST) {
        assert_true(a + bytes <= x->m->const_bytes);
        return (uint8_t *)(uintptr_t)x->m->const_image + a;
    }
    assert_true(a >= ISA_GLOBAL_BASE && a + bytes <= ISA_GLOBAL_BASE + MEM);
    return x->global + (a - ISA_GLOBAL_BASE);
}

static void access_memory(struct machine *x, const struct isa_uop *u,
                          const struct isa_lanes *w)
{
    uint64_t addr[ISA_LANES];
    uint32_t d[8][ISA_LANES] = {{0}};
    const uint32_t words = u->size == 8 ? 2 : 1;

    isa_addresses(u, w, 1, addr);
    if (u->kind == ISA_K_STORE) {
        isa_store_data(u, w, 1, d);
    }
    for (uint32_t i = 0; i < u->form.vec; i++) {
        uint8_t *const b = at_address(x, (enum isa_space)u->form.space,
                                      addr[0] + (uint64_t)i * u->size, u->size);

        for (uint32_t k = 0; k < u->size; k++) {
            uint32_t *const word = &d[i * words + k / 4][0];

            if (u->kind == ISA_K_STORE) {
                b[k] = (uint8_t)(*word >> 8 * (k % 4));
            } else {
                *word |= (uint32_t)b[k] << 8 * (k % 4);
            }
        }
    }
    if (u->kind == ISA_K_LOAD) {
        isa_load_data(u, w, 1, (const uint32_t(*)[ISA_LANES])d);
    }
}

static const struct ptx_func *function_at(const struct ptx_module *m, uint32_t pc)
{
    for (uint32_t i = 0; i < m->n_funcs; i++) {
        if (m->funcs[i].entry == pc) {
            return &m->funcs[i];
        }
    }
    fail_msg("no function at %u", pc);
    return NULL;
}

static void control(struct machine *x, const struct isa_uop *u,
                    const struct isa_lanes *w, bool taken)
{
    if (!taken) {
        return;
    }
    if (u->kind == ISA_K_BRANCH) {
        x->pc = u->target;
    } else if (u->kind == ISA_K_BRX) {
        const uint32_t i =
            u->src[0] >= 0 ? w->r[u->src[0] * 32] : w->k[(-1 - u->src[0]) * 32];

        assert_true(i < u->n_targets);
        x->pc = x->m->targets[u->target + i];
    } else if (u->kind == ISA_K_CALL) {
        assert_true(x->depth < MAX_CALLS);
        x->call[x->depth].pc = x->pc;
        x->call[x->depth].r = x->base_r;
        x->call[x->depth].p = x->base_p;
        x->depth++;
        x->base_r += (uint32_t)u->frame;
        x->base_p += x->fn_preds;
        x->fn_preds = function_at(x->m, u->target)->n_preds;
        assert_true(x->base_r + function_at(x->m, u->target)->n_slots < SLOTS);
        assert_true(x->base_p + x->fn_preds < PREDS);
        x->pc = u->target;
    } else if (u->kind == ISA_K_RET) {
        const uint32_t n = x->base_p - x->call[--x->depth].p;

        x->pc = x->call[x->depth].pc;
        x->base_r = x->call[x->depth].r;
        x->base_p = x->call[x->depth].p;
        x->fn_preds = n;
    } else if (u->kind == ISA_K_EXIT) {
        x->done = true;
    } else {
        assert_true(u->kind == ISA_K_NOP || u->kind == ISA_K_BAR);
    }
}

static void run(struct machine *x, const struct ptx_kernel *k)
{
    uint32_t steps = 0;

    x->pc = k->entry;
    x->fn_preds = k->n_preds;
    x->depth = 0;
    x->base_r = 0;
    x->base_p = 0;
    x->done = false;
    while (!x->done) {
        const struct isa_uop *const u = &x->m->uops[x->pc++];
        const struct isa_lanes w = {x->r + (size_t)x->base_r * ISA_LANES,
                                    x->p + x->base_p, x->m->k, &x->env};
        const bool on = (isa_guarded(u, &w, 1) & 1) != 0;

        assert_true(steps++ < MAX_STEPS);
        if (u->kind == ISA_K_ALU) {
            if (on) {
                u->exec(u, &w, 1);
            }
        } else if (u->kind == ISA_K_LOAD || u->kind == ISA_K_STORE) {
            if (on) {
                access_memory(x, u, &w);
            }
        } else {
            control(x, u, &w, on);
        }
    }
}

static struct machine *machine_new(const char *sample)
{
    struct machine *const x = calloc(1, sizeof(*x));
    char path[512];
    char *text = malloc(1 << 20);
    FILE *f;
    size_t n;
    struct smw_err e;
    struct ptx_module *m;

    snprintf(path, sizeof(path), "%s/%s", PTX_SAMPLES, sample);
    f = fopen(path, "rb");
    assert_non_null(f);
    n = fread(text, 1, 1 << 20, f);
    fclose(f);
    err_clear(&e);
    m = ptx_parse(text, n, sample, &e);
    assert_non_null(m);
    assert_true(lower_all(m, &e));
    free(text);
    x->m = m;
    x->r = calloc(SLOTS * ISA_LANES, sizeof(x->r[0]));
    x->p = calloc(PREDS, sizeof(x->p[0]));
    /* Garbage where nothing is promised: only zero_first kernels may see zeros. */
    memset(x->r, 0xa5, SLOTS * ISA_LANES * sizeof(x->r[0]));
    x->env.param = x->param;
    x->env.param_bytes = sizeof(x->param);
    for (uint32_t i = 0; i < m->n_symbols; i++) {
        const struct ptx_symbol *const s = &m->symbols[i];

        if (s->space == ISA_SP_GLOBAL && s->init != NULL) {
            memcpy(x->global + (s->addr - ISA_GLOBAL_BASE), s->init, s->size);
        }
    }
    return x;
}

static void machine_free(struct machine *x)
{
    ptx_free((struct ptx_module *)(uintptr_t)x->m);
    free(x->r);
    free(x->p);
    free(x);
}

static const struct ptx_kernel *find(const struct machine *x, const char *name)
{
    struct smw_err e;
    const struct ptx_kernel *k;

    err_clear(&e);
    k = ptx_find_kernel(x->m, name, &e);
    assert_non_null(k);
    assert_false(k->zero_first);
    return k;
}

static uint64_t draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return *seed >> 16 ^ *seed << 40;
}

static void random_in(struct in *in, uint64_t *seed)
{
    memset(in, 0, sizeof(*in));
    for (uint32_t i = 0; i < 16; i++) {
        in->u[i] = (uint32_t)draw(seed) >> (draw(seed) & 31);
    }
    for (uint32_t i = 0; i < 4; i++) {
        in->v[i] = draw(seed) >> (draw(seed) & 63);
        in->f[i] = (float)((double)(int32_t)draw(seed) / 1000.0);
        in->d[i] = (double)(int64_t)draw(seed) / 1e9;
    }
    in->p.a = (int)draw(seed);
    in->p.b = (signed char)draw(seed);
    in->p.c = (short)draw(seed);
    in->p.d = (double)(int32_t)draw(seed);
    for (uint32_t i = 0; i < 5; i++) {
        in->p.tail[i] = (unsigned char)draw(seed);
    }
}

static void compare(const struct out *got, const struct out *want)
{
    for (uint32_t i = 0; i < 16; i++) {
        assert_int_equal(got->u[i], want->u[i]);
    }
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(got->v[i] == want->v[i]);
        assert_memory_equal(&got->f[i], &want->f[i], sizeof(float));
        assert_memory_equal(&got->d[i], &want->d[i], sizeof(double));
    }
    assert_int_equal(got->p.a, want->p.a);
    assert_int_equal(got->p.b, want->p.b);
    assert_int_equal(got->p.c, want->p.c);
    assert_memory_equal(&got->p.d, &want->p.d, sizeof(double));
    assert_memory_equal(got->p.tail, want->p.tail, 5);
}

static void check_sample(const char *sample)
{
    struct machine *const x = machine_new(sample);
    const uint64_t in_at = ISA_GLOBAL_BASE + 0x4000, out_at = ISA_GLOBAL_BASE + 0x8000;
    uint64_t seed = 99;

    for (uint32_t round = 0; round < 60; round++) {
        struct in in;
        struct out want, got;

        random_in(&in, &seed);
        memset(&want, 0, sizeof(want));
        all(&in, &want);
        for (uint32_t by_value = 0; by_value < 2; by_value++) {
            const struct ptx_kernel *const k = find(x, by_value ? "by_value" : "run");

            memset(x->global + 0x8000, 0, sizeof(got));
            memcpy(x->global + 0x4000, &in, sizeof(in));
            if (by_value) {
                assert_int_equal(k->params[0].size, sizeof(in));
                memcpy(x->param, &in, sizeof(in));
            } else {
                memcpy(x->param, &in_at, 8);
            }
            memcpy(x->param + k->params[1].offset, &out_at, 8);
            run(x, k);
            memcpy(&got, x->global + 0x8000, sizeof(got));
            compare(&got, &want);
        }
    }
    machine_free(x);
}

static void test_nvcc(void **state)
{
    (void)state;
    check_sample("exec.sm_75.ptx");
    check_sample("exec.sm_90.ptx");
}

static void test_nvcc_debug(void **state)
{
    (void)state;
    check_sample("exec.sm_75.debug.ptx");
}

static void test_clang(void **state)
{
    (void)state;
    check_sample("exec.sm_20.O2.ptx");
    check_sample("exec.sm_20.O0.ptx");
}

static uint32_t run_small(struct machine *x, const char *name, uint32_t arg)
{
    const uint64_t out_at = ISA_GLOBAL_BASE + 0x8000;
    uint32_t v;

    memcpy(x->param, &out_at, 8);
    memcpy(x->param + 8, &arg, 4);
    run(x, find(x, name));
    memcpy(&v, x->global + 0x8000, sizeof(v));
    return v;
}

static void test_shared_layout_differs_by_kernel(void **state)
{
    static const char *const names[] = {"exec.sm_75.ptx", "exec.sm_75.debug.ptx"};

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct machine *const x = machine_new(names[i]);

        assert_int_equal(run_small(x, "shared_small", 0), 15 + 22 + 9);
        assert_int_equal(run_small(x, "shared_large", 0), 20 + 29 + 190);
        machine_free(x);
    }
}

static void test_symbols(void **state)
{
    static const char *const names[] = {"exec.sm_75.ptx", "exec.sm_75.debug.ptx"};

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct machine *const x = machine_new(names[i]);

        assert_int_equal(run_small(x, "symbols", 0), 10 + 7 + 8 + 'a' + 9);
        assert_int_equal(run_small(x, "symbols", 2), 30 + 9 + 8 + 'c' + 9);
        machine_free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nvcc),
        cmocka_unit_test(test_nvcc_debug),
        cmocka_unit_test(test_clang),
        cmocka_unit_test(test_shared_layout_differs_by_kernel),
        cmocka_unit_test(test_symbols),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
