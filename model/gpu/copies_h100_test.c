/*
 * Transfers of the h100 preset against those of an H100 SXM5.
 *
 * h100-copies.csv has microseconds of one of five equal transfers behind each other, of
 * one alone from 64 MiB on, between two events, less what lies between two events with
 * nothing in between; they were queued behind a kernel. A CUDA program measured them.
 */
#include "gpu/queue_test.h"

enum { MOST = 64 << 20, ROWS = 66, COMPARED = 22 };

struct row {
    char what[8], memory[8];
    unsigned long long bytes;
    double us;
};

/* How far the model may be off; 0: it is not asked, since LINK-1 and LINK-3 leave out
 * what matters there, or so many bytes would take a test too long. */
static double tolerance(const struct row *r)
{
    bool paged = strcmp(r->memory, "paged") == 0;
    bool inside = strcmp(r->what, "device") == 0 || strcmp(r->what, "fill") == 0;

    if (r->bytes > MOST) {
        return 0;
    }
    if (inside) {
        return r->bytes >= 64 << 20 ? 0.1 : 0;
    }
    if (paged) {
        return r->bytes >= 1 << 20 ? 0.35 : 0;
    }
    return r->bytes >= 65536 ? 0.15 : 0;
}

static double model(struct dt *t, uint64_t buffer, uint8_t *host, const struct row *r)
{
    bool is_up = strcmp(r->what, "up") == 0, is_down = strcmp(r->what, "down") == 0;
    struct smw_transfer x = {.direction = is_up     ? SMW_UP
                                          : is_down ? SMW_DOWN
                                                    : SMW_ON_DEVICE,
                             .dst = is_down ? (uintptr_t)host : buffer,
                             .src = is_up     ? (uintptr_t)host
                                    : is_down ? buffer
                                              : buffer + MOST,
                             .width = r->bytes,
                             .height = 1,
                             .pinned = strcmp(r->memory, "pinned") == 0};
    uint64_t a = mark(t, 0), b;

    if (strcmp(r->what, "fill") == 0) {
        dt_ok(smw_queue_fill(t->d, 0, buffer, 0, 1, r->bytes, 1, 0, &err), &err);
    } else {
        copy(t, x);
    }
    b = mark(t, 0);
    all(t);
    return (double)(reached(t, b) - reached(t, a)) / 1e6;
}

static void compare(const struct row *r, double us)
{
    double t = tolerance(r), off = us / r->us - 1;

    if (off > t || off < -t) {
        fail_msg("%s %s of %llu bytes: %.2f us, %.2f on an H100", r->what, r->memory,
                 r->bytes, us, r->us);
    }
}

static void test_against_an_h100(void **state)
{
    struct dt *t = dt_open_with("h100", "gpu.sms=1", NULL, small);
    uint8_t *host = malloc(MOST);
    FILE *f = fopen(SMW_DATA "/h100-copies.csv", "r");
    uint64_t buffer = 0;
    char line[80];
    uint32_t n = 0, compared = 0;

    (void)state;
    assert_true(f != NULL && host != NULL && fgets(line, sizeof(line), f) != NULL);
    memset(host, 0, MOST);
    dt_ok(smw_alloc(t->d, (uint64_t)2 * MOST, &buffer, &err), &err);
    for (; fgets(line, sizeof(line), f) != NULL; n++) {
        struct row r;

        assert_int_equal(sscanf(line, "%7[^,],%7[^,],%llu,%lf", r.what, r.memory,
                                &r.bytes, &r.us),
                         4);
        if (tolerance(&r) != 0) {
            compare(&r, model(t, buffer, host, &r));
            compared++;
        }
    }
    assert_int_equal(n, ROWS);
    assert_int_equal(compared, COMPARED);
    fclose(f);
    free(host);
    dt_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_against_an_h100, make_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
