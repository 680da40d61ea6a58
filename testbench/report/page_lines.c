/* page_lines.c - the memory instructions of a run, by line: page_lines() of
 * page_priv.h. */
#include "report/page_priv.h"

#include <stdlib.h>
#include <string.h>

/* The text of a source line, "" if the profile does not have it. */
static const char *source_text(const struct run_page *p, const json_t *place)
{
    const char *file = page_text(place, "file");
    double line = page_number(place, "line");
    const json_t *s;
    size_t i;

    json_array_foreach(json_object_get(p->profile, "sources"), i, s)
    {
        if (page_number(s, "line") == line && strcmp(page_text(s, "file"), file) == 0) {
            return page_text(s, "text");
        }
    }
    return "";
}

void page_inlined(struct run_page *p, const json_t *o)
{
    const json_t *at;
    size_t i;

    json_array_foreach(json_object_get(o, "inlined_at"), i, at)
    {
        text_add(p->out, ", inlined at ");
        html_text(p->out, page_text(at, "file"));
        text_add(p->out, ":%.0f", page_number(at, "line"));
    }
}

void page_inlined_below(struct run_page *p, const json_t *o)
{
    const json_t *at;
    size_t i;

    json_array_foreach(json_object_get(o, "inlined_at"), i, at)
    {
        text_add(p->out, "<span class=\"sub folds\">inlined at ");
        html_name(p->out, page_text(at, "file"));
        text_add(p->out, ":%.0f</span>", page_number(at, "line"));
    }
}

static void put_place(struct run_page *p, const json_t *row)
{
    const json_t *source = json_object_get(row, "source");
    const json_t *ptx = json_object_get(row, "ptx");

    text_add(p->out, "<td class=\"place\" data-v=\"%.0f\">",
             page_number(source != NULL ? source : ptx, "line"));
    if (source != NULL) {
        html_name(p->out, page_text(source, "file"));
        text_add(p->out, ":%.0f", page_number(source, "line"));
        page_inlined_below(p, row);
        text_add(p->out, "<span class=\"sub\">PTX %.0f</span>",
                 page_number(ptx, "line"));
    } else {
        html_name(p->out, page_text(ptx, "file"));
        text_add(p->out, ":%.0f", page_number(ptx, "line"));
    }
}

static void put_what(struct run_page *p, const json_t *row)
{
    const json_t *source = json_object_get(row, "source");
    const char *text = source == NULL ? "" : source_text(p, source);

    if (text[0] != '\0') {
        html_cell_code(p->out, text);
        text_add(p->out, "<span class=\"sub\"><code>");
        html_text(p->out, page_text(row, "instruction"));
        text_add(p->out, "</code></span>");
    } else {
        html_cell_code(p->out, page_text(row, "instruction"));
    }
}

static void put_kind(struct run_page *p, size_t launch, const json_t *row)
{
    text_add(p->out, "<td class=\"nowrap\">");
    html_text(p->out, page_text(row, "op"));
    text_add(p->out, ", %.0f&nbsp;B", page_number(row, "bytes"));
    if (p->n > 1) {
        struct text label = {0};

        page_label(p, launch, &label);
        text_add(p->out, "<span class=\"sub folds\">");
        html_name(p->out, label.s);
        text_add(p->out, "</span>");
        text_free(&label);
    }
}

/* A count, and a line below it as long as its share of all. */
static void put_share(struct run_page *p, double v, double all)
{
    text_add(p->out, "<td class=\"num%s\" style=\"--p:%.1f%%\" data-v=\"%.0f\">",
             v > 0 ? " share" : " zero", all > 0 ? 100 * v / all : 0, v);
    html_number(p->out, v, 6);
}

static void put_degrees(struct run_page *p, const json_t *row)
{
    const json_t *d;
    size_t i, n = json_array_size(json_object_get(row, "degrees"));

    text_add(p->out, "<td class=\"num\" data-v=\"%.0f\">",
             page_number(row, "worst_degree"));
    text_add(p->out, "%.0f", page_number(row, "worst_degree"));
    if (n < 2) {
        return;
    }
    text_add(p->out, "<span class=\"sub\">");
    json_array_foreach(json_object_get(row, "degrees"), i, d)
    {
        if (i < 3 || i + 1 == n) {
            text_add(p->out, "%s%.0f&times;%.0f", i == 0 ? "" : ", ",
                     page_number(d, "executions"), page_number(d, "degree"));
        } else if (i == 3) {
            text_add(p->out, " &hellip;");
        }
    }
    text_add(p->out, "</span>");
}

/* Sum of a figure over the instructions of a space; *n counts them. */
static double sum(const struct run_page *p, const char *space, const char *key,
                  size_t *n)
{
    const json_t *launch, *row;
    double all = 0;
    size_t i, k;

    *n = 0;
    json_array_foreach(json_object_get(p->explain, "kernels"), i, launch)
    {
        json_array_foreach(json_object_get(launch, "instructions"), k, row)
        {
            if (strcmp(page_text(row, "space"), space) == 0) {
                all += page_number(row, key);
                (*n)++;
            }
        }
    }
    return all;
}

static void put_shared_row(struct run_page *p, size_t launch, const json_t *row,
                           double all)
{
    double times = page_number(row, "executions");

    html_row(p->out);
    put_place(p, row);
    put_what(p, row);
    put_kind(p, launch, row);
    html_cell_number(p->out, times, 6);
    html_cell_number(p->out, page_number(row, "wavefronts"), 6);
    html_cell_number(p->out, page_number(row, "ideal_wavefronts"), 6);
    put_share(p, page_number(row, "excess_wavefronts"), all);
    html_cell_number(p->out, times > 0 ? page_number(row, "wavefronts") / times : 0, 3);
    put_degrees(p, row);
}

static void put_global_row(struct run_page *p, size_t launch, const json_t *row,
                           double all)
{
    double sectors = page_number(row, "sectors"),
           ideal = page_number(row, "ideal_sectors");
    double times = page_number(row, "executions");

    html_row(p->out);
    put_place(p, row);
    put_what(p, row);
    put_kind(p, launch, row);
    html_cell_number(p->out, times, 6);
    html_cell_number(p->out, page_number(row, "requests"), 6);
    html_cell_number(p->out, sectors, 6);
    html_cell_number(p->out, ideal, 6);
    put_share(p, sectors > ideal ? sectors - ideal : 0, all);
    html_cell_number(p->out, times > 0 ? sectors / times : 0, 3);
    html_cell_percent(p->out, ideal < sectors ? ideal : sectors, sectors);
}

/* A row of a table: an instruction of a launch and its place among all. */
struct row {
    const json_t *o;
    size_t launch, order;
    double excess; /* what it cost beyond the least */
};

static int by_excess(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    if (x->excess != y->excess) {
        return x->excess > y->excess ? -1 : 1;
    }
    return x->order < y->order ? -1 : 1;
}

/* All n rows of a space, those that cost most first: a table shows its first rows, the
 * others are scrolled to. */
static void put_rows(struct run_page *p, const char *space, size_t n, double all,
                     void (*put)(struct run_page *, size_t, const json_t *, double))
{
    struct row *rows = tb_alloc(n * sizeof(rows[0]));
    const json_t *launch, *o;
    size_t i, k, at = 0;

    json_array_foreach(json_object_get(p->explain, "kernels"), i, launch)
    {
        json_array_foreach(json_object_get(launch, "instructions"), k, o)
        {
            double sectors =
                page_number(o, "sectors") - page_number(o, "ideal_sectors");

            if (strcmp(page_text(o, "space"), space) == 0) {
                rows[at] = (struct row){.o = o, .launch = i, .order = at};
                rows[at].excess = strcmp(space, "shared") == 0
                                      ? page_number(o, "excess_wavefronts")
                                      : (sectors > 0 ? sectors : 0);
                at++;
            }
        }
    }
    qsort(rows, n, sizeof(rows[0]), by_excess);
    for (i = 0; i < n; i++) {
        put(p, rows[i].launch, rows[i].o, all);
    }
    free(rows);
}

static void put_shared(struct run_page *p)
{
    static const struct html_column c[] = {
        {"Line", NULL, false},
        {"Source", NULL, false},
        {"Access", NULL, false},
        {"Executions", "by warps with an active lane", true},
        {"Wavefronts", "passes through the banks", true},
        {"Ideal", "passes without any conflict", true},
        {"Conflicts", "wavefronts beyond the ideal", true},
        {"Each", "wavefronts per execution", true},
        {"Worst", "largest degree; below: executions by degree", true}};
    size_t rows;
    double all = sum(p, "shared", "excess_wavefronts", &rows);

    text_add(p->out, "<h3>Shared memory</h3>\n");
    if (rows == 0) {
        text_add(p->out, "<p class=\"note\">No instruction of this run accesses shared "
                         "memory.</p>\n");
        return;
    }
    html_table(p->out, "t-shared", "Shared-memory instructions by source line", c,
               ARRAY_LEN(c), HTML_TALL);
    put_rows(p, "shared", rows, all, put_shared_row);
    html_table_end(p->out);
}

static void put_global(struct run_page *p, const char *space, const char *id,
                       const char *title)
{
    static const struct html_column c[] = {
        {"Line", NULL, false},
        {"Source", NULL, false},
        {"Access", NULL, false},
        {"Executions", "by warps with an active lane", true},
        {"Requests", "of warps, as the coalescer counts them", true},
        {"Sectors", "of 32 bytes, that are touched", true},
        {"Ideal", "the least number that holds the bytes asked for", true},
        {"Extra", "sectors beyond the ideal", true},
        {"Each", "sectors per execution", true},
        {"Efficiency", "ideal of actual sectors", true}};
    size_t rows;
    double all =
        sum(p, space, "sectors", &rows) - sum(p, space, "ideal_sectors", &rows);

    if (rows == 0) {
        return;
    }
    text_add(p->out, "<h3>%s</h3>\n", title);
    html_table(p->out, id, title, c, ARRAY_LEN(c), HTML_TALL);
    put_rows(p, space, rows, all, put_global_row);
    html_table_end(p->out);
}

void page_lines(struct run_page *p)
{
    html_section(
        p->out, "lines", "Memory instructions",
        "What each line of the source asked of memory, and what it cost beyond "
        "the least that would do, the dearest first. Sums over the lines are the "
        "counters.");
    if (p->explain == NULL) {
        text_add(
            p->out,
            "<p class=\"box more\">Not recorded. <code>smwave run TARGET "
            "--profile</code> (or <code>--explain N</code>) adds this table.</p>\n");
        html_section_end(p->out);
        return;
    }
    put_shared(p);
    put_global(p, "global", "t-global", "Global memory");
    put_global(p, "local", "t-local", "Local memory");
    html_section_end(p->out);
}
