#include "sm/show.h"

#include <stdio.h>
#include <string.h>

void sm_place(const struct ptx_module *m, uint32_t pc, char *buf, size_t size)
{
    const struct isa_uop *u = &m->uops[pc];
    const struct ptx_site *site, *outer = NULL;
    uint32_t i = 0;

    if (u->src_line == 0 || u->src_file >= m->n_files) {
        (void)snprintf(buf, size, "PTX line %u", u->line);
        return;
    }
    while (i < PTX_MAX_INLINED && (site = ptx_inlined(m, pc, i)) != NULL) {
        outer = site;
        i++;
    }
    if (outer == NULL) {
        (void)snprintf(buf, size, "%.80s:%u", ptx_base_name(m->files[u->src_file]),
                       u->src_line);
    } else {
        (void)snprintf(buf, size, "%.80s:%u (inlined at %.80s:%u)",
                       ptx_base_name(m->files[u->src_file]), u->src_line,
                       ptx_base_name(m->files[outer->file]), outer->line);
    }
}

void sm_lanes_text(uint32_t mask, char *buf, size_t size)
{
    size_t n = 0;

    buf[0] = '\0';
    while (mask != 0 && n < size) {
        uint32_t first = (uint32_t)__builtin_ctz(mask), last = first;

        while (last + 1 < ISA_LANES && (mask >> (last + 1) & 1u) != 0) {
            last++;
        }
        n += (size_t)snprintf(buf + n, size - n, first == last ? "%s%u" : "%s%u-%u",
                              n == 0 ? "" : ",", first, last);
        mask &= last + 1 == ISA_LANES ? 0 : UINT32_MAX << (last + 1);
    }
}

/* ---- who waits ---- */

/* What a warp does, as far as a report tells it apart. */
struct stand {
    enum warp_state state;
    uint32_t pc;
    uint32_t barrier; /* if it waits at one */
};

enum { OF_CLUSTER = BARRIERS }; /* behind those of the block */

/* Where it is: a warp at a barrier has issued it and stands behind it. It is
 * settled. */
static struct stand stand_of(const struct sm *s, uint32_t i)
{
    const struct warp *w = &s->warps.warp[i];
    const struct ptx_module *m = s->shared->launch[w->launch].module;
    const struct block *k = &s->block[w->slot];
    struct stand at = {.state = warp_state(w), .pc = w->pc};

    if ((w->hold & HOLD_CLUSTER) != 0) {
        at.pc = (uint32_t)(w->barrier_uop - m->uops);
        at.barrier = OF_CLUSTER;
    } else if (at.state == WARP_BARRIER) {
        at.pc = (uint32_t)(w->barrier_uop - m->uops);
        while (at.barrier + 1 < ARRAY_LEN(k->barrier) &&
               (k->barrier[at.barrier].waiting >> i & 1u) == 0) {
            at.barrier++;
        }
    }
    return at;
}

static void what_text(const struct sm *s, const struct block *k, const struct stand *at,
                      bool many, char *buf, size_t size)
{
    const struct ptx_module *m = s->shared->launch[k->txn->launch].module;
    const struct barrier *b = &k->barrier[at->barrier == OF_CLUSTER ? 0 : at->barrier];
    uint32_t expected = barrier_expected(b, k->n_live);
    uint32_t more = barrier_missing(b, k->n_live);
    char place[SM_PLACE_SIZE], inst[96], left[48] = "";

    sm_place(m, at->pc, place, sizeof(place));
    if (expected > k->n_live) {
        (void)snprintf(left, sizeof(left), ", and only %u left", k->n_live);
    }
    if (at->state == WARP_IDLE) {
        (void)snprintf(buf, size, "%s exited at %s", many ? "have" : "has", place);
    } else if (at->barrier == OF_CLUSTER) {
        (void)snprintf(buf, size, "%s at the barrier of the cluster (%s)",
                       many ? "wait" : "waits", place);
    } else if (at->state == WARP_BARRIER) {
        (void)snprintf(buf, size,
                       "%s at barrier %u (%s) for %u more warp%s: %u of %u there%s",
                       many ? "wait" : "waits", at->barrier, place, more,
                       more == 1 ? "" : "s", b->arrived, expected, left);
    } else {
        ptx_disasm(m, at->pc, inst, sizeof(inst));
        (void)snprintf(buf, size, "%s at %s, \"%s\": %s%s", many ? "stand" : "stands",
                       place, inst, warp_state_name(at->state),
                       at->state >= WARP_SHARED && at->state <= WARP_CONSTANT
                           ? " memory"
                           : "");
    }
}

/* Where each part of a warp that has split stands, and which wait for others. */
static void report_paths(const struct sm *s, uint32_t i,
                         void (*line)(void *ctx, const char *text), void *ctx)
{
    const struct warp *w = &s->warps.warp[i];
    const struct ptx_module *m = s->shared->launch[w->launch].module;
    uint32_t seen = 0;

    for (uint32_t k = w->simt.n; k > 0 && w->simt.n > 1; k--) {
        const struct simt_entry *e = &w->simt.e[k - 1];
        const uint32_t there = e->mask & ~seen, missing = e->mask & seen;
        const bool running = k == w->simt.n;
        const bool waits =
            missing != 0 || (there & (w->barring | warp_syncing(w))) != 0;
        char lanes[160], others[160], place[SM_PLACE_SIZE], text[SM_PLACE_SIZE + 384];

        seen |= e->mask;
        if (there == 0) {
            continue;
        }
        sm_lanes_text(there, lanes, sizeof(lanes));
        sm_lanes_text(missing, others, sizeof(others));
        sm_place(m, running ? w->pc : e->pc, place, sizeof(place));
        (void)snprintf(text, sizeof(text), "    %s %s%s at %s%s%s",
                       (there & (there - 1)) == 0 ? "lane" : "lanes", lanes,
                       !waits                       ? ""
                       : (there & (there - 1)) == 0 ? " waits"
                                                    : " wait",
                       place, missing != 0 ? " for lanes " : "", others);
        line(ctx, text);
    }
}

static void report_block(const struct sm *s, const struct block *k,
                         void (*line)(void *ctx, const char *text), void *ctx)
{
    const uint32_t *id = k->txn->ctaid;
    uint64_t left = k->warps;

    while (left != 0) {
        uint32_t first = (uint32_t)__builtin_ctzll(left), n = 1;
        struct stand at = stand_of(s, first);
        uint32_t warp = s->warps.warp[first].thread0 / ISA_LANES;
        char what[SM_PLACE_SIZE + 256], text[SM_PLACE_SIZE + 384], range[48];

        left &= left - 1;
        while (left != 0) { /* those behind it that do the same */
            struct stand next = stand_of(s, (uint32_t)__builtin_ctzll(left));

            if (next.state != at.state || next.pc != at.pc ||
                next.barrier != at.barrier) {
                break;
            }
            left &= left - 1;
            n++;
        }
        what_text(s, k, &at, n > 1, what, sizeof(what));
        (void)snprintf(range, sizeof(range), n > 1 ? "warps %u to %u" : "warp %u", warp,
                       warp + n - 1);
        (void)snprintf(text, sizeof(text), "block (%u,%u,%u) on %s: %s %s", id[0],
                       id[1], id[2], s->scope.name, range, what);
        line(ctx, text);
        if (n == 1 && at.state != WARP_IDLE) {
            report_paths(s, first, line, ctx);
        }
    }
}

void sm_report_waiting(struct sm *s, void (*line)(void *ctx, const char *text),
                       void *ctx)
{
    ring_settle(&s->warps, sim_cycle(s->clock));
    for (uint32_t i = 0; i < s->n_slots; i++) {
        if (s->block[i].txn != NULL) {
            report_block(s, &s->block[i], line, ctx);
        }
    }
}

bool sm_first_waiting(struct sm *s, const struct ptx_module **m, uint32_t *pc)
{
    ring_settle(&s->warps, sim_cycle(s->clock));
    for (uint32_t i = 0; i < s->warps.n; i++) {
        if ((s->warps.warp[i].hold & HOLD_FREE) == 0) {
            *m = s->shared->launch[s->warps.warp[i].launch].module;
            *pc = stand_of(s, i).pc;
            return true;
        }
    }
    return false;
}

void sm_sample(struct sm *s, uint64_t *const hot[SM_MAX_LAUNCHES])
{
    ring_settle(&s->warps, sim_cycle(s->clock));
    for (uint32_t i = 0; i < s->warps.n; i++) {
        const struct warp *w = &s->warps.warp[i];

        if ((w->hold & HOLD_FREE) == 0 && hot[w->launch] != NULL) {
            hot[w->launch][stand_of(s, i).pc]++;
        }
    }
}
