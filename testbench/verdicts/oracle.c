#include "oracle.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LOG = 1 << 15, MAX_RELEASES = 2 * MAX_THREADS, BARRIERS = 16 };

struct clock {
    uint16_t of[MAX_THREADS];
};

struct entry { /* of the log */
    uint32_t thread, step, at, bytes, value;
    bool write, strong;
    enum space space;
    enum scope scope;
    struct clock clock;
};

struct release { /* what a thread had done before its fence, by a flag */
    uint32_t thread;
    bool narrow; /* its fence or its write is .cta */
    struct clock clock;
};

struct flag {
    uint32_t value;
    bool taken; /* a lock */
    uint32_t n;
    struct release release[MAX_RELEASES];
};

struct thread {
    uint32_t pc, turn; /* turn: of the loop */
    bool done, won, waits;
    bool fenced[2]; /* a fence of that scope was executed */
    struct clock now;
    struct clock told[2];   /* at the last fence of that scope, or a wider one */
    struct clock unread[2]; /* read from flags inside the block, and beyond */
};

struct oracle {
    const struct kernel *k;
    uint32_t n_threads;
    struct thread thread[MAX_THREADS];
    struct flag flag[2][MAX_BLOCKS][N_FLAGS]; /* by space; of a block if shared */
    struct entry log[MAX_LOG];
    uint32_t n_log;
    uint32_t arrived[MAX_BLOCKS][BARRIERS];
    struct clock joined[MAX_BLOCKS][BARRIERS];
};

struct oracle *oracle_new(void)
{
    return calloc(1, sizeof(struct oracle));
}

void oracle_free(struct oracle *o)
{
    free(o);
}

static uint32_t block_threads(const struct oracle *o)
{
    return o->k->n_warps * LANES;
}

static uint32_t block_of(const struct oracle *o, uint32_t t)
{
    return t / block_threads(o);
}

static void join(struct clock *a, const struct clock *b)
{
    for (uint32_t i = 0; i < MAX_THREADS; i++) {
        a->of[i] = a->of[i] > b->of[i] ? a->of[i] : b->of[i];
    }
}

static bool takes_part(const struct oracle *o, const struct step *s, uint32_t t)
{
    const uint32_t in_block = t % block_threads(o);

    return (s->who.blocks >> block_of(o, t) & 1u) != 0 &&
           (s->who.warps >> in_block / LANES & 1u) != 0 &&
           (s->who.lanes >> in_block % LANES & 1u) != 0 &&
           (!s->winners || o->thread[t].won);
}

/* ---- accesses ---- */

static uint32_t address(const struct oracle *o, const struct step *s, uint32_t t)
{
    const uint32_t in_block = t % block_threads(o);

    if (s->kind >= SIGNAL) {
        return FLAGS + 4 * s->n;
    }
    if (s->own) {
        return OWN + 8 * (s->space == SHARED ? in_block : t);
    }
    return s->base + (((in_block * s->mul + s->add) & s->and_) ^ s->xor_) * s->size;
}

/* All bits depend on who writes, and when; as text.c has it. */
static uint32_t value_of(const struct oracle *o, uint32_t step, uint32_t t)
{
    const struct step *s = &o->k->step[step];

    return s->same ? 7
                   : (t + 1) * 0x9e3779b1u + step * 0x85ebca6bu +
                         o->thread[t].turn * 0xc2b2ae35u;
}

static void log_access(struct oracle *o, uint32_t step, uint32_t t)
{
    const struct step *s = &o->k->step[step];
    struct entry *e = &o->log[o->n_log++];

    o->thread[t].now.of[t]++;
    *e = (struct entry){.thread = t,
                        .step = step,
                        .at = address(o, s, t),
                        .bytes = s->kind >= SIGNAL ? 4 : s->size,
                        .value = value_of(o, step, t),
                        .write = s->kind != LOAD && s->kind != WAIT,
                        .strong = s->kind == ATOMIC || s->strength != WEAK,
                        .space = s->space,
                        .scope = s->scope,
                        .clock = o->thread[t].now};
}

/* Flags in shared memory are judged by what they publish (SPEC CHECK-2). */
static void log_flag(struct oracle *o, uint32_t step, uint32_t t)
{
    if (o->k->step[step].space == GLOBAL) {
        log_access(o, step, t);
    }
}

/* ---- flags ---- */

static struct flag *flag_of(struct oracle *o, const struct step *s, uint32_t t)
{
    return &o->flag[s->space][s->space == SHARED ? block_of(o, t) : 0][s->n];
}

static void fence(struct oracle *o, uint32_t t, enum scope scope)
{
    struct thread *h = &o->thread[t];

    join(&h->now, &h->unread[0]);
    if (scope == SCOPE_GPU) {
        join(&h->now, &h->unread[1]);
        h->told[1] = h->now;
        h->fenced[1] = true;
    }
    h->told[0] = h->now;
    h->fenced[0] = true;
}

static void release(struct oracle *o, const struct step *s, uint32_t t)
{
    struct thread *h = &o->thread[t];
    struct flag *f = flag_of(o, s, t);

    if (!s->atomic && s->kind != LAST && s->kind != LOCK) {
        f->n = 0; /* a store hands on nothing of those before it */
    }
    for (uint32_t wide = 0; wide < 2; wide++) {
        if (h->fenced[wide] && f->n < MAX_RELEASES) {
            f->release[f->n++] =
                (struct release){t, wide == 0 || s->scope == SCOPE_CTA, h->told[wide]};
        }
    }
}

static void read_flag(struct oracle *o, const struct step *s, uint32_t t)
{
    struct thread *h = &o->thread[t];
    const struct flag *f = flag_of(o, s, t);

    for (uint32_t i = 0; i < f->n; i++) {
        const struct release *r = &f->release[i];
        const bool beyond = block_of(o, r->thread) != block_of(o, t);

        if (s->space == SHARED) {
            join(&h->now, &r->clock);
        } else if (!beyond || (!r->narrow && s->scope == SCOPE_GPU)) {
            join(&h->unread[beyond], &r->clock);
        }
    }
}

/* ---- steps of one thread ---- */

static uint32_t matching_loop(const struct kernel *k, uint32_t pc)
{
    while (k->step[pc].kind != LOOP) {
        pc--;
    }
    return pc;
}

/* False: it waits. */
static bool do_flag(struct oracle *o, const struct step *s, uint32_t t)
{
    struct thread *h = &o->thread[t];
    struct flag *f = flag_of(o, s, t);

    switch (s->kind) {
    case SIGNAL:
        release(o, s, t);
        f->value = s->atomic ? f->value + 1 : s->count;
        return true;
    case WAIT:
        if (f->value < s->count) {
            return false;
        }
        read_flag(o, s, t);
        return true;
    case LAST:
        read_flag(o, s, t);
        release(o, s, t);
        h->won = f->value++ == s->count;
        return true;
    case LOCK:
        if (f->taken) {
            return false;
        }
        read_flag(o, s, t);
        release(o, s, t);
        f->taken = true;
        return true;
    default:
        release(o, s, t);
        f->taken = false;
        return true;
    }
}

static void do_barrier(struct oracle *o, const struct step *s, uint32_t t)
{
    const uint32_t b = block_of(o, t);

    join(&o->thread[t].now, &o->thread[t].unread[0]);
    join(&o->thread[t].now, &o->thread[t].unread[1]);
    join(&o->joined[b][s->n], &o->thread[t].now);
    o->arrived[b][s->n]++;
    o->thread[t].waits = s->kind == BARRIER;
}

/* All that the barrier counts are there: those that wait know of all. */
static void complete_barrier(struct oracle *o, const struct step *s, uint32_t t)
{
    const uint32_t b = block_of(o, t), first = b * block_threads(o);

    if (o->arrived[b][s->n] < s->count) {
        return;
    }
    for (uint32_t i = first; i < first + block_threads(o); i++) {
        struct thread *h = &o->thread[i];
        const struct step *at = &o->k->step[h->pc];

        if (h->waits && at->kind == BARRIER && at->n == s->n) {
            join(&h->now, &o->joined[b][s->n]);
            h->waits = false;
            h->pc++;
        }
    }
    o->arrived[b][s->n] = 0;
    memset(&o->joined[b][s->n], 0, sizeof(o->joined[b][s->n]));
}

/* Members of a warp: who comes first waits, the last one goes on with all. */
static void do_meet(struct oracle *o, const struct step *s, uint32_t t)
{
    const uint32_t first = t - t % LANES, pc = o->thread[t].pc;
    struct clock all = {{0}};

    o->thread[t].waits = true;
    for (uint32_t i = 0; i < LANES; i++) {
        const struct thread *h = &o->thread[first + i];

        if ((s->n >> i & 1u) != 0) {
            if (!h->waits || h->pc != pc) {
                return;
            }
            join(&all, &h->now);
        }
    }
    for (uint32_t i = 0; i < LANES; i++) {
        if ((s->n >> i & 1u) != 0) {
            if (s->kind == MEET) {
                join(&o->thread[first + i].now, &all);
            }
            o->thread[first + i].waits = false;
            o->thread[first + i].pc++;
        }
    }
}

/* One step of the thread that does not wait; false: it cannot go on now. */
static bool turn(struct oracle *o, uint32_t t)
{
    struct thread *h = &o->thread[t];
    const struct step *s = &o->k->step[h->pc];

    if (!takes_part(o, s, t)) {
        h->pc++;
        return true;
    }
    switch (s->kind) {
    case LOAD:
    case STORE:
    case ATOMIC: log_access(o, h->pc, t); break;
    case FENCE: fence(o, t, s->scope); break;
    case BARRIER: {
        do_barrier(o, s, t);
        complete_barrier(o, s, t);
        return true;
    }
    case ARRIVE:
        h->pc++;
        do_barrier(o, s, t);
        complete_barrier(o, s, t);
        return true;
    case MEET:
    case SHUFFLE: do_meet(o, s, t); return true;
    case SIGNAL:
    case UNLOCK:
        if (s->strength == ORDERED) {
            fence(o, t, s->scope);
        }
        (void)do_flag(o, s, t);
        log_flag(o, h->pc, t);
        break;
    case WAIT:
    case LOCK:
    case LAST:
        if (!do_flag(o, s, t)) {
            return false;
        }
        log_flag(o, h->pc, t);
        if (s->strength == ORDERED) {
            fence(o, t, s->scope);
        }
        break;
    case LOOP: break;
    case AGAIN: {
        const uint32_t loop = matching_loop(o->k, h->pc);

        if (++h->turn < o->k->step[loop].count) {
            h->pc = loop;
        } else {
            h->turn = 0;
        }
        break;
    }
    }
    h->pc++;
    return true;
}

static bool run(struct oracle *o)
{
    bool going = true;

    while (going) {
        going = false;
        for (uint32_t t = 0; t < o->n_threads; t++) {
            struct thread *h = &o->thread[t];

            while (h->pc < o->k->n && !h->waits && o->n_log < MAX_LOG && turn(o, t)) {
                going = true;
            }
        }
    }
    for (uint32_t t = 0; t < o->n_threads; t++) {
        if (o->thread[t].pc < o->k->n) {
            return false;
        }
    }
    return true;
}

/* ---- the log, two by two ---- */

static bool is_before(const struct entry *a, const struct entry *b)
{
    return b->clock.of[a->thread] >= a->clock.of[a->thread];
}

static bool may_meet(const struct oracle *o, const struct entry *a,
                     const struct entry *b)
{
    return a->strong && b->strong &&
           (block_of(o, a->thread) == block_of(o, b->thread) ||
            (a->scope == SCOPE_GPU && b->scope == SCOPE_GPU));
}

/* Bytes of both, which have the same value in each. */
static bool are_equal(const struct entry *a, const struct entry *b)
{
    const uint32_t first = a->at > b->at ? a->at : b->at;

    for (uint32_t i = first; i < a->at + a->bytes && i < b->at + b->bytes; i++) {
        if ((a->value >> 8 * (i - a->at) & 0xff) !=
            (b->value >> 8 * (i - b->at) & 0xff)) {
            return false;
        }
    }
    return true;
}

static void compare(const struct oracle *o, const struct entry *a,
                    const struct entry *b, struct verdict *v)
{
    const struct kernel *k = o->k;

    if (a->thread == b->thread || a->space != b->space || (!a->write && !b->write) ||
        a->at >= b->at + b->bytes || b->at >= a->at + a->bytes ||
        (a->space == SHARED && block_of(o, a->thread) != block_of(o, b->thread)) ||
        may_meet(o, a, b) || is_before(a, b) || is_before(b, a)) {
        return;
    }
    if (a->write && b->write && k->step[a->step].kind == STORE &&
        k->step[b->step].kind == STORE && are_equal(a, b)) {
        v->vague |= !k->step[a->step].same;
        return;
    }
    v->race = true;
    v->error |= a->thread / LANES != b->thread / LANES || (a->write && b->write);
    v->pair[a->step][b->step] = v->pair[b->step][a->step] = true;
}

void oracle_judge(struct oracle *o, const struct kernel *k, struct verdict *v)
{
    memset(v, 0, sizeof(*v));
    memset(o->thread, 0, sizeof(o->thread));
    memset(o->arrived, 0, sizeof(o->arrived));
    memset(o->joined, 0, sizeof(o->joined));
    for (uint32_t i = 0; i < 2 * MAX_BLOCKS * N_FLAGS; i++) {
        struct flag *f = &o->flag[0][0][0] + i;

        f->value = f->n = 0;
        f->taken = false;
    }
    o->k = k;
    o->n_log = 0;
    o->n_threads = k->n_blocks * k->n_warps * LANES;
    v->hung = !run(o);
    for (uint32_t i = 0; i < o->n_log; i++) {
        for (uint32_t j = 0; j < i; j++) {
            compare(o, &o->log[j], &o->log[i], v);
        }
    }
}
