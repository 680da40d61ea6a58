/* page_advice.c - what could be done, and how near the launches are to what the device
 * can do: page_advice() and page_roofline() of page_priv.h. */
#include "report/page_priv.h"

#include <math.h>

/* ---- advice ---- */

/* "5,257 cycles, 3,476 without this: 1.51 times as fast." */
static void put_gain(struct run_page *p, const json_t *item)
{
    const double cycles = page_number(item, "cycles");
    const double without = page_number(item, "cycles_without");

    if (without > 0) {
        text_add(p->out, " ");
        html_number(p->out, cycles, 6);
        text_add(p->out, " cycles, <strong>");
        html_number(p->out, without, 6);
        text_add(p->out, " without this</strong>: %.2f times as fast.",
                 cycles / without);
    }
}

static void put_item(struct run_page *p, size_t launch, const json_t *item)
{
    struct text label = {0};

    text_add(p->out, "<li><strong>");
    html_text(p->out, page_text(item, "place"));
    page_inlined(p, item);
    text_add(p->out, "</strong> <code>");
    html_text(p->out, page_text(item, "rule"));
    text_add(p->out, "</code>");
    if (p->n > 1) {
        page_label(p, launch, &label);
        text_add(p->out, ", ");
        html_text(p->out, label.s);
        text_free(&label);
    }
    text_add(p->out, ": ");
    html_text(p->out, page_text(item, "what"));
    text_add(p->out, ". ");
    html_text(p->out, page_text(item, "why"));
    put_gain(p, item);
    text_add(p->out, " <em>");
    html_text(p->out, page_text(item, "fix"));
    text_add(p->out, "</em></li>\n");
}

void page_advice(struct run_page *p)
{
    const json_t *launch, *item;
    size_t i, k, n = 0;

    html_section(p->out, "advice", "Advice",
                 "What the rules found, line by line. Where a number of cycles without "
                 "the cost stands, the launch was run again with it spared: "
                 "<code>--explain</code>, or <code>--gains N</code>.");
    if (p->explain == NULL) {
        text_add(p->out, "<p class=\"box more\">Not recorded. <code>smwave run TARGET "
                         "--explain 0</code> adds this table.</p>\n");
        html_section_end(p->out);
        return;
    }
    json_array_foreach(json_object_get(p->explain, "kernels"), i, launch)
    {
        n += json_array_size(json_object_get(launch, "advice"));
    }
    if (n == 0) {
        text_add(p->out, "<p class=\"note\">No rule found anything.</p>\n");
        html_section_end(p->out);
        return;
    }
    text_add(p->out, "<ul class=\"points\">\n");
    json_array_foreach(json_object_get(p->explain, "kernels"), i, launch)
    {
        json_array_foreach(json_object_get(launch, "advice"), k, item)
        {
            put_item(p, i, item);
        }
    }
    text_add(p->out, "</ul>\n");
    html_section_end(p->out);
}

/* ---- the roofline ---- */

struct roof {
    double bytes, insts; /* peaks: DRAM bytes and thread instructions, 10^9 a second */
};

struct point {
    double x, y; /* thread instructions per DRAM byte; 10^9 of them a second */
    size_t launch;
};

/* Points of the first launches that have all that it takes; how many. *none: launches
 * among them that moved no bytes of DRAM. */
static size_t points_of(const struct run_page *p, struct point at[PAGE_MAX_LAUNCHES],
                        size_t *none)
{
    size_t n = 0;

    *none = 0;
    for (size_t i = 0; i < p->n && n < PAGE_MAX_LAUNCHES; i++) {
        double bytes = page_counter(p, i, "dram.read.bytes") +
                       page_counter(p, i, "dram.write.bytes");
        double insts = page_counter(p, i, "thread_insts");
        double cycles = page_counter(p, i, "cycles");

        *none += bytes == 0 && insts > 0;
        if (bytes > 0 && insts > 0 && cycles > 0) {
            at[n++] =
                (struct point){insts / bytes, insts / cycles * p->clock_mhz / 1000, i};
        }
    }
    return n;
}

static struct chart chart_for(const struct roof *r, const struct point *at, size_t n)
{
    double ridge = r->insts / r->bytes, left = ridge, right = ridge, low = r->insts;

    for (size_t i = 0; i < n; i++) {
        left = at[i].x < left ? at[i].x : left;
        right = at[i].x > right ? at[i].x : right;
        low = at[i].y < low ? at[i].y : low;
    }
    return (struct chart){.left = PAGE_LEFT,
                          .top = 28,
                          .width = PAGE_WIDTH - PAGE_LEFT - PAGE_RIGHT,
                          .height = 260,
                          .x = {pow(10, floor(log10(left / 2))),
                                pow(10, ceil(log10(right * 2))), true},
                          .y = {pow(10, floor(log10(low / 2))),
                                pow(10, ceil(log10(r->insts * 1.01))), true}};
}

static void put_roof(struct run_page *p, const struct chart *c, const struct roof *r)
{
    const double ridge = r->insts / r->bytes;
    double from = c->x.lo, y = from * r->bytes;

    if (y < c->y.lo) {
        from = c->y.lo / r->bytes;
        y = c->y.lo;
    }
    text_add(p->out,
             "<path class=\"line stroke c1\" d=\"M%.1f %.1fL%.1f %.1fH%.1f\"/>\n",
             chart_x(c, from), chart_y(c, y), chart_x(c, ridge), chart_y(c, r->insts),
             c->left + c->width);
}

/* Words that stand in the picture, and where. */
struct words {
    double left[PAGE_MAX_LAUNCHES], right[PAGE_MAX_LAUNCHES], y[PAGE_MAX_LAUNCHES];
    size_t n;
};

static bool is_free(const struct words *w, double left, double right, double y)
{
    for (size_t i = 0; i < w->n; i++) {
        if (left < w->right[i] && right > w->left[i] && fabs(y - w->y[i]) < 14) {
            return false;
        }
    }
    return true;
}

/* The nearest free height to y, between top and bottom if there is one. */
static double free_height(const struct words *w, double left, double right, double y,
                          const struct chart *c)
{
    for (size_t i = 1; i < 2 * (size_t)PAGE_MAX_LAUNCHES; i++) {
        const size_t rows = i / 2;
        double away = 14.0 * (double)rows, at = i % 2 == 1 ? y - away : y + away;

        if (at > c->top + 12 && at < c->top + c->height - 4 &&
            is_free(w, left, right, at)) {
            return at;
        }
    }
    return y;
}

/* Words beside the point; where others stand there, above or below them, with a line
 * between. */
static void put_point(struct run_page *p, const struct chart *c, const struct roof *r,
                      const struct point *at, struct words *w)
{
    const double roof = at->x * r->bytes < r->insts ? at->x * r->bytes : r->insts;
    const double x = chart_x(c, at->x), y = chart_y(c, at->y);
    const bool before = x > c->left + 0.7 * c->width;
    const double from = x + (before ? -14 : 14);
    double wide, height;
    struct text word = {0};

    page_label(p, at->launch, &word);
    text_add(&word, ": %.0f %% of its roof", 100 * at->y / roof);
    wide = 7 * (double)word.n; /* no less than it is */
    w->left[w->n] = before ? from - wide : from;
    w->right[w->n] = w->left[w->n] + wide;
    height = free_height(w, w->left[w->n], w->right[w->n], y, c);
    w->y[w->n++] = height;
    if (height != y) {
        text_add(p->out, "<path class=\"base\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", x, y,
                 x + (before ? -12 : 12), height);
    }
    text_add(p->out, "<circle class=\"dot c2\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n", x,
             y);
    chart_word(p->out, from, height + 4, before ? "end" : "start", "tick", word.s);
    text_free(&word);
}

void page_roofline(struct run_page *p)
{
    struct point at[PAGE_MAX_LAUNCHES];
    const struct roof r = {p->dram_gb, p->issue_rate * p->clock_mhz / 1000};
    struct words words = {.n = 0};
    size_t none;
    const size_t n = points_of(p, at, &none);
    struct chart c;

    html_section(
        p->out, "roofline", "Roofline",
        "Each launch by what it does for a byte of DRAM, and how fast. It cannot be "
        "above the line: to the left the DRAM limits it, to the right the schedulers.");
    if (n == 0 || r.bytes <= 0 || r.insts <= 0) {
        text_add(p->out, "<p class=\"note\">%s</p>\n",
                 n == 0 ? "No launch moved bytes of DRAM."
                        : "The configuration does not say what the device can do.");
        html_section_end(p->out);
        return;
    }
    text_add(p->out,
             "<p class=\"note\">Peaks, by the configuration: %.0f GB/s of DRAM, %.0f "
             "thread instructions each nanosecond that all schedulers can issue.</p>\n",
             r.bytes, r.insts);
    c = chart_for(&r, at, n);
    chart_open(p->out, PAGE_WIDTH, c.top + c.height + 46, PAGE_LEAST,
               "Launches below the roofline of the device", NULL);
    chart_y_axis(p->out, &c, 6, "thread instructions per nanosecond");
    chart_x_axis(p->out, &c, 8, "thread instructions per byte of DRAM", true);
    put_roof(p, &c, &r);
    for (size_t i = 0; i < n; i++) {
        put_point(p, &c, &r, &at[i], &words);
    }
    chart_close(p->out);
    if (none > 0) {
        text_add(p->out,
                 "<p class=\"note\">Without a place here: %zu launch%s that moved no "
                 "bytes of DRAM.</p>\n",
                 none, none == 1 ? "" : "es");
    }
    html_section_end(p->out);
}
