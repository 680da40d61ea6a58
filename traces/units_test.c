/* A dump in coarser units, in front of one that writes down what it is told. */
#include "dump.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct notes {
    struct dump base;
    char text[4096];
    size_t n;
    dump_id vars;
};

static void note(struct dump *d, const char *fmt, ...)
{
    struct notes *t = (struct notes *)d;
    va_list args;

    va_start(args, fmt);
    t->n += (size_t)vsnprintf(t->text + t->n, sizeof(t->text) - t->n, fmt, args);
    va_end(args);
    assert_true(t->n < sizeof(t->text));
}

static dump_id note_add(struct dump *d, const struct dump_var *v)
{
    (void)v;
    return ((struct notes *)d)->vars++;
}

static void note_begin(struct dump *d)
{
    note(d, "begin ");
}

static void note_time(struct dump *d, uint64_t t)
{
    note(d, "#%u ", (unsigned)t);
}

static void note_set(struct dump *d, dump_id id, uint64_t value)
{
    note(d, "%u=%u ", (unsigned)id, (unsigned)value);
}

static void note_x(struct dump *d, dump_id id)
{
    note(d, "%u=x ", (unsigned)id);
}

static void note_z(struct dump *d, dump_id id)
{
    note(d, "%u=z ", (unsigned)id);
}

static void note_words(struct dump *d, dump_id id, const char *text)
{
    note(d, "%u='%s' ", (unsigned)id, text);
}

static void note_fire(struct dump *d, dump_id id)
{
    note(d, "%u! ", (unsigned)id);
}

static void note_off(struct dump *d)
{
    note(d, "off ");
}

static int note_close(struct dump *d, uint64_t *bytes)
{
    note(d, "close");
    *bytes = 7;
    return 5;
}

static const struct dump_format format = {.add = note_add,
                                          .begin = note_begin,
                                          .time = note_time,
                                          .set = note_set,
                                          .set_x = note_x,
                                          .set_z = note_z,
                                          .set_text = note_words,
                                          .fire = note_fire,
                                          .off = note_off,
                                          .close = note_close};

static uint64_t tens(void *ctx, uint64_t t)
{
    (void)ctx;
    return t / 10;
}

struct fixture {
    struct notes notes;
    struct arena arena;
    struct dump *d;
};

static void open_tens(struct fixture *f, uint32_t n_vars)
{
    *f = (struct fixture){.notes.base.format = &format};
    arena_init(&f->arena);
    f->d = dump_in_units(&f->notes.base, &f->arena, tens, NULL);
    for (uint32_t i = 0; i < n_vars; i++) {
        assert_int_equal(dump_add(f->d, &(struct dump_var){.name = "v"}), i);
    }
}

/* The end of the dump, at time end. */
static void expect(struct fixture *f, uint64_t end, const char *text)
{
    uint64_t bytes = 0;

    dump_time(f->d, end);
    assert_int_equal(dump_close(f->d, &bytes), 5);
    assert_int_equal(bytes, 7);
    assert_string_equal(f->notes.text, text);
    arena_free(&f->arena);
}

static void the_last_value_stays(void **state)
{
    struct fixture f;

    (void)state;
    open_tens(&f, 3);
    dump_time(f.d, 0);
    dump_set(f.d, 0, 4);
    dump_set(f.d, 1, 5);
    dump_begin(f.d);
    dump_time(f.d, 10);
    dump_set(f.d, 1, 6);
    dump_time(f.d, 12);
    dump_set(f.d, 0, 7);
    dump_time(f.d, 19);
    dump_set(f.d, 1, 8);
    dump_time(f.d, 20); /* 1 changed first */
    dump_set(f.d, 0, 9);
    expect(&f, 39, "#0 0=4 1=5 begin #1 #1 #1 1=8 0=7 #2 0=9 #3 close");
}

static void events_are_one(void **state)
{
    struct fixture f;

    (void)state;
    open_tens(&f, 2);
    dump_begin(f.d);
    dump_time(f.d, 51);
    dump_fire(f.d, 1);
    dump_fire(f.d, 1);
    dump_time(f.d, 59);
    dump_fire(f.d, 1);
    dump_time(f.d, 60);
    dump_fire(f.d, 1);
    expect(&f, 60, "begin #5 #5 1! #6 #6 1! close");
}

static void kinds_replace_each_other(void **state)
{
    struct fixture f;

    (void)state;
    open_tens(&f, 4);
    dump_begin(f.d);
    dump_time(f.d, 1);
    dump_set(f.d, 0, 1);
    dump_set_x(f.d, 0);
    dump_set_x(f.d, 1);
    dump_set_z(f.d, 1);
    dump_set_z(f.d, 2);
    dump_set(f.d, 2, 3);
    dump_set_text(f.d, 3, "short");
    dump_set_text(f.d, 3,
                  "a longer one of more than sixty-four bytes, for which there is no "
                  "room yet");
    dump_set(f.d, 4, 1); /* there is none */
    dump_off(f.d);
    expect(&f, 9,
           "begin #0 0=x 1=z 2=3 3='a longer one of more than sixty-four bytes, for "
           "which there is no room yet' off #0 close");
}

/* More than the first allocation holds, all changed at once. */
static void many_variables(void **state)
{
    struct fixture f;
    char want[4096] = "begin #0 ";
    size_t n = strlen(want);

    (void)state;
    open_tens(&f, 600);
    dump_begin(f.d);
    dump_time(f.d, 0);
    for (dump_id id = 600; id-- > 300;) {
        dump_fire(f.d, id);
        n += (size_t)snprintf(want + n, sizeof(want) - n, "%u! ", (unsigned)id);
    }
    (void)snprintf(want + n, sizeof(want) - n, "#1 close");
    expect(&f, 10, want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_value_stays),
        cmocka_unit_test(events_are_one),
        cmocka_unit_test(kinds_replace_each_other),
        cmocka_unit_test(many_variables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
