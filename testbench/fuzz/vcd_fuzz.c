/*
 * vcd_fuzz.c - libFuzzer: any bytes as a dump. They are refused with a reason, or read:
 * as changes, as a tree with a view, and compared with themselves without a difference.
 */
#include "compare.h"
#include "reader.h"
#include "view.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool has_states(void *ctx, const char *file)
{
    (void)ctx;
    return file[0] != '\0';
}

static struct reader *open_bytes(FILE *f, struct smw_err *e)
{
    struct reader *r;

    rewind(f);
    r = reader_open(f, "fuzz.vcd", e);
    if (r == NULL && (e->kind == SMW_ERR_NONE || e->message[0] == '\0')) {
        abort(); /* a refusal without a reason */
    }
    return r;
}

static void view(FILE *f)
{
    static const struct view views[] = {{VIEW_OVERVIEW, 0},
                                        {VIEW_BANKS, 0},
                                        {VIEW_WARP, 1}};
    struct smw_err e = {0};
    struct view_tree t;
    struct arena a;
    struct reader *r = open_bytes(f, &e);

    arena_init(&a);
    view_tree_init(&t, &a);
    if (r != NULL && view_read(&t, r, has_states, NULL, &e)) {
        for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
            struct smw_err ignored = {0};

            (void)view_check(&t, &views[i], &ignored);
            (void)view_write(&t, &views[i], "fuzz.vcd", "/dev/null");
        }
    } else if (e.kind == SMW_ERR_NONE) {
        abort();
    }
    reader_close(r);
    arena_free(&a);
}

static void compare(FILE *f, FILE *g)
{
    static struct compare_result result;
    struct smw_err e = {0};
    struct reader *r = open_bytes(f, &e), *s = open_bytes(g, &e);

    if (r != NULL && s != NULL &&
        compare_dumps(r, s, NULL, &result, &e) == COMPARE_DIFFER) {
        abort();
    }
    reader_close(r);
    reader_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *f, *g;

    if (size == 0) {
        return 0;
    }
    f = fmemopen((void *)data, size, "rb");
    g = fmemopen((void *)data, size, "rb");
    if (f == NULL || g == NULL) {
        abort();
    }
    view(f);
    compare(f, g);
    fclose(f);
    fclose(g);
    return 0;
}
