/* What kernels need with all they call: frames, local memory, registers. */
#include "ptx/lower_priv.h"

struct sums {
    uint32_t *slots, *preds, *local, *regs; /* of each component, callees included */
    bool *zero, *recursive;
};

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t capped(uint64_t v)
{
    return v > PTX_MAX_VAR ? PTX_MAX_VAR : (uint32_t)v;
}

/* What the real machine code of one function may take: see ptx.h on regs. */
static uint32_t estimate(const struct ptx_fn_info *fi)
{
    return fi->max_words + PTX_REGS_EXTRA;
}

static void add_component(struct ptx_lower *w, struct sums *s, uint32_t first,
                          uint32_t end)
{
    const struct ptx_graph *const g = &w->graph;
    const uint32_t c = g->scc[g->order[first]];
    uint64_t slots = 0, preds = 0, local = 0;

    for (uint32_t i = first; i < end; i++) {
        const uint32_t fn = g->order[i];
        const struct ptx_ir *const f = w->pr->fn[fn];
        const struct ptx_fn_info *const fi = ptx_info(w, fn);

        for (uint32_t k = 0; k < f->n_callee; k++) {
            const uint32_t d = g->scc[f->callee[k]];

            if (d != c) {
                s->slots[c] = larger(s->slots[c], s->slots[d]);
                s->preds[c] = larger(s->preds[c], s->preds[d]);
                s->local[c] = larger(s->local[c], s->local[d]);
                s->regs[c] = larger(s->regs[c], s->regs[d]);
                s->zero[c] |= s->zero[d];
                s->recursive[c] |= s->recursive[d];
            }
        }
        s->recursive[c] |= g->recursive[fn];
        s->zero[c] |= fi->live.zero_first;
        s->regs[c] = larger(s->regs[c], f->is_defined ? estimate(fi) : 0);
        slots += f->is_defined ? fi->slots.n_slots : fi->area;
        preds += fi->slots.n_preds;
        local += (f->local_bytes + 15) & ~15u;
    }
    local *= g->recursive[g->order[first]] ? PTX_RECURSION_DEPTH : 1;
    s->slots[c] = capped(s->slots[c] + slots);
    s->preds[c] = capped(s->preds[c] + preds);
    s->local[c] = capped(s->local[c] + local);
}

static void finish_kernels(struct ptx_lower *w, const struct sums *s)
{
    for (uint32_t i = 0; i < w->m->n_kernels; i++) {
        struct ptx_kernel *const k = &w->m->kernels[i];
        const uint32_t fn = w->pr->kernel_fn[i], c = w->graph.scc[fn];
        const uint32_t max = w->pr->fn[fn]->maxnreg;

        k->n_slots = w->info[fn].slots.n_slots;
        k->n_preds = w->info[fn].slots.n_preds;
        k->frame_slots = s->slots[c];
        k->frame_preds = s->preds[c];
        k->local_bytes = s->local[c];
        k->recursive = s->recursive[c];
        k->zero_first = s->zero[c];
        k->regs = s->regs[c] + (w->pr->fn[fn]->n_callee > 0 ? PTX_REGS_CALLS : 0);
        k->regs = max != 0 && k->regs > max ? max : k->regs;
    }
}

void ptx_sum_up(struct ptx_lower *w)
{
    const uint32_t n = w->pr->n_fn;
    const size_t bytes = (n + 1) * sizeof(uint32_t);
    struct sums s;

    s.slots = arena_alloc(w->a, bytes);
    s.preds = arena_alloc(w->a, bytes);
    s.local = arena_alloc(w->a, bytes);
    s.regs = arena_alloc(w->a, bytes);
    s.zero = arena_alloc(w->a, n + 1);
    s.recursive = arena_alloc(w->a, n + 1);
    for (uint32_t i = 0; i < n;) {
        uint32_t end = i + 1;

        while (end < n &&
               w->graph.scc[w->graph.order[end]] == w->graph.scc[w->graph.order[i]]) {
            end++;
        }
        if (w->graph.reached[w->graph.order[i]]) {
            add_component(w, &s, i, end);
        }
        i = end;
    }
    finish_kernels(w, &s);
}

static bool is_reached_function(const struct ptx_lower *w, uint32_t fn)
{
    return w->graph.reached[fn] && !w->pr->fn[fn]->is_kernel;
}

/* SPEC SIMT-2. One that is too large will be refused. */
void ptx_fit_frames(struct ptx_lower *w)
{
    struct ptx_frame frame = {1, 0};

    for (uint32_t fn = 0; fn < w->pr->n_fn; fn++) {
        const struct ptx_fn_info *const fi =
            is_reached_function(w, fn) ? ptx_info(w, fn) : NULL;

        if (fi != NULL && fi->slots.n_slots + fi->area <= PTX_MAX_REFS) {
            frame.words = larger(frame.words, fi->area);
            ptx_frame_add(&frame, &fi->slots);
        }
    }
    w->frame = frame;
    for (uint32_t fn = 0; fn < w->pr->n_fn; fn++) {
        if (is_reached_function(w, fn) && w->pr->fn[fn]->is_defined &&
            w->info[fn].slots.n_slots + w->info[fn].area <= PTX_MAX_REFS) {
            ptx_frame_fit(&frame, w->pr->run[fn], &w->info[fn].slots);
        }
    }
}
