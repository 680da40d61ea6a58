/* The call graph: recursion, local and shared memory. */
#include "ptx/lower_priv.h"

#include <string.h>

/* Tarjan's algorithm without recursion. */
struct tarjan {
    const struct ptx_private *pr;
    struct ptx_graph *g;
    uint32_t *index, *low, *stack, *path, *at;
    bool *on_stack;
    uint32_t n_stack, n_path, next, n_order;
};

static void open_node(struct tarjan *t, uint32_t fn)
{
    t->index[fn] = t->low[fn] = ++t->next;
    t->stack[t->n_stack++] = fn;
    t->on_stack[fn] = true;
    t->path[t->n_path++] = fn;
    t->at[fn] = 0;
}

static void close_node(struct tarjan *t, uint32_t fn)
{
    uint32_t top;

    t->n_path--;
    if (t->n_path > 0) {
        const uint32_t up = t->path[t->n_path - 1];

        t->low[up] = t->low[fn] < t->low[up] ? t->low[fn] : t->low[up];
    }
    if (t->low[fn] != t->index[fn]) {
        return;
    }
    do {
        top = t->stack[--t->n_stack];
        t->on_stack[top] = false;
        t->g->scc[top] = t->g->n_scc;
        t->g->order[t->n_order++] = top;
    } while (top != fn);
    t->g->n_scc++;
}

static void visit(struct tarjan *t, uint32_t root)
{
    open_node(t, root);
    while (t->n_path > 0) {
        const uint32_t fn = t->path[t->n_path - 1];
        const struct ptx_ir *const f = t->pr->fn[fn];

        if (t->at[fn] == f->n_callee) {
            close_node(t, fn);
            continue;
        }
        const uint32_t next = f->callee[t->at[fn]++];
        if (t->index[next] == 0) {
            open_node(t, next);
        } else if (t->on_stack[next] && t->index[next] < t->low[fn]) {
            t->low[fn] = t->index[next];
        }
    }
}

static void components(struct arena *a, const struct ptx_private *pr,
                       struct ptx_graph *g)
{
    const size_t bytes = (pr->n_fn + 1) * sizeof(uint32_t);
    struct tarjan t = {.pr = pr, .g = g};

    t.index = arena_alloc(a, bytes);
    t.low = arena_alloc(a, bytes);
    t.stack = arena_alloc(a, bytes);
    t.path = arena_alloc(a, bytes);
    t.at = arena_alloc(a, bytes);
    t.on_stack = arena_alloc(a, pr->n_fn + 1);
    for (uint32_t i = 0; i < pr->n_fn; i++) {
        if (t.index[i] == 0) {
            visit(&t, i);
        }
    }
}

static uint32_t up16(uint32_t v)
{
    return (v + 15) & ~15u;
}

/* Callees come first in order: what they have reaches their callers. Members of one
 * component share everything, hence the second round. */
static void upwards(const struct ptx_private *pr, struct ptx_graph *g)
{
    for (uint32_t round = 0; round < 2; round++) {
        bool local = false, shared = false;

        for (uint32_t i = 0, first = 0; i < pr->n_fn; i++) {
            const uint32_t fn = g->order[i];
            const struct ptx_ir *const f = pr->fn[fn];
            const bool ends =
                i + 1 == pr->n_fn || g->scc[g->order[i + 1]] != g->scc[fn];

            local |= f->local_bytes > 0;
            shared |= f->n_shared > 0;
            for (uint32_t k = 0; k < f->n_callee; k++) {
                local |= g->needs_local[f->callee[k]];
                shared |= g->shared[f->callee[k]];
                g->recursive[fn] |= g->scc[f->callee[k]] == g->scc[fn];
            }
            if (ends) {
                for (; first <= i; first++) {
                    g->needs_local[g->order[first]] = local;
                    g->shared[g->order[first]] = shared;
                }
                local = false;
                shared = false;
            }
        }
    }
}

/* Callers come first: whose local variables have a place of their own, and where. */
static void downwards(const struct ptx_private *pr, struct ptx_graph *g)
{
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = pr->n_fn; i > 0; i--) {
            const uint32_t fn = g->order[i - 1];
            const struct ptx_ir *const f = pr->fn[fn];
            const uint32_t next = g->local_at[fn] + up16(f->local_bytes);

            g->reached[fn] |= f->is_kernel && f->is_defined;
            g->dynamic[fn] |= g->needs_local[fn] && g->recursive[fn];
            for (uint32_t k = 0; k < f->n_callee; k++) {
                const uint32_t c = f->callee[k];

                g->reached[c] |= g->reached[fn];
                g->dynamic[c] |= g->dynamic[fn] && g->needs_local[c];
                if (!g->dynamic[c] && g->local_at[c] < next) {
                    g->local_at[c] = next;
                }
            }
        }
    }
}

void ptx_graph_build(struct arena *a, const struct ptx_private *pr, struct ptx_graph *g)
{
    const size_t n = pr->n_fn + 1;

    memset(g, 0, sizeof(*g));
    g->scc = arena_alloc(a, n * sizeof(g->scc[0]));
    g->order = arena_alloc(a, n * sizeof(g->order[0]));
    g->local_at = arena_alloc(a, n * sizeof(g->local_at[0]));
    g->recursive = arena_alloc(a, n);
    g->needs_local = arena_alloc(a, n);
    g->dynamic = arena_alloc(a, n);
    g->shared = arena_alloc(a, n);
    g->reached = arena_alloc(a, n);
    components(a, pr, g);
    upwards(pr, g);
    downwards(pr, g);
}
