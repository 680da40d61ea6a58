/* The VCD reader: what it delivers, and that it refuses the rest with a line. */
#include "reader.h"

#include "compare.h"
#include "view.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static FILE *file_of(const char *text, size_t n)
{
    FILE *f = tmpfile();

    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    rewind(f);
    return f;
}

static const char head[] = "$comment kernel $end\n"
                           "$comment config tiny, digest 00 $end\n"
                           "$version smwave 1.2.3 $end\n"
                           "$timescale 1 ps $end\n"
                           "$scope module gpu $end\n"
                           "$var wire 1 ! clk $end\n"
                           "$var integer 64 \" cycle $end\n"
                           "$scope module smem $end\n"
                           "$var wire 6 # degree [5:0] $end\n"
                           "$var event 1 $ conflict $end\n"
                           "$var string 0 % inst $end\n"
                           "$var real 64 & ipc $end\n"
                           "$upscope $end\n"
                           "$upscope $end\n"
                           "$enddefinitions $end\n";

static const char body[] = "#0\n$dumpvars\n0!\nb0 \"\nb0 #\ns %\nr0.5 &\n$end\n"
                           "#10\n1!\nb101 #\n1$\nsadd\\040r1 %\n"
                           "#20\n0!\nbx #\n"
                           "$comment status complete $end\n";

static struct reader *open_text(const char *text, FILE **f, struct smw_err *e)
{
    *f = file_of(text, strlen(text));
    memset(e, 0, sizeof(*e));
    return reader_open(*f, "t.vcd", e);
}

static char *join(const char *a, const char *b)
{
    char *s = malloc(strlen(a) + strlen(b) + 1);

    assert_non_null(s);
    strcpy(s, a);
    strcat(s, b);
    return s;
}

static void declarations(void **state)
{
    char path[64];
    struct smw_err e;
    FILE *f;
    struct reader *r = open_text(head, &f, &e);

    (void)state;
    assert_non_null(r);
    assert_string_equal(reader_version(r), "smwave 1.2.3");
    assert_string_equal(reader_timescale(r), "1 ps");
    assert_string_equal(reader_comment(r, 0), "kernel");
    assert_string_equal(reader_comment(r, 1), "config tiny, digest 00");
    assert_null(reader_comment(r, 2));
    assert_int_equal(reader_scopes(r), 2);
    assert_int_equal(reader_vars(r), 6);
    assert_int_equal(reader_signals(r), 6);
    assert_int_equal(reader_scope(r, 1)->parent, 0);
    assert_int_equal(reader_var(r, 2)->width, 6);
    assert_int_equal(reader_var(r, 1)->kind, READER_INTEGER);
    assert_int_equal(reader_path(r, reader_var(r, 2), path, sizeof(path)), 15);
    assert_string_equal(path, "gpu.smem.degree");
    assert_int_equal(reader_path(r, reader_var(r, 2), path, 6), 15);
    assert_string_equal(path, "gpu.s");
    reader_close(r);
    fclose(f);
}

static void changes(void **state)
{
    char *text = join(head, body);
    struct reader_change c;
    struct smw_err e;
    FILE *f;
    struct reader *r = open_text(text, &f, &e);

    (void)state;
    assert_int_equal(reader_next(r, &c, &e), READER_TIME);
    for (uint32_t i = 0; i < 5; i++) {
        static const uint32_t signal[] = {0, 1, 2, 4, 5};

        assert_int_equal(reader_next(r, &c, &e), READER_CHANGE);
        assert_int_equal(c.signal, signal[i]);
        assert_int_equal(c.time, 0);
    }
    assert_string_equal(c.text, "0.5");
    assert_int_equal(reader_next(r, &c, &e), READER_BEGUN);
    assert_int_equal(reader_next(r, &c, &e), READER_TIME);
    assert_int_equal(c.time, 10);
    assert_int_equal(reader_next(r, &c, &e), READER_CHANGE);
    assert_true(c.signal == 0 && c.value == 1 && c.known);
    assert_int_equal(reader_next(r, &c, &e), READER_CHANGE);
    assert_true(c.signal == 2 && c.value == 5 && strcmp(c.text, "101") == 0);
    assert_int_equal(reader_next(r, &c, &e), READER_CHANGE);
    assert_int_equal(c.signal, 3);
    assert_int_equal(reader_next(r, &c, &e), READER_CHANGE);
    assert_string_equal(c.text, "add\\040r1");
    assert_int_equal(reader_next(r, &c, &e), READER_TIME);
    assert_int_equal(reader_next(r, &c, &e), READER_CHANGE);
    assert_int_equal(reader_next(r, &c, &e), READER_CHANGE);
    assert_true(c.signal == 2 && !c.known);
    assert_int_equal(reader_next(r, &c, &e), READER_END);
    assert_int_equal(reader_next(r, &c, &e), READER_END);
    assert_false(reader_was_cut(r));
    reader_close(r);
    fclose(f);
    free(text);
}

static void bad_headers(void **state)
{
    static const struct {
        const char *text;
        uint32_t line;
    } bad[] = {
        {"", 1},
        {"hello\n", 1},
        {"$scope module a $end\n$enddefinitions", 2},
        {"$upscope $end\n$enddefinitions $end\n", 1},
        {"$scope module $end $enddefinitions $end\n", 1},
        {"\n$var nothing 1 ! a $end\n", 2},
        {"$var wire 0 ! a $end\n", 1},
        {"$var wire 99999999999999999999 ! a $end\n", 1},
        {"$var wire -1 ! a $end\n", 1},
        {"$var wire 1 ! a $end\n$var wire 2 ! b $end\n", 2},
        {"$var wire 1 ! a $end\n$var string 1 ! b $end\n", 2},
        {"$var wire 1 12345678901234567 a $end\n", 1},
        {"$comment for ever\n", 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct smw_err e;
        FILE *f;

        assert_null(open_text(bad[i].text, &f, &e));
        assert_int_equal(e.kind, SMW_ERR_INPUT);
        assert_int_equal(e.line, bad[i].line);
        assert_string_equal(e.file, "t.vcd");
        fclose(f);
    }
}

static void deep_scopes(void **state)
{
    enum { N = 65 };
    char text[N * 24 + 32] = "";
    struct smw_err e;
    FILE *f;

    (void)state;
    for (int i = 0; i < N; i++) {
        strcat(text, "$scope module s $end\n");
    }
    strcat(text, "$enddefinitions $end\n");
    assert_null(open_text(text, &f, &e));
    assert_int_equal(e.line, N);
    fclose(f);
}

static void bad_changes(void **state)
{
    static const char *const bad[] = {
        "#1\n1?\n",
        "#1\nb102 #\n",
        "#1\nb1111111 #\n",
        "#1\nb #\n",
        "#2\n#1\n",
        "#x\n",
        "#\n",
        "#99999999999999999999\n",
        "2!\n",
        "sword #\n",
        "b1 %\n",
        "r1 #\n",
        "$what $end\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        char *text = join(head, bad[i]);
        struct reader_change c;
        enum reader_step s;
        struct smw_err e;
        FILE *f;
        struct reader *r = open_text(text, &f, &e);

        assert_non_null(r);
        do {
            s = reader_next(r, &c, &e);
        } while (s != READER_END && s != READER_FAILED);
        assert_int_equal(s, READER_FAILED);
        assert_int_equal(e.kind, SMW_ERR_INPUT);
        assert_true(e.line >= 16);
        assert_int_equal(reader_next(r, &c, &e), READER_FAILED);
        reader_close(r);
        fclose(f);
        free(text);
    }
}

/* A word may be long, but not endless. */
static void long_words(void **state)
{
    size_t n = READER_MAX_WORD + (size_t)10;
    char *long_text = malloc(n + 1), *text;
    struct reader_change c;
    struct smw_err e;
    FILE *f;
    struct reader *r;

    (void)state;
    assert_non_null(long_text);
    memset(long_text, 'a', n);
    long_text[0] = 's';
    long_text[n] = '\0';
    text = join(head, long_text);
    r = open_text(text, &f, &e);
    assert_int_equal(reader_next(r, &c, &e), READER_FAILED);
    reader_close(r);
    fclose(f);
    free(text);
    strcpy(long_text + READER_MAX_WORD - 10, " %\n");
    text = join(head, long_text);
    r = open_text(text, &f, &e);
    assert_int_equal(reader_next(r, &c, &e), READER_CHANGE);
    assert_int_equal(strlen(c.text), READER_MAX_WORD - 11);
    reader_close(r);
    fclose(f);
    free(text);
    free(long_text);
}

/* Wherever a file ends, nothing else happens than that it ends. */
static void cut_anywhere(void **state)
{
    char *text = join(head, body);
    size_t all = strlen(text);

    (void)state;
    for (size_t n = 0; n <= all; n++) {
        FILE *f = file_of(text, n);
        struct smw_err e = {0};
        struct reader *r = reader_open(f, "t.vcd", &e);
        struct reader_change c;
        enum reader_step s = READER_END;

        assert_true((r != NULL) == (n >= strlen(head)) || n == strlen(head) - 1);
        while (r != NULL && (s = reader_next(r, &c, &e)) != READER_END) {
            assert_int_not_equal(s, READER_FAILED);
        }
        reader_close(r);
        fclose(f);
    }
    free(text);
}

/* Any byte may be any other: refused or read, never worse. */
static void wrong_anywhere(void **state)
{
    char *text = join(head, body);
    size_t all = strlen(text);
    uint64_t seed = 1;

    (void)state;
    for (int i = 0; i < 4000; i++) {
        struct smw_err e = {0};
        struct reader_change c;
        struct reader *r;
        size_t at;
        char was;
        FILE *f;

        seed = seed * 6364136223846793005u + 1442695040888963407u;
        at = (size_t)(seed >> 33) % all;
        was = text[at];
        text[at] = (char)(seed >> 20);
        f = file_of(text, all);
        r = reader_open(f, "t.vcd", &e);
        for (int k = 0; r != NULL && k < 1000; k++) {
            enum reader_step s = reader_next(r, &c, &e);

            assert_true(s != READER_CHANGE || c.signal < reader_signals(r));
            if (s == READER_END || s == READER_FAILED) {
                break;
            }
        }
        assert_true(r != NULL || e.kind == SMW_ERR_INPUT);
        reader_close(r);
        fclose(f);
        text[at] = was;
    }
    free(text);
}

/* ---- comparing ---- */

static enum compare_verdict compare_told(const char *a, const char *b,
                                         const struct compare_listener *l,
                                         struct compare_result *out)
{
    struct smw_err e;
    FILE *f[2];
    struct reader *r[2] = {open_text(a, &f[0], &e), open_text(b, &f[1], &e)};
    enum compare_verdict v;

    assert_true(r[0] != NULL && r[1] != NULL);
    v = compare_dumps(r[0], r[1], l, out, &e);
    reader_close(r[0]);
    reader_close(r[1]);
    fclose(f[0]);
    fclose(f[1]);
    return v;
}

static enum compare_verdict compare(const char *a, const char *b,
                                    struct compare_result *out)
{
    return compare_told(a, b, NULL, out);
}

static void same_dumps(void **state)
{
    char *a = join(head, body);
    /* other clocks, other widths, leading zeros, another order: nothing happened */
    char *b = join("$version smwave 2 $end\n$timescale 1ps $end\n"
                   "$scope module gpu $end\n$var wire 1 ! clk $end\n"
                   "$scope module smem $end\n$var string 0 a inst $end\n"
                   "$var wire 9 b degree [8:0] $end\n$var event 1 c conflict $end\n"
                   "$var wire 1 d other $end\n"
                   "$upscope $end\n$upscope $end\n$enddefinitions $end\n",
                   "#0\n$dumpvars\nb000 b\ns a\n1d\n$end\n#5\n1!\n0d\n"
                   "#10\nsadd\\040r1 a\nb000101 b\n1c\n#20\nbx b\n#20\n");
    struct compare_result result;

    (void)state;
    assert_int_equal(compare(a, b, &result), COMPARE_SAME);
    assert_int_equal(result.common, 3);
    assert_int_equal(result.only[0], 1);
    assert_int_equal(result.only[1], 1);
    free(a);
    free(b);
}

static void different_dumps(void **state)
{
    static const struct {
        const char *body, *path, *value;
        uint64_t time;
    } cases[] = {
        {"#0\n$dumpvars\nb0 #\ns %\nr0.5 &\n$end\n#10\nb101 #\nsadd\\040r1 %\n",
         "gpu.smem.conflict", "does not happen", 10},
        {"#0\n$dumpvars\nb0 #\ns %\nr0.5 &\n$end\n#10\nb101 #\n1$\nssub\\040r1 %\n",
         "gpu.smem.inst", "sub r1", 10},
        {"#0\n$dumpvars\nb0 #\ns %\nr0.5 &\n$end\n#9\nb101 #\n", "gpu.smem.degree", "5",
         9},
        {"#0\n$dumpvars\nb0 #\ns %\nr0.5 &\n$end\n#10\nb101 #\n1$\nsadd\\040r1 %\n", "",
         "", 10}, /* it ends too early */
    };
    char *a = join(head, body);

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *b = join(head, cases[i].body);
        struct compare_result result;

        assert_int_equal(compare(a, b, &result), COMPARE_DIFFER);
        assert_int_equal(result.time, cases[i].time);
        assert_string_equal(result.path, cases[i].path);
        assert_string_equal(result.value[1], cases[i].value);
        assert_int_equal(result.ended[1], cases[i].path[0] == '\0');
        assert_int_equal(compare(b, a, &result), COMPARE_DIFFER);
        assert_int_equal(result.time, cases[i].time);
        free(b);
    }
    free(a);
}

static void remember(void *ctx, enum compare_note note, const char *path, const char *a,
                     const char *b)
{
    static const char *const words[] = {"only a", "only b", "set"};
    char *notes = ctx;

    snprintf(notes + strlen(notes), 200 - strlen(notes), "%s %s %s %s\n", words[note],
             path, a != NULL ? a : "-", b != NULL ? b : "-");
}

/* What has two values at time 0 is configured; but an event then has happened. */
static void configured_otherwise(void **state)
{
    char *a = join(head, body);
    char *b = join(head, "#0\n$dumpvars\n0!\nb1 #\ns %\nr0.75 &\n$end\n"
                         "#10\nb111 #\n1$\nsadd\\040r1 %\n#20\n");
    char *c = join("$timescale 1 ps $end\n$scope module gpu $end\n"
                   "$scope module smem $end\n$var event 1 $ conflict $end\n"
                   "$var string 0 % inst $end\n$var event 1 # degree $end\n"
                   "$var wire 1 z z $end\n$enddefinitions $end\n",
                   "#0\n1$\ns %\n#10\n1$\nsadd\\040r1 %\n#20\n");
    struct compare_result result;
    char notes[200] = "";
    struct compare_listener l = {remember, notes};

    (void)state;
    assert_int_equal(compare_told(a, b, &l, &result), COMPARE_SAME);
    assert_int_equal(result.set, 2);
    assert_string_equal(notes, "set gpu.smem.degree 0 1\nset gpu.smem.ipc 0.5 0.75\n");
    notes[0] = '\0';
    assert_int_equal(compare_told(a, c, &l, &result), COMPARE_DIFFER);
    assert_string_equal(result.path, "gpu.smem.conflict");
    assert_int_equal(result.time, 0);
    assert_string_equal(notes,
                        "only a gpu.smem.degree - -\nonly b gpu.smem.degree - -\n"
                        "only a gpu.smem.ipc - -\nonly b gpu.smem.z - -\n");
    free(a);
    free(b);
    free(c);
}

static void incomparable_dumps(void **state)
{
    char *a = join(head, body);
    struct compare_result result;

    (void)state;
    assert_int_equal(compare(a, "$timescale 1 ns $end $enddefinitions $end\n", &result),
                     COMPARE_FAILED);
    assert_int_equal(compare(a, "$timescale 1 ps $end $enddefinitions $end\n", &result),
                     COMPARE_FAILED);
    free(a);
}

/* ---- views ---- */

static void names_of_views(void **state)
{
    struct view list[VIEW_MAX];
    struct smw_err e = {0};
    char path[64];
    uint32_t n = 0;

    (void)state;
    assert_true(view_parse(list, &n, "banks,warp=3", &e));
    assert_true(view_parse(list, &n, "overview,banks,bank=31", &e));
    assert_int_equal(n, 4);
    assert_true(list[1].name == VIEW_WARP && list[1].number == 3);
    assert_true(list[3].name == VIEW_BANK && list[3].number == 31);
    view_path("a.b/run.vcd", &list[0], path, sizeof(path));
    assert_string_equal(path, "a.b/run.banks.gtkw");
    view_path("a.b/run.fst", &list[1], path, sizeof(path));
    assert_string_equal(path, "a.b/run.warp3.gtkw");
    view_path("dump", &list[2], path, sizeof(path));
    assert_string_equal(path, "dump.gtkw");
    assert_int_equal(view_path("run.vcd.gz", &list[2], path, 4), 8);
}

static void wrong_views(void **state)
{
    static const char *const bad[] = {"",      "bank",       "banks=1",
                                      "warp=", "warp=x",     "warp=3x",
                                      "bnaks", "warp=99999", "banks,,memory",
                                      "Banks", "warps"};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct view list[VIEW_MAX];
        struct smw_err e = {0};
        uint32_t n = 0;

        assert_false(view_parse(list, &n, bad[i], &e));
        assert_int_equal(e.kind, SMW_ERR_USAGE);
        assert_true(e.hint[0] != '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declarations),         cmocka_unit_test(changes),
        cmocka_unit_test(bad_headers),          cmocka_unit_test(deep_scopes),
        cmocka_unit_test(bad_changes),          cmocka_unit_test(long_words),
        cmocka_unit_test(cut_anywhere),         cmocka_unit_test(wrong_anywhere),
        cmocka_unit_test(same_dumps),           cmocka_unit_test(different_dumps),
        cmocka_unit_test(configured_otherwise), cmocka_unit_test(incomparable_dumps),
        cmocka_unit_test(names_of_views),       cmocka_unit_test(wrong_views),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
