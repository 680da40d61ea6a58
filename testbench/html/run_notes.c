/* run_notes.c - what stands out in a run, in a few sentences: page_notes() of run_page.h. */
#include "html/run_page.h"

#include <string.h>

/* The line whose conflicts, or extra sectors, are the most. */
struct worst {
    const json_t *row; /* its first instruction */
    double excess, least, all;
    double degree; /* the largest */
};

static const json_t *place(const json_t *row)
{
    const json_t *at = json_object_get(row, "source");

    return at != NULL ? at : json_object_get(row, "ptx");
}

static void add_line(const struct run_page *p, const char *space, const char *is,
                     const char *least, struct worst *w)
{
    const json_t *launch, *row;
    size_t i, k;

    json_array_foreach(json_object_get(p->explain, "kernels"), i, launch)
    {
        json_array_foreach(json_object_get(launch, "instructions"), k, row)
        {
            double degree = page_number(row, "worst_degree");

            if (strcmp(page_text(row, "space"), space) == 0 &&
                json_equal(place(row), place(w->row))) {
                w->excess += page_number(row, is) - page_number(row, least);
                w->least += page_number(row, least);
                w->degree = degree > w->degree ? degree : w->degree;
            }
        }
    }
}

static void look(const struct run_page *p, const char *space, const char *is,
                 const char *least, struct worst *w)
{
    const json_t *launch, *row;
    size_t i, k;

    json_array_foreach(json_object_get(p->explain, "kernels"), i, launch)
    {
        json_array_foreach(json_object_get(launch, "instructions"), k, row)
        {
            double excess = page_number(row, is) - page_number(row, least);
            struct worst one = {.row = row};

            if (strcmp(page_text(row, "space"), space) != 0 || excess <= 0) {
                continue;
            }
            w->all += excess;
            add_line(p, space, is, least, &one);
            if (one.excess > w->excess) {
                one.all = w->all;
                *w = one;
            }
        }
    }
}

static void put_place(struct run_page *p, const json_t *row)
{
    const json_t *at = place(row);

    text_add(p->out, "<strong>");
    html_text(p->out, page_text(at, "file"));
    text_add(p->out, ":%.0f</strong>", page_number(at, "line"));
}

static void note_conflicts(struct run_page *p)
{
    struct worst w = {0};
    double wavefronts = 0;

    look(p, "shared", "wavefronts", "ideal_wavefronts", &w);
    for (size_t i = 0; i < p->n; i++) {
        wavefronts += page_shared(p, i, "wavefronts");
    }
    if (w.row == NULL) {
        return;
    }
    text_add(p->out, "<li>Bank conflicts are ");
    html_percent(p->out, w.all, wavefronts);
    text_add(p->out, " of the wavefronts of shared memory; ");
    html_percent(p->out, w.excess, w.all);
    text_add(p->out, " of them come from ");
    put_place(p, w.row);
    text_add(p->out, ", at worst %.0f-way.</li>\n", w.degree);
}

static void note_sectors(struct run_page *p)
{
    struct worst w = {0};

    look(p, "global", "sectors", "ideal_sectors", &w);
    if (w.row == NULL || w.excess < 0.1 * w.least) {
        return;
    }
    text_add(p->out, "<li>Global memory: ");
    put_place(p, w.row);
    text_add(p->out,
             " moves %.2f times the sectors that would hold what it asks for.</li>\n",
             (w.least + w.excess) / w.least);
}

static void note_cycles(struct run_page *p)
{
    static const char *const keys[] = {"issue", "pipe", "latency", "memory", "barrier"};
    static const char *const words[] = {
        "issued", "had a warp ready whose pipe or turn was not there",
        "waited for an operand or a branch", "waited for memory",
        "had all its warps at a barrier"};
    double sum[ARRAY_LEN(keys)] = {0}, all = 0;
    size_t most = 0;

    for (size_t k = 0; k < ARRAY_LEN(keys); k++) {
        const json_t *v;
        size_t i;

        json_array_foreach(json_object_get(p->profile, keys[k]), i, v)
        {
            sum[k] += json_number_value(v);
        }
        all += sum[k];
        most = k > 0 && (most == 0 || sum[k] > sum[most]) ? k : most;
    }
    if (all == 0) {
        return;
    }
    text_add(p->out, "<li>An SM with work issued in ");
    html_percent(p->out, sum[0], all);
    text_add(p->out, " of its cycles; in ");
    html_percent(p->out, sum[most], all);
    text_add(p->out, " it %s.</li>\n", words[most]);
}

static void note_occupancy(struct run_page *p)
{
    size_t least = p->n;
    double share = 0.9;

    for (size_t i = 0; i < p->n; i++) {
        double active = page_counter(p, i, "sm.active_cycles") * p->max_warps;
        double was = active > 0 ? page_counter(p, i, "sm.warp_cycles") / active : 1;

        if (was < share) {
            share = was;
            least = i;
        }
    }
    if (least < p->n) {
        const json_t *counters =
            json_object_get(json_array_get(p->kernels, least), "counters");
        struct text label = {0};

        page_label(p, least, &label);
        text_add(p->out, "<li><strong>");
        html_text(p->out, label.s);
        text_add(p->out, "</strong> keeps ");
        html_percent(p->out, share, 1);
        text_add(p->out,
                 " of the warps of an SM resident; %.0f block%s would fit, limited "
                 "by ",
                 page_number(counters, "occupancy.blocks_per_sm"),
                 page_number(counters, "occupancy.blocks_per_sm") == 1 ? "" : "s");
        html_text(p->out, page_text(counters, "occupancy.limiter"));
        text_add(p->out, ", and the launch has %.0f.</li>\n",
                 page_number(counters, "blocks"));
        text_free(&label);
    }
}

void page_notes(struct run_page *p)
{
    text_add(p->out, "<ul class=\"points\">\n");
    note_cycles(p);
    note_conflicts(p);
    note_sectors(p);
    note_occupancy(p);
    text_add(p->out, "</ul>\n");
}
