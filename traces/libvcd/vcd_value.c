#include "libvcd/vcd_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- lines --- */

static char *put_time(struct vcd *w, char *p)
{
    *p++ = '#';
    p = vcd_put_u64(p, w->now);
    *p++ = '\n';
    w->time_due = false;
    return p;
}

static inline char *put_tail(char *p, const struct vcd_slot *s)
{
    memcpy(p, s->tail, 8); /* a fixed size is one move; the rest is overwritten */
    return p + s->tail_len;
}

static const char *string_of(const struct vcd *w, const struct vcd_slot *s)
{
    const char *text = w->strings[s->a].text;

    return text != NULL ? text : "";
}

/* Bytes that the text takes, or more if there is room for them: what is escaped is
 * four times as long, and is not counted then. */
static size_t string_need(const struct vcd *w, const char *text, size_t others)
{
    const size_t most = 4 * strlen(text);

    return (size_t)(w->end - w->p) >= most + others ? most : vcd_escaped_len(text);
}

/* A vector of up to 64 bits, all of them known. */
static inline char *put_number(char *p, const struct vcd_slot *s)
{
    if (s->width == 1) {
        *p++ = (char)('0' + s->a);
    } else {
        *p++ = 'b';
        p = vcd_put_bits(p, s->a);
        *p++ = ' ';
    }
    return put_tail(p, s);
}

static char *put_vector(const struct vcd *w, char *p, const struct vcd_slot *s)
{
    const uint64_t *value = &s->a, *unknown = &s->b;

    if (s->width > 64) {
        value = w->words + s->a;
        unknown = value + (s->width + 63) / 64;
    } else if (s->b == 0) {
        return put_number(p, s);
    } else if (s->width == 1) {
        *p++ = s->a != 0 ? 'x' : 'z';
        return put_tail(p, s);
    }
    *p++ = 'b';
    p = vcd_put_vector(p, value, unknown, s->width);
    *p++ = ' ';
    return put_tail(p, s);
}

/* Value, or happening, of s as it is now, after the time if that is due. */
static void put_line(struct vcd *w, const struct vcd_slot *s)
{
    size_t need = s->width + VCD_SPARE;
    double real;
    char *p;

    if (s->kind == VCD_STRING) {
        need += string_need(w, string_of(w, s), need);
    }
    p = vcd_room(w, need);
    if (p == NULL) {
        return;
    }
    if (w->time_due) {
        p = put_time(w, p);
    }
    if (vcd_is_vector(s->kind)) {
        w->p = put_vector(w, p, s);
        return;
    }
    if (s->kind == VCD_REAL) {
        memcpy(&real, &s->a, sizeof(real));
        *p++ = 'r';
        p = vcd_put_real(p, real);
        *p++ = ' ';
    } else if (s->kind == VCD_STRING) {
        *p++ = 's';
        p = vcd_put_escaped(p, string_of(w, s));
        *p++ = ' ';
    } else {
        *p++ = '1';
    }
    w->p = put_tail(p, s);
}

static void put_x(struct vcd *w, const struct vcd_slot *s)
{
    char *p = vcd_room(w, VCD_SPARE);

    if (p != NULL) {
        p = vcd_put_text(p, s->width == 1 ? "x" : "bx ");
        w->p = put_tail(p, s);
    }
}

void vcd_put_due_time(struct vcd *w)
{
    char *p;

    if (w->time_due) {
        p = vcd_room(w, VCD_SPARE);
        if (p != NULL) {
            w->p = put_time(w, p);
        }
    }
}

static void put_word(struct vcd *w, const char *word)
{
    char *p = vcd_room(w, VCD_SPARE);

    if (p != NULL) {
        w->p = vcd_put_text(p, word);
    }
}

void vcd_put_block(struct vcd *w, const char *keyword, enum vcd_block what)
{
    bool guard = w->guard;

    w->guard = false;
    vcd_state_changed(w);
    vcd_put_due_time(w);
    put_word(w, keyword);
    for (uint32_t i = 0; i < w->n_slots; i++) {
        const struct vcd_slot *s = &w->slots[i];

        if (s->kind == VCD_KIND_ALIAS || s->kind == VCD_EVENT) {
            continue;
        }
        if (what == VCD_BLOCK_VALUES) {
            put_line(w, s);
        } else if (vcd_is_vector(s->kind)) {
            put_x(w, s); /* a real and a string have no x */
        }
    }
    put_word(w, "$end\n");
    w->guard = guard;
    vcd_state_changed(w);
}

/* --- begin, windows, limit --- */

/* What vcd_trip() and the end may still need, and what a block of values may. */
static void measure(struct vcd *w)
{
    const uint64_t frame = 2 * VCD_TIME_MAX + sizeof("$dumpvars\n$end\n");

    w->reserve = frame;
    w->block = frame;
    for (uint32_t i = 0; i < w->n_slots; i++) {
        const struct vcd_slot *s = &w->slots[i];

        if (s->kind == VCD_KIND_ALIAS || s->kind == VCD_EVENT) {
            continue;
        }
        w->block += s->width + 2u + s->tail_len; /* a real has 24 of its 64 */
        if (vcd_is_vector(s->kind)) {
            w->reserve += (s->width == 1 ? 1u : 3u) + s->tail_len;
        }
    }
}

static uint64_t block_size(const struct vcd *w)
{
    uint64_t size = w->block;

    for (size_t i = 0; i < w->n_strings; i++) {
        if (w->strings[i].text != NULL) {
            size += vcd_escaped_len(w->strings[i].text);
        }
    }
    return size;
}

bool vcd_begin(struct vcd *w)
{
    if (w->begun) {
        vcd_fail(w, VCD_EORDER);
        return false;
    }
    while (w->scope != 0) {
        (void)vcd_upscope(w);
    }
    put_word(w, "$enddefinitions $end\n");
    measure(w);
    w->begun = true;
    vcd_put_block(w, "$dumpvars\n", VCD_BLOCK_VALUES);
    w->guard = true;
    vcd_state_changed(w);
    return true;
}

void vcd_trip(struct vcd *w)
{
    w->limited = true;
    if (!w->off) {
        vcd_put_block(w, "$dumpoff\n", VCD_BLOCK_X);
    }
    w->guard = false;
    vcd_state_changed(w);
}

static bool begun(struct vcd *w)
{
    if (!w->begun) {
        vcd_fail(w, VCD_EORDER);
    }
    return w->begun;
}

void vcd_dumpoff(struct vcd *w)
{
    if (!begun(w)) {
        return;
    }
    if (w->live) {
        vcd_put_block(w, "$dumpoff\n", VCD_BLOCK_X); /* the reserve has room for it */
    }
    w->off = true;
    vcd_state_changed(w);
}

void vcd_dumpon(struct vcd *w)
{
    if (!begun(w) || !w->off) {
        return;
    }
    w->off = false;
    vcd_state_changed(w);
    if (!w->live) {
        return;
    }
    if (vcd_limit_allows(w, block_size(w))) {
        vcd_put_block(w, "$dumpon\n", VCD_BLOCK_VALUES);
    } else {
        w->off = true; /* the file has its $dumpoff already */
        vcd_trip(w);
    }
}

void vcd_dumpall(struct vcd *w)
{
    if (!begun(w) || !w->live) {
        return;
    }
    if (vcd_limit_allows(w, block_size(w))) {
        vcd_put_block(w, "$dumpall\n", VCD_BLOCK_VALUES);
    } else {
        vcd_trip(w);
    }
}

bool vcd_comment(struct vcd *w, const char *text)
{
    char *p;

    if (strstr(text, "$end") != NULL) {
        vcd_fail(w, VCD_ETEXT);
        return false;
    }
    p = w->limited ? NULL : vcd_room(w, strlen(text) + VCD_SPARE);
    if (p != NULL) {
        p = vcd_put_text(p, "$comment ");
        p = vcd_put_text(p, text);
        w->p = vcd_put_text(p, " $end\n");
    }
    return true;
}

/* --- values --- */

void vcd_time(struct vcd *w, uint64_t time)
{
    if (time > w->now) {
        w->now = time;
        w->time_due = true;
    } else if (time < w->now) {
        vcd_freeze(w, VCD_ETIME);
    }
}

static struct vcd_slot *slot_of_kind(struct vcd *w, vcd_id id, enum vcd_kind kind)
{
    struct vcd_slot *s = vcd_slot_of(w, id);

    if (s != NULL && s->kind != kind) {
        vcd_fail(w, VCD_EKIND);
        s = NULL;
    }
    return s;
}

static struct vcd_slot *aliased_vector(struct vcd *w, vcd_id id)
{
    struct vcd_slot *s = vcd_slot_of(w, id);

    if (s != NULL && !vcd_is_vector(s->kind)) {
        vcd_fail(w, VCD_EKIND);
        s = NULL;
    }
    return s;
}

static inline struct vcd_slot *vector(struct vcd *w, vcd_id id)
{
    if (id < w->n_slots && vcd_is_vector(w->slots[id].kind)) {
        return &w->slots[id];
    }
    return aliased_vector(w, id);
}

/* What nearly all changes are, short: a number that is another than before, at a time
 * that is written already. */
static inline void set_number(struct vcd *w, struct vcd_slot *s, uint64_t value)
{
    if (s->a == value && s->b == 0 && !w->keep_repeats) {
        return;
    }
    s->a = value;
    s->b = 0;
    if (!w->live) {
        return;
    }
    if (w->time_due || (size_t)(w->end - w->p) < s->width + VCD_SPARE) {
        put_line(w, s);
    } else {
        w->p = put_number(w->p, s);
    }
}

/* One-word vectors, and reals. value and unknown have no spare bits. */
static void set_short(struct vcd *w, struct vcd_slot *s, uint64_t value,
                      uint64_t unknown)
{
    if (s->a == value && s->b == unknown && !w->keep_repeats) {
        return;
    }
    s->a = value;
    s->b = unknown;
    if (w->live) {
        put_line(w, s);
    }
}

/* What a vector is set to: words as far as they are given, then the fill. */
struct source {
    const uint64_t *value, *unknown; /* NULL: the fill */
    uint32_t given;
    uint64_t value_fill, unknown_fill;
};

static void set_long(struct vcd *w, struct vcd_slot *s, const struct source *from)
{
    uint32_t n = (s->width + 63) / 64;
    uint64_t *value = w->words + s->a, *unknown = value + n, differs = 0;

    for (uint32_t i = 0; i < n; i++) {
        bool given = i < from->given;
        uint64_t v = given ? from->value[i] : from->value_fill;
        uint64_t u =
            given && from->unknown != NULL ? from->unknown[i] : from->unknown_fill;

        if (i == n - 1) {
            v &= vcd_top_mask(s->width);
            u &= vcd_top_mask(s->width);
        }
        differs |= (v ^ value[i]) | (u ^ unknown[i]);
        value[i] = v;
        unknown[i] = u;
    }
    if (w->live && (differs != 0 || w->keep_repeats)) {
        put_line(w, s);
    }
}

void vcd_set_u64(struct vcd *w, vcd_id id, uint64_t value)
{
    struct vcd_slot *s = vector(w, id);

    if (s == NULL) {
        return;
    }
    if (s->width <= 64) {
        set_number(w, s, value & vcd_top_mask(s->width));
    } else {
        set_long(w, s, &(struct source){.value = &value, .given = 1});
    }
}

void vcd_set_bits(struct vcd *w, vcd_id id, const uint64_t *words)
{
    struct vcd_slot *s = vector(w, id);

    if (s == NULL) {
        return;
    }
    if (s->width <= 64) {
        set_short(w, s, words[0] & vcd_top_mask(s->width), 0);
    } else {
        set_long(w, s, &(struct source){.value = words, .given = VCD_WIDTH_MAX});
    }
}

void vcd_set_xz(struct vcd *w, vcd_id id, const uint64_t *value,
                const uint64_t *unknown)
{
    struct vcd_slot *s = vector(w, id);

    if (s == NULL) {
        return;
    }
    if (s->width <= 64) {
        set_short(w, s, value[0] & vcd_top_mask(s->width),
                  unknown[0] & vcd_top_mask(s->width));
    } else {
        set_long(w, s,
                 &(struct source){.value = value,
                                  .unknown = unknown,
                                  .given = VCD_WIDTH_MAX});
    }
}

static void fill(struct vcd *w, vcd_id id, uint64_t value)
{
    struct vcd_slot *s = vector(w, id);

    if (s == NULL) {
        return;
    }
    if (s->width <= 64) {
        set_short(w, s, value & vcd_top_mask(s->width), vcd_top_mask(s->width));
    } else {
        set_long(w, s,
                 &(struct source){.value_fill = value, .unknown_fill = ~(uint64_t)0});
    }
}

void vcd_set_x(struct vcd *w, vcd_id id)
{
    fill(w, id, ~(uint64_t)0);
}

void vcd_set_z(struct vcd *w, vcd_id id)
{
    fill(w, id, 0);
}

void vcd_set_real(struct vcd *w, vcd_id id, double value)
{
    struct vcd_slot *s = slot_of_kind(w, id, VCD_REAL);
    uint64_t bits; /* compared as bits: a NaN equals itself, -0 is not 0 */

    if (s != NULL) {
        memcpy(&bits, &value, sizeof(bits));
        set_short(w, s, bits, 0);
    }
}

void vcd_set_string(struct vcd *w, vcd_id id, const char *text)
{
    struct vcd_slot *s = slot_of_kind(w, id, VCD_STRING);
    size_t size = strlen(text) + 1;
    struct vcd_str *str;
    void *copy;

    if (s == NULL) {
        return;
    }
    str = &w->strings[s->a];
    if (strcmp(string_of(w, s), text) != 0) {
        copy = str->text;
        if (!vcd_grow(w, &copy, &str->cap, size, 1)) {
            vcd_freeze(w, ENOMEM);
            return;
        }
        str->text = copy;
        memcpy(str->text, text, size);
    } else if (!w->keep_repeats) {
        return;
    }
    if (w->live) {
        put_line(w, s);
    }
}

void vcd_fire(struct vcd *w, vcd_id id)
{
    const struct vcd_slot *s = slot_of_kind(w, id, VCD_EVENT);

    if (s != NULL && begun(w) && w->live) {
        put_line(w, s);
    }
}
