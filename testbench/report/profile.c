#include "report/profile_priv.h"

#include "gpu/observe.h"
#include <stdlib.h>
#include <string.h>

const char *profile_name(enum profile_series s)
{
    static const char *const names[PROFILE_SERIES] = {
        "issue", "pipe",       "latency",      "memory",      "barrier",
        "idle",  "warp_ready", "warp_latency", "warp_memory", "warp_barrier",
        "insts", "wavefronts", "conflicts"};

    return names[s];
}

/* ---- windows ---- */

static void fold_banks(struct profile_banks *into, const struct profile_banks *b)
{
    for (uint32_t i = 0; i < BANKS_MAX; i++) {
        into->accesses[i] += b->accesses[i];
        into->conflicts[i] += b->conflicts[i];
    }
}

/* Windows of twice the length: each is the sum of two. */
static void widen(struct profile *p)
{
    for (uint32_t w = 0; w < PROFILE_WINDOWS; w++) {
        uint32_t to = w / 2;

        for (uint32_t i = 0; i < p->n_sms && w > 0; i++) {
            uint64_t(*row)[PROFILE_SERIES] = p->sm[i].row;

            if (w % 2 == 0) {
                memset(row[to], 0, sizeof(row[to]));
            }
            for (uint32_t s = 0; s < PROFILE_SERIES; s++) {
                row[to][s] += row[w][s];
            }
        }
        if (w > 0) {
            if (w % 2 == 0) {
                memset(&p->window[to], 0, sizeof(p->window[to]));
            }
            fold_banks(&p->window[to], &p->window[w]);
        }
    }
    for (uint32_t i = 0; i < p->n_sms; i++) {
        memset(p->sm[i].row[PROFILE_WINDOWS / 2], 0,
               PROFILE_WINDOWS / 2 * sizeof(p->sm[i].row[0]));
    }
    memset(&p->window[PROFILE_WINDOWS / 2], 0,
           PROFILE_WINDOWS / 2 * sizeof(p->window[0]));
    p->shift++;
}

static uint32_t window_at(struct profile *p, sim_cycle_t cycle)
{
    while (cycle >> p->shift >= PROFILE_WINDOWS) {
        widen(p);
    }
    return (uint32_t)(cycle >> p->shift);
}

/* ---- cycles ---- */

/* What the SM does when it does not issue: what the warp that is nearest to it
 * needs. */
static enum profile_series class_of(const struct profile_sm *m)
{
    for (uint32_t i = 0; i < PROFILE_WARP_CLASSES; i++) {
        if (m->warps[i] > 0) {
            return PROFILE_PIPE + i;
        }
    }
    return PROFILE_IDLE;
}

/* Cycles from m->since to end, all of one kind. */
static void account(struct profile *p, struct profile_sm *m, sim_cycle_t end,
                    enum profile_series kind)
{
    while (m->since < end) {
        uint32_t w = window_at(p, m->since);
        sim_cycle_t stop = (sim_cycle_t)(w + 1) << p->shift;
        uint64_t n = (stop < end ? stop : end) - m->since;

        m->row[w][kind] += n;
        for (uint32_t i = 0; i < PROFILE_WARP_CLASSES; i++) {
            m->row[w][PROFILE_WARP_READY + i] += n * m->warps[i];
        }
        m->since += n;
    }
}

/* The warps were what they are since m->since; they change now. */
static void settle(struct profile *p, struct profile_sm *m, sim_cycle_t now)
{
    if (m->issuing_until > m->since) {
        account(p, m, m->issuing_until < now ? m->issuing_until : now, PROFILE_ISSUE);
    }
    account(p, m, now, class_of(m));
}

/* The class of a warp that is in the state, PROFILE_WARP_CLASSES: it does not live. */
static uint32_t class_of_state(const struct sim_probe *p, uint64_t state)
{
    static const struct {
        const char *name;
        enum profile_series class;
    } classes[] = {{"ready", PROFILE_WARP_READY},
                   {"operand", PROFILE_WARP_LATENCY},
                   {"control", PROFILE_WARP_LATENCY},
                   {"shared", PROFILE_WARP_MEMORY},
                   {"shared_conflict", PROFILE_WARP_MEMORY},
                   {"global", PROFILE_WARP_MEMORY},
                   {"local", PROFILE_WARP_MEMORY},
                   {"constant", PROFILE_WARP_MEMORY},
                   {"fence", PROFILE_WARP_MEMORY},
                   {"async", PROFILE_WARP_MEMORY},
                   {"barrier", PROFILE_WARP_BARRIER}};

    for (uint32_t i = 0; i < ARRAY_LEN(classes); i++) {
        if (strcmp(p->desc->names[state], classes[i].name) == 0) {
            return classes[i].class - PROFILE_WARP_READY;
        }
    }
    return PROFILE_WARP_CLASSES;
}

static void count_state(struct profile_sm *m, const struct sim_probe *probe)
{
    uint32_t from = class_of_state(probe, probe->shown);
    uint32_t to = class_of_state(probe, probe->value);

    if (from < PROFILE_WARP_CLASSES) {
        m->warps[from]--;
    }
    if (to < PROFILE_WARP_CLASSES) {
        m->warps[to]++;
        m->ever = true;
    }
}

static void changed(void *ctx, sim_time_t now, struct sim_probe *const *probe, size_t n)
{
    struct profile *p = ctx;
    sim_cycle_t cycle = sim_cycle_of(p->clock, now);

    for (size_t i = 0; i < n; i++) {
        uint32_t id = probe[i]->id;
        struct profile_sm *m;

        if (id >= p->n_probes || p->probe[id].sm == 0) {
            continue; /* another observer's */
        }
        m = &p->sm[p->probe[id].sm - 1];
        settle(p, m, cycle);
        switch ((enum profile_kind)p->probe[id].kind) {
        case PROFILE_HEARS_ISSUE: m->issuing_until = cycle + p->issue_interval; break;
        case PROFILE_HEARS_STATE: count_state(m, probe[i]); break;
        case PROFILE_HEARS_INSTS:
            m->row[window_at(p, cycle)][PROFILE_INSTS] +=
                probe[i]->value - probe[i]->shown;
            break;
        }
    }
}

void profile_finish(struct profile *p)
{
    struct smw_progress now = {0};

    smw_progress(p->device, &now);
    p->end = now.cycles;
    for (uint32_t i = 0; i < p->n_sms; i++) {
        p->end = p->sm[i].since > p->end ? p->sm[i].since : p->end;
    }
    for (uint32_t i = 0; i < p->n_sms; i++) {
        settle(p, &p->sm[i], p->end);
    }
}

/* ---- accesses ---- */

static struct profile_launch *launch_at(struct profile *p, uint32_t i)
{
    if (i >= p->n_launches) {
        uint32_t n = smw_results(p->device);

        n = n > i ? n : i + 1;
        p->launch = tb_realloc(p->launch, n * sizeof(p->launch[0]));
        memset(p->launch + p->n_launches, 0,
               (n - p->n_launches) * sizeof(p->launch[0]));
        p->n_launches = n;
    }
    return &p->launch[i];
}

static void remember(struct profile_launch *l, uint32_t pc)
{
    if (pc >= l->n_needs) {
        uint32_t n = 2 * pc + 64;

        l->needs = tb_realloc(l->needs, n);
        memset(l->needs + l->n_needs, 0, n - l->n_needs);
        l->n_needs = n;
    }
    l->needs[pc] = 1;
}

static void hear(void *ctx, sim_time_t now, const struct sim_module *from,
                 const void *record)
{
    struct profile *p = ctx;
    const struct mem_planned *r = record;
    struct profile_launch *l = launch_at(p, smw_resident(p->device, r->launch));
    struct bankmap_access a = {.bytes = r->bytes, .mask = r->mask};
    struct bankmap_plan plan;
    struct profile_banks b = {0};
    uint32_t w;

    (void)now;
    (void)from;
    remember(l, r->pc);
    if (r->space != ISA_SP_SHARED) {
        return;
    }
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        a.addr[i] = r->base + r->addr[i];
    }
    p->setup.op = r->op;
    p->setup.bank_mode = r->bank_mode;
    bankmap_plan(&p->setup, &a, &plan);
    for (uint32_t i = 0; i < BANKS_MAX; i++) {
        b.accesses[i] = plan.busy[i];
        b.conflicts[i] = plan.again[i];
    }
    w = window_at(p, r->cycle);
    fold_banks(&l->banks, &b);
    fold_banks(&p->window[w], &b);
    p->sm[r->sm].row[w][PROFILE_WAVEFRONTS] += r->wavefronts;
    p->sm[r->sm].row[w][PROFILE_CONFLICTS] += r->wavefronts - r->ideal;
}

/* ---- opening ---- */

/* "sm7" and the like: name is a word and a number. */
static bool is_numbered(const char *name, const char *word)
{
    size_t n = strlen(word);

    return strncmp(name, word, n) == 0 && name[n] != '\0' &&
           strspn(name + n, "0123456789") == strlen(name + n);
}

static void take(struct profile *p, struct sim_module *m, const char *name,
                 enum profile_kind kind)
{
    for (struct sim_probe *q = m->probes; q != NULL; q = q->next) {
        if (strcmp(q->desc->name, name) == 0) {
            sim_probe_keep(q);
            p->probe[q->id] = (struct profile_probe){(uint8_t)kind, (uint16_t)p->n_sms};
        }
    }
}

static void take_sm(struct profile *p, struct sim_module *m)
{
    p->sm = tb_realloc(p->sm, (p->n_sms + 1) * sizeof(p->sm[0]));
    p->sm[p->n_sms] =
        (struct profile_sm){.module = m,
                            .row = tb_alloc(PROFILE_WINDOWS * sizeof(p->sm[0].row[0]))};
    p->n_sms++;
    p->clock = m->clock;
    p->schedulers = 0;
    take(p, m, "insts_per_64", PROFILE_HEARS_INSTS);
    for (struct sim_module *c = m->first; c != NULL; c = c->next) {
        if (is_numbered(c->name, "sched")) {
            take(p, c, "issue", PROFILE_HEARS_ISSUE);
            p->schedulers++;
        } else if (is_numbered(c->name, "warp")) {
            take(p, c, "state", PROFILE_HEARS_STATE);
        }
    }
}

static uint32_t config_number(const struct smw_config *c, const char *key)
{
    char text[64] = "";

    smw_config_show(c, key, text, sizeof(text));
    return (uint32_t)strtoul(text, NULL, 10);
}

struct profile *profile_open(struct smw_device *d, const struct smw_config *c,
                             struct smw_err *e)
{
    struct profile *p = tb_alloc(sizeof(*p));

    p->device = d;
    p->setup.rules = *smw_rules(d);
    p->setup.space = BANKMAP_SHARED;
    p->issue_interval = config_number(c, "sm.issue_interval");
    p->n_probes = sim_number(smw_sim(d));
    p->probe = tb_alloc((p->n_probes + 1) * sizeof(p->probe[0]));
    p->window = tb_alloc(PROFILE_WINDOWS * sizeof(p->window[0]));
    for (struct sim_module *m = smw_root(d)->first; m != NULL; m = m->next) {
        if (is_numbered(m->name, "sm")) {
            take_sm(p, m);
        }
    }
    if (p->n_sms != config_number(c, "gpu.sms") || p->schedulers == 0) {
        profile_close(p);
        err_set(e, SMW_ERR_INTERNAL, "--profile: the SMs were not found");
        return NULL;
    }
    p->watcher = (struct sim_watcher){.changed = changed, .ctx = p};
    sim_watch(smw_sim(d), &p->watcher);
    p->listener = (struct sim_listener){.heard = hear, .ctx = p};
    sim_listen(smw_planned(d), &p->listener);
    return p;
}

void profile_close(struct profile *p)
{
    if (p == NULL) {
        return;
    }
    for (uint32_t i = 0; i < p->n_sms; i++) {
        free(p->sm[i].row);
    }
    for (uint32_t i = 0; i < p->n_launches; i++) {
        free(p->launch[i].needs);
    }
    free(p->sm);
    free(p->probe);
    free(p->window);
    free(p->launch);
    free(p);
}
