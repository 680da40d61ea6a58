#include "kernel.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text {
    struct kernel *k;
    char *at;
    uint32_t n, line;
};

static const char *const space_name[] = {"shared", "global"};
static const char *const scope_name[] = {"cta", "gpu"};

/* A line. */
__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *fmt,
                                                      ...)
{
    va_list args;

    va_start(args, fmt);
    t->n += (uint32_t)vsnprintf(t->at + t->n, MAX_TEXT - t->n, fmt, args);
    va_end(args);
    t->n += (uint32_t)snprintf(t->at + t->n, MAX_TEXT - t->n, "\n");
    t->line++;
}

/* ---- registers: r0 thread in block, r1 lane, r2 warp, r3 block, r4 thread of all,
 * r5 (r4 + 1) * a number, r6 turn of the loop, r7 has won, rd1 buffer ---- */

static void begin(struct text *t)
{
    const uint32_t threads = t->k->n_warps * LANES;

    put(t, ".version 7.0\n.target sm_70\n.address_size 64");
    put(t, ".visible .entry k(.param .u64 buffer)\n{");
    t->line += 3;
    put(t, ".reg .pred %%p<4>;\n.reg .b32 %%r<24>;\n.reg .b64 %%rd<8>;");
    put(t, ".shared .align 16 .b8 s[%d];", MEMORY);
    t->line += 2;
    put(t, "ld.param.u64 %%rd1, [buffer];");
    put(t, "mov.u32 %%r0, %%tid.x;");
    put(t, "mov.u32 %%r3, %%ctaid.x;");
    put(t, "and.b32 %%r1, %%r0, 31;");
    put(t, "shr.u32 %%r2, %%r0, 5;");
    put(t, "mad.lo.u32 %%r4, %%r3, %u, %%r0;", threads);
    put(t, "add.u32 %%r5, %%r4, 1;");
    put(t, "mul.lo.u32 %%r5, %%r5, 0x9e3779b1;");
    put(t, "mov.u32 %%r6, 0;");
    put(t, "mov.u32 %%r7, 0;");
    put(t, "mov.u32 %%r10, s;");
    put(t, "shl.b32 %%r11, %%r0, 2;");
    put(t, "add.u32 %%r10, %%r10, %%r11;");
    for (uint32_t at = 0; at < DATA; at += 4 * threads) {
        put(t, "st.shared.u32 [%%r10+%u], %%r6;", at);
    }
    put(t, "setp.lt.u32 %%p0, %%r0, %d;", N_FLAGS);
    put(t, "@%%p0 st.shared.u32 [%%r10+%d], %%r6;", FLAGS);
    put(t, "bar.sync 0;");
}

static void test_bit(struct text *t, uint32_t bits, uint32_t reg, bool *first)
{
    put(t, "mov.u32 %%r20, 0x%x;", bits);
    put(t, "shr.u32 %%r20, %%r20, %%r%u;", reg);
    put(t, *first ? "and.b32 %%r21, %%r20, 1;" : "and.b32 %%r21, %%r21, %%r20;");
    *first = false;
}

/* p0: the thread takes part. False: all do. */
static bool write_who(struct text *t, const struct step *s)
{
    const struct kernel *k = t->k;
    bool first = true;

    if ((s->who.blocks | UINT32_MAX << k->n_blocks) != UINT32_MAX) {
        test_bit(t, s->who.blocks, 3, &first);
    }
    if ((s->who.warps | UINT32_MAX << k->n_warps) != UINT32_MAX) {
        test_bit(t, s->who.warps, 2, &first);
    }
    if (s->who.lanes != UINT32_MAX) {
        test_bit(t, s->who.lanes, 1, &first);
    }
    if (s->winners) {
        put(t, first ? "mov.u32 %%r21, %%r7;" : "and.b32 %%r21, %%r21, %%r7;");
        first = false;
    }
    if (!first) {
        put(t, "setp.ne.u32 %%p0, %%r21, 0;");
    }
    return !first;
}

/* Gives the operand of its address. */
static const char *write_address(struct text *t, const struct step *s)
{
    if (s->own) {
        put(t, "shl.b32 %%r12, %%r%d, 3;", s->space == SHARED ? 0 : 4);
        put(t, "add.u32 %%r12, %%r12, %d;", OWN);
    } else {
        put(t, "mul.lo.u32 %%r12, %%r0, %u;", s->mul);
        put(t, "add.u32 %%r12, %%r12, %u;", s->add);
        put(t, "and.b32 %%r12, %%r12, %u;", s->and_);
        put(t, "xor.b32 %%r12, %%r12, %u;", s->xor_);
        put(t, "mul.lo.u32 %%r12, %%r12, %u;", s->size);
        put(t, "add.u32 %%r12, %%r12, %u;", s->base);
    }
    if (s->space == SHARED) {
        put(t, "mov.u32 %%r13, s;");
        put(t, "add.u32 %%r12, %%r12, %%r13;");
        return "%r12";
    }
    put(t, "cvt.u64.u32 %%rd2, %%r12;");
    put(t, "add.u64 %%rd2, %%rd1, %%rd2;");
    return "%rd2";
}

static const char *order_of(const struct step *s)
{
    static const char *const name[] = {"", ".volatile", ".relaxed"};

    return s->strength != ORDERED               ? name[s->strength]
           : s->kind == WAIT || s->kind == LOCK ? ".acquire"
                                                : ".release";
}

/* ".relaxed.gpu.shared" and the like */
static const char *qualified(const struct step *s, char out[64])
{
    const bool scoped = s->strength == RELAXED || s->strength == ORDERED;

    (void)snprintf(out, 64, "%s%s%s.%s", order_of(s), scoped ? "." : "",
                   scoped ? scope_name[s->scope] : "", space_name[s->space]);
    return out;
}

/* ---- steps ---- */

static void write_access(struct text *t, uint32_t i, const char *guard)
{
    const struct step *s = &t->k->step[i];
    const char *address = write_address(t, s);
    const uint32_t bits = 8 * s->size;
    char q[64];

    if (s->kind == STORE && s->same) {
        put(t, "mov.u32 %%r14, 7;");
    } else if (s->kind == STORE) {
        put(t, "mad.lo.u32 %%r14, %%r6, 0xc2b2ae35, %%r5;");
        put(t, "add.u32 %%r14, %%r14, 0x%x;", i * 0x85ebca6bu);
    }
    t->k->line[i] = t->line + 1;
    switch (s->kind) {
    case LOAD:
        put(t, "%sld%s.u%u %%r15, [%s];", guard, qualified(s, q), bits, address);
        break;
    case STORE:
        put(t, "%sst%s.u%u [%s], %%r14;", guard, qualified(s, q), bits, address);
        break;
    default:
        put(t, "%satom%s.add.u32 %%r15, [%s], 1;", guard, qualified(s, q), address);
        break;
    }
}

static const char *write_flag_address(struct text *t, const struct step *s)
{
    put(t, "mov.u32 %%r16, s;");
    put(t, "add.u32 %%r16, %%r16, %u;", FLAGS + 4 * s->n);
    put(t, "add.u64 %%rd3, %%rd1, %u;", FLAGS + 4 * s->n);
    return s->space == SHARED ? "%r16" : "%rd3";
}

static void write_flag(struct text *t, uint32_t i)
{
    const struct step *s = &t->k->step[i];
    const char *const f = write_flag_address(t, s);
    char q[64];

    (void)qualified(s, q);
    t->k->line[i] = t->line + 1;
    switch (s->kind) {
    case SIGNAL:
        if (s->atomic) {
            put(t, "atom%s.add.u32 %%r17, [%s], 1;", q, f);
        } else {
            put(t, "st%s.u32 [%s], %u;", q, f, s->count);
        }
        return;
    case WAIT:
        put(t, "W%u: %s%s.%s32 %%r17, [%s]%s;", i, s->atomic ? "atom" : "ld", q,
            s->atomic ? "or.b" : "u", f, s->atomic ? ", 0" : "");
        put(t, "setp.lt.u32 %%p1, %%r17, %u;", s->count);
        put(t, "@%%p1 bra W%u;", i);
        return;
    case LOCK:
        put(t, "W%u: atom%s.cas.b32 %%r17, [%s], 0, 1;", i, q, f);
        put(t, "setp.ne.u32 %%p1, %%r17, 0;");
        put(t, "@%%p1 bra W%u;", i);
        return;
    case UNLOCK:
        if (s->atomic) {
            put(t, "atom%s.exch.b32 %%r17, [%s], 0;", q, f);
        } else {
            put(t, "st%s.u32 [%s], 0;", q, f);
        }
        return;
    default:
        put(t, "atom%s.add.u32 %%r17, [%s], 1;", q, f);
        put(t, "setp.eq.u32 %%p1, %%r17, %u;", s->count);
        put(t, "selp.u32 %%r7, 1, 0, %%p1;");
        return;
    }
}

static void write_fence(struct text *t, const struct step *s)
{
    static const char *const name[][2] = {{"membar.cta", "membar.gl"},
                                          {"membar.cta", "membar.gl"},
                                          {"fence.acq_rel.cta", "fence.acq_rel.gpu"},
                                          {"fence.sc.cta", "fence.sc.gpu"}};

    put(t, "%s;", name[s->strength][s->scope]);
}

static void write_barrier(struct text *t, const struct step *s)
{
    if (s->n == 0) {
        put(t, "bar.sync 0;");
    } else {
        put(t, "bar.%s %u, %u;", s->kind == ARRIVE ? "arrive" : "sync", s->n, s->count);
    }
}

static void write_bare(struct text *t, uint32_t i, const char *guard)
{
    const struct step *s = &t->k->step[i];

    switch (s->kind) {
    case LOAD:
    case STORE:
    case ATOMIC: write_access(t, i, guard); return;
    case FENCE: write_fence(t, s); return;
    case BARRIER:
    case ARRIVE: write_barrier(t, s); return;
    case MEET: put(t, "bar.warp.sync 0x%x;", s->n); return;
    case SHUFFLE: put(t, "shfl.sync.bfly.b32 %%r18, %%r5, 0, 31, 0x%x;", s->n); return;
    case SIGNAL:
    case WAIT:
    case LOCK:
    case UNLOCK:
    case LAST: write_flag(t, i); return;
    case LOOP:
        put(t, "mov.u32 %%r6, 0;");
        put(t, "LOOP%u:", i);
        return;
    case AGAIN: return;
    }
}

static void write_again(struct text *t, uint32_t i)
{
    uint32_t loop = i;

    while (t->k->step[loop].kind != LOOP) {
        loop--;
    }
    put(t, "add.u32 %%r6, %%r6, 1;");
    put(t, "setp.lt.u32 %%p1, %%r6, %u;", t->k->step[loop].count);
    put(t, "@%%p1 bra LOOP%u;", loop);
    put(t, "mov.u32 %%r6, 0;");
}

static bool has_else(const struct kernel *k, uint32_t i)
{
    return i + 1 < k->n && k->step[i + 1].form == OTHERWISE;
}

static void write_step(struct text *t, uint32_t i)
{
    const struct step *s = &t->k->step[i];
    const bool guarded = write_who(t, s);

    if (s->kind == AGAIN) {
        write_again(t, i);
    } else if (guarded && s->form == PREDICATE) {
        write_bare(t, i, "@%p0 ");
    } else if (has_else(t->k, i)) {
        put(t, "@!%%p0 bra E%u;", i + 1);
        write_bare(t, i, "");
        put(t, "bra X%u;", i + 1);
    } else {
        if (guarded) {
            put(t, "@!%%p0 bra X%u;", i);
        }
        write_bare(t, i, "");
    }
    if ((guarded && s->form == BRANCH) || s->form == OTHERWISE) {
        put(t, "X%u:", i);
    }
}

void kernel_write(struct kernel *k, char text[MAX_TEXT])
{
    struct text t = {k, text, 0, 0};

    begin(&t);
    for (uint32_t i = 0; i < k->n; i++) {
        if (k->step[i].form == OTHERWISE) {
            put(&t, "E%u:", i);
        }
        write_step(&t, i);
    }
    put(&t, "ret;\n}");
}
