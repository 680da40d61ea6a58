/* page_stalls.c - why warps did not issue: page_stalls() of page_priv.h. */
#include "report/page_priv.h"

#include "stat/counters.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_PLACES = 40 /* in the table */ };

/* A row per reason that any launch has, its share of the launch's warp-cycles. */
static void put_reasons(struct run_page *p, size_t shown)
{
    struct html_column c[2 + PAGE_MAX_LAUNCHES] = {{"Reason", NULL, false}};
    struct text label[PAGE_MAX_LAUNCHES] = {{0}};

    for (size_t i = 0; i < shown; i++) {
        page_label(p, i, &label[i]);
        c[1 + i] = (struct html_column){label[i].s, "of its warp-cycles", true};
    }
    c[1 + shown] = (struct html_column){"A warp", NULL, false};
    html_table(p->out, "t-stalls", "Shares of stall reasons by launch", c, shown + 2,
               HTML_SORTED);
    for (uint32_t k = 0; k < stat_table_size; k++) {
        const struct stat_desc *d = &stat_table[k];
        double most = 0;

        for (size_t i = 0; i < shown && stat_is_stall(d->name); i++) {
            double v = page_counter(p, i, d->name);

            most = v > most ? v : most;
        }
        if (most == 0) {
            continue;
        }
        html_row(p->out);
        html_cell_code(p->out, d->name + 6);
        for (size_t i = 0; i < shown; i++) {
            double all = page_counter(p, i, "sm.warp_cycles");
            double share = all > 0 ? 100 * page_counter(p, i, d->name) / all : 0;

            text_add(p->out,
                     "<td class=\"num share\" style=\"--p:%.1f%%\" data-v=\"%.3f\">"
                     "%.1f %%",
                     share, share, share);
        }
        text_add(p->out, "<td class=\"meaning\">");
        /* The first of them says of what all are counts: here the heads do. */
        html_text(p->out,
                  strcmp(d->name, "stall.selected") == 0 ? "... issued" : d->doc);
    }
    html_table_end(p->out);
    for (size_t i = 0; i < shown; i++) {
        text_free(&label[i]);
    }
}

struct place {
    const json_t *o;
    size_t launch, order;
    double waited;
    const char *why; /* the largest reason */
};

/* What is in the object besides the place: warp-cycles by reason. */
static struct place place_of(const json_t *o, size_t launch)
{
    struct place at = {.o = o, .launch = launch, .why = ""};
    double most = 0;

    for (uint32_t k = 0; k < stat_table_size; k++) {
        double v = stat_is_stall(stat_table[k].name)
                       ? page_number(o, stat_table[k].name + 6)
                       : 0;

        if (strcmp(stat_table[k].name, "stall.selected") == 0) {
            continue;
        }
        at.waited += v;
        if (v > most) {
            most = v;
            at.why = stat_table[k].name + 6;
        }
    }
    return at;
}

static int by_wait(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->waited != y->waited) {
        return x->waited > y->waited ? -1 : 1;
    }
    return x->order < y->order ? -1 : 1; /* as the launches and instructions are */
}

static void put_place(struct run_page *p, const struct place *at)
{
    const json_t *source = json_object_get(at->o, "source");
    const json_t *where = source != NULL ? source : json_object_get(at->o, "ptx");
    double all = page_counter(p, at->launch, "sm.warp_cycles");
    struct text label = {0};

    page_label(p, at->launch, &label);
    html_row(p->out);
    html_cell(p->out, label.s);
    text_add(p->out, "<td class=\"place\" data-v=\"%.0f\">",
             page_number(where, "line"));
    html_name(p->out, page_text(where, "file"));
    text_add(p->out, ":%.0f", page_number(where, "line"));
    page_inlined_below(p, at->o);
    html_cell_code(p->out, page_text(at->o, "instruction"));
    html_cell_number(p->out, at->waited, 6);
    html_cell_percent(p->out, at->waited, all);
    html_cell_code(p->out, at->why);
    text_free(&label);
}

/* The instructions that warps waited longest to issue, which --explain records. */
static void put_places(struct run_page *p)
{
    static const struct html_column c[] = {
        {"Launch", NULL, false},
        {"Line", NULL, false},
        {"Instruction", "that could not issue", false},
        {"Warp-cycles", NULL, true},
        {"Share", "of the launch's warp-cycles", true},
        {"Mostly", "the reason of most of them", false}};
    const json_t *kernels = json_object_get(p->explain, "kernels"), *k, *o;
    struct place *at = NULL;
    size_t n = 0, i, j;

    json_array_foreach(kernels, i, k)
    {
        const json_t *stalls = json_object_get(k, "stalls");

        at = tb_realloc(at, (n + json_array_size(stalls) + 1) * sizeof(at[0]));
        json_array_foreach(stalls, j, o)
        {
            at[n] = place_of(o, i);
            at[n].order = n;
            n += at[n].waited > 0 && i < p->n;
        }
    }
    if (n != 0) {
        qsort(at, n, sizeof(at[0]), by_wait);
        text_add(p->out, "<h3>Instructions</h3>\n");
        html_table(p->out, "t-waits", "Instructions that warps waited longest to issue",
                   c, ARRAY_LEN(c), HTML_TALL);
        for (i = 0; i < n && i < MAX_PLACES; i++) {
            put_place(p, &at[i]);
        }
        html_table_end(p->out);
    } else {
        text_add(p->out, "<p class=\"box more\"><code>smwave run TARGET --explain"
                         "</code> adds at which instructions.</p>\n");
    }
    free(at);
}

void page_stalls(struct run_page *p)
{
    size_t shown = p->n < PAGE_MAX_LAUNCHES ? p->n : PAGE_MAX_LAUNCHES;

    if (!page_has_counter(p, 0, "stall.selected")) {
        html_section(
            p->out, "stalls", "Why warps did not issue",
            "It was not counted: a point of a sweep counts it only if a column "
            "names a counter stall.*.");
        html_section_end(p->out);
        return;
    }
    html_section(p->out, "stalls", "Why warps did not issue",
                 "Each cycle of each resident warp has one reason, named as the "
                 "vendor's profiler names them.");
    if (shown < p->n) {
        text_add(p->out, "<p class=\"note\">The first %zu of %zu launches.</p>\n",
                 shown, p->n);
    }
    put_reasons(p, shown);
    put_places(p);
    html_section_end(p->out);
}
