/* texts.c - the steps that change texts: sources, PTX, assembly. */
#include "cc/cc.h"

#include <stdlib.h>
#include <string.h>

/* ---- k << <1, 2>> >(x) ---- */

/* Behind a comment or a literal that begins at s, s itself if none does. */
static const char *skip(const char *s)
{
    if (s[0] == '/' && s[1] == '/') {
        return s + strcspn(s, "\n");
    }
    if (s[0] == '/' && s[1] == '*') {
        const char *end = strstr(s + 2, "*/");

        return end == NULL ? s + strlen(s) : end + 2;
    }
    if (s[0] == '"' || s[0] == '\'') {
        const char *p = s + 1;

        while (*p != '\0' && *p != *s && *p != '\n') {
            p += p[0] == '\\' && p[1] != '\0' ? 2 : 1;
        }
        return *p == *s ? p + 1 : s + 1; /* 1'000: no literal */
    }
    return s;
}

/* Three brackets at s with white space among them: the bytes they take; 0: they are not
 * there. odd: there is white space. */
static size_t brackets(const char *s, char c, bool *odd)
{
    size_t n = 0;
    uint32_t found = 0;

    *odd = false;
    while (s[n] == c) {
        n++;
        if (++found == 3) {
            return n;
        }
        if (s[n] != c) {
            *odd = true;
            n += strspn(s + n, " \t\r\n");
        }
    }
    return 0;
}

/* The end of the launch whose first three brackets end at s: where its last three
 * begin, with a parenthesis behind them; NULL: it is no launch. */
static const char *launch_end(const char *s, size_t *n, bool *odd)
{
    int depth = 0;

    while (*s != '\0' && *s != ';' && *s != '{') {
        const char *next = skip(s);

        if (next != s) {
            s = next;
            continue;
        }
        depth += (*s == '(') - (*s == ')');
        if (depth < 0) {
            return NULL;
        }
        *n = depth == 0 ? brackets(s, '>', odd) : 0;
        if (*n > 0 && s[*n + strspn(s + *n, " \t\r\n")] == '(') {
            return s;
        }
        s++;
    }
    return NULL;
}

/* The three brackets in the first n bytes of s come first, the white space behind. */
static void join(char *s, size_t n, char c)
{
    size_t to = n;

    for (size_t i = n; i > 0; i--) {
        if (s[i - 1] != c) {
            s[--to] = s[i - 1];
        }
    }
    memset(s, c, 3);
}

/* There are launches with odd brackets. They are joined in copy unless it is NULL. */
static bool repair(const char *text, char *copy)
{
    bool found = false;

    for (const char *s = text; *s != '\0';) {
        const char *next = skip(s), *end;
        bool odd, odd_end = false;
        size_t n, n_end = 0;

        if (next != s) {
            s = next;
            continue;
        }
        n = brackets(s, '<', &odd);
        end = n > 0 ? launch_end(s + n, &n_end, &odd_end) : NULL;
        if (end == NULL) {
            s++;
            continue;
        }
        found |= odd || odd_end;
        if (copy != NULL) {
            join(copy + (s - text), n, '<');
            join(copy + (end - text), n_end, '>');
        }
        s = end + n_end;
    }
    return found;
}

bool cc_source_is_odd(const char *text)
{
    return repair(text, NULL);
}

char *cc_source_repair(const char *text)
{
    char *copy = tb_strdup(text);

    repair(text, copy);
    return copy;
}

/* ---- PTX ---- */

/* The first .version that has the target: PTX ISA, "Release History". */
static const char *version_of(uint32_t target, char suffix)
{
    if (target >= 120) {
        return "8.7";
    }
    if (target >= 100) {
        return "8.6";
    }
    return suffix != '\0' ? "8.0" : "7.8";
}

static bool begins(const char *s, const char *word)
{
    return strncmp(s, word, strlen(word)) == 0;
}

/* Behind the parameters of a kernel its directives stand. */
static void add_limit(struct text *t, const char *line, size_t n, bool *in_kernel,
                      uint32_t max_regs)
{
    const char *end = NULL;

    if (memchr(line, '{', n) == NULL) {
        for (size_t i = n; i > 0 && end == NULL; i--) {
            end = line[i - 1] == ')' ? line + i : NULL;
        }
    }
    text_add_bytes(t, line, n);
    if (end != NULL) {
        text_add(t, ".maxnreg %u\n", (unsigned)max_regs);
        *in_kernel = false;
    }
}

char *cc_ptx_finish(const char *ptx, struct cc_target target, uint32_t max_regs)
{
    struct text t = {0};
    bool in_kernel = false;

    for (const char *line = ptx; *line != '\0';) {
        size_t n = strcspn(line, "\n");

        n += line[n] == '\n';
        in_kernel |=
            max_regs > 0 && (begins(line, ".visible .entry") ||
                             begins(line, ".entry") || begins(line, ".weak .entry"));
        if (target.number > 0 && begins(line, ".version ")) {
            text_add(&t, ".version %s\n", version_of(target.number, target.suffix));
        } else if (target.number > 0 && begins(line, ".target sm_")) {
            size_t digits = strspn(line + 11, "0123456789");

            text_add(&t, ".target sm_%u", (unsigned)target.number);
            if (target.suffix != '\0') {
                text_add(&t, "%c", target.suffix);
            }
            text_add_bytes(&t, line + 11 + digits, n - 11 - digits);
        } else if (in_kernel) {
            add_limit(&t, line, n, &in_kernel, max_regs);
        } else {
            text_add_bytes(&t, line, n);
        }
        line += n;
    }
    return t.s == NULL ? tb_strdup("") : t.s;
}

/* ---- registration of objects that are linked ---- */

char *cc_asm_register(const char *text)
{
    static const char theirs[] = "__cudaRegisterLinkedBinary";
    struct text t = {0};
    const char *at;

    while ((at = strstr(text, theirs)) != NULL) {
        text_add_bytes(&t, text, (size_t)(at - text));
        text_add(&t, "smwaveRegisterLinkedBinary");
        text = at + sizeof(theirs) - 1;
        text += strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789_");
    }
    text_add(&t, "%s", text);
    return t.s;
}
