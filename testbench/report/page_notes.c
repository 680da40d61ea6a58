/* page_notes.c - what stands out in a run, in a few sentences: page_notes() of
 * page_priv.h. */
#include "report/page_priv.h"

#include <stdlib.h>
#include <string.h>

/* What a line of the source, of all launches together, costs beyond the least. */
struct line {
    const json_t *at; /* file and line */
    double excess, least;
    double degree; /* the largest */
};

static const json_t *place(const json_t *row)
{
    const json_t *at = json_object_get(row, "source");

    return at != NULL ? at : json_object_get(row, "ptx");
}

static int compare_places(const json_t *a, const json_t *b)
{
    double x = page_number(a, "line"), y = page_number(b, "line");
    int order = strcmp(page_text(a, "file"), page_text(b, "file"));

    return order != 0 ? order : x < y ? -1 : x > y;
}

static int by_place(const void *a, const void *b)
{
    return compare_places(((const struct line *)a)->at, ((const struct line *)b)->at);
}

/* The instructions of a space that cost more than the least; the caller frees. */
static struct line *lines_of(const struct run_page *p, const char *space,
                             const char *is, const char *least, size_t *n)
{
    const json_t *launch, *row;
    struct line *lines = NULL;
    size_t i, k;

    *n = 0;
    json_array_foreach(json_object_get(p->explain, "kernels"), i, launch)
    {
        json_array_foreach(json_object_get(launch, "instructions"), k, row)
        {
            double excess = page_number(row, is) - page_number(row, least);

            if (strcmp(page_text(row, "space"), space) != 0 || excess <= 0) {
                continue;
            }
            if ((*n & (*n - 1)) == 0) { /* 0 or a power of two: full */
                lines = tb_realloc(lines, (*n == 0 ? 1 : 2 * *n) * sizeof(*lines));
            }
            lines[(*n)++] = (struct line){place(row), excess, page_number(row, least),
                                          page_number(row, "worst_degree")};
        }
    }
    return lines;
}

/* The line that costs most, what all cost into *all; at NULL: none costs too much. */
static struct line look(const struct run_page *p, const char *space, const char *is,
                        const char *least, double *all)
{
    struct line worst = {0}, *lines;
    size_t n;

    lines = lines_of(p, space, is, least, &n);
    *all = 0;
    if (n > 0) {
        qsort(lines, n, sizeof(*lines), by_place);
    }
    for (size_t i = 0, end; i < n; i = end) {
        struct line sum = lines[i];

        for (end = i + 1; end < n && by_place(&lines[i], &lines[end]) == 0; end++) {
            sum.excess += lines[end].excess;
            sum.least += lines[end].least;
            sum.degree =
                lines[end].degree > sum.degree ? lines[end].degree : sum.degree;
        }
        *all += sum.excess;
        worst = sum.excess > worst.excess ? sum : worst;
    }
    free(lines);
    return worst;
}

static void put_place(struct run_page *p, const json_t *at)
{
    text_add(p->out, "<strong>");
    html_text(p->out, page_text(at, "file"));
    text_add(p->out, ":%.0f</strong>", page_number(at, "line"));
}

static void note_conflicts(struct run_page *p)
{
    double wavefronts = 0, all;
    struct line w = look(p, "shared", "wavefronts", "ideal_wavefronts", &all);

    for (size_t i = 0; i < p->n; i++) {
        wavefronts += page_shared(p, i, "wavefronts");
    }
    if (w.at == NULL) {
        return;
    }
    text_add(p->out, "<li>Bank conflicts are ");
    html_percent(p->out, all, wavefronts);
    text_add(p->out, " of the wavefronts of shared memory; ");
    html_percent(p->out, w.excess, all);
    text_add(p->out, " of them come from ");
    put_place(p, w.at);
    text_add(p->out, ", at worst %.0f-way.</li>\n", w.degree);
}

static void note_sectors(struct run_page *p)
{
    double all;
    struct line w = look(p, "global", "sectors", "ideal_sectors", &all);

    if (w.at == NULL || w.excess < 0.1 * w.least) {
        return;
    }
    text_add(p->out, "<li>Global memory: ");
    put_place(p, w.at);
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
        text_add(p->out, ", and the launch has %.0f", page_number(counters, "blocks"));
        if (p->sms > 0) {
            text_add(p->out, " for %.0f SM%s", p->sms, p->sms == 1 ? "" : "s");
        }
        text_add(p->out, ".</li>\n");
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
