/*
 * konata.c - pipeline.kanata: the Kanata log format, version 4, as Konata reads it
 * (docs/kanata-log-format.md in its repository).
 *
 * An instruction is in one stage at a time. Until it issues, the stage is the state of
 * its warp, as the waveform has it: "global" is a wait for a result of global memory.
 * Then come "issue" and "X", where it only computes, or the way of its access: "queue"
 * to the load/store unit, "lsu", "banks" of shared memory or "memory", and "back". An
 * instruction that had not issued when the run ended is flushed.
 */
#include "track/track_priv.h"

#include <inttypes.h>
#include <stdlib.h>

enum step_kind { STEP_BEGIN, STEP_STAGE, STEP_LEAVE, STEP_RETIRE };

struct step { /* of an instruction */
    uint64_t cycle;
    uint32_t id;  /* of the instruction in the file */
    uint32_t seq; /* among its steps */
    const char *stage;
    enum step_kind kind;
};

struct steps {
    struct step *at;
    uint32_t n, max;
    uint32_t seq;
};

static void add(struct steps *s, enum step_kind kind, uint64_t cycle, uint32_t id,
                const char *stage)
{
    if (s->n == s->max) {
        s->max = s->max == 0 ? 1024 : 2 * s->max;
        s->at = tb_realloc(s->at, s->max * sizeof(s->at[0]));
    }
    s->at[s->n++] = (struct step){cycle, id, s->seq++, stage, kind};
}

/* It is in the stage from one cycle to before another. */
static void add_stage(struct steps *s, uint32_t id, const char *stage, uint64_t from,
                      uint64_t to)
{
    if (from < to) {
        add(s, STEP_STAGE, from, id, stage);
        add(s, STEP_LEAVE, to, id, stage);
    }
}

static uint64_t between(uint64_t v, uint64_t low, uint64_t high)
{
    return v < low ? low : v > high ? high : v;
}

/* From its issue on. */
static void add_way(struct steps *s, const struct track_inst *x, uint32_t id,
                    uint64_t end)
{
    uint64_t at = x->issue + 1 < end ? x->issue + 1 : end;
    uint64_t lsu = between(x->at[MEM_AT_LSU], at, end);
    uint64_t banks = between(x->at[MEM_AT_BANKS], lsu, end);
    uint64_t served = between(x->at[MEM_AT_SERVED], banks, end);

    add_stage(s, id, "issue", x->issue, at);
    if (x->at[MEM_AT_ISSUE] == 0) {
        add_stage(s, id, x->waiting > 0 ? "memory" : "X", at, end);
        return;
    }
    add_stage(s, id, "queue", at, lsu);
    if (x->at[MEM_AT_BANKS] != 0) {
        add_stage(s, id, "lsu", lsu, banks);
        add_stage(s, id, "banks", banks, served);
    } else {
        add_stage(s, id, "memory", lsu, served);
    }
    /* of several accesses, one may be answered and another not */
    add_stage(s, id, x->waiting > 0 ? "memory" : "back", served, end);
}

/* ---- the order of the file ---- */

struct place { /* of an instruction in the file */
    uint64_t begin;
    uint32_t inst;
};

static int by_begin(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    return x->inst < y->inst ? -1 : x->inst > y->inst;
}

static int by_cycle(const void *a, const void *b)
{
    const struct step *x = a, *y = b;

    if (x->cycle != y->cycle) {
        return x->cycle < y->cycle ? -1 : 1;
    }
    if (x->id != y->id) {
        return x->id < y->id ? -1 : 1;
    }
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* What a warp that has exited came to last is no instruction. */
static bool is_shown(const struct track *r, const struct track_inst *x, bool waited)
{
    return x->issue != TRACK_NEVER ||
           (waited && r->block.at[x->block].end == TRACK_NEVER);
}

/* The instructions that are shown, in the order of the file. id: by instruction. */
static struct place *order(const struct track *r, uint32_t *id, uint32_t *n)
{
    struct place *p = tb_alloc((r->inst.n + 1) * sizeof(p[0]));
    bool *waited = tb_alloc(r->inst.n + 1);

    for (uint32_t i = 0; i < r->wait.n; i++) {
        waited[r->wait.at[i].inst] = true;
    }
    *n = 0;
    for (uint32_t i = 0; i < r->inst.n; i++) {
        id[i] = TRACK_NONE;
        if (is_shown(r, &r->inst.at[i], waited[i])) {
            p[(*n)++] = (struct place){r->inst.at[i].begin, i};
        }
    }
    qsort(p, *n, sizeof(p[0]), by_begin);
    for (uint32_t i = 0; i < *n; i++) {
        id[p[i].inst] = i;
    }
    free(waited);
    return p;
}

static void collect(const struct track *r, const struct place *p, uint32_t n,
                    const uint32_t *id, struct steps *s)
{
    for (uint32_t i = 0; i < n; i++) {
        add(s, STEP_BEGIN, p[i].begin, i, NULL);
    }
    for (uint32_t i = 0; i < r->wait.n; i++) {
        const struct track_wait *w = &r->wait.at[i];

        if (id[w->inst] != TRACK_NONE) {
            add_stage(s, id[w->inst], track_state(r, w->state), w->from, w->to);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct track_inst *x = &r->inst.at[p[i].inst];
        uint64_t end = track_until(r, x->done);

        end = x->issue != TRACK_NEVER && end <= x->issue ? x->issue + 1 : end;
        if (x->issue != TRACK_NEVER) {
            add_way(s, x, i, end);
        }
        add(s, STEP_RETIRE, end, i, NULL);
    }
    qsort(s->at, s->n, sizeof(s->at[0]), by_cycle);
}

/* ---- lines ---- */

static void label(const struct track *r, const struct track_inst *x, uint32_t id,
                  struct text *out)
{
    const struct track_block *b = &r->block.at[x->block];
    struct track_text t;

    track_text(r, x->block, x->pc, &t);
    text_add(out, "L\t%" PRIu32 "\t0\t%" PRIu64 ".%" PRIu32 ": %s  %s\n", id, b->index,
             track_rank(b, x->warp), t.inst.text, t.line);
    text_add(out, "L\t%" PRIu32 "\t1\tblock %" PRIu64 ", warp %" PRIu32 ", %s warp%02u",
             id, b->index, track_rank(b, x->warp), r->sm[x->sm].module->name, x->warp);
    if (x->issue != TRACK_NEVER) {
        text_add(out, ", lanes %08" PRIx32, x->lanes);
    }
    if (x->planned && track_is_shared(x->space)) {
        text_add(out, ", %" PRIu32 " wavefronts (ideally %" PRIu32 ")", x->wavefronts,
                 x->ideal);
    } else if (x->planned) {
        text_add(out, ", %" PRIu32 " sectors", x->sectors);
    }
    text_add(out, "\n");
}

static void begin(const struct track *r, const struct track_inst *x, uint32_t inst,
                  uint32_t id, struct text *out)
{
    const struct track_block *b = &r->block.at[x->block];
    uint32_t thread = r->plan.lane == TRACK_BY_BLOCK
                          ? x->block
                          : b->first_warp + track_rank(b, x->warp);

    text_add(out, "I\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\n", id, inst, thread);
    label(r, x, id, out);
}

static void print(const struct track *r, const struct place *p, const struct steps *s,
                  struct text *out)
{
    uint64_t cycle = s->n > 0 ? s->at[0].cycle : 0;
    uint32_t retired = 0;

    text_add(out, "Kanata\t0004\nC=\t%" PRIu64 "\n", cycle);
    for (uint32_t i = 0; i < s->n; i++) {
        const struct step *t = &s->at[i];
        const struct track_inst *x = &r->inst.at[p[t->id].inst];

        if (t->cycle != cycle) {
            text_add(out, "C\t%" PRIu64 "\n", t->cycle - cycle);
            cycle = t->cycle;
        }
        switch (t->kind) {
        case STEP_BEGIN: begin(r, x, p[t->id].inst, t->id, out); break;
        case STEP_STAGE:
            text_add(out, "S\t%" PRIu32 "\t0\t%s\n", t->id, t->stage);
            break;
        case STEP_LEAVE:
            text_add(out, "E\t%" PRIu32 "\t0\t%s\n", t->id, t->stage);
            break;
        case STEP_RETIRE:
            text_add(out, "R\t%" PRIu32 "\t%" PRIu32 "\t%d\n", t->id, retired++,
                     x->issue == TRACK_NEVER);
            break;
        }
    }
}

void track_pipeline(const struct track *r, struct text *out)
{
    uint32_t *id = tb_alloc((r->inst.n + 1) * sizeof(id[0]));
    struct steps s = {0};
    uint32_t n;
    struct place *p = order(r, id, &n);

    collect(r, p, n, id, &s);
    print(r, p, &s, out);
    free(s.at);
    free(p);
    free(id);
}
