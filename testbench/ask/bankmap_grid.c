/* bankmap_grid.c - the pictures as text: lanes by banks, and lines of memory. Colour is
 * the pass: green the first of a group, which every access needs, warm what a conflict
 * adds. */
#include "ask/bankmap.h"

#include "ask/bankmap_look.h"
#include "base/bits.h"
#include <string.h>

enum {
    LISTED = 8, /* passes that are told one by one */
    PART = 32   /* banks side by side */
};

static const char reset[] = "\033[0m";

static void begin_color(struct text *out, bool color, const char *how)
{
    if (color) {
        text_add(out, "\033[%sm", how);
    }
}

static void end_color(struct text *out, bool color)
{
    if (color) {
        text_add(out, "%s", reset);
    }
}

void look_wrap(const char *label, const char *words, bool color, struct text *out)
{
    size_t column = 0;
    bool first = true;

    if (words == NULL) {
        return;
    }
    while (*words != '\0') {
        size_t n = strcspn(words, " ");

        if (first || (column > 0 && LOOK_LABEL + column + 1 + n > LOOK_COLUMNS)) {
            text_add(out, first ? "" : "\n");
            begin_color(out, color && first, "1");
            text_add(out, "%-*s", LOOK_LABEL, first ? label : "");
            end_color(out, color && first);
            column = 0;
            first = false;
        }
        text_add(out, "%s%.*s", column == 0 ? "" : " ", (int)n, words);
        column += n + (column != 0);
        words += n + strspn(words + n, " ");
    }
    text_add(out, "\n");
}

char look_symbol(uint32_t pass)
{
    static const char symbols[] =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

    return pass < sizeof(symbols) - 1 ? symbols[pass] : '*';
}

/* Black on the colour of the pass of that rank in its group. */
static void rank_color(struct text *out, uint32_t rank)
{
    static const uint8_t warm[] = {221, 215, 209, 204, 177, 141, 111, 80};

    text_add(out, "\033[30;48;5;%um",
             rank == 0 ? 114u : (uint32_t)warm[(rank - 1) % ARRAY_LEN(warm)]);
}

/* ---- lanes by banks ---- */

struct grid {
    const struct bankmap_request *r;
    const struct bankmap_plan *p;
    bool color;
    uint32_t banks;
    uint32_t from, to; /* banks of the part that is being drawn: from <= bank < to */
    int cell;          /* characters of a bank */
    int offset;        /* of the byte offset of a lane */
    struct text *out;
};

static void put_cell(const struct grid *g, uint32_t pass)
{
    char s[8];

    if (g->cell == 2) {
        snprintf(s, sizeof(s), "%c", look_symbol(pass));
    } else {
        snprintf(s, sizeof(s), "%u", pass);
    }
    if (pass == 0) {
        begin_color(g->out, g->color, "2");
        text_add(g->out, "%*s", g->cell, ".");
    } else {
        text_add(g->out, g->cell > 2 ? " " : "");
        if (g->color) {
            rank_color(g->out, pass - 1 - g->p->first[pass - 1]);
        }
        text_add(g->out, "%*s", g->cell > 2 ? g->cell - 1 : g->cell, s);
    }
    end_color(g->out, g->color);
}

/* A digit of each bank's number: that of unit, 10 or 100. */
static void put_digits(const struct grid *g, uint32_t unit)
{
    text_add(g->out, "%*s", 7 + g->offset, "");
    for (uint32_t b = g->from; b < g->to; b++) {
        text_add(g->out, b < unit ? "  " : " %u", b / unit % 10);
    }
    text_add(g->out, "\n");
}

static void put_heading(const struct grid *g)
{
    text_add(g->out, "%*sbank\n", 8 + g->offset, "");
    if (g->to > 100) {
        put_digits(g, 100);
    }
    if (g->cell == 2) {
        put_digits(g, 10);
    }
    begin_color(g->out, g->color, "1");
    text_add(g->out, "lane  %*s ", g->offset, "byte");
    for (uint32_t b = g->from; b < g->to; b++) {
        text_add(g->out, "%*u", g->cell, g->cell == 2 ? b % 10 : b);
    }
    end_color(g->out, g->color);
    text_add(g->out, "\n");
}

static void put_lane(const struct grid *g, uint32_t lane)
{
    const struct bankmap_plan *p = g->p;
    bool active = (g->r->access.mask >> lane & 1u) != 0;

    begin_color(g->out, g->color && !active, "2");
    text_add(g->out, "%4u  ", lane);
    if (active) {
        text_add(g->out, "%*llu ", g->offset,
                 (unsigned long long)g->r->access.addr[lane]);
    } else {
        text_add(g->out, "%*s ", g->offset, "off");
    }
    end_color(g->out, g->color && !active);
    for (uint32_t b = g->from; b < g->to; b++) {
        uint32_t pass = 0;

        for (uint32_t k = 0; k < p->words && active; k++) {
            if (p->bank[lane][k] == b && p->pass[lane][k] > pass) {
                pass = p->pass[lane][k];
            }
        }
        put_cell(g, pass);
    }
    text_add(g->out, "\n");
}

/* Lanes that are off, one line for three and more; returns the next lane. */
static uint32_t put_lanes_off(const struct grid *g, uint32_t lane)
{
    uint32_t end = lane;
    char range[16];

    while (end < ISA_LANES && (g->r->access.mask >> end & 1u) == 0) {
        end++;
    }
    if (end < lane + 3) {
        put_lane(g, lane);
        return lane + 1;
    }
    snprintf(range, sizeof(range), "%u-%u", lane, end - 1);
    begin_color(g->out, g->color, "2");
    text_add(g->out, "%5s %*s", range, g->offset, "off");
    end_color(g->out, g->color);
    text_add(g->out, "\n");
    return end;
}

static void put_ways(const struct grid *g)
{
    begin_color(g->out, g->color, "1");
    text_add(g->out, "%*s ", 6 + g->offset, "times busy");
    end_color(g->out, g->color);
    for (uint32_t b = g->from; b < g->to; b++) {
        uint32_t n = g->p->ways[b];
        bool bad = n > 1;

        begin_color(g->out, g->color, bad ? "1;31" : n == 0 ? "2" : "32");
        if (n == 0) {
            text_add(g->out, "%*s", g->cell, ".");
        } else if (g->cell == 2) {
            text_add(g->out, " %c", look_symbol(n));
        } else {
            text_add(g->out, "%*u", g->cell, n);
        }
        end_color(g->out, g->color);
    }
    text_add(g->out, "\n");
}

static void put_passes(const struct grid *g)
{
    static const char *const kinds[] = {"", ", which move nothing", ", locking words",
                                        ", trying again"};
    const struct bankmap_plan *p = g->p;

    for (uint32_t i = 0; i < p->w.n; i++) {
        struct bank_set banks = bankmap_pass(p, i);
        uint32_t lanes = 0;
        char names[BANKMAP_LIST];

        if (i == LISTED - 1 && p->w.n > LISTED) {
            text_add(g->out, "%*sand %u more passes\n", LOOK_LABEL, "", p->w.n - i);
            return;
        }
        for (uint32_t k = 0; k < p->words; k++) {
            lanes |= p->w.lanes[i][k];
        }
        bankmap_lanes(lanes, names);
        text_add(g->out, "%-*s", LOOK_LABEL - 3, i == 0 ? "pass" : "");
        if (g->color) {
            rank_color(g->out, i - p->first[i]);
        }
        text_add(g->out, "%2u", i + 1);
        end_color(g->out, g->color);
        if (p->w.kind[i] == RULES_PASS_EMPTY) {
            text_add(g->out, " moves nothing\n");
            continue;
        }
        text_add(g->out, " lane%s %s: %u of %u banks%s\n",
                 bits_count(lanes) == 1 ? "" : "s", names, bank_set_count(&banks),
                 g->banks, kinds[p->w.kind[i]]);
    }
}

static int digits_of(uint64_t v)
{
    int n = 1;

    for (; v >= 10; v /= 10) {
        n++;
    }
    return n;
}

static int widest_offset(const struct bankmap_access *a)
{
    int n = 4;

    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        int d = digits_of(a->addr[__builtin_ctz(m)]);

        n = d > n ? d : n;
    }
    return n;
}

void look_words(const struct bankmap_words *w, bool color, struct text *out)
{
    look_wrap("rule", w->rule.s, color, out);
    look_wrap("why", w->why.s, color, out);
    look_wrap("fix", w->fix.s, color, out);
}

void look_title(const struct bankmap_request *r, const struct bankmap_words *w,
                bool bad, bool color, struct text *out)
{
    bankmap_describe(r, out);
    text_add(out, ", capability %u.%u\n", r->setup.rules.cc / 10,
             r->setup.rules.cc % 10);
    begin_color(out, color, bad ? "1;31" : "1;32");
    text_add(out, "%s", w->headline.s);
    end_color(out, color);
    text_add(out, "\n\n");
}

/* Has the lane a word in a bank of the part? All lanes have where there is one part. */
static bool is_in_part(const struct grid *g, uint32_t lane)
{
    bool in = g->banks <= PART;

    for (uint32_t k = 0; k < g->p->words; k++) {
        in |= g->p->pass[lane][k] != 0 && g->p->bank[lane][k] >= g->from &&
              g->p->bank[lane][k] < g->to;
    }
    return in;
}

/* The lanes, a blank line between groups. */
static void put_lanes(const struct grid *g)
{
    uint32_t group = UINT32_MAX; /* of the lane before */

    for (uint32_t lane = 0; lane < ISA_LANES;) {
        uint32_t mine = lane / g->p->group_lanes;

        if (!is_in_part(g, lane)) {
            lane++;
            continue;
        }
        text_add(g->out, group != UINT32_MAX && mine != group ? "\n" : "");
        group = mine;
        if ((g->r->access.mask >> lane & 1u) == 0) {
            lane = put_lanes_off(g, lane);
        } else {
            put_lane(g, lane++);
        }
    }
}

/* As many banks as fit on a line, part by part. */
static void put_parts(struct grid *g)
{
    for (g->from = 0; g->from < g->banks; g->from += PART) {
        g->to = g->banks < g->from + PART ? g->banks : g->from + PART;
        text_add(g->out, g->from == 0 ? "" : "\n");
        put_heading(g);
        put_lanes(g);
        put_ways(g);
    }
}

void bankmap_grid(const struct bankmap_request *r, bool color, struct text *out)
{
    struct bankmap_plan p;
    struct bankmap_words w;
    struct grid g = {.r = r, .p = &p, .color = color, .out = out};

    bankmap_plan(&r->setup, &r->access, &p);
    bankmap_words_shared(r, &p, &w);
    g.banks = r->setup.rules.banks;
    g.cell = g.banks <= 16 ? 4 : 2;
    g.offset = widest_offset(&r->access);
    look_title(r, &w, p.w.n != p.w.ideal, color, out);
    put_parts(&g);
    if (p.w.n > 9 && g.cell == 2) {
        text_add(out, "%*s(a = 10, b = 11 ...%s)\n", 8 + g.offset, "",
                 p.w.n > 35 ? " A = 36 ... * above 61" : "");
    }
    text_add(out, "\n");
    put_passes(&g);
    text_add(out, "\n");
    look_words(&w, color, out);
    bankmap_words_free(&w);
}

/* ---- lines of memory ---- */

/* A character per 32-bit word: what lanes want, what moves with it, what stays. */
static void put_line(const struct rules_line *l, uint32_t sectors, int digits,
                     bool color, struct text *out)
{
    char names[BANKMAP_LIST];

    text_add(out, "%*llu ", digits, (unsigned long long)l->addr);
    for (uint32_t w = 0; w < MEM_LINE / 4; w++) {
        uint32_t touched = bankmap_word_touched(l, w);
        bool moves = (sectors >> (w / 8) & 1u) != 0;

        if (w % 8 == 0) {
            text_add(out, " ");
        }
        begin_color(out, color,
                    touched != 0 ? "30;48;5;114"
                    : moves      ? "30;48;5;209"
                                 : "2");
        text_add(out, "%c",
                 touched == 2   ? '#'
                 : touched == 1 ? '+'
                 : moves        ? '-'
                                : '.');
        end_color(out, color);
    }
    bankmap_lanes(l->lanes, names);
    text_add(out, "  %3u B  %3u  lane%s %s\n", MEM_SECTOR * bits_count(sectors),
             bankmap_touched(l), bits_count(l->lanes) == 1 ? "" : "s", names);
}

void bankmap_strip(const struct bankmap_request *r, bool color, struct text *out)
{
    struct rules_lines l;
    struct bankmap_words w;
    int digits = 4;

    bankmap_global(&r->setup, &r->access, &l);
    bankmap_words_global(r, &l, &w);
    look_title(r, &w, w.fix.n != 0, color, out);
    for (uint32_t i = 0; i < l.n; i++) {
        int d = digits_of(l.line[i].addr);

        digits = d > digits ? d : digits;
    }
    if (l.n > 0) {
        begin_color(out, color, "1");
        text_add(out, "%*s  %-8s %-8s %-8s %-8s  moved used\n", digits, "line",
                 "sector 0", "1", "2", "3");
        end_color(out, color);
    }
    for (uint32_t i = 0; i < l.n; i++) {
        put_line(&l.line[i], bankmap_moves(&r->setup, &l, i), digits, color, out);
    }
    if (l.n > 0) {
        text_add(out,
                 "%*s  # wanted, + partly, - moved in vain, . not moved; a character "
                 "is 4 bytes\n\n",
                 digits, "");
    }
    look_words(&w, color, out);
    bankmap_words_free(&w);
}
