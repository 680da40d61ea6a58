#define _POSIX_C_SOURCE 200809L /* strdup() */

#include "libvcd/vcd_testlib.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- the sink --- */

static ssize_t mem_write(void *ctx, const void *buf, size_t len)
{
    struct mem *m = ctx;

    assert_true(len > 0);
    if (m->interrupted && m->writes++ % 2 == 0) {
        return -EINTR;
    }
    if (m->chunk != 0 && len > m->chunk) {
        len = m->chunk;
    }
    if (m->fail_code <= 0 && m->len + len > m->fail_at) {
        len = m->fail_at - m->len;
        if (len == 0) {
            return m->fail_code;
        }
    }
    while (m->len + len + 1 > m->cap) {
        m->cap = m->cap != 0 ? m->cap * 2 : 256;
        m->data = realloc(m->data, m->cap);
        assert_non_null(m->data);
    }
    memcpy(m->data + m->len, buf, len);
    m->len += len;
    m->data[m->len] = '\0';
    return (ssize_t)len;
}

static int mem_flush(void *ctx)
{
    struct mem *m = ctx;

    m->flushes++;
    return m->flush_code;
}

static int mem_close(void *ctx)
{
    struct mem *m = ctx;

    m->closes++;
    return m->close_code;
}

static int mem_cut(void *ctx, uint64_t len)
{
    struct mem *m = ctx;

    assert_true(len < m->len);
    if (!m->cuts) {
        return -EINVAL;
    }
    m->n_cuts++;
    m->len = (size_t)len;
    m->data[len] = '\0';
    return 0;
}

struct vcd_sink mem_sink(struct mem *m)
{
    return (struct vcd_sink){.write = mem_write,
                             .flush = mem_flush,
                             .close = mem_close,
                             .cut = mem_cut,
                             .ctx = m};
}

struct vcd *mem_open(struct mem *m, const struct vcd_options *options)
{
    struct vcd_sink sink = mem_sink(m);
    struct vcd *w;

    memset(m, 0, sizeof(*m));
    m->fail_code = 1;
    w = vcd_open(&sink, options);
    assert_non_null(w);
    return w;
}

void mem_free(struct mem *m)
{
    free(m->data);
    m->data = NULL;
}

void mem_expect(struct vcd *w, struct mem *m, const char *golden)
{
    assert_int_equal(vcd_close(w), 0);
    assert_int_equal(m->closes, 1);
    assert_string_equal(m->data, golden);
    mem_free(m);
}

/* --- the reader --- */

struct scan {
    const char *at;
    char word[1 << 15];
};

/* The next blank-separated word; false at the end. */
static bool next(struct scan *s)
{
    size_t n;

    s->at += strspn(s->at, " \n");
    n = strcspn(s->at, " \n");
    assert_true(n < sizeof(s->word));
    memcpy(s->word, s->at, n);
    s->word[n] = '\0';
    s->at += n;
    return n > 0;
}

static void expect_word(struct scan *s, const char *word)
{
    assert_true(next(s));
    assert_string_equal(s->word, word);
}

static void append(char *text, size_t size, const char *more)
{
    size_t len = strlen(text), n = strlen(more);

    assert_true(len + n < size);
    memcpy(text + len, more, n + 1);
}

/* Words up to $end, kept in text if given (last one wins, joined by blanks). */
static void skip_section(struct scan *s, char *text, size_t size)
{
    if (text != NULL) {
        text[0] = '\0';
    }
    for (;;) {
        assert_true(next(s));
        if (strcmp(s->word, "$end") == 0) {
            return;
        }
        if (text != NULL) {
            append(text, size, text[0] != '\0' ? " " : "");
            append(text, size, s->word);
        }
    }
}

static unsigned number(const char *text)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);

    assert_true(end != text && *end == '\0');
    return (unsigned)n;
}

static void read_var(struct rd *r, struct scan *s, const char *path)
{
    struct rd_var *v;
    char want[32];

    r->vars = realloc(r->vars, (r->n_vars + 1) * sizeof(*r->vars));
    assert_non_null(r->vars);
    v = &r->vars[r->n_vars++];
    memset(v, 0, sizeof(*v));
    next(s);
    append(v->kind, sizeof(v->kind), s->word);
    next(s);
    v->width = number(s->word);
    next(s);
    append(v->id, sizeof(v->id), s->word);
    next(s);
    append(v->name, sizeof(v->name), path);
    append(v->name, sizeof(v->name), s->word);
    next(s);
    if (s->word[0] == '[') {
        snprintf(want, sizeof(want), "[%u:0]", v->width - 1);
        assert_string_equal(s->word, want);
        v->range = true;
        next(s);
    }
    assert_string_equal(s->word, "$end");
}

static void read_header(struct rd *r, struct scan *s)
{
    char path[2048] = "";

    for (;;) {
        assert_true(next(s));
        if (strcmp(s->word, "$enddefinitions") == 0) {
            expect_word(s, "$end");
            assert_string_equal(path, "");
            return;
        }
        if (strcmp(s->word, "$scope") == 0) {
            expect_word(s, "module");
            next(s);
            append(path, sizeof(path), s->word);
            append(path, sizeof(path), ".");
            expect_word(s, "$end");
        } else if (strcmp(s->word, "$upscope") == 0) {
            assert_true(path[0] != '\0');
            path[strlen(path) - 1] = '\0';
            *(strrchr(path, '.') != NULL ? strrchr(path, '.') + 1 : path) = '\0';
            expect_word(s, "$end");
        } else if (strcmp(s->word, "$var") == 0) {
            read_var(r, s, path);
        } else if (strcmp(s->word, "$timescale") == 0) {
            skip_section(s, r->timescale, sizeof(r->timescale));
        } else {
            assert_true(s->word[0] == '$');
            r->n_comments += strcmp(s->word, "$comment") == 0;
            skip_section(s, NULL, 0);
        }
    }
}

/* The dumps of the tests are small: linear. */
static unsigned var_of(const struct rd *r, const char *id)
{
    for (unsigned i = 0; i < r->n_vars; i++) {
        if (strcmp(r->vars[i].id, id) == 0) {
            return i;
        }
    }
    fail_msg("undeclared identifier %s", id);
    return 0;
}

static void keep(struct rd *r, uint64_t time, unsigned var, char *value)
{
    if ((r->n_changes & (r->n_changes + 1)) == 0) {
        r->changes = realloc(r->changes, (2 * r->n_changes + 2) * sizeof(*r->changes));
        assert_non_null(r->changes);
    }
    r->changes[r->n_changes++] = (struct rd_change){time, var, value};
}

static char *extend(const char *digits, unsigned width)
{
    size_t n = strlen(digits);
    char *full = malloc(width + 1u);

    assert_non_null(full);
    assert_true(n > 0 && n <= width);
    assert_int_equal(strspn(digits, "01xz"), n);
    memset(full, digits[0] == '1' ? '0' : digits[0], width);
    memcpy(full + width - n, digits, n + 1);
    return full;
}

static char *unescape(const char *text)
{
    char *plain = calloc(1, strlen(text) + 1), *to = plain;

    assert_non_null(plain);
    while (*text != '\0') {
        if (*text != '\\') {
            *to++ = *text++;
            continue;
        }
        if (strchr("\\tn", text[1]) != NULL && text[1] != '\0') { /* fst2vcd's */
            *to++ = (char)(text[1] == 't' ? '\t' : text[1] == 'n' ? '\n' : '\\');
            text += 2;
            continue;
        }
        assert_true(strspn(text + 1, "01234567") >= 3);
        *to++ = (char)((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0'));
        text += 4;
    }
    return plain;
}

static void read_change(struct rd *r, struct scan *s)
{
    char kind = s->word[0];
    char *value = strdup(s->word + 1);
    unsigned var;

    assert_non_null(value);
    assert_non_null(strchr("01xzbrs", kind));
    if (strchr("brs", kind) != NULL) {
        assert_true(next(s));
        var = var_of(r, s->word);
    } else {
        var = var_of(r, s->word + 1);
    }
    assert_int_equal(kind == 'r', strcmp(r->vars[var].kind, "real") == 0);
    assert_int_equal(kind == 's', strcmp(r->vars[var].kind, "string") == 0);
    if (kind == 'b') {
        keep(r, r->end, var, extend(value, r->vars[var].width));
    } else if (kind == 's') {
        keep(r, r->end, var, unescape(value));
    } else if (kind == 'r') {
        keep(r, r->end, var, strdup(value));
    } else {
        assert_int_equal(r->vars[var].width, 1);
        keep(r, r->end, var, extend((char[]){kind, '\0'}, 1));
    }
    free(value);
}

void rd_parse_cut(struct rd *r, const char *text)
{
    struct scan *s = calloc(1, sizeof(*s));

    assert_non_null(s);
    memset(r, 0, sizeof(*r));
    s->at = text;
    read_header(r, s);
    while (next(s)) {
        if (s->word[0] == '#') {
            char *end;
            uint64_t t = strtoull(s->word + 1, &end, 10);

            assert_true(*end == '\0' && !r->dumping);
            assert_true(r->n_times == 0 || t > r->end);
            r->end = t;
            r->n_times++;
        } else if (strcmp(s->word, "$comment") == 0) {
            r->n_comments++;
            skip_section(s, NULL, 0);
        } else if (strcmp(s->word, "$end") == 0) {
            assert_true(r->dumping);
            r->dumping = false;
        } else if (s->word[0] == '$') {
            assert_false(r->dumping);
            assert_true(r->n_times > 0);
            r->dumping = true;
            r->n_off += strcmp(s->word, "$dumpoff") == 0;
            r->n_on += strcmp(s->word, "$dumpon") == 0;
            r->n_all += strcmp(s->word, "$dumpall") == 0;
        } else {
            assert_true(r->n_times > 0);
            read_change(r, s);
        }
    }
    free(s);
}

void rd_parse(struct rd *r, const char *text)
{
    rd_parse_cut(r, text);
    assert_false(r->dumping);
}

void rd_free(struct rd *r)
{
    for (size_t i = 0; i < r->n_changes; i++) {
        free(r->changes[i].value);
    }
    free(r->changes);
    free(r->vars);
}

unsigned rd_find(const struct rd *r, const char *name)
{
    for (unsigned i = 0; i < r->n_vars; i++) {
        if (strcmp(r->vars[i].name, name) == 0) {
            return i;
        }
    }
    fail_msg("no variable %s", name);
    return 0;
}
