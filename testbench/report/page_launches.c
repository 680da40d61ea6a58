/* page_launches.c - the launches of a run, side by side: page_launches() of
 * page_priv.h. */
#include "report/page_priv.h"

enum { MAX_LAUNCHES = 2000 /* in the table */ };

static void block_text(const json_t *a, struct text *out)
{
    size_t n = json_array_size(a);

    while (n > 1 && json_integer_value(json_array_get(a, n - 1)) == 1) {
        n--;
    }
    for (size_t i = 0; i < n; i++) {
        text_add(out, "%s%lld", i == 0 ? "" : "\xc3\x97",
                 (long long)json_integer_value(json_array_get(a, i)));
    }
}

static void put_launch(struct run_page *p, size_t i, double longest)
{
    const json_t *k = json_array_get(p->kernels, i);
    double cycles = page_counter(p, i, "cycles");
    double hits = page_counter(p, i, "l1.ld.hit_sectors");
    struct text label = {0}, shape = {0};

    page_label(p, i, &label);
    block_text(json_object_get(k, "grid"), &shape);
    text_add(&shape, " \xc2\xb7 ");
    block_text(json_object_get(k, "block"), &shape);
    html_row(p->out);
    html_cell(p->out, label.s);
    if (!json_is_true(json_object_get(k, "complete"))) {
        text_add(p->out, " <span class=\"bad\">(not complete)</span>");
    }
    text_add(p->out, "<td class=\"nowrap\">");
    html_text(p->out, shape.s);
    text_add(p->out, "<td class=\"num share\" style=\"--p:%.1f%%\">",
             longest > 0 ? 100 * cycles / longest : 0);
    html_number(p->out, cycles, 6);
    html_cell_number(p->out, cycles > 0 ? page_counter(p, i, "warp_insts") / cycles : 0,
                     3);
    html_cell_percent(p->out, page_counter(p, i, "sm.warp_cycles"),
                      page_counter(p, i, "sm.active_cycles") * p->max_warps);
    html_cell_number(p->out, page_shared(p, i, "wavefronts"), 6);
    html_cell_number(p->out, page_shared(p, i, "conflicts"), 6);
    html_cell_percent(p->out,
                      page_counter(p, i, "global.ld.wanted_bytes") +
                          page_counter(p, i, "global.st.wanted_bytes"),
                      page_counter(p, i, "global.ld.bytes") +
                          page_counter(p, i, "global.st.bytes"));
    html_cell_percent(p->out, hits, hits + page_counter(p, i, "l1.ld.miss_sectors"));
    html_cell_percent(p->out, page_counter(p, i, "l2.read.hit_sectors"),
                      page_counter(p, i, "l2.read.sectors"));
    html_cell_number(p->out,
                     page_counter(p, i, "dram.read.bytes") +
                         page_counter(p, i, "dram.write.bytes"),
                     6);
    text_free(&label);
    text_free(&shape);
}

void page_launches(struct run_page *p)
{
    static const struct html_column c[] = {
        {"Launch", NULL, false},
        {"Grid \xc2\xb7 block", NULL, false},
        {"Cycles", "of the SM clock, from the launch to its last store", true},
        {"IPC", "warp instructions per cycle, of all SMs", true},
        {"Warps", "achieved occupancy: resident warps of those an SM could hold", true},
        {"Wavefronts", "passes through the banks of shared memory", true},
        {"Conflicts", "of those, passes that bank conflicts add", true},
        {"Coalescing", "bytes that lanes wanted of the bytes that moved", true},
        {"L1 hits", "sectors of loads", true},
        {"L2 hits", "sectors read", true},
        {"DRAM bytes", "read and written", true}};
    double longest = 0;

    html_section(p->out, "launches", "Launches", NULL);
    for (size_t i = 0; i < p->n; i++) {
        double cycles = page_counter(p, i, "cycles");

        longest = cycles > longest ? cycles : longest;
    }
    html_table(p->out, "t-launches", "Launches in their order", c, ARRAY_LEN(c),
               p->n > 1 ? HTML_TALL : HTML_PLAIN);
    for (size_t i = 0; i < p->n && i < MAX_LAUNCHES; i++) {
        put_launch(p, i, longest);
    }
    html_table_end(p->out);
    if (p->n > MAX_LAUNCHES) {
        text_add(
            p->out,
            "<p class=\"note\">The first %d of %zu launches; stats.json has all.</p>\n",
            (int)MAX_LAUNCHES, p->n);
    }
    html_section_end(p->out);
}
