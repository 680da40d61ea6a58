/*
 * Random declarations and changes, read back by the reader of vcd_testlib.c: what it
 * sees must be the history the test remembers, values and times, for every variable.
 */
#include "libvcd/vcd_testlib.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_VARS = 40, MAX_CHANGES = 20000, WORDS = 5 };

struct model {
    unsigned n;
    struct {
        vcd_id id;
        enum vcd_kind kind;
        uint32_t width;
        char name[64];
        char now[WORDS * 64 + 1]; /* as the reader will give it */
    } var[MAX_VARS];
    struct rd_change want[MAX_CHANGES];
    size_t n_want;
    uint64_t time;
    bool begun, off;
    uint64_t seed;
};

static bool vector(const struct model *m, unsigned i)
{
    return m->var[i].kind <= VCD_INTEGER;
}

static void expect(struct model *m, unsigned i, const char *value)
{
    size_t size = strlen(value) + 1;
    char *copy = malloc(size);

    assert_non_null(copy);
    assert_true(m->n_want < MAX_CHANGES);
    memcpy(copy, value, size);
    m->want[m->n_want++] = (struct rd_change){m->time, i, copy};
}

static void changed(struct model *m, unsigned i, const char *value)
{
    if (strcmp(m->var[i].now, value) == 0) {
        return;
    }
    memcpy(m->var[i].now, value, strlen(value) + 1);
    if (m->begun && !m->off) {
        expect(m, i, value);
    }
}

static void block(struct model *m, bool x)
{
    char all_x[WORDS * 64 + 1];

    for (unsigned i = 0; i < m->n; i++) {
        if (vector(m, i) && x) {
            memset(all_x, 'x', m->var[i].width);
            all_x[m->var[i].width] = '\0';
            expect(m, i, all_x);
        } else if (!x && m->var[i].kind != VCD_EVENT) {
            expect(m, i, m->var[i].now);
        }
    }
}

static void declare(struct model *m, struct vcd *w)
{
    static const char *const kinds[] = {"w", "r", "i", "d", "s", "e"};
    char scope[16];

    assert_true(vcd_scope(w, "top"));
    m->n = 1 + (unsigned)(rnd(&m->seed) % MAX_VARS);
    for (unsigned i = 0; i < m->n; i++) {
        enum vcd_kind kind = (enum vcd_kind)(rnd(&m->seed) % 6);
        uint32_t width = 1 + (uint32_t)(rnd(&m->seed) % (i % 2 ? 8 : WORDS * 64));

        snprintf(scope, sizeof(scope), "s%u", (unsigned)(rnd(&m->seed) % 4));
        assert_true(vcd_scope(w, scope));
        snprintf(m->var[i].name, sizeof(m->var[i].name), "top.%s.%s%u", scope,
                 kinds[kind], i);
        m->var[i].kind = kind;
        m->var[i].width = width;
        m->var[i].id = vcd_add(w, kind, strrchr(m->var[i].name, '.') + 1, width);
        assert_int_not_equal(m->var[i].id, VCD_NONE);
        memset(m->var[i].now, 'x', width);
        m->var[i].now[vector(m, i) ? width : 0] = '\0';
        if (kind == VCD_REAL) {
            memcpy(m->var[i].now, "0", 2);
        }
        if (rnd(&m->seed) % 4 == 0) { /* from here on, half the time, use the alias */
            char name[16];
            vcd_id alias;

            snprintf(name, sizeof(name), "again%u", i);
            alias = vcd_alias(w, kind, name, width, m->var[i].id);
            assert_int_not_equal(alias, VCD_NONE);
            m->var[i].id = i % 2 ? alias : m->var[i].id;
        }
        assert_true(vcd_upscope(w));
    }
}

static void set_vector(struct model *m, struct vcd *w, unsigned i)
{
    uint32_t width = m->var[i].width;
    unsigned how = (unsigned)(rnd(&m->seed) % 6);
    uint64_t v[WORDS] = {0}, u[WORDS] = {0};
    char text[WORDS * 64 + 1];

    for (unsigned k = 0; k < WORDS; k++) {
        v[k] = how == 0 && k > 0 ? 0 : rnd(&m->seed);
        u[k] = how < 2 || how == 5 ? 0 : rnd(&m->seed);
        if (how == 5) { /* sparse */
            v[k] = k == rnd(&m->seed) % WORDS ? (uint64_t)1 << v[k] % 64 : 0;
        } else if (how >= 3) {
            v[k] = how == 3 ? ~(uint64_t)0 : 0;
            u[k] = ~(uint64_t)0;
        }
    }
    switch (how) {
    case 0: vcd_set_u64(w, m->var[i].id, v[0]); break;
    case 1:
    case 5: vcd_set_bits(w, m->var[i].id, v); break;
    case 2: vcd_set_xz(w, m->var[i].id, v, u); break;
    case 3: vcd_set_x(w, m->var[i].id); break;
    default: vcd_set_z(w, m->var[i].id); break;
    }
    for (uint32_t c = 0; c < width; c++) {
        uint32_t bit = width - 1 - c;
        bool unknown = u[bit / 64] >> bit % 64 & 1, one = v[bit / 64] >> bit % 64 & 1;

        text[c] = unknown ? (one ? 'x' : 'z') : (one ? '1' : '0');
    }
    text[width] = '\0';
    changed(m, i, text);
}

static void set(struct model *m, struct vcd *w, unsigned i)
{
    char text[64];
    double real;
    size_t len;

    switch (m->var[i].kind) {
    case VCD_WIRE:
    case VCD_REG:
    case VCD_INTEGER: set_vector(m, w, i); break;
    case VCD_REAL:
        real = (double)(int64_t)(rnd(&m->seed) % 2000 - 1000) / 8; /* exact in text */
        snprintf(text, sizeof(text), "%.16g", real);
        vcd_set_real(w, m->var[i].id, real);
        changed(m, i, text);
        break;
    case VCD_STRING:
        len = (size_t)(rnd(&m->seed) % 20);
        for (size_t k = 0; k < len; k++) {
            text[k] = (char)(1 + rnd(&m->seed) % 255);
        }
        text[len] = '\0';
        vcd_set_string(w, m->var[i].id, text);
        changed(m, i, text);
        break;
    case VCD_EVENT:
        if (m->begun) {
            vcd_fire(w, m->var[i].id);
            if (!m->off) {
                expect(m, i, "1");
            }
        }
        break;
    }
}

static void step(struct model *m, struct vcd *w)
{
    unsigned what = (unsigned)(rnd(&m->seed) % 100);

    if (what < 30) {
        m->time += rnd(&m->seed) % 1000;
        vcd_time(w, m->time);
    } else if (what < 32) {
        vcd_dumpoff(w);
        if (!m->off) {
            block(m, true);
        }
        m->off = true;
    } else if (what < 36) {
        vcd_dumpon(w);
        if (m->off) {
            block(m, false);
        }
        m->off = false;
    } else if (what < 37) {
        vcd_dumpall(w);
        if (!m->off) {
            block(m, false);
        }
    } else if (what < 38) {
        vcd_comment(w, "a # b 1! $ c");
    } else if (what < 39) {
        assert_int_equal(vcd_flush(w), 0);
    } else {
        set(m, w, (unsigned)(rnd(&m->seed) % m->n));
    }
}

static void compare(const struct model *m, const char *data)
{
    struct rd r;

    rd_parse(&r, data);
    assert_int_equal(r.end, m->time);
    assert_int_equal(r.n_changes, m->n_want);
    for (size_t i = 0; i < m->n_want; i++) {
        unsigned var = rd_find(&r, m->var[m->want[i].var].name);

        assert_int_equal(r.changes[i].time, m->want[i].time);
        assert_string_equal(r.vars[r.changes[i].var].id, r.vars[var].id);
        assert_string_equal(r.changes[i].value, m->want[i].value);
    }
    for (unsigned i = 0; i < m->n; i++) {
        const struct rd_var *v = &r.vars[rd_find(&r, m->var[i].name)];

        assert_int_equal(v->range, m->var[i].kind <= VCD_REG && m->var[i].width > 1);
        if (vector(m, i)) {
            assert_int_equal(v->width, m->var[i].width);
        }
    }
    rd_free(&r);
}

static void random_dumps(void **state)
{
    static struct model m;

    (void)state;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        const struct vcd_options options = {.buffer = seed % 3 * 200};
        struct mem out;
        struct vcd *w = mem_open(&out, &options);

        memset(&m, 0, sizeof(m));
        m.seed = seed;
        out.chunk = seed % 7;
        declare(&m, w);
        for (unsigned i = 0; i < 10; i++) { /* initial values */
            set(&m, w, (unsigned)(rnd(&m.seed) % m.n));
        }
        vcd_begin(w);
        block(&m, false);
        m.begun = true;
        for (unsigned i = 0; i < 600; i++) {
            step(&m, w);
        }
        assert_int_equal(vcd_close(w), 0);
        compare(&m, out.data);
        mem_free(&out);
        for (size_t i = 0; i < m.n_want; i++) {
            free(m.want[i].value);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_dumps)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
