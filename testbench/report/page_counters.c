/* page_counters.c - occupancy, and all counters with what they mean: page_occupancy()
 * and page_counters() of page_priv.h. */
#include "report/page_priv.h"

#include "stat/counters.h"
#include <string.h>

enum { LOOKED_AT = 1000 /* launches, for different needs */ };

/* ---- occupancy ---- */

/* Launches of the same block and need have one answer: the first speaks for all. */
static bool same_need(const struct run_page *p, size_t i, size_t k)
{
    const json_t *a = json_array_get(p->kernels, i), *b = json_array_get(p->kernels, k);

    return strcmp(page_text(a, "name"), page_text(b, "name")) == 0 &&
           json_equal(json_object_get(a, "block"), json_object_get(b, "block")) &&
           page_number(a, "shared_bytes") == page_number(b, "shared_bytes") &&
           page_number(a, "regs") == page_number(b, "regs") &&
           page_counter(p, i, "onchip.shared_kb") ==
               page_counter(p, k, "onchip.shared_kb");
}

static void limit_row(struct run_page *p, const char *name, double has, double takes,
                      uint32_t blocks, bool limits)
{
    text_add(p->out, "\n<tr%s><th scope=\"row\">%s%s</th>",
             limits ? " class=\"limits\"" : "", name, limits ? " (limits)" : "");
    html_cell_number(p->out, has, 6);
    html_cell_number(p->out, takes, 6);
    if (blocks == UINT32_MAX) {
        text_add(p->out, "<td class=\"num zero\">any");
    } else {
        html_cell_count(p->out, blocks);
    }
}

static void put_limits(struct run_page *p, size_t i, const char *limiter)
{
    static const struct html_column c[] = {{"Resource", NULL, false},
                                           {"On an SM", NULL, true},
                                           {"A block takes", NULL, true},
                                           {"Blocks it allows", NULL, true}};
    const json_t *k = json_array_get(p->kernels, i),
                 *block = json_object_get(k, "block");
    struct launch_need need = {.threads = 1};
    uint32_t split = (uint32_t)page_counter(p, i, "onchip.shared_kb");
    struct launch_fit fit;
    char id[32];

    for (size_t d = 0; d < 3; d++) {
        double v = json_number_value(json_array_get(block, d));

        need.threads *= v >= 1 && v < 65536 ? (uint32_t)v : 1;
    }
    need.warps = (need.threads + ISA_LANES - 1) / ISA_LANES;
    need.regs = (uint32_t)page_count(k, "regs");
    need.shared_bytes = (uint32_t)page_count(k, "shared_bytes");
    if (p->device.rules == NULL || need.threads > p->device.rules->max_threads) {
        return;
    }
    fit = launch_occupancy(p->device.rules, p->device.max_blocks, p->device.max_warps,
                           split, &need);
    if (fit.blocks != (uint32_t)page_counter(p, i, "occupancy.blocks_per_sm")) {
        return; /* something the folder does not tell, such as reserved memory */
    }
    snprintf(id, sizeof(id), "t-occupancy%zu", i);
    html_table(p->out, id, "What limits the blocks on an SM", c, ARRAY_LEN(c),
               HTML_PLAIN);
    limit_row(p, "blocks", p->device.max_blocks, 1, fit.by_blocks,
              strcmp(limiter, "blocks") == 0);
    limit_row(p, "warps", p->device.max_warps, need.warps, fit.by_warps,
              strcmp(limiter, "warps") == 0);
    limit_row(p, "registers", p->device.rules->regs,
              (double)launch_block_regs(p->device.rules, &need), fit.by_regs,
              strcmp(limiter, "registers") == 0);
    limit_row(p, "shared bytes", split * 1024.0, fit.shared_alloc, fit.by_shared,
              strcmp(limiter, "shared memory") == 0);
    html_table_end(p->out);
}

/* Resident warps of those an SM could hold: what fits, and what was there on
 * average. */
static void put_bar(struct run_page *p, double fits, double was)
{
    struct chart c = {.left = 8,
                      .top = 6,
                      .width = 500,
                      .height = 22,
                      .x = {0, p->max_warps, false},
                      .y = {0, 1, false}};

    chart_open(p->out, 520, 72, 300, "Resident warps of an SM", NULL);
    text_add(
        p->out,
        "<rect class=\"s-idle\" x=\"8\" y=\"6\" width=\"500\" height=\"22\"/><rect "
        "class=\"s-pipe\" x=\"8\" y=\"6\" width=\"%.1f\" height=\"22\"/><rect "
        "class=\"s-issue\" x=\"8\" y=\"11\" width=\"%.1f\" height=\"12\"/>\n",
        chart_x(&c, fits) - c.left, chart_x(&c, was) - c.left);
    chart_x_axis(p->out, &c, 8, "warps of an SM", true);
    chart_close(p->out);
}

static void put_occupancy(struct run_page *p, size_t i)
{
    const json_t *k = json_array_get(p->kernels, i);
    const char *limiter =
        page_text(json_object_get(k, "counters"), "occupancy.limiter");
    double blocks = page_counter(p, i, "occupancy.blocks_per_sm");
    double active = page_counter(p, i, "sm.active_cycles"), threads = 1;
    double was = active > 0 ? page_counter(p, i, "sm.warp_cycles") / active : 0, fits;
    uint64_t warps; /* of a block */
    struct text label = {0};

    for (size_t d = 0; d < 3; d++) {
        threads *= json_number_value(json_array_get(json_object_get(k, "block"), d));
    }
    warps = ((uint64_t)threads + 31) / 32;
    fits = blocks * (double)warps;
    page_label(p, i, &label);
    text_add(p->out, "<div><h3>");
    html_text(p->out, label.s);
    text_add(p->out,
             "</h3>\n<p class=\"note\">%.0f block%s of %.0f threads fit on an SM, "
             "%.0f of %u warps (",
             blocks, blocks == 1 ? "" : "s", threads, fits, p->max_warps);
    html_percent(p->out, fits, p->max_warps);
    text_add(p->out, "), limited by <strong>");
    html_text(p->out, limiter);
    text_add(p->out, "</strong>. On average %.1f warps were resident (", was);
    html_percent(p->out, was, p->max_warps);
    text_add(p->out, "). On-chip array: %.0f&nbsp;KB shared, %.0f&nbsp;KB L1.</p>\n",
             page_counter(p, i, "onchip.shared_kb"),
             page_counter(p, i, "onchip.l1_kb"));
    if (p->max_warps > 0) {
        put_bar(p, fits, was);
    }
    put_limits(p, i, limiter);
    text_add(p->out, "</div>\n");
    text_free(&label);
}

void page_occupancy(struct run_page *p)
{
    static const struct chart_key keys[] = {
        {"s-issue", "warps resident on average, while an SM had a block"},
        {"s-pipe", "warps that fit"}};
    size_t shown = 0;

    html_section(p->out, "occupancy", "Occupancy", NULL);
    chart_legend(p->out, keys, ARRAY_LEN(keys));
    text_add(p->out, "<div class=\"grid2\">\n");
    for (size_t i = 0; i < p->n && i < LOOKED_AT && shown < PAGE_MAX_LAUNCHES; i++) {
        bool seen = false;

        for (size_t k = 0; k < i && !seen; k++) {
            seen = same_need(p, i, k);
        }
        if (!seen) {
            put_occupancy(p, i);
            shown++;
        }
    }
    text_add(p->out, "</div>\n");
    html_section_end(p->out);
}

/* ---- counters ---- */

struct group {
    const char *prefix, *title; /* of counters whose names begin so */
};

/* In the order of the table, in which groups lie together. */
static const struct group groups[] = {{"branch.", "Control flow"},
                                      {"barrier.", "Control flow"},
                                      {"shared.ld", "Shared memory"},
                                      {"shared.st", "Shared memory"},
                                      {"shared.atom", "Shared memory"},
                                      {"global.", "Global memory"},
                                      {"local.", "Local and constant memory"},
                                      {"const.", "Local and constant memory"},
                                      {"l1.", "L1"},
                                      {"texture.", "Textures"},
                                      {"l2.", "L2"},
                                      {"dram.", "DRAM"},
                                      {"sm.", "Issue and residency"},
                                      {"stall.", "Why warps did not issue"},
                                      {"occupancy.", "Occupancy"},
                                      {"onchip.", "Occupancy"},
                                      {"", "Work"}};

static const char *group_of(const char *name)
{
    size_t i = 0;

    while (strncmp(name, groups[i].prefix, strlen(groups[i].prefix)) != 0) {
        i++;
    }
    return groups[i].title;
}

static void put_counter(struct run_page *p, const struct stat_desc *d, size_t shown)
{
    bool zero = true;

    for (size_t i = 0; i < shown; i++) {
        zero = zero && page_counter(p, i, d->name) == 0;
    }
    text_add(p->out, "\n<tr%s><th scope=\"row\"><code>%s</code></th>",
             zero ? " data-zero" : "", d->name);
    for (size_t i = 0; i < shown; i++) {
        html_cell_count(p->out, (uint64_t)page_counter(p, i, d->name));
    }
    html_cell(p->out, d->unit);
    text_add(p->out, "<td class=\"meaning\">");
    html_text(p->out, d->doc);
    if (d->rule[0] != '\0') {
        text_add(p->out, " <span class=\"nowrap\">(%s)</span>", d->rule);
    }
}

static void put_groups(struct run_page *p, size_t shown)
{
    const char *group = NULL;

    for (uint32_t k = 0; k < stat_table_size; k++) {
        const char *own = group_of(stat_table[k].name);

        if (stat_is_stall(stat_table[k].name) &&
            !page_has_counter(p, 0, stat_table[k].name)) {
            continue;
        }

        if (group == NULL || strcmp(group, own) != 0) {
            text_add(p->out,
                     "%s\n<tr><th scope=\"rowgroup\" colspan=\"%zu\">%s</th></tr>",
                     group == NULL ? "" : "</tbody>\n<tbody>", shown + 3, own);
            group = own;
        }
        put_counter(p, &stat_table[k], shown);
    }
}

void page_counters(struct run_page *p)
{
    struct html_column c[3 + PAGE_MAX_LAUNCHES] = {{"Counter", NULL, false}};
    struct text label[PAGE_MAX_LAUNCHES] = {{0}};
    size_t shown = p->n < PAGE_MAX_LAUNCHES ? p->n : PAGE_MAX_LAUNCHES;

    html_section(p->out, "counters", "Counters",
                 "All of stats.json, with what each counts; in brackets the rule of "
                 "model/SPEC.md by which it does.");
    if (shown < p->n) {
        text_add(p->out, "<p class=\"note\">The first %zu of %zu launches.</p>\n",
                 shown, p->n);
    }
    text_add(
        p->out,
        "<div class=\"tools\" data-table=\"t-counters\" hidden><input type=\"search\" "
        "placeholder=\"filter: shared ld\" aria-label=\"Filter counters\"><label>"
        "<input type=\"checkbox\"> counters that are 0</label><output></output>"
        "</div>\n");
    for (size_t i = 0; i < shown; i++) {
        page_label(p, i, &label[i]);
        c[1 + i] = (struct html_column){label[i].s, NULL, true};
    }
    c[1 + shown] = (struct html_column){"Unit", NULL, false};
    c[2 + shown] = (struct html_column){"What it counts", NULL, false};
    html_table(p->out, "t-counters", "Counters of each launch", c, shown + 3,
               HTML_PLAIN);
    put_groups(p, shown);
    html_table_end(p->out);
    html_section_end(p->out);
    for (size_t i = 0; i < shown; i++) {
        text_free(&label[i]);
    }
}
