/* bankmap_svg.c - the pictures of bankmap_grid.c as SVG: one file, no script, no font
 * of its own. */
#include "ask/bankmap.h"

#include "base/bits.h"
#include <string.h>

enum {
    CELL = 22, /* a bank, or a word of a line */
    ROW = 20,
    LEFT = 120,   /* of the picture: lane and byte */
    TOP = 96,     /* title, headline, bank numbers */
    WIDTH = 860,  /* 32 cells and the margin */
    LETTERS = 118 /* of a line of text, at most */
};

static const char *const rank_fill[] = {"#7bc47f", "#f7d154", "#f5a742",
                                        "#ee7546", "#e0566f", "#b678c9",
                                        "#7d8ce0", "#58b9c9", "#a58a6f"};

static void put_escaped(struct text *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];

        switch (c) {
        case '&': text_add(out, "&amp;"); break;
        case '<': text_add(out, "&lt;"); break;
        case '>': text_add(out, "&gt;"); break;
        case '"': text_add(out, "&quot;"); break;
        default:
            /* what XML 1.0 cannot hold, and bytes that may not be UTF-8 */
            text_add(out, "%c", c < ' ' || c > '~' ? '?' : c);
        }
    }
}

static void put_text(struct text *out, uint32_t x, uint32_t y, const char *class,
                     const char *s)
{
    text_add(out, "<text x=\"%u\" y=\"%u\" class=\"%s\">", x, y, class);
    put_escaped(out, s, strlen(s));
    text_add(out, "</text>\n");
}

static void put_number(struct text *out, uint32_t x, uint32_t y, const char *class,
                       uint64_t v)
{
    text_add(out, "<text x=\"%u\" y=\"%u\" class=\"%s\">%llu</text>\n", x, y, class,
             (unsigned long long)v);
}

static void put_box(struct text *out, uint32_t x, uint32_t y, const char *fill)
{
    text_add(out, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"%s\"/>\n",
             x, y, CELL - 2u, ROW - 2u, fill);
}

/* Words wrapped under *y, which moves on. */
static void put_words(struct text *out, uint32_t *y, const char *label,
                      const char *words)
{
    const char *name = label;

    while (words != NULL && *words != '\0') {
        size_t n = strlen(words);

        if (n > LETTERS) {
            for (n = LETTERS; n > 0 && words[n] != ' '; n--) {
            }
            n = n == 0 ? LETTERS : n;
        }
        *y += 18;
        if (name != NULL) {
            put_text(out, 16, *y, "label", name);
            name = NULL;
        }
        text_add(out, "<text x=\"64\" y=\"%u\" class=\"words\">", *y);
        put_escaped(out, words, n);
        text_add(out, "</text>\n");
        words += n;
        words += strspn(words, " ");
    }
    *y += 6;
}

static void open_svg(struct text *out, const struct bankmap_request *r,
                     const struct bankmap_words *w, bool bad)
{
    struct text title = {0};

    bankmap_describe(r, &title);
    text_add(&title, ", capability %u.%u", r->setup.rules.cc / 10,
             r->setup.rules.cc % 10);
    text_add(out, "<title>");
    put_escaped(out, title.s, title.n);
    text_add(out,
             "</title>\n<style>\n"
             "text { font-family: Helvetica, Arial, sans-serif; fill: #222222; }\n"
             ".title { font-size: 16px; font-weight: bold; }\n"
             ".good, .bad { font-size: 14px; font-weight: bold; }\n"
             ".good { fill: #2e7d32; } .bad { fill: #c62828; }\n"
             ".words { font-size: 13px; }\n"
             ".label { font-size: 13px; font-weight: bold; }\n"
             ".axis { font-size: 11px; text-anchor: middle; fill: #666666; }\n"
             ".row { font-size: 11px; text-anchor: end; fill: #666666; }\n"
             ".pass { font-size: 11px; text-anchor: middle; }\n"
             ".hot { font-size: 11px; text-anchor: middle; font-weight: bold; "
             "fill: #c62828; }\n"
             "</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n");
    put_text(out, 16, 28, "title", title.s);
    put_text(out, 16, 50, bad ? "bad" : "good", w->headline.s);
    text_free(&title);
}

/* The head is written last: only then the height is known. */
static void close_svg(struct text *out, const struct text *body, uint32_t height)
{
    text_add(out,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
             "stroke=\"none\" viewBox=\"0 0 %u %u\">\n",
             (uint32_t)WIDTH, height, (uint32_t)WIDTH, height);
    text_add_bytes(out, body->s, body->n);
    text_add(out, "</svg>\n");
}

/* ---- lanes by banks ---- */

static void put_lane(const struct bankmap_request *r, const struct bankmap_plan *p,
                     uint32_t lane, uint32_t y, struct text *out)
{
    put_number(out, 44, y + 14, "row", lane);
    if ((r->access.mask >> lane & 1u) == 0) {
        put_text(out, LEFT - 10, y + 14, "row", "off");
        return;
    }
    put_number(out, LEFT - 10, y + 14, "row", r->access.addr[lane]);
    for (uint32_t k = 0; k < p->words; k++) {
        uint32_t pass = p->pass[lane][k], rank;
        uint32_t x = LEFT + CELL * p->bank[lane][k];

        if (pass == 0 || (k > 0 && p->bank[lane][k] == p->bank[lane][k - 1] &&
                          pass == p->pass[lane][k - 1])) {
            continue; /* nothing, or in the box of the word before */
        }
        rank = pass - 1 - p->first[pass - 1];
        put_box(out, x + 1, y + 1,
                rank_fill[rank == 0 ? 0 : 1 + (rank - 1) % (ARRAY_LEN(rank_fill) - 1)]);
        put_number(out, x + CELL / 2, y + 14, "pass", pass);
    }
}

static uint32_t put_grid(const struct bankmap_request *r, const struct bankmap_plan *p,
                         struct text *out)
{
    uint32_t banks = r->setup.rules.banks, y = TOP;

    put_text(out, 44, TOP - 8, "row", "lane");
    put_text(out, LEFT - 10, TOP - 8, "row", "byte");
    put_text(out, LEFT + CELL * banks / 2, TOP - 24, "axis", "bank");
    for (uint32_t b = 0; b < banks; b++) {
        put_number(out, LEFT + CELL * b + CELL / 2, TOP - 8, "axis", b);
    }
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        y += lane > 0 && lane % p->group_lanes == 0 ? 8 : 0;
        text_add(out,
                 "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" "
                 "fill=\"#f3f3f3\"/>\n",
                 (uint32_t)LEFT, y + 1, CELL * banks, ROW - 2u);
        put_lane(r, p, lane, y, out);
        y += ROW;
    }
    put_text(out, LEFT - 10, y + 16, "row", "times busy");
    for (uint32_t b = 0; b < banks; b++) {
        if (p->ways[b] > 0) {
            put_number(out, LEFT + CELL * b + CELL / 2, y + 16,
                       p->ways[b] > 1 ? "hot" : "axis", p->ways[b]);
        }
    }
    return y + 28;
}

static void svg_shared(const struct bankmap_request *r, struct text *out)
{
    struct bankmap_plan p;
    struct bankmap_words w;
    struct text body = {0};
    uint32_t y;

    bankmap_plan(&r->setup, &r->access, &p);
    bankmap_words_shared(r, &p, &w);
    open_svg(&body, r, &w, p.w.n != p.w.ideal);
    y = put_grid(r, &p, &body);
    put_words(&body, &y, "key",
              "The number is the pass that serves the lane; green: the first pass of a "
              "request; other colours: passes that a conflict adds.");
    put_words(&body, &y, "rule", w.rule.s);
    put_words(&body, &y, "why", w.why.s);
    put_words(&body, &y, "fix", w.fix.s);
    close_svg(out, &body, y + 16);
    text_free(&body);
    bankmap_words_free(&w);
}

/* ---- lines of memory ---- */

static void put_line(const struct rules_line *l, uint32_t sectors, uint32_t y,
                     struct text *out)
{
    static const char *const touched_fill[] = {"#f5a742", "#b5dfb7", "#7bc47f"};

    put_number(out, LEFT - 30, y + 14, "row", l->addr);
    for (uint32_t word = 0; word < MEM_LINE / 4; word++) {
        bool moves = (sectors >> (word / 8) & 1u) != 0;
        uint32_t x = LEFT - 24 + 14 * word + 6 * (word / 8);

        text_add(out,
                 "<rect x=\"%u\" y=\"%u\" width=\"12\" height=\"%u\" fill=\"%s\"/>\n",
                 x, y + 1, ROW - 2u,
                 moves ? touched_fill[bankmap_word_touched(l, word)] : "#eeeeee");
    }
}

static void put_line_words(const struct rules_line *l, uint32_t sectors, uint32_t y,
                           struct text *out)
{
    char lanes[BANKMAP_LIST], buf[112];

    bankmap_lanes(l->lanes, lanes);
    snprintf(buf, sizeof(buf), "%u B, lane%s %s", MEM_SECTOR * bits_count(sectors),
             bits_count(l->lanes) == 1 ? "" : "s", lanes);
    put_text(out, LEFT + 460, y + 14, "words", buf);
}

static void svg_global(const struct bankmap_request *r, struct text *out)
{
    struct rules_lines l;
    struct bankmap_words w;
    struct text body = {0};
    uint32_t y = TOP;

    bankmap_global(&r->setup, &r->access, &l);
    bankmap_words_global(r, &l, &w);
    open_svg(&body, r, &w, w.fix.n != 0);
    put_text(&body, LEFT - 30, TOP - 8, "row", "line");
    for (uint32_t s = 0; s < MEM_SECTORS; s++) {
        char name[16];

        snprintf(name, sizeof(name), "sector %u", s);
        put_text(&body, LEFT - 24 + 118 * s + 56, TOP - 8, "axis", name);
    }
    for (uint32_t i = 0; i < l.n; i++) {
        uint32_t sectors = bankmap_moves(&r->setup, &l, i);

        put_line(&l.line[i], sectors, y, &body);
        put_line_words(&l.line[i], sectors, y, &body);
        y += ROW;
    }
    y += 4;
    put_words(
        &body, &y, "key",
        "A box is 4 bytes. Green: lanes want it, pale: a part of it; orange: it moves "
        "in vain; grey: it stays.");
    put_words(&body, &y, "rule", w.rule.s);
    put_words(&body, &y, "why", w.why.s);
    put_words(&body, &y, "fix", w.fix.s);
    close_svg(out, &body, y + 16);
    text_free(&body);
    bankmap_words_free(&w);
}

void bankmap_svg(const struct bankmap_request *r, struct text *out)
{
    if (r->setup.space == BANKMAP_SHARED) {
        svg_shared(r, out);
    } else {
        svg_global(r, out);
    }
}
