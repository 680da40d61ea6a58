/* bankmap_batch.c - patterns of a CSV file, a row of counts for each. */
#include "ask/bankmap.h"

#include "io/csv.h"
#include <string.h>

enum { NAME, WIDTH, MASK, LANE, N_COLUMNS = LANE + ISA_LANES };

struct batch {
    const struct bankmap_setup *setup;
    struct csv *csv;
    FILE *out;
    uint32_t column[N_COLUMNS]; /* where in a record each of ours is */
    uint32_t n_columns;         /* of a record */
    const struct csv_field *field;
};

static const char *column_name(uint32_t i, char buf[16])
{
    static const char *const names[] = {"name", "width_bytes", "active_mask"};

    if (i < LANE) {
        return names[i];
    }
    snprintf(buf, 16, "lane%u", i - LANE);
    return buf;
}

/* ---- the heading ---- */

/* Is it one of the names we look for? */
static bool is_ours(const char *name)
{
    for (uint32_t i = 0; i < N_COLUMNS; i++) {
        char buf[16];

        if (strcmp(column_name(i, buf), name) == 0) {
            return true;
        }
    }
    return false;
}

/* The column missing; the nearest name that is there. */
static bool refuse_heading(struct batch *b, const struct csv_field *f, uint32_t n,
                           uint32_t missing, struct smw_err *e)
{
    char buf[16];
    const char *name = column_name(missing, buf);
    const char *names[64], *nearest;
    uint32_t k = 0;

    for (uint32_t i = 0; i < n && k < ARRAY_LEN(names); i++) {
        if (!is_ours(f[i].s)) {
            names[k++] = f[i].s;
        }
    }
    err_set(e, SMW_ERR_INPUT, "the heading lacks the column '%s'", name);
    nearest = err_nearest(name, names, k);
    for (uint32_t i = 0; i < n && nearest != NULL; i++) {
        if (f[i].s == nearest) {
            csv_blame(b->csv, &f[i], e);
            err_hint(e, "is '%s' meant to be it?", nearest);
            return false;
        }
    }
    csv_blame(b->csv, NULL, e);
    err_hint(e,
             "needed: name, width_bytes, active_mask, lane0 ... lane31, in any order");
    return false;
}

static bool read_heading(struct batch *b, const char *name, struct smw_err *e)
{
    uint32_t n = 0;
    const struct csv_field *f = csv_next(b->csv, &n, e);

    if (f == NULL) {
        return err_set(e, SMW_ERR_INPUT, "%s is empty: not even a heading", name);
    }
    for (uint32_t i = 0; i < N_COLUMNS; i++) {
        char buf[16];
        const char *wanted = column_name(i, buf);

        b->column[i] = n;
        for (uint32_t j = 0; j < n; j++) {
            if (strcmp(f[j].s, wanted) != 0) {
                continue;
            }
            if (b->column[i] != n) {
                err_set(e, SMW_ERR_INPUT, "a second column '%s'", wanted);
                csv_blame(b->csv, &f[j], e);
                return false;
            }
            b->column[i] = j;
        }
        if (b->column[i] == n) {
            return refuse_heading(b, f, n, i, e);
        }
    }
    b->n_columns = n;
    return true;
}

/* ---- a record ---- */

/* Digits of base 10 or 16 with blanks around; -1: no number, 1: too large. */
static int digits(const char *s, uint32_t base, uint64_t *out)
{
    uint64_t v = 0;
    uint32_t n = 0;
    bool large = false;

    s += strspn(s, " \t");
    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        base = 16;
        s += 2;
    }
    for (;; s++, n++) {
        uint32_t d = (uint32_t)(unsigned char)*s - '0';

        if (d > 9) {
            d = ((uint32_t)(unsigned char)*s | 0x20u) - 'a';
            if (d > 5 || base == 10) {
                break;
            }
            d += 10;
        }
        large = large || v > (UINT64_MAX - d) / base;
        v = v * base + d;
    }
    s += strspn(s, " \t");
    if (n == 0 || *s != '\0') {
        return -1;
    }
    *out = v;
    return large;
}

/* What offsets nearly always are: decimal digits alone, too few to overflow. */
static bool plain_decimal(const char *s, uint64_t *out)
{
    uint64_t v = 0;
    uint32_t n = 0, d;

    while (n < 18 && (d = (uint32_t)(unsigned char)s[n] - '0') <= 9) {
        v = v * 10 + d;
        n++;
    }
    if (n == 0 || s[n] != '\0') {
        return false;
    }
    *out = v;
    return true;
}

static bool refuse(const struct batch *b, uint32_t column, struct smw_err *e)
{
    csv_blame(b->csv, &b->field[b->column[column]], e);
    return false;
}

static bool read_lane(const struct batch *b, struct bankmap_access *a, uint32_t lane,
                      struct smw_err *e)
{
    const struct csv_field *f = &b->field[b->column[LANE + lane]];
    const uint64_t highest = bankmap_highest(b->setup->space, a->bytes);
    int bad =
        plain_decimal(f->s, &a->addr[lane]) ? 0 : digits(f->s, 10, &a->addr[lane]);

    if (bad < 0) {
        err_set(e, SMW_ERR_INPUT,
                f->n == 0
                    ? "lane %u is active and has no offset"
                    : "the offset of lane %u is a whole number of bytes, not '%s'",
                lane, f->s);
        return refuse(b, LANE + lane, e);
    }
    if (bad > 0 || a->addr[lane] > highest) {
        err_set(e, SMW_ERR_INPUT, "the offset of lane %u is out of range: at most %llu",
                lane, (unsigned long long)highest);
        return refuse(b, LANE + lane, e);
    }
    if ((a->addr[lane] & (a->bytes - 1)) != 0) {
        err_set(e, SMW_ERR_INPUT,
                "lane %u is misaligned: %s is no multiple of %u bytes", lane, f->s,
                a->bytes);
        return refuse(b, LANE + lane, e);
    }
    return true;
}

static bool read_access(const struct batch *b, struct bankmap_access *a,
                        struct smw_err *e)
{
    const struct csv_field *width = &b->field[b->column[WIDTH]];
    const struct csv_field *mask = &b->field[b->column[MASK]];
    uint64_t v = 0;
    int bad = digits(width->s, 10, &v);

    if (bad != 0 || !bankmap_is_width(v)) {
        err_set(e, SMW_ERR_INPUT, "a lane has 1, 2, 4, 8 or 16 bytes, not '%s'",
                width->s);
        return refuse(b, WIDTH, e);
    }
    a->bytes = (uint32_t)v;
    bad = digits(mask->s, 16, &v);
    if (bad != 0 || v > UINT32_MAX) {
        err_set(e, SMW_ERR_INPUT,
                bad < 0 ? "the active mask is a hexadecimal number, not '%s'"
                        : "the active mask %s has more than 32 bits",
                mask->s);
        return refuse(b, MASK, e);
    }
    a->mask = (uint32_t)v;
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        if (!read_lane(b, a, (uint32_t)__builtin_ctz(m), e)) {
            return false;
        }
    }
    return true;
}

/* ---- a row ---- */

static void write_name(FILE *out, const struct csv_field *name)
{
    if (strpbrk(name->s, ",\"\r\n") == NULL) {
        fwrite(name->s, 1, name->n, out);
        return;
    }
    fputc('"', out);
    for (const char *c = name->s; *c != '\0'; c++) {
        if (*c == '"') {
            fputc('"', out);
        }
        fputc(*c, out);
    }
    fputc('"', out);
}

static void write_row(const struct batch *b, const struct bankmap_access *a)
{
    write_name(b->out, &b->field[b->column[NAME]]);
    if (b->setup->space == BANKMAP_SHARED) {
        struct rules_waves w;

        bankmap_shared(b->setup, a, &w);
        fprintf(b->out, ",%u,%u,%u,%u,,,,\n", bankmap_requests(b->setup, a, &w), w.n,
                w.ideal, w.degree);
    } else {
        struct rules_lines l;
        char transactions[48];

        bankmap_global(b->setup, a, &l);
        bankmap_transactions(&l, transactions);
        fprintf(b->out, ",%u,,,,%u,%u,%s,%u\n", l.requests, l.sectors, l.lines,
                transactions, l.moved);
    }
}

static bool run(struct batch *b, const char *name, struct smw_err *e)
{
    struct bankmap_access a = {0};
    uint32_t n = 0;

    if (!read_heading(b, name, e)) {
        return false;
    }
    fputs("name,requests,wavefronts,ideal_wavefronts,conflict_degree,sectors,lines,"
          "transactions,bytes\n",
          b->out);
    while ((b->field = csv_next(b->csv, &n, e)) != NULL) {
        if (n != b->n_columns) {
            err_set(e, SMW_ERR_INPUT, "%u fields where the heading has %u", n,
                    b->n_columns);
            csv_blame(b->csv, n > b->n_columns ? &b->field[b->n_columns] : NULL, e);
            return false;
        }
        if (!read_access(b, &a, e)) {
            return false;
        }
        write_row(b, &a);
    }
    return e->kind == SMW_ERR_NONE;
}

bool bankmap_batch(const struct bankmap_setup *s, FILE *f, const char *name, FILE *out,
                   struct smw_err *e)
{
    struct batch b = {.setup = s, .csv = csv_open(f, name), .out = out};
    bool ok = run(&b, name, e);

    csv_close(b.csv);
    return ok;
}
