#include "gpu/dispatcher.h"

#include <string.h>

static const struct sim_probe_desc probe_left = {
    .name = "blocks_left",
    .kind = SIM_PROBE_LEVEL,
    .width = 32,
    .doc = "blocks not dispatched yet",
    .unit = "blocks",
    .views = "scheduler",
};
static const struct sim_probe_desc probe_sm = {
    .name = "sm",
    .kind = SIM_PROBE_UINT,
    .width = 8,
    .doc = "SM of the block dispatched last",
    .views = "scheduler",
};
static const struct sim_probe_desc probe_start = {
    .name = "kernel_start",
    .kind = SIM_PROBE_EVENT,
    .doc = "a launch became resident",
    .views = "scheduler",
};
static const struct sim_probe_desc probe_end = {
    .name = "kernel_end",
    .kind = SIM_PROBE_EVENT,
    .doc = "the last block of a launch ended",
    .views = "scheduler",
};

static void kernel_text(void *ctx, uint64_t value, char *buf, size_t size)
{
    const char *name = (const char *)(uintptr_t)value; /* see show() */
    size_t n = 0;

    (void)ctx;
    for (; name != NULL && n + 1 < size && name[n] != '\0'; n++) {
        buf[n] = name[n];
    }
    buf[n] = '\0';
}

static const struct sim_probe_desc probe_kernel = {
    .name = "kernel",
    .kind = SIM_PROBE_TEXT,
    .text = kernel_text,
    .doc = "kernel that began last",
    .views = "scheduler",
};

struct ended { /* a block whose place is still taken */
    sim_cycle_t free_at;
    uint8_t launch;
};

struct used { /* of an SM */
    uint32_t blocks, warps, regs, shared_bytes;
    uint32_t of[SM_MAX_LAUNCHES]; /* blocks of each launch */
    struct ended *ended;          /* a ring of limit.blocks, in order of time */
    uint32_t first, n_ended;
};

struct dispatcher {
    struct sim_module scope;
    struct dispatcher_limits limit;
    struct dispatcher_pace pace;
    uint32_t n_sms;
    struct dispatch launch[SM_MAX_LAUNCHES];
    uint8_t order[SM_MAX_LAUNCHES]; /* resident launches, oldest first */
    uint32_t n_resident;
    struct used *used;
    struct sim_out *to_sm;
    struct sim_in *from_sm;
    struct sim_event wake;
    struct sim_process step;
    struct sim_pool blocks;
    struct sm_set touched; /* got a block since dispatcher_rested() */
    struct sm_set back;    /* set of SMs whose finished blocks are sent */
    struct sm_set ending;  /* SMs with ended blocks whose places are still taken */
    sim_cycle_t freed_at;  /* the last of these places */
    uint32_t n_freed;      /* places that became free in this step */
    uint32_t turn;         /* SM after the one served last */
    uint32_t n_gpcs, gpc;  /* GPCs; the one that gets the next cluster, if it can */
    sim_cycle_t next_at;
    bool announced[SM_MAX_LAUNCHES];
    struct sim_hook *staged; /* NULL: nobody is told */
    const char *began;       /* kernel that began last; NULL: none has */
    uint64_t left;           /* blocks, after the last step */
    uint32_t last_sm;        /* that got a block */
    struct sim_probe p_left, p_sm, p_start, p_end, p_kernel;
};

static void tell(const struct dispatcher *d, enum sm_stage_kind kind, uint32_t launch)
{
    if (d->staged != NULL) {
        sm_tell_stage(d->staged, &d->scope, kind, (uint8_t)launch, 0, 0);
    }
}

static bool fits(const struct dispatcher *d, uint32_t sm, uint32_t launch)
{
    const struct used *u = &d->used[sm];
    const struct dispatch *l = &d->launch[launch];

    return u->of[launch] < l->max_per_sm && u->blocks < d->limit.blocks &&
           u->warps + l->warps <= d->limit.warps &&
           u->regs + l->regs <= d->limit.regs &&
           u->shared_bytes + l->shared_bytes <= d->limit.shared_bytes;
}

static void account(struct dispatcher *d, uint32_t sm, uint32_t launch, bool take)
{
    const struct dispatch *l = &d->launch[launch];
    struct used *u = &d->used[sm];

    u->of[launch] += take ? 1u : UINT32_MAX;
    u->blocks += take ? 1u : UINT32_MAX; /* modulo 2^32: minus one */
    u->warps += take ? l->warps : 0u - l->warps;
    u->regs += take ? l->regs : 0u - l->regs;
    u->shared_bytes += take ? l->shared_bytes : 0u - l->shared_bytes;
}

static void send_block(struct dispatcher *d, uint32_t i, uint32_t sm)
{
    struct dispatch *l = &d->launch[i];
    struct sm_block *b = sim_pool_take(&d->blocks);
    uint64_t at = l->next++;

    memcpy(b->peer, l->peer, sizeof(b->peer));
    b->launch = (uint8_t)i;
    b->sm = (uint8_t)sm;
    b->index = at;
    b->posts = false;
    b->ctaid[0] = (uint32_t)(at % l->grid[0]);
    b->ctaid[1] = (uint32_t)(at / l->grid[0] % l->grid[1]);
    b->ctaid[2] = (uint32_t)(at / l->grid[0] / l->grid[1]);
    if (dispatch_has_clusters(l)) { /* it has its place since the cluster has */
        b->index = sm_cluster_place(l->grid, l->cluster, at, b->ctaid);
        l->n_placed -= l->next % l->n_cluster == 0 ? l->n_cluster : 0;
    } else {
        b->peer[0] = (uint8_t)sm;
        account(d, sm, i, true);
    }
    l->sms.word[sm / 64] |= 1ull << sm % 64;
    d->touched.word[sm / 64] |= 1ull << sm % 64;
    d->turn = sm + 1 == d->n_sms ? 0 : sm + 1;
    d->last_sm = sm;
    sim_send(&d->to_sm[sm], b);
}

static uint64_t blocks_left(const struct dispatcher *d)
{
    uint64_t left = 0;

    for (uint32_t k = 0; k < d->n_resident; k++) {
        const struct dispatch *l = &d->launch[d->order[k]];

        left += l->n_blocks - l->next;
    }
    return left;
}

/* ---- places ---- */

/* Block b has come back from the SM. */
static void end_place(struct dispatcher *d, uint32_t sm, const struct sm_block *b)
{
    struct used *u = &d->used[sm];
    const sim_cycle_t flushed = b->done_at + (b->posts ? d->pace.flush_latency : 0);
    sim_cycle_t away = sim_here(&d->scope);
    sim_cycle_t at = d->freed_at + d->pace.refill_interval;

    away = flushed > away ? flushed : away;
    if (away + d->pace.refill_latency > at) {
        at = away + d->pace.refill_latency;
    }
    d->freed_at = at;
    u->ended[(u->first + u->n_ended++) % d->limit.blocks] =
        (struct ended){at, b->launch};
    d->ending.word[sm / 64] |= 1ull << sm % 64;
}

static void free_place(struct dispatcher *d, uint32_t sm)
{
    struct used *u = &d->used[sm];

    account(d, sm, u->ended[u->first].launch, false);
    u->first = (u->first + 1) % d->limit.blocks;
    if (--u->n_ended == 0) {
        d->ending.word[sm / 64] &= ~(1ull << sm % 64);
    }
}

/* The places that are free by now, or all if no block waits for one. Returns when the
 * next is, 0 if there is none. */
static sim_cycle_t free_places(struct dispatcher *d, sim_cycle_t now)
{
    const bool all = blocks_left(d) == 0;
    sim_cycle_t next = 0;

    d->n_freed = 0;
    d->freed_at = all ? 0 : d->freed_at;
    for (uint32_t i = sm_set_next(&d->ending, 0); i < SM_SET_MAX;
         i = sm_set_next(&d->ending, i + 1)) {
        const struct used *u = &d->used[i];

        while (u->n_ended != 0 && (all || u->ended[u->first].free_at <= now)) {
            free_place(d, i);
            d->n_freed++;
        }
        if (u->n_ended != 0 && (next == 0 || u->ended[u->first].free_at < next)) {
            next = u->ended[u->first].free_at;
        }
    }
    return next;
}

static void take_from(struct dispatcher *d, uint32_t i)
{
    struct sm_block *b;

    while ((b = sim_take(&d->from_sm[i])) != NULL) {
        struct dispatch *l = &d->launch[b->launch];

        end_place(d, i, b);
        l->done++;
        l->end = b->done_at > l->end ? b->done_at : l->end;
        if (l->done == l->n_blocks) {
            l->finished = true;
            sim_probe_fire(&d->p_end);
            tell(d, SM_KERNEL_ENDS, b->launch);
            sim_stop(d->scope.sim);
        }
        sim_pool_give(b);
    }
    if (d->from_sm[i].held == 0) {
        d->back.word[i / 64] &= ~(1ull << i % 64);
    }
}

static void take_done(struct dispatcher *d)
{
    for (uint32_t i = sm_set_next(&d->back, 0); i < SM_SET_MAX;
         i = sm_set_next(&d->back, i + 1)) {
        take_from(d, i);
    }
}

/* The SM of the GPC that has room for a block of launch i, and the fewest blocks; of
 * equal ones the first. n_sms: none. */
static uint32_t room_in(const struct dispatcher *d, uint32_t gpc, uint32_t i)
{
    uint32_t best = d->n_sms;

    for (uint32_t sm = 0; sm < d->n_sms; sm++) {
        if (mem_gpc(sm, d->n_gpcs) == gpc && fits(d, sm, i) &&
            (best == d->n_sms || d->used[sm].blocks < d->used[best].blocks)) {
            best = sm;
        }
    }
    return best;
}

/* SPEC CLUSTER-1: the next cluster of launch i gets its places, if a GPC has enough. */
static bool place_cluster(struct dispatcher *d, uint32_t i)
{
    struct dispatch *l = &d->launch[i];

    for (uint32_t k = 0; k < d->n_gpcs; k++) {
        const uint32_t gpc = (d->gpc + k) % d->n_gpcs;
        uint32_t n = 0, sm = 0;

        while (n < l->n_cluster && (sm = room_in(d, gpc, i)) != d->n_sms) {
            account(d, sm, i, true);
            l->peer[n++] = (uint8_t)sm;
        }
        if (n == l->n_cluster) {
            l->n_placed = n;
            d->gpc = (gpc + 1) % d->n_gpcs;
            return true;
        }
        while (n > 0) {
            account(d, l->peer[--n], i, false);
        }
    }
    return false;
}

/* The next block of a launch with clusters; false: it has to wait. */
static bool dispatch_in_cluster(struct dispatcher *d, uint32_t i)
{
    struct dispatch *l = &d->launch[i];
    uint32_t sm;

    if (l->n_placed == 0 && !place_cluster(d, i)) {
        return false;
    }
    sm = l->peer[l->next % l->n_cluster];
    if (!sim_out_ready(&d->to_sm[sm])) {
        sim_out_wait(&d->to_sm[sm]);
        return false;
    }
    send_block(d, i, sm);
    return true;
}

/* One block of the oldest launch that fits somewhere; false if none does. */
static bool dispatch_one(struct dispatcher *d, sim_cycle_t now)
{
    for (uint32_t k = 0; k < d->n_resident; k++) {
        uint32_t i = d->order[k];
        struct dispatch *l = &d->launch[i];

        if (l->next == l->n_blocks || now < l->start) {
            continue;
        }
        if (dispatch_has_clusters(l)) {
            if (dispatch_in_cluster(d, i)) {
                return true;
            }
            continue;
        }
        for (uint32_t n = 0, sm = d->turn; n < d->n_sms;
             n++, sm = sm + 1 == d->n_sms ? 0 : sm + 1) {
            if (!fits(d, sm, i)) {
                continue;
            }
            if (!sim_out_ready(&d->to_sm[sm])) {
                sim_out_wait(&d->to_sm[sm]);
                continue;
            }
            send_block(d, i, sm);
            return true;
        }
    }
    return false;
}

/* The blocks of one interval; false: none. Where places become free one by one, the
 * dispatcher sends but one block beside those for them. */
static bool dispatch_some(struct dispatcher *d, sim_cycle_t now)
{
    uint32_t width = d->pace.width, n = 0;

    if (d->pace.refill_interval != 0 && d->n_freed != 0 && d->n_freed + 1 < width) {
        width = d->n_freed + 1;
    }
    while (n < width && dispatch_one(d, now)) {
        n++;
    }
    return n != 0;
}

/* The earliest launch whose first block is still to come, 0 if there is none. */
static sim_cycle_t next_start(const struct dispatcher *d, sim_cycle_t now)
{
    sim_cycle_t next = 0;

    for (uint32_t k = 0; k < d->n_resident; k++) {
        sim_cycle_t at = d->launch[d->order[k]].start;

        if (at > now && (next == 0 || at < next)) {
            next = at;
        }
    }
    return next;
}

/* What the last step left: launches that came since are seen with the next one. */
static void show(void *ctx)
{
    struct dispatcher *d = ctx;

    sim_probe_set(&d->p_kernel, (uintptr_t)d->began);
    sim_probe_set(&d->p_left, d->left);
    sim_probe_set(&d->p_sm, d->last_sm);
}

/* Woken by wake, finished blocks and returning credits. */
static void dispatcher_step(void *self)
{
    struct dispatcher *d = self;
    sim_cycle_t now = sim_here(&d->scope);
    sim_cycle_t next = next_start(d, now), next_free;

    take_done(d);
    next_free = free_places(d, now);
    for (uint32_t k = 0; k < d->n_resident; k++) {
        uint32_t i = d->order[k];

        if (!d->announced[i] && now >= d->launch[i].start) {
            d->announced[i] = true;
            d->began = d->launch[i].name;
            sim_probe_fire(&d->p_start);
            tell(d, SM_KERNEL_BEGINS, i);
        }
    }
    if (now >= d->next_at && dispatch_some(d, now)) {
        d->next_at = now + d->pace.interval;
        next = blocks_left(d) != 0 ? d->next_at : next;
    } else if (now < d->next_at && blocks_left(d) != 0) {
        next = d->next_at;
    }
    if (next_free != 0 && (next == 0 || next_free < next)) {
        next = next_free;
    }
    d->left = blocks_left(d);
    if (SIM_WATCHED(d->scope)) {
        show(d);
    }
    if (next != 0) {
        sim_notify_at(&d->wake, next);
    }
}

struct dispatcher *dispatcher_new(struct sim_module *parent, uint32_t n_sms,
                                  const struct dispatcher_pace *pace,
                                  const struct dispatcher_limits *limits)
{
    struct sim *sim = parent->sim;
    struct dispatcher *d = sim_alloc(sim, sizeof(*d));

    d->n_sms = n_sms;
    d->pace = *pace;
    d->limit = *limits;
    d->n_gpcs = 1;
    d->used = sim_alloc(sim, n_sms * sizeof(d->used[0]));
    d->to_sm = sim_alloc(sim, n_sms * sizeof(d->to_sm[0]));
    d->from_sm = sim_alloc(sim, n_sms * sizeof(d->from_sm[0]));
    sim_module_init(&d->scope, sim, parent, NULL, "dispatcher");
    sim_pool_init(&d->blocks, sim, "sm_block", sizeof(struct sm_block));
    sim_event_init(&d->wake, sim, d->scope.clock, "wake");
    sim_process_init(&d->step, sim, "dispatcher", dispatcher_step, d);
    sim_wake_on(&d->step, &d->wake);
    for (uint32_t i = 0; i < n_sms; i++) {
        d->used[i].ended = sim_alloc(sim, limits->blocks * sizeof(d->used[i].ended[0]));
        sim_out_init(&d->to_sm[i], &d->scope, "to_sm", &sm_block_proto);
        sim_in_init(&d->from_sm[i], &d->scope, "from_sm", &sm_block_proto,
                    4 * limits->blocks);
        sim_in_mark(&d->from_sm[i], d->back.word, i);
        sim_wake_on(&d->step, &d->to_sm[i].space);
        sim_wake_on(&d->step, &d->from_sm[i].arrived);
    }
    sim_module_shows(&d->scope, show, d);
    sim_probe_init(&d->p_kernel, &d->scope, &probe_kernel, NULL, 0);
    sim_probe_init(&d->p_left, &d->scope, &probe_left, NULL, 0);
    sim_probe_init(&d->p_sm, &d->scope, &probe_sm, NULL, 0);
    sim_probe_init(&d->p_start, &d->scope, &probe_start, NULL, 0);
    sim_probe_init(&d->p_end, &d->scope, &probe_end, NULL, 0);
    return d;
}

void dispatcher_tell(struct dispatcher *d, struct sim_hook *staged)
{
    d->staged = staged;
}

struct sim_out *dispatcher_to_sm(struct dispatcher *d, uint32_t sm)
{
    return &d->to_sm[sm];
}

struct sim_in *dispatcher_from_sm(struct dispatcher *d, uint32_t sm)
{
    return &d->from_sm[sm];
}

void dispatcher_add(struct dispatcher *d, uint32_t i, const struct dispatch *what,
                    uint32_t latency)
{
    struct dispatch *l = &d->launch[i];

    *l = *what;
    memset(&l->sms, 0, sizeof(l->sms));
    l->next = 0;
    l->done = 0;
    l->n_placed = 0;
    l->finished = false;
    l->resident = true;
    l->start = sim_here(&d->scope) + latency;
    l->end = l->start;
    d->announced[i] = false;
    d->gpc = d->n_resident == 0 ? 0 : d->gpc;
    d->turn = d->n_resident == 0 ? 0 : d->turn; /* an idle device begins at SM 0 */
    d->order[d->n_resident++] = (uint8_t)i;
    sim_notify_at(&d->wake, l->start);
}

void dispatcher_gpcs(struct dispatcher *d, uint32_t n)
{
    d->n_gpcs = n;
}

bool dispatcher_has_clusters(const struct dispatcher *d)
{
    for (uint32_t k = 0; k < d->n_resident; k++) {
        if (dispatch_has_clusters(&d->launch[d->order[k]])) {
            return true;
        }
    }
    return false;
}

void dispatcher_shared(struct dispatcher *d, uint32_t bytes)
{
    d->limit.shared_bytes = bytes;
}

const struct sm_set *dispatcher_touched(const struct dispatcher *d)
{
    return &d->touched;
}

void dispatcher_rested(struct dispatcher *d)
{
    memset(&d->touched, 0, sizeof(d->touched));
}

uint32_t dispatcher_resident(const struct dispatcher *d)
{
    return d->n_resident;
}

sim_cycle_t dispatcher_quiet_until(const struct dispatcher *d, uint32_t sm)
{
    const struct used *u = &d->used[sm];
    bool waits = false;

    for (uint32_t k = 0; k < d->n_resident; k++) {
        uint32_t i = d->order[k];

        if (d->launch[i].next < d->launch[i].n_blocks) {
            if (d->from_sm[sm].held != 0 || fits(d, sm, i)) {
                return 0;
            }
            waits = true;
        }
    }
    return waits && u->n_ended != 0 ? u->ended[u->first].free_at : UINT64_MAX;
}

const struct dispatch *dispatcher_launch(const struct dispatcher *d, uint32_t i)
{
    return &d->launch[i];
}

void dispatcher_remove(struct dispatcher *d, uint32_t i)
{
    uint32_t k = 0;

    d->launch[i].resident = false;
    while (d->order[k] != i) {
        k++;
    }
    d->n_resident--;
    for (; k < d->n_resident; k++) {
        d->order[k] = d->order[k + 1];
    }
}
