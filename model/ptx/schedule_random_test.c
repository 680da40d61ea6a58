/*
 * Random blocks: whatever is ordered, what depends on one another keeps its order.
 *
 * What depends is worked out here from how the blocks were made, not from their text:
 * registers as sets of bits; memory by running the addresses with several sets of small
 * numbers, so that whatever overlaps in one of them does depend.
 */
#include "ptx/flow_priv.h"

#include "ptx/front_test.h"

#include <stdlib.h>

enum {
    MAX_N = 1000,
    MAX_TEXT = MAX_N * 80 + 1000,
    DATA = 8,       /* registers %r, bits 0 to 7 */
    ADDRESSES = 4,  /* registers %d, bits 8 to 11 */
    PREDICATES = 2, /* bits 12 and 13 */
    CARRY = 14,
    RUNS = 12
};

enum effect { NOTHING, LOAD, STORE, ATOMIC, EXCHANGE, WALL };
enum how { KEEP, COPY, ADD_CONSTANT, ADD_REGISTER }; /* what becomes of an address */

struct made {
    uint32_t reads, writes; /* registers */
    enum effect effect;
    uint32_t space; /* in spaces[] */
    uint32_t base, bytes;
    int32_t offset;
    bool guarded, passes_nothing;
    enum how how;
    uint32_t to, from, other;
    int32_t constant;
    int64_t at[RUNS]; /* address in each run */
};

static const char *const spaces[] = {".global", ".shared", ".local", ""};
enum { LOCAL = 2, GENERIC = 3 };

struct block {
    struct made m[MAX_N];
    uint32_t n;
    char text[MAX_TEXT];
    size_t length;
    uint32_t seed;
};

static uint32_t draw(struct block *b, uint32_t n)
{
    b->seed = b->seed * 1664525u + 1013904223u;
    return (b->seed >> 8) % n;
}

static void put(struct block *b, const char *fmt, ...) ATTR_PRINTF(2, 3);

static void put(struct block *b, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    b->length += (size_t)vsnprintf(b->text + b->length, MAX_TEXT - b->length, fmt, ap);
    va_end(ap);
    assert_true(b->length < MAX_TEXT);
}

/* ---- instructions ---- */

static void data(struct block *b, struct made *m)
{
    const uint32_t d = draw(b, DATA), x = draw(b, DATA), y = draw(b, DATA);

    m->writes = 1u << d;
    m->reads = 1u << x | 1u << y;
    switch (draw(b, 5)) {
    case 0: put(b, "add.u32 %%r%u, %%r%u, %%r%u", d, x, y); break;
    case 1:
        put(b, "add.cc.u32 %%r%u, %%r%u, %%r%u", d, x, y);
        m->writes |= 1u << CARRY;
        break;
    case 2:
        put(b, "addc.u32 %%r%u, %%r%u, %%r%u", d, x, y);
        m->reads |= 1u << CARRY;
        break;
    case 3:
        put(b, "setp.lt.u32 %%p%u, %%r%u, %%r%u", d % PREDICATES, x, y);
        m->writes = 1u << (12 + d % PREDICATES);
        break;
    default:
        put(b, "selp.b32 %%r%u, %%r%u, %%r%u, %%p%u", d, x, y, d % PREDICATES);
        m->reads |= 1u << (12 + d % PREDICATES);
    }
}

static void address(struct block *b, struct made *m)
{
    m->to = draw(b, ADDRESSES);
    m->from = draw(b, ADDRESSES);
    m->other = draw(b, ADDRESSES);
    m->constant = 4 * (int32_t)draw(b, 5) - 8;
    m->how = COPY + draw(b, 3);
    m->writes = 0x100u << m->to;
    m->reads = 0x100u << m->from;
    if (m->how == COPY) {
        put(b, "mov.u64 %%d%u, %%d%u", m->to, m->from);
    } else if (m->how == ADD_CONSTANT) {
        put(b, "add.s64 %%d%u, %%d%u, %d", m->to, m->from, m->constant);
    } else {
        m->reads |= 0x100u << m->other;
        put(b, "add.s64 %%d%u, %%d%u, %%d%u", m->to, m->from, m->other);
    }
}

static void access(struct block *b, struct made *m)
{
    const uint32_t r = draw(b, DATA - 1);
    const bool is_pair = draw(b, 4) == 0;

    m->effect = LOAD + draw(b, 5) / 2;
    m->space = draw(b, 4);
    m->base = draw(b, ADDRESSES);
    m->offset = 4 * (int32_t)draw(b, 4) - 4;
    m->reads = 0x100u << m->base;
    m->bytes = is_pair && m->effect != ATOMIC ? 8 : 4;
    if (m->effect == ATOMIC) {
        m->space = m->space == LOCAL ? GENERIC : m->space;
        put(b, "red%s.add.u32 [%%d%u+%d], %%r%u", spaces[m->space], m->base, m->offset,
            r);
        m->reads |= 1u << r;
        return;
    }
    put(b, "%s%s%s.u32 ", m->effect == LOAD ? "ld" : "st", spaces[m->space],
        is_pair ? ".v2" : "");
    if (m->effect == STORE) {
        put(b, "[%%d%u+%d], ", m->base, m->offset);
    }
    if (is_pair) {
        put(b, "{%%r%u, %%r%u}", r, r + 1);
    } else {
        put(b, "%%r%u", r);
    }
    if (m->effect == LOAD) {
        put(b, ", [%%d%u+%d]", m->base, m->offset);
    }
    *(m->effect == LOAD ? &m->writes : &m->reads) |= (is_pair ? 3u : 1u) << r;
}

static void order(struct block *b, struct made *m)
{
    const uint32_t d = draw(b, DATA), x = draw(b, DATA);

    m->effect = WALL;
    switch (draw(b, 5)) {
    case 0: put(b, "bar.sync 0"); break;
    case 1: put(b, "membar.gl"); break;
    case 2:
        put(b, "shfl.sync.bfly.b32 %%r%u, %%r%u, 1, 31, -1", d, x);
        m->effect = EXCHANGE;
        m->writes = 1u << d;
        m->reads = 1u << x;
        break;
    case 3:
        put(b, "ld.volatile.global.u32 %%r%u, [%%d0]", d);
        m->writes = 1u << d;
        m->reads = 0x100u;
        break;
    default:
        put(b, "mov.u32 %%r%u, %%clock", d);
        m->writes = 1u << d;
        m->passes_nothing = true;
    }
}

static void make(struct block *b, uint32_t n)
{
    b->length = 0;
    b->n = n;
    put(b, "%s",
        HEAD ".visible .entry k () {\n.reg .pred %p<4>;\n.reg .b32 %r<16>;\n"
             ".reg .b64 %d<8>;\n");
    for (uint32_t i = 0; i < n; i++) {
        struct made *const m = &b->m[i];
        const uint32_t what = draw(b, 24);

        *m = (struct made){.guarded = draw(b, 5) == 0};
        if (m->guarded) {
            put(b, "@%%p0 ");
        }
        if (what == 0) {
            order(b, m);
        } else if (what < 8) {
            data(b, m);
        } else if (what < 13) {
            address(b, m);
        } else {
            access(b, m);
        }
        if (m->guarded) {
            m->reads |= m->writes | 1u << 12;
        }
        put(b, ";\n");
    }
    put(b, "ret;\n}\n");
}

/* ---- what depends ---- */

/* Whether a guarded one takes effect is drawn too. */
static void run_addresses(struct block *b)
{
    for (uint32_t run = 0; run < RUNS; run++) {
        int64_t d[ADDRESSES];

        for (uint32_t i = 0; i < ADDRESSES; i++) {
            d[i] = 4 * (int64_t)draw(b, 6);
        }
        for (uint32_t i = 0; i < b->n; i++) {
            struct made *const m = &b->m[i];

            m->at[run] = d[m->base] + m->offset;
            if (m->how == KEEP || (m->guarded && draw(b, 2))) {
                continue;
            }
            d[m->to] = d[m->from] + (m->how == ADD_CONSTANT   ? m->constant
                                     : m->how == ADD_REGISTER ? d[m->other]
                                                              : 0);
        }
    }
}

static bool overlap(const struct made *x, const struct made *y)
{
    for (uint32_t run = 0; run < RUNS; run++) {
        if (x->at[run] < y->at[run] + y->bytes && y->at[run] < x->at[run] + x->bytes) {
            return true;
        }
    }
    return false;
}

static bool memory_depends(const struct made *x, const struct made *y)
{
    if (x->effect == NOTHING || y->effect == NOTHING) {
        return false;
    }
    if (x->effect == EXCHANGE || y->effect == EXCHANGE) {
        return x->effect == WALL || y->effect == WALL;
    }
    if (x->effect == WALL || y->effect == WALL) {
        return (x->effect == WALL || x->space != LOCAL) &&
               (y->effect == WALL || y->space != LOCAL);
    }
    if (x->space != y->space && x->space != GENERIC && y->space != GENERIC) {
        return false;
    }
    if (x->effect == ATOMIC || y->effect == ATOMIC) {
        return true;
    }
    return (x->effect == STORE || y->effect == STORE) && overlap(x, y);
}

static bool depends(const struct made *x, const struct made *y)
{
    return x->passes_nothing || y->passes_nothing ||
           (x->writes & (y->reads | y->writes)) != 0 || (x->reads & y->writes) != 0 ||
           memory_depends(x, y);
}

/* ---- the order that runs ---- */

/* Words that ptx_live_build() finds live in the text. */
static uint32_t written_words(const struct ptx_module *m)
{
    const struct ptx_ir *const f = m->priv->fn[m->priv->kernel_fn[0]];
    struct ptx_flow flow;
    struct ptx_live live;

    ptx_flow_build(&m->priv->arena, f, &flow);
    ptx_live_build(&m->priv->arena, f, &flow, &live);
    return live.max_words;
}

static uint32_t count(const struct ptx_ir *f, const bool *live)
{
    uint32_t words = 0;

    for (uint32_t r = 0; r < f->n_vreg; r++) {
        words += live[r] ? ptx_reg_words(f, r) : 0;
    }
    return words;
}

/* Most words live at one place of a single block behind which nothing is read: value by
 * value, from its end. */
static uint32_t most_words(const struct ptx_ir *f)
{
    static struct ptx_access x;
    bool live[64] = {false};
    uint32_t most = 0;

    assert_true(f->n_vreg <= ARRAY_LEN(live));
    for (uint32_t i = f->n_insn; i > 0; i--) {
        const struct ptx_insn *const in = &f->insn[i - 1];
        uint32_t words;

        ptx_accesses(f, in, &x);
        for (uint32_t k = 0; k < x.n_def; k++) {
            live[x.def[k]] = true;
        }
        words = count(f, live);
        most = words > most ? words : most;
        for (uint32_t k = 0; k < x.n_def; k++) {
            live[x.def[k]] = in->guard != PTX_NONE;
        }
        for (uint32_t k = 0; k < x.n_use; k++) {
            live[x.use[k]] = true;
        }
        words = count(f, live);
        most = words > most ? words : most;
    }
    return most;
}

static uint32_t check(struct block *b, uint32_t regs)
{
    struct ptx_target target = {.shared = 20,
                                .constant = 8,
                                .local = 30,
                                .global = 100,
                                .issue = 1 + regs % 4,
                                .regs = regs};
    static uint32_t place[MAX_N + 1];
    const struct ptx_ir *f;
    struct ptx_module *m;
    uint32_t moved = 0, first,
             limit = regs > PTX_REGS_EXTRA ? regs - PTX_REGS_EXTRA : 0;
    struct smw_err e;

    for (uint32_t i = 0; i < ISA_N_CLASSES; i++) {
        target.latency[i] = 1 + i % 7;
    }
    err_clear(&e);
    m = ptx_parse(b->text, b->length, "test.ptx", &e);
    if (m == NULL || !ptx_lower(m, &target, &e) || ptx_refusals(m) > 0) {
        fail_msg("line %u: %s\n%s", e.line, e.message, b->text);
    }
    f = m->priv->run[m->priv->kernel_fn[0]];
    first = m->kernels[0].line + 4;
    assert_int_equal(f->n_insn, b->n + 1);
    memset(place, 0xff, sizeof(place));
    for (uint32_t i = 0; i <= b->n; i++) {
        const uint32_t at = f->insn[i].line - first;

        assert_true(at <= b->n);
        assert_int_equal(place[at], UINT32_MAX); /* each runs once */
        place[at] = i;
        moved += at != i;
    }
    assert_int_equal(place[b->n], b->n); /* the ret is the last */
    for (uint32_t j = 0; j < b->n; j++) {
        for (uint32_t i = 0; i < j; i++) {
            if (place[i] > place[j] && depends(&b->m[i], &b->m[j])) {
                fail_msg("%u must come before %u\n%s", i, j, b->text);
            }
        }
    }
    limit = written_words(m) > limit ? written_words(m) : limit;
    assert_true(most_words(f) <= limit);
    ptx_free(m);
    return moved;
}

static void test_random_blocks(void **state)
{
    struct block *const b = calloc(1, sizeof(*b));
    uint64_t moved = 0, all = 0;

    (void)state;
    assert_non_null(b);
    for (uint32_t seed = 1; seed <= 3000; seed++) {
        b->seed = seed * 7919;
        make(b, 2 + draw(b, 60));
        run_addresses(b);
        moved += check(b, 1 + draw(b, 64));
        all += b->n;
    }
    for (uint32_t seed = 1; seed <= 20; seed++) { /* longer than a piece */
        b->seed = seed * 104729;
        make(b, MAX_N - draw(b, 300));
        run_addresses(b);
        moved += check(b, 64);
        all += b->n;
    }
    print_message("%llu of %llu instructions moved\n", (unsigned long long)moved,
                  (unsigned long long)all);
    assert_true(moved > all / 4);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_blocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
