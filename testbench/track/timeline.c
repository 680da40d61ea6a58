/*
 * timeline.c - timeline.json: the Trace Event Format, JSON object form, as Perfetto and
 * chrome://tracing read it.
 *
 * Process 0 is the GPU: its threads are the launches, a slice each; its curves are
 * those of the memory behind the SMs. Process n + 1 is SM n. Its threads are the slots
 * of warps: a slice for the block that is there, in it one for each instruction that
 * issues and for each wait, with the instruction that waits; and two units, shared
 * memory and the load/store unit, with a slice for each request. A barrier that is
 * completed is an instant. One cycle of the SM clock is one microsecond.
 */
#include "track/track_priv.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of threads behind those of warps. */
enum { THREAD_SHARED = 100, THREAD_LSU, THREAD_BARRIER };

struct writer {
    struct text *out;
    bool any;
};

static void put(struct writer *w, json_t *event)
{
    char *s = json_dumps(event, JSON_COMPACT | JSON_PRESERVE_ORDER);

    if (s != NULL) {
        text_add(w->out, "%s\n%s", w->any ? "," : "", s);
        w->any = true;
    }
    free(s);
    json_decref(event);
}

/* "process_name", "thread_name" ... of a process or, with thread >= 0, of a thread. */
static void name(struct writer *w, uint32_t pid, int thread, const char *text)
{
    json_t *e = json_pack("{s:s, s:s, s:I, s:{s:s}}", "ph", "M", "name",
                          thread < 0 ? "process_name" : "thread_name", "pid",
                          (json_int_t)pid, "args", "name", text);

    if (thread >= 0) {
        json_object_set_new(e, "tid", json_integer(thread));
    }
    put(w, e);
}

static json_t *slice(const char *text, uint32_t pid, uint32_t tid, uint64_t from,
                     uint64_t to)
{
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I}", "ph", "X", "name", text, "pid",
                     (json_int_t)pid, "tid", (json_int_t)tid, "ts", (json_int_t)from,
                     "dur", (json_int_t)(to - from));
}

/* ---- slices ---- */

static uint64_t cycle_of(const struct track *r, uint64_t ps)
{
    return sim_cycle_of(r->clock, ps);
}

static void put_launches(struct track *r, struct writer *w)
{
    uint32_t n = smw_results(r->device);
    struct smw_result k;

    name(w, 0, -1, "gpu");
    for (uint32_t i = 0; i < n && smw_result(r->device, i, &k); i++) {
        char text[64];
        uint64_t from = cycle_of(r, k.start_ps);
        json_t *e;

        if (!k.started) {
            continue;
        }
        (void)snprintf(text, sizeof(text), "launch %" PRIu32, i);
        name(w, 0, (int)i, text);
        e = slice(k.kernel, 0, i, from, k.finished ? cycle_of(r, k.end_ps) : r->end);
        json_object_set_new(e, "args",
                            json_pack("{s:[I,I,I], s:[I,I,I]}", "grid",
                                      (json_int_t)k.grid[0], (json_int_t)k.grid[1],
                                      (json_int_t)k.grid[2], "block",
                                      (json_int_t)k.block[0], (json_int_t)k.block[1],
                                      (json_int_t)k.block[2]));
        put(w, e);
    }
}

/* Names of SMs that ran blocks, and of their threads. */
static void put_names(const struct track *r, struct writer *w)
{
    uint64_t *slots = tb_alloc((r->n_sms + 1) * sizeof(slots[0]));

    for (uint32_t i = 0; i < r->block.n; i++) {
        slots[r->block.at[i].sm] |= r->block.at[i].slots;
    }
    for (uint32_t i = 0; i < r->n_sms; i++) {
        char text[64];

        if (slots[i] == 0) {
            continue;
        }
        name(w, i + 1, -1, r->sm[i].module->name);
        for (uint64_t m = slots[i]; m != 0; m &= m - 1) {
            (void)snprintf(text, sizeof(text), "warp%02d", __builtin_ctzll(m));
            name(w, i + 1, __builtin_ctzll(m), text);
        }
        name(w, i + 1, THREAD_SHARED, "shared memory");
        name(w, i + 1, THREAD_LSU, "load/store unit");
        name(w, i + 1, THREAD_BARRIER, "barriers");
    }
    free(slots);
}

/* A block on each of its warps. */
static void put_blocks(const struct track *r, struct writer *w)
{
    for (uint32_t i = 0; i < r->block.n; i++) {
        const struct track_block *b = &r->block.at[i];
        uint64_t end = track_until(r, b->end);

        if (end < r->plan.from || b->begin >= r->cut) {
            continue;
        }
        for (uint64_t m = b->slots; m != 0; m &= m - 1) {
            uint8_t warp = (uint8_t)__builtin_ctzll(m);
            char text[96];

            (void)snprintf(text, sizeof(text), "block %" PRIu64 ", warp %" PRIu32,
                           b->index, track_rank(b, warp));
            put(w, slice(text, b->sm + 1, warp, b->begin, end));
        }
    }
}

static json_t *place(const struct track *r, uint32_t block, uint32_t pc)
{
    struct track_text t;

    track_text(r, block, pc, &t);
    return json_pack("{s:s, s:s}", "inst", t.inst.text, "line", t.line);
}

static void put_insts(const struct track *r, struct writer *w)
{
    for (uint32_t i = 0; i < r->inst.n; i++) {
        const struct track_inst *x = &r->inst.at[i];
        struct track_text t;
        json_t *e, *args;

        if (x->issue == TRACK_NEVER) {
            continue;
        }
        track_text(r, x->block, x->pc, &t);
        t.inst.text[strcspn(t.inst.text, " ")] = '\0';
        e = slice(t.inst.text, x->sm + 1, x->warp, x->issue, x->issue + 1);
        args = place(r, x->block, x->pc);
        if (x->done != TRACK_NEVER) {
            json_object_set_new(args, "result after",
                                json_integer((json_int_t)(x->done - x->issue)));
        }
        json_object_set_new(e, "args", args);
        put(w, e);
    }
    for (uint32_t i = 0; i < r->wait.n; i++) {
        const struct track_wait *x = &r->wait.at[i];
        const struct track_inst *for_inst = &r->inst.at[x->inst];
        json_t *e = slice(track_state(r, x->state), for_inst->sm + 1, for_inst->warp,
                          x->from, x->to);

        json_object_set_new(e, "args", place(r, for_inst->block, for_inst->pc));
        put(w, e);
    }
}

static void put_accesses(const struct track *r, struct writer *w)
{
    for (uint32_t i = 0; i < r->access.n; i++) {
        const struct track_access *x = &r->access.at[i];
        bool shared = track_is_shared(x->space);
        char text[64];
        json_t *e, *args;

        if (shared && x->wavefronts > x->ideal) {
            (void)snprintf(text, sizeof(text), "%s, %" PRIu32 " wavefronts",
                           track_op(x->op), x->wavefronts);
        } else {
            (void)snprintf(text, sizeof(text), "%s %s", track_space(x->space),
                           track_op(x->op));
        }
        e = slice(text, x->sm + 1, shared ? THREAD_SHARED : THREAD_LSU, x->from, x->to);
        args = place(r, x->block, x->pc);
        json_object_set_new(args, "warp", json_integer(x->warp));
        if (shared) {
            json_object_set_new(args, "wavefronts", json_integer(x->wavefronts));
            json_object_set_new(args, "ideal", json_integer(x->ideal));
        } else {
            json_object_set_new(args, "requests", json_integer(x->requests));
            json_object_set_new(args, "sectors", json_integer(x->sectors));
        }
        json_object_set_new(e, "args", args);
        put(w, e);
    }
}

/* ---- curves and instants ---- */

/* "part0.l2 queue": below the root, or below its SM. */
static void counter_name(const struct sim_probe *p, bool in_sm, char *buf, size_t size)
{
    char path[160];
    const char *s = path, *dot;

    sim_path(p->module, path, sizeof(path));
    for (int i = 0; i < (in_sm ? 2 : 1); i++) {
        dot = strchr(s, '.');
        s = dot != NULL ? dot + 1 : "";
    }
    (void)snprintf(buf, size, "%s%s%s", s, s[0] != '\0' ? " " : "",
                   p->desc->label != NULL ? p->desc->label : p->desc->name);
}

static void put_samples(struct track *r, struct writer *w)
{
    for (uint32_t i = 0; i < r->sample.n; i++) {
        const struct track_sample *x = &r->sample.at[i];
        const struct track_probe *is = &r->probe[x->probe->id];
        char text[256];

        if (is->kind == TRACK_EVENT) {
            put(w, json_pack("{s:s, s:s, s:s, s:I, s:i, s:I}", "ph", "i", "s", "t",
                             "name", "barrier completed", "pid", (json_int_t)is->sm,
                             "tid", THREAD_BARRIER, "ts", (json_int_t)x->cycle));
            continue;
        }
        counter_name(x->probe, is->sm != 0, text, sizeof(text));
        put(w, json_pack("{s:s, s:s, s:I, s:I, s:{s:I}}", "ph", "C", "name", text,
                         "pid", (json_int_t)is->sm, "ts", (json_int_t)x->cycle, "args",
                         x->probe->desc->unit != NULL ? x->probe->desc->unit : "value",
                         (json_int_t)x->value));
    }
}

void track_timeline(struct track *r, struct text *out)
{
    struct writer w = {.out = out};

    text_add(out,
             "{\"displayTimeUnit\": \"ns\",\n\"otherData\": {\"tool\": \"smwave "
             "%s\", \"time\": \"1 us is 1 cycle of the SM clock\"},\n"
             "\"traceEvents\": [",
             smw_version());
    put_launches(r, &w);
    put_names(r, &w);
    put_blocks(r, &w);
    put_insts(r, &w);
    put_accesses(r, &w);
    put_samples(r, &w);
    text_add(out, "\n]}\n");
}
