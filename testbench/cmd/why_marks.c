#include "cmd/why_marks.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LETTERS = 26,
    SHARE = 100, /* a part is marked that is at least so much of the chain: 1 / SHARE */
    MOST_BYTES = 1 << 26,
    PANE = 950,    /* pixels of GTKWave's waves */
    CHARACTER = 5, /* of a caption, */
    GAP = 8,       /* between captions */
    CAPTION = 40
};

static uint64_t number(const json_t *o, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(o, key));
}

static char *read_text(const char *dir, const char *name, struct smw_err *e)
{
    char *path = file_join(dir, name), *text;
    size_t size;

    text = file_read(path, MOST_BYTES, &size, SMW_ERR_INPUT, e);
    free(path);
    return text;
}

/* The first line of the log: "# reverse on gtx480, ...: time in ps, ...". */
static bool read_head(const char *dir, char head[256], struct smw_err *e)
{
    char *path = file_join(dir, "events.log");
    FILE *f = fopen(path, "r");
    bool ok = f != NULL && fgets(head, 256, f) != NULL && strncmp(head, "# ", 2) == 0;

    if (f != NULL) {
        fclose(f);
    }
    free(path);
    if (!ok) {
        err_set(e, SMW_ERR_INPUT, "%s: no folder of a run with a waveform", dir);
        path = file_join(dir, "summary.txt");
        if (access(path, F_OK) == 0) {
            err_hint(e,
                     "of a launch of a program: smwave exec --record DIR, then smwave "
                     "why DIR/1-KERNEL.yml");
        } else {
            err_hint(e, "smwave run TARGET --trace vcd -o %s", dir);
        }
        free(path);
    }
    return ok;
}

char *why_target_of(const char *dir, struct smw_err *e)
{
    char head[256], *end;

    if (!read_head(dir, head, e)) {
        return NULL;
    }
    end = strstr(head, " on ");
    if (end != NULL) {
        *end = '\0';
    }
    return tb_strdup(head + 2);
}

/* Has the launch taken the cycles in dir that it has in the chain? */
static bool is_same_run(const char *dir, const json_t *why, struct smw_err *e)
{
    char *text = read_text(dir, "stats.json", e);
    json_t *root = text == NULL ? NULL : json_loads(text, 0, NULL);
    const uint64_t launch = number(why, "launch");
    const json_t *kernel =
        json_array_get(json_object_get(root, "kernels"), (size_t)launch);
    const uint64_t cycles = number(json_object_get(kernel, "counters"), "cycles");
    bool ok = root != NULL && cycles == number(why, "cycles");

    if (!ok && text != NULL) {
        err_set(e, SMW_ERR_INPUT,
                "%s is of another run: launch %" PRIu64 " took %" PRIu64
                " cycles there, and %" PRIu64 " here",
                dir, launch, cycles, number(why, "cycles"));
    }
    json_decref(root);
    free(text);
    return ok;
}

/* ---- markers ---- */

static int longest_first(const void *a, const void *b)
{
    const json_t *p = *(const json_t *const *)a, *q = *(const json_t *const *)b;
    uint64_t x = number(p, "cycles"), y = number(q, "cycles");

    return x != y ? (x > y ? -1 : 1) : number(p, "from") < number(q, "from") ? -1 : 1;
}

static int by_time(const void *a, const void *b)
{
    const json_t *p = *(const json_t *const *)a, *q = *(const json_t *const *)b;

    return number(p, "from") < number(q, "from") ? -1 : 1;
}

struct marks {
    const json_t *part[LETTERS], *longest;
    char caption[LETTERS][CAPTION]; /* ".": there is no room for more */
    size_t n;
    uint64_t begin, end; /* of the chain, in cycles */
    uint64_t hz;         /* 0: the dump counts cycles */
};

static double pixel_of(const struct marks *m, size_t i)
{
    return (double)(number(m->part[i], "from") - m->begin) * PANE /
           (double)(m->end - m->begin);
}

/* A longer part, which has its caption, is too near for part i to have its own. */
static bool is_in_the_way(const struct marks *m, size_t i)
{
    for (size_t k = 0; k < m->n; k++) {
        double room =
            (double)(strlen(m->caption[i]) + strlen(m->caption[k])) * CHARACTER / 2;

        if (k != i && m->caption[k][0] != '\0' && strcmp(m->caption[k], ".") != 0 &&
            fabs(pixel_of(m, i) - pixel_of(m, k)) < room + GAP) {
            return true;
        }
    }
    return false;
}

/* GTKWave writes captions over one another: the longest parts come first. */
static void caption(struct marks *m)
{
    for (size_t done = 0; done < m->n; done++) {
        size_t next = m->n;

        for (size_t i = 0; i < m->n; i++) {
            if (m->caption[i][0] == '\0' &&
                (next == m->n || longest_first(&m->part[i], &m->part[next]) < 0)) {
                next = i;
            }
        }
        snprintf(m->caption[next], CAPTION, "%s %" PRIu64,
                 json_string_value(json_object_get(m->part[next], "cause")),
                 number(m->part[next], "cycles"));
        if (is_in_the_way(m, next)) {
            snprintf(m->caption[next], CAPTION, ".");
        }
    }
}

static void find_marks(const json_t *why, struct marks *m)
{
    const json_t *chain = json_object_get(why, "chain");
    size_t n = json_array_size(chain);
    const json_t **all = tb_alloc((n + 1) * sizeof(*all));

    for (size_t i = 0; i < n; i++) {
        all[i] = json_array_get(chain, i);
    }
    qsort(all, n, sizeof(*all), longest_first);
    while (m->n < n && m->n < LETTERS &&
           SHARE * number(all[m->n], "cycles") >= number(why, "cycles")) {
        m->n++;
    }
    m->longest = all[0];
    memcpy(m->part, all, m->n * sizeof(*all));
    qsort(m->part, m->n, sizeof(*m->part), by_time);
    m->begin = number(why, "begin");
    m->end = number(why, "end") > m->begin ? number(why, "end") : m->begin + 1;
    caption(m);
    free(all);
}

/* Where a part begins, in units of the dump. */
static uint64_t time_of(const struct marks *m, uint64_t from)
{
    if (m->hz == 0) {
        return from;
    }
    return from / m->hz * UINT64_C(1000000000000) +
           from % m->hz * UINT64_C(1000000) / (m->hz / 1000000);
}

static int blanks(double pixels)
{
    return pixels <= 0 ? 0 : (int)ceil(2 * pixels / CHARACTER);
}

/* The line of zoom and markers, and their captions: 2^-zoom is the time units per 200
 * pixels. */
static void put_marks(const struct marks *m, struct text *out)
{
    double units = 200.0 * (double)(time_of(m, m->end) - time_of(m, m->begin)) / PANE;

    text_add(out, "*%.6f %" PRIu64, units > 1 ? -log2(units) : 0.0,
             m->longest == NULL ? 0 : time_of(m, number(m->longest, "from")));
    for (size_t i = 0; i < LETTERS; i++) {
        if (i < m->n) {
            text_add(out, " %" PRIu64, time_of(m, number(m->part[i], "from")));
        } else {
            text_add(out, " -1");
        }
    }
    text_add(out, "\n");
    for (size_t i = 0; i < m->n; i++) {
        double half = (double)strlen(m->caption[i]) * CHARACTER / 2;
        double left = half - pixel_of(m, i), right = pixel_of(m, i) + half + GAP - PANE;

        /* a caption at an edge is moved away from it, by half the blanks beside it */
        text_add(out, "[markername] %c%*s%s%*s\n", (char)('A' + i), blanks(left), "",
                 m->caption[i], blanks(right), "");
    }
}

static void remake(const struct marks *m, const char *save, struct text *out)
{
    for (const char *line = save; *line != '\0';) {
        size_t n = strcspn(line, "\n");

        if (line[0] == '*') {
            put_marks(m, out);
        } else if (strncmp(line, "[timestart]", 11) == 0) {
            text_add(out, "[timestart] %" PRIu64 "\n", time_of(m, m->begin));
        } else if (strncmp(line, "[savefile]", 10) == 0) {
            text_add(out, "[savefile] \"run.why.gtkw\"\n");
        } else if (strncmp(line, "[markername]", 12) != 0) {
            text_add_bytes(out, line, n);
            text_add(out, "\n");
        }
        line += n + (line[n] == '\n');
    }
}

bool why_mark(const char *dir, const json_t *why, uint64_t hz, struct smw_err *e)
{
    char head[256], *save, *path;
    struct marks m = {.hz = hz};
    struct text out = {0};
    bool ok;

    if (!read_head(dir, head, e) || !is_same_run(dir, why, e)) {
        return false;
    }
    save = read_text(dir, "run.gtkw", e);
    if (save == NULL) {
        return false;
    }
    m.hz = strstr(head, "time in ps") != NULL ? hz : 0;
    find_marks(why, &m);
    remake(&m, save, &out);
    path = file_join(dir, "run.why.gtkw");
    ok = file_write(path, out.s, out.n, e);
    free(path);
    free(save);
    text_free(&out);
    return ok;
}
