/*
 * marks.c - what __cluster_dims__ and the third number of __launch_bounds__ say of a
 * kernel, put into its PTX. Debian's clangs have no attribute for it. The macros of
 * host_defines.h annotate the kernel instead, which LLVM IR tells and PTX does not, and
 * refer to a variable, which is seen in PTX: where it is, IR is asked for.
 */
#include "cc/cc.h"

#include <stdlib.h>
#include <string.h>

/* host_defines.h has these words too. */
#define VARIABLE "smwave_cluster_marks"
static const char cluster_word[] = "smwave.cluster_dims";
static const char bounds_word[] = "smwave.max_cluster";

enum {
    ENTRY_FIELDS = 5, /* of llvm.global.annotations: what, word, file, line, numbers */
    DIM_BITS = 21     /* host_defines.h: x, y and z in one number */
};

/* A piece of a text. */
struct span {
    const char *s;
    size_t n;
};

struct mark {
    char *kernel, *file; /* file: of the source */
    uint32_t line;
    uint32_t dims[3]; /* blocks of a cluster; all 0: not said */
    uint32_t most;    /* blocks of a cluster at most; 0: not said */
    bool found;       /* the PTX has the kernel */
};

struct marks {
    struct mark *m;
    uint32_t n;
};

/* ---- LLVM IR ---- */

/* The character at which the first part of s ends: c outside of brackets. */
static size_t until(struct span s, char c)
{
    int depth = 0;
    bool quoted = false;
    size_t i;

    for (i = 0; i < s.n && (quoted || depth > 0 || s.s[i] != c); i++) {
        quoted ^= s.s[i] == '"';
        if (!quoted) {
            depth += strchr("([{", s.s[i]) != NULL;
            depth -= strchr(")]}", s.s[i]) != NULL;
        }
    }
    return i;
}

/* The first of the parts between commas, which s then begins behind. */
static struct span part(struct span *s)
{
    size_t n = until(*s, ',');
    struct span first = {s->s, n};

    n += n < s->n;
    s->s += n;
    s->n -= n;
    return first;
}

/* What is in the last brackets "{}" or "[]" of s, those within others apart. */
static struct span body(struct span s, char open, char close)
{
    struct span found = {s.s, 0};

    for (;;) {
        size_t at = until(s, open), n;

        if (at >= s.n) {
            return found;
        }
        s.s += at + 1;
        s.n -= at + 1;
        n = until(s, close);
        found = (struct span){s.s, n};
        n += n < s.n;
        s.s += n;
        s.n -= n;
    }
}

/* The first name "@a.b" of s, without the @. */
static struct span name_in(struct span s)
{
    const char *at = memchr(s.s, '@', s.n);
    const char *end = s.s + s.n;
    const bool quoted = at != NULL && at + 1 < end && at[1] == '"';
    size_t n = 0;

    if (at == NULL) {
        return (struct span){s.s, 0};
    }
    at += quoted ? 2 : 1;
    while (at + n < end && (quoted ? at[n] != '"' : strchr(" ,)}\n", at[n]) == NULL)) {
        n++;
    }
    return (struct span){at, n};
}

/* The line of IR that says what @name is; empty if there is none. */
static struct span line_of(const char *ir, struct span name)
{
    for (const char *at = ir; at != NULL; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (at[0] == '@') {
            const struct span here = name_in((struct span){at, strcspn(at, "=\n")});

            if (here.n == name.n && memcmp(here.s, name.s, name.n) == 0) {
                return (struct span){at, strcspn(at, "\n")};
            }
        }
    }
    return (struct span){ir, 0};
}

/* The text of the constant @name; the caller frees. */
static char *string_of(const char *ir, struct span name)
{
    const struct span line = line_of(ir, name);
    struct text t = {0};
    size_t i = 0;

    text_add(&t, "%s", "");
    while (i + 1 < line.n && !(line.s[i] == 'c' && line.s[i + 1] == '"')) {
        i++;
    }
    for (i += 2; i < line.n && line.s[i] != '"'; i++) {
        char c = line.s[i];

        if (c == '\\' && i + 2 < line.n) {
            const char hex[] = {line.s[i + 1], line.s[i + 2], '\0'};

            c = (char)strtoul(hex, NULL, 16);
            i += 2;
        }
        if (c == '\0') {
            break;
        }
        text_add_bytes(&t, &c, 1);
    }
    return t.s;
}

/* "i32 11" at the beginning of s, behind blanks; 0: something else. */
static uint64_t number_in(struct span s)
{
    char text[32] = "";
    unsigned long long n = 0;

    memcpy(text, s.s, s.n < sizeof(text) ? s.n : sizeof(text) - 1);
    return sscanf(text, " i%*u %llu", &n) == 1 ? n : 0;
}

/* The first number of the constant @name. */
static uint64_t constant_of(const char *ir, struct span name)
{
    return number_in(body(line_of(ir, name), '{', '}'));
}

static struct mark *mark_of(struct marks *l, char *kernel)
{
    for (uint32_t i = 0; i < l->n; i++) {
        if (strcmp(l->m[i].kernel, kernel) == 0) {
            free(kernel);
            return &l->m[i];
        }
    }
    l->m = tb_realloc(l->m, (l->n + 1) * sizeof(*l->m));
    l->m[l->n] = (struct mark){.kernel = kernel};
    return &l->m[l->n++];
}

/* Names of kernels that other files do not know end with a number that the options of
 * the compiler make: it is not part of the name here. */
static size_t known_part(const char *name)
{
    const char *end = strstr(name, "__intern__");

    return end != NULL ? (size_t)(end - name) : strlen(name);
}

static void take_entry(struct marks *l, const char *ir, struct span entry)
{
    struct span field[ENTRY_FIELDS];
    char *word;
    struct span kernel;
    struct mark *m;

    for (uint32_t i = 0; i < ENTRY_FIELDS; i++) {
        field[i] = part(&entry);
    }
    word = string_of(ir, name_in(field[1]));
    kernel = name_in(field[0]);
    if (strcmp(word, cluster_word) == 0 || strcmp(word, bounds_word) == 0) {
        const uint64_t number = constant_of(ir, name_in(field[4]));
        const uint64_t mask = (UINT64_C(1) << DIM_BITS) - 1;

        m = mark_of(l, tb_printf("%.*s", (int)kernel.n, kernel.s));
        m->kernel[known_part(m->kernel)] = '\0';
        if (m->file == NULL) {
            m->file = string_of(ir, name_in(field[2]));
            m->line = (uint32_t)number_in(field[3]);
        }
        if (strcmp(word, bounds_word) == 0) {
            m->most = (uint32_t)number;
        } else {
            for (uint32_t i = 0; i < 3; i++) {
                m->dims[i] = (uint32_t)(number >> (i * DIM_BITS) & mask);
            }
        }
    }
    free(word);
}

static struct marks read_marks(const char *ir)
{
    static const char list[] = "llvm.global.annotations";
    struct marks l = {0};
    struct span entries =
        body(line_of(ir, (struct span){list, sizeof(list) - 1}), '[', ']');

    while (entries.n > 0) {
        const struct span entry = part(&entries);

        take_entry(&l, ir, body(entry, '{', '}'));
    }
    return l;
}

static void marks_free(struct marks *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        free(l->m[i].kernel);
        free(l->m[i].file);
    }
    free(l->m);
}

/* ---- PTX ---- */

/* What is behind ".entry " in the line that begins at s; NULL: it begins no kernel. */
static const char *entry_name(const char *s)
{
    static const char *const begin[] = {".visible .entry ", ".weak .entry ", ".entry "};

    for (uint32_t i = 0; i < ARRAY_LEN(begin); i++) {
        if (strncmp(s, begin[i], strlen(begin[i])) == 0) {
            return s + strlen(begin[i]);
        }
    }
    return NULL;
}

/* Where the text of the line that begins at s ends, its end of line included. */
static const char *behind_line(const char *s)
{
    s += strcspn(s, "\n");
    return s + (*s == '\n');
}

/* The mark of the kernel whose name begins at s; NULL: it has none. */
static struct mark *find(struct marks *l, const char *s)
{
    char *name = tb_printf("%.*s", (int)strcspn(s, " (\n"), s);
    const size_t n = known_part(name);
    struct mark *found = NULL;

    for (uint32_t i = 0; i < l->n && found == NULL; i++) {
        if (strlen(l->m[i].kernel) == n && memcmp(l->m[i].kernel, name, n) == 0) {
            found = &l->m[i];
        }
    }
    free(name);
    return found;
}

static void add_directives(struct text *t, struct mark *m)
{
    if (m == NULL) {
        return;
    }
    m->found = true;
    if (m->dims[0] != 0) {
        text_add(t, ".explicitcluster\n.reqnctapercluster %u, %u, %u\n",
                 (unsigned)m->dims[0], (unsigned)m->dims[1], (unsigned)m->dims[2]);
    } else if (m->most != 0) {
        text_add(t, ".maxclusterrank %u\n", (unsigned)m->most);
    }
}

/* The header of a kernel that begins at s, with its directives behind its parameters
 * unless it is only declared. Where the rest begins. */
static const char *add_header(struct text *t, const char *s, struct mark *m)
{
    const char *end = s + strcspn(s, "){;"), *next;

    end += *end == ')';
    next = end + strspn(end, " \t\n");
    text_add_bytes(t, s, (size_t)(end - s));
    text_add(t, "\n");
    if (*next != ';') {
        add_directives(t, m);
    }
    return next;
}

/* The PTX with directives; the variable is gone. */
static char *directed(const char *ptx, struct marks *l)
{
    struct text t = {0};

    text_add(&t, "%s", "");
    while (*ptx != '\0') {
        const char *name = entry_name(ptx), *end = behind_line(ptx);
        const char *at = strstr(ptx, VARIABLE);

        if (name != NULL) {
            ptx = add_header(&t, ptx, find(l, name));
            continue;
        }
        if (at == NULL || at >= end) {
            text_add_bytes(&t, ptx, (size_t)(end - ptx));
        }
        ptx = end;
    }
    return t.s;
}

/* ---- both ---- */

/* A mark that cannot be kept. */
static bool check(const struct mark *m, struct smw_err *e)
{
    const uint64_t blocks = (uint64_t)m->dims[0] * m->dims[1] * m->dims[2];

    if (blocks == 0) {
        return true; /* a limit alone: without a kernel there is nothing to limit */
    }
    if (!m->found) {
        (void)err_set(e, SMW_ERR_INPUT, "%s has __cluster_dims__ and is no kernel",
                      m->kernel);
    } else if (m->most != 0 && blocks > m->most) {
        (void)err_set(e, SMW_ERR_INPUT,
                      "%s: __cluster_dims__ makes clusters of %llu blocks, and "
                      "__launch_bounds__ says %u at most",
                      m->kernel, (unsigned long long)blocks, (unsigned)m->most);
    } else {
        return true;
    }
    err_at(e, m->file, NULL, m->line, 0, 0);
    return false;
}

bool cc_ptx_is_marked(const char *ptx)
{
    return strstr(ptx, VARIABLE) != NULL;
}

char *cc_ptx_mark(const char *ptx, const char *ir, struct smw_err *e)
{
    struct marks l = read_marks(ir);
    char *out = directed(ptx, &l);
    bool ok = true;

    for (uint32_t i = 0; i < l.n && ok; i++) {
        ok = check(&l.m[i], e);
    }
    if (!ok) {
        free(out);
        out = NULL;
    }
    marks_free(&l);
    return out;
}
