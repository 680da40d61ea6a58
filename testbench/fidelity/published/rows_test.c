/* Tables that are read, and those that are refused. */
#include "rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define HEAD                                                                           \
    "group,preset,key,ptx,kernel,does,words,argument,grid_x,grid_y,"                   \
    "block_x,block_y,shared,gbps,source\n"
#define ROW "g,gtx280,,a.ptx,k,copy,1024,32,1,2,32,8,4224,96.9,\"a, b\"\n"

static struct rows t;
static char dir[] = "/tmp/rows_test.XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[64];
    FILE *f;

    (void)snprintf(path, sizeof(path), "%s/%s", dir, name);
    f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static bool reads(const char *published, const char *wrong, struct smw_err *e)
{
    write_file("published.csv", published);
    write_file("wrong.csv", wrong);
    err_clear(e);
    return rows_read(&t, dir, e);
}

static void fields(void **state)
{
    struct smw_err e;

    (void)state;
    assert_true(reads(HEAD ROW, "group,above,below\ng,k,l\n", &e));
    assert_int_equal(t.n, 1);
    assert_string_equal(t.row[0].preset, "gtx280");
    assert_string_equal(t.row[0].key, "");
    assert_int_equal(t.row[0].does, ROW_COPY);
    assert_int_equal(t.row[0].words, 1024);
    assert_int_equal(t.row[0].argument, 32);
    assert_int_equal(t.row[0].grid[1], 2);
    assert_int_equal(t.row[0].block[1], 8);
    assert_int_equal(t.row[0].shared, 4224);
    assert_true(t.row[0].side.device == 96.9);
}

/* A known pair has a direction and a group. */
static void known(void **state)
{
    const struct row k = {.group = "g", .kernel = "k"},
                     l = {.group = "g", .kernel = "l"};
    const struct row other = {.group = "h", .kernel = "k"};
    struct smw_err e;

    (void)state;
    assert_true(reads(HEAD ROW, "group,above,below\ng,k,l\n", &e));
    assert_true(rows_is_known(&t, &k, &l));
    assert_false(rows_is_known(&t, &l, &k));
    assert_false(rows_is_known(&t, &other, &l));
}

static void refused(void **state)
{
    struct smw_err e;

    (void)state;
    assert_false(reads(HEAD "g,gtx280\n", "group,above,below\n", &e));
    assert_non_null(strstr(e.message, "2 fields, the head has 15"));
    assert_false(reads(HEAD ROW, "group,above,below\ng,k\n", &e));
    assert_non_null(strstr(e.message, "2 fields, the head has 3"));
    assert_false(reads(HEAD "g,p,,a,k,fly,1,1,1,1,1,1,0,1,s\n", "a,b,c\n", &e));
    assert_non_null(strstr(e.message, "nothing that a kernel does"));
    assert_false(reads(HEAD
                       "0123456789012345678901234567890123456789012345678,p,,a,k,copy,"
                       "1,1,1,1,1,1,0,1,s\n",
                       "a,b,c\n", &e));
    assert_non_null(strstr(e.message, "a name that is too long"));
}

static int make_dir(void **state)
{
    (void)state;
    return mkdtemp(dir) == NULL;
}

static int remove_dir(void **state)
{
    char path[64];

    (void)state;
    (void)snprintf(path, sizeof(path), "%s/published.csv", dir);
    (void)unlink(path);
    (void)snprintf(path, sizeof(path), "%s/wrong.csv", dir);
    (void)unlink(path);
    return rmdir(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fields),
                                       cmocka_unit_test(known),
                                       cmocka_unit_test(refused)};

    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
