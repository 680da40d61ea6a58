/*
 * vcd_write_fuzz.c - libFuzzer: any bytes as calls of libvcd. What it wrote is read back
 * and must be what a model of the calls, which keeps every value as text, says: the
 * declarations, each change in order with its time, blocks, the last time, the verdict.
 */
#include "libvcd/vcd.h"
#include "reader.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VARS = 20, MAX_WIDTH = 200, MAX_TEXT = 24, ROOM = 256, MAX_INPUT = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct var {
    enum vcd_kind kind;
    uint32_t width, target, signal; /* target: of an alias, else itself */
    char name[32];                  /* with its scopes */
    char value[ROOM];               /* all bits; a number; with escapes */
    double real;
};

struct want { /* what the reader is to say */
    enum reader_step step;
    uint64_t time;
    uint32_t signal;
    char *text;
};

struct model {
    const uint8_t *data, *end;
    struct vcd *w;
    struct var var[MAX_VARS];
    uint32_t n_vars, n_signals;
    struct want *want;
    size_t n_want, max_want;
    uint64_t now;
    bool begun, off, frozen, limited, repeats;
    int error;
    char *bytes; /* what was written */
    size_t n_bytes, max_bytes, chunk;
    unsigned writes;
};

static void must(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void *grow(void *p, size_t n, size_t *max, size_t size)
{
    if (n < *max) {
        return p;
    }
    *max = n < 64 ? 128 : 2 * n;
    p = realloc(p, *max * size);
    must(p != NULL);
    return p;
}

/* ---- the input ---- */

static uint8_t byte(struct model *m)
{
    return m->data < m->end ? *m->data++ : 0;
}

static uint64_t number(struct model *m)
{
    uint64_t n = 0;

    for (uint8_t more = byte(m) % 9; more > 0; more--) {
        n = n << 8 | byte(m);
    }
    return n;
}

/* ---- the sink ---- */

static ssize_t take(void *ctx, const void *buf, size_t n)
{
    struct model *m = ctx;

    if (m->chunk % 4 == 3 && m->writes++ % 3 == 0) {
        return -EINTR;
    }
    n = m->chunk > 0 && n > m->chunk ? m->chunk : n;
    m->bytes = grow(m->bytes, m->n_bytes + n, &m->max_bytes, 1);
    memcpy(m->bytes + m->n_bytes, buf, n);
    m->n_bytes += n;
    return (ssize_t)n;
}

/* ---- what is to be read ---- */

static void want(struct model *m, enum reader_step step, uint32_t signal,
                 const char *text)
{
    char *copy = calloc(1, strlen(text) + 1);

    must(copy != NULL);
    strcpy(copy, text);
    m->want = grow(m->want, m->n_want, &m->max_want, sizeof(*m->want));
    m->want[m->n_want++] = (struct want){step, m->now, signal, copy};
}

static bool is_live(const struct model *m)
{
    return m->begun && !m->off && !m->frozen && !m->limited;
}

static bool is_vector(const struct var *v)
{
    return v->kind <= VCD_INTEGER;
}

static void want_block(struct model *m, bool x)
{
    for (uint32_t i = 0; i < m->n_vars; i++) {
        const struct var *v = &m->var[i];
        char all[ROOM] = "";

        if (v->target != i || v->kind == VCD_EVENT || (x && !is_vector(v))) {
            continue;
        }
        if (x) {
            memset(all, 'x', v->width);
        }
        want(m, READER_CHANGE, v->signal, x ? all : v->value);
    }
}

static void fail(struct model *m, int code)
{
    m->error = m->error == 0 ? code : m->error;
}

/* The variable that a call with this number is about; NULL: the call has no effect. */
static struct var *var_of(struct model *m, uint32_t id,
                          bool of_kind(const struct var *))
{
    struct var *v = id < m->n_vars ? &m->var[m->var[id].target] : NULL;

    if (v == NULL) {
        fail(m, VCD_EHANDLE);
    } else if (!of_kind(v)) {
        fail(m, VCD_EKIND);
        v = NULL;
    }
    return v;
}

static bool is_real(const struct var *v)
{
    return v->kind == VCD_REAL;
}

static bool is_string(const struct var *v)
{
    return v->kind == VCD_STRING;
}

static bool is_event(const struct var *v)
{
    return v->kind == VCD_EVENT;
}

static void become(struct model *m, struct var *v, const char *value, bool same)
{
    if (same && !m->repeats) {
        return;
    }
    memmove(v->value, value, strlen(value) + 1);
    if (is_live(m)) {
        want(m, READER_CHANGE, v->signal, v->value);
    }
}

/* ---- declarations ---- */

static void declare_var(struct model *m, const char *scope)
{
    static const uint32_t widths[] = {1, 2, 8, 63, 64, 65, 128, MAX_WIDTH};
    struct var *v = &m->var[m->n_vars];
    uint8_t what = byte(m);
    uint32_t of = m->n_vars > 0 ? byte(m) % m->n_vars : 0;
    char name[8];
    vcd_id id;

    snprintf(name, sizeof(name), "v%u", (unsigned)m->n_vars);
    snprintf(v->name, sizeof(v->name), "%s%s", scope, name);
    v->kind = (enum vcd_kind)(what % 6);
    v->width = widths[what / 6 % 8];
    if (what >= 192 && m->n_vars > 0) {
        *v = (struct var){.kind = m->var[of].kind, .width = m->var[of].width};
        snprintf(v->name, sizeof(v->name), "%s%s", scope, name);
        v->target = m->var[of].target;
        v->signal = m->var[of].signal;
        id = vcd_alias(m->w, v->kind, name, v->width, of);
    } else {
        v->target = m->n_vars;
        v->signal = m->n_signals++;
        if (is_vector(v)) {
            memset(v->value, 'x', v->width);
        } else if (v->kind == VCD_REAL) {
            strcpy(v->value, "0");
        }
        id = vcd_add(m->w, v->kind, name, v->width);
    }
    must(id == m->n_vars);
    m->n_vars++;
}

static void declare(struct model *m)
{
    uint8_t n = byte(m) % MAX_VARS;

    must(vcd_scope(m->w, "top"));
    for (uint8_t i = 0; i < n; i++) {
        bool deeper = byte(m) % 4 == 0;

        must(!deeper || vcd_scope(m->w, "sub"));
        declare_var(m, deeper ? "top.sub." : "top.");
        must(!deeper || vcd_upscope(m->w));
    }
}

/* ---- changes ---- */

static void set_vector(struct model *m, uint32_t id, uint8_t how)
{
    uint64_t value[(MAX_WIDTH + 63) / 64], unknown[(MAX_WIDTH + 63) / 64];
    struct var *v = var_of(m, id, is_vector);
    char text[ROOM] = "";

    memset(unknown, how == 3 || how == 4 ? 0xff : 0, sizeof(unknown));
    memset(value, how == 3 ? 0xff : 0, sizeof(value));
    value[0] = how < 3 ? number(m) : value[0];
    for (size_t i = 1; (how == 1 || how == 2) && i < sizeof(value) / 8; i++) {
        value[i] = number(m);
    }
    for (size_t i = 0; how == 2 && i < sizeof(value) / 8; i++) {
        unknown[i] = number(m);
    }
    for (uint32_t i = 0; v != NULL && i < v->width; i++) {
        uint64_t bit = value[i / 64] >> i % 64 & 1, u = unknown[i / 64] >> i % 64 & 1;

        text[v->width - 1 - i] = "01zx"[u * 2 + bit];
    }
    if (v != NULL) {
        become(m, v, text, strcmp(v->value, text) == 0);
    }
    switch (how) {
    case 0: vcd_set_u64(m->w, id, value[0]); break;
    case 1: vcd_set_bits(m->w, id, value); break;
    case 2: vcd_set_xz(m->w, id, value, unknown); break;
    case 3: vcd_set_x(m->w, id); break;
    default: vcd_set_z(m->w, id); break;
    }
}

static void set_real(struct model *m, uint32_t id)
{
    struct var *v = var_of(m, id, is_real);
    uint64_t bits = number(m);
    char text[ROOM];
    double real;

    memcpy(&real, &bits, sizeof(real));
    real = bits % 2 ? real : (double)(int64_t)bits / 8;
    if (isnan(real)) {
        strcpy(text, "nan"); /* never -nan */
    } else {
        snprintf(text, sizeof(text), "%.16g", real);
    }
    if (v != NULL) {
        /* by their bits: -0 is not 0, a NaN is itself */
        const void *was = &v->real, *is = &real;
        bool same = memcmp(was, is, sizeof(real)) == 0;

        v->real = real;
        become(m, v, text, same);
    }
    vcd_set_real(m->w, id, real);
}

static void set_string(struct model *m, uint32_t id)
{
    struct var *v = var_of(m, id, is_string);
    char text[MAX_TEXT + 1] = "", escaped[ROOM] = "";
    uint8_t n = byte(m) % MAX_TEXT;

    for (uint8_t i = 0; i < n; i++) {
        uint8_t c = byte(m);
        size_t at = strlen(escaped);

        c = c == 0 ? 'n' : c;
        text[i] = (char)c;
        snprintf(escaped + at, sizeof(escaped) - at,
                 c > ' ' && c < 0x7f && c != '\\' ? "%c" : "\\%03o", c);
    }
    if (v != NULL) {
        become(m, v, escaped, strcmp(v->value, escaped) == 0);
    }
    vcd_set_string(m->w, id, text);
}

static void fire(struct model *m, uint32_t id)
{
    const struct var *v = var_of(m, id, is_event);

    if (v != NULL && !m->begun) {
        fail(m, VCD_EORDER);
    } else if (v != NULL && is_live(m)) {
        want(m, READER_CHANGE, v->signal, "1");
    }
    vcd_fire(m->w, id);
}

static void go_on(struct model *m, bool back)
{
    uint64_t step = number(m);

    step = step > UINT64_MAX - m->now ? 1 : step;
    if (back && m->now > 0) {
        vcd_time(m->w, m->now - 1);
        fail(m, VCD_ETIME);
        m->frozen = true;
        return;
    }
    m->now += m->now == UINT64_MAX ? 0 : step;
    vcd_time(m->w, m->now);
}

/* ---- blocks ---- */

static void dump_off(struct model *m)
{
    if (!m->begun) {
        fail(m, VCD_EORDER);
    } else {
        if (is_live(m)) {
            want(m, READER_OFF, READER_NONE, "");
            want_block(m, true);
        }
        m->off = true;
    }
    vcd_dumpoff(m->w);
}

static void dump_on(struct model *m)
{
    if (!m->begun) {
        fail(m, VCD_EORDER);
    } else if (m->off) {
        m->off = false;
        if (is_live(m)) {
            want(m, READER_ON, READER_NONE, "");
            want_block(m, false);
        }
    }
    vcd_dumpon(m->w);
}

static void dump_all(struct model *m)
{
    if (!m->begun) {
        fail(m, VCD_EORDER);
    } else if (is_live(m)) {
        want_block(m, false);
    }
    vcd_dumpall(m->w);
}

static void begin(struct model *m)
{
    if (m->begun) {
        fail(m, VCD_EORDER);
    } else {
        want_block(m, false);
        want(m, READER_BEGUN, READER_NONE, "");
        m->begun = true;
    }
    (void)vcd_begin(m->w);
}

static void comment(struct model *m, bool bad)
{
    if (bad) {
        fail(m, VCD_ETEXT);
    }
    must(vcd_comment(m->w, bad ? "the $end" : "words between") == !bad);
}

static void call(struct model *m)
{
    uint8_t what = byte(m);
    uint32_t id = m->n_vars > 0 ? what / 32 + byte(m) % (m->n_vars + 1) : 0;

    switch (what % 32) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: set_vector(m, id, what % 32); break;
    case 5: set_real(m, id); break;
    case 6: set_string(m, id); break;
    case 7: fire(m, id); break;
    case 8: dump_off(m); break;
    case 9: dump_on(m); break;
    case 10: dump_all(m); break;
    case 11: comment(m, what == 11 + 7 * 32); break;
    case 12: (void)vcd_flush(m->w); break;
    case 13: go_on(m, what == 13 + 7 * 32); break;
    case 14: vcd_limit(m->w, number(m) % 4096); break;
    case 15: begin(m); break;
    default: /* what there is most of */
        if (what % 2) {
            go_on(m, false);
        } else {
            set_vector(m, id % (m->n_vars > 0 ? m->n_vars : 1), 0);
        }
    }
}

/* The limit came: what the call was to write is a $dumpoff instead. */
static void check_limit(struct model *m, size_t n_want, bool off)
{
    if (m->limited || !vcd_limited(m->w)) {
        return;
    }
    while (m->n_want > n_want) {
        free(m->want[--m->n_want].text);
    }
    m->limited = true;
    if (!off) {
        want(m, READER_OFF, READER_NONE, "");
        want_block(m, true);
    }
}

/* ---- reading back ---- */

static void check_declarations(const struct model *m, const struct reader *r)
{
    char path[READER_MAX_PATH];

    must(reader_vars(r) == m->n_vars);
    for (uint32_t i = 0; i < m->n_vars; i++) {
        const struct var *v = &m->var[i];
        const struct reader_var *got = reader_var(r, i);

        (void)reader_path(r, got, path, sizeof(path));
        must(strcmp(path, v->name) == 0);
        must(got->signal == v->signal);
        must(!is_vector(v) || got->width == v->width);
        must((got->kind == READER_EVENT) == (v->kind == VCD_EVENT));
    }
}

/* Digits without those that the rest extends to. */
static bool same_text(const struct want *want, const char *text, bool vector)
{
    size_t n = strlen(want->text), k = strlen(text);
    char first = text[0] == '1' ? '0' : text[0];

    if (!vector) {
        return strcmp(want->text, text) == 0;
    }
    for (size_t i = 0; i + k < n; i++) {
        if (want->text[i] != first) {
            return false;
        }
    }
    return k <= n && strcmp(want->text + n - k, text) == 0;
}

static void check_changes(const struct model *m, struct reader *r)
{
    struct reader_change c = {0};
    struct smw_err e = {0};
    enum reader_step step;
    size_t n = 0;
    uint64_t last = 0;

    while ((step = reader_next(r, &c, &e)) != READER_END) {
        const struct want *w = &m->want[n];

        last = c.time;
        if (step == READER_TIME) {
            continue;
        }
        must(step != READER_FAILED && n < m->n_want && step == w->step);
        must(c.time == w->time);
        must(step != READER_CHANGE || c.signal == w->signal);
        for (uint32_t i = 0; step == READER_CHANGE && i < m->n_vars; i++) {
            if (m->var[i].signal == w->signal) {
                must(same_text(w, c.text, is_vector(&m->var[i])));
            }
        }
        n++;
    }
    must(n == m->n_want && last == m->now && !reader_was_cut(r));
}

static void read_back(const struct model *m)
{
    FILE *f = fmemopen(m->bytes, m->n_bytes, "rb");
    struct smw_err e = {0};
    struct reader *r;

    must(f != NULL);
    r = reader_open(f, "fuzz.vcd", &e);
    must(r != NULL);
    check_declarations(m, r);
    check_changes(m, r);
    reader_close(r);
    (void)fclose(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct model m = {.data = data,
                      .end = data + (size < MAX_INPUT ? size : MAX_INPUT)};
    struct vcd_sink sink = {.write = take, .ctx = &m};
    struct vcd_options options = {.version = "fuzz"};
    bool early;

    options.buffer = byte(&m);
    m.chunk = byte(&m);
    early = byte(&m) % 2 == 0; /* else changes come before the beginning as well */
    options.keep_repeats = m.repeats = byte(&m) % 4 == 3;
    m.w = vcd_open(&sink, &options);
    must(m.w != NULL);
    declare(&m);
    if (early) {
        begin(&m);
    }
    while (m.data < m.end) {
        size_t n_want = m.n_want;
        bool off = m.off;

        call(&m);
        check_limit(&m, n_want, off);
    }
    if (!m.begun) {
        begin(&m);
    }
    must(vcd_error(m.w) == m.error && vcd_close(m.w) == m.error);
    read_back(&m);
    for (size_t i = 0; i < m.n_want; i++) {
        free(m.want[i].text);
    }
    free(m.want);
    free(m.bytes);
    return 0;
}
