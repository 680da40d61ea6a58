#include "ptx/ptx_priv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *ptx_grow(struct arena *a, void *v, uint32_t n, uint32_t *cap, size_t size)
{
    void *bigger;

    if (n < *cap) {
        return v;
    }
    *cap = *cap == 0 ? 8 : *cap * 2;
    bigger = arena_alloc(a, *cap * size);
    if (n > 0) {
        memcpy(bigger, v, n * size);
    }
    return bigger;
}

char *ptx_copy(struct arena *a, const char *s, uint32_t len)
{
    char *const d = arena_alloc(a, (size_t)len + 1);

    memcpy(d, s, len);
    return d;
}

const char *ptx_tok_text(const struct ptx_tok *t, char *buf, size_t size)
{
    if (t->kind == TK_END) {
        return "end of file";
    }
    snprintf(buf, size, "'%s%.*s%s'", t->kind == TK_DOT ? "." : "",
             t->len < 32 ? (int)t->len : 32, t->s, t->len <= 32 ? "" : "...");
    return buf;
}

bool ptx_fail(struct ptx_parser *p, const struct ptx_tok *t, const char *fmt, ...)
{
    char message[320];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(message, sizeof(message), fmt, ap);
    va_end(ap);
    return ptx_lex_fail(&p->lex, t, "%s", message);
}

bool ptx_lacks(struct ptx_parser *p)
{
    return err_code(p->lex.e, SMW_CODE_UNSUPPORTED_PTX);
}

bool ptx_fail_near(struct ptx_parser *p, const struct ptx_tok *t, const char *what,
                   const char *const *names, uint32_t n)
{
    char word[64], buf[48];
    const char *near;

    ptx_fail(p, t, "%s %s", what, ptx_tok_text(t, buf, sizeof(buf)));
    snprintf(word, sizeof(word), "%.*s", (int)t->len, t->s);
    near = t->len < sizeof(word) ? err_nearest(word, names, n) : NULL;
    if (near != NULL && strcmp(near, word) != 0 && p->lex.e->hint[0] == '\0') {
        err_hint(p->lex.e, "did you mean '%s%s'?", t->kind == TK_DOT ? "." : "", near);
    }
    return false;
}

bool ptx_accept(struct ptx_parser *p, char c)
{
    if (!ptx_tok_punct(&p->lex.t, c)) {
        return false;
    }
    ptx_lex_advance(&p->lex);
    return true;
}

bool ptx_expect(struct ptx_parser *p, char c)
{
    char buf[48];

    if (ptx_accept(p, c)) {
        return true;
    }
    return ptx_fail(p, &p->lex.t, "expected '%c' before %s", c,
                    ptx_tok_text(&p->lex.t, buf, sizeof(buf)));
}

bool ptx_accept_dot(struct ptx_parser *p, const char *word)
{
    if (!ptx_tok_is(&p->lex.t, TK_DOT, word)) {
        return false;
    }
    ptx_lex_advance(&p->lex);
    return true;
}

static bool expect_int(struct ptx_parser *p, uint64_t max, uint64_t *v)
{
    char buf[48];
    const struct ptx_tok *t = &p->lex.t;

    if (t->kind != TK_INT) {
        return ptx_fail(p, t, "expected a number before %s",
                        ptx_tok_text(t, buf, sizeof(buf)));
    }
    if (t->u > max) {
        return ptx_fail(p, t, "number too large: at most %llu",
                        (unsigned long long)max);
    }
    *v = t->u;
    ptx_lex_advance(&p->lex);
    return true;
}

/* .version 9.0 */
static bool version(struct ptx_parser *p)
{
    const struct ptx_tok t = p->lex.t;
    uint32_t major = 0, minor = 0;
    bool point = false;

    if (t.kind != TK_F64 && t.kind != TK_INT) {
        return ptx_fail(p, &t, "expected a version such as 9.0");
    }
    for (uint32_t i = 0; i < t.len; i++) {
        if (t.s[i] == '.' && !point) {
            point = true;
        } else if (t.s[i] < '0' || t.s[i] > '9' || i > 6) {
            return ptx_fail(p, &t, "expected a version such as 9.0");
        } else if (point) {
            minor = minor * 10 + (uint32_t)(t.s[i] - '0');
        } else {
            major = major * 10 + (uint32_t)(t.s[i] - '0');
        }
    }
    if (!point) {
        return ptx_fail(p, &t, "expected a version such as 9.0");
    }
    minor += 10 * major;
    p->m->version = minor > p->m->version ? minor : p->m->version;
    p->has_version = true;
    ptx_lex_advance(&p->lex);
    return true;
}

/* .target sm_90a, debug */
static bool target(struct ptx_parser *p)
{
    static const char *const options[] = {"debug", "texmode_independent",
                                          "texmode_unified", "map_f64_to_f32"};
    uint32_t sm = 0;

    do {
        const struct ptx_tok t = p->lex.t;

        if (t.kind != TK_ID) {
            return ptx_fail(p, &t, "expected a target such as sm_75");
        }
        if (t.len > 3 && memcmp(t.s, "sm_", 3) == 0) {
            sm = 0;
            for (uint32_t i = 3; i < t.len && i < 7; i++) {
                if (t.s[i] >= '0' && t.s[i] <= '9') {
                    sm = sm * 10 + (uint32_t)(t.s[i] - '0');
                }
            }
        } else {
            bool known = false;

            for (uint32_t i = 0; i < ARRAY_LEN(options); i++) {
                known |= ptx_tok_is(&t, TK_ID, options[i]);
            }
            if (!known) {
                return ptx_fail_near(p, &t, "unknown target", options,
                                     ARRAY_LEN(options));
            }
        }
        if (sm < 10) {
            return ptx_fail(p, &t, "expected a target such as sm_75");
        }
        ptx_lex_advance(&p->lex);
    } while (ptx_accept(p, ','));
    p->m->target_sm = sm > p->m->target_sm ? sm : p->m->target_sm;
    p->has_target = true;
    return true;
}

static bool address_size(struct ptx_parser *p)
{
    const struct ptx_tok t = p->lex.t;
    uint64_t v;

    if (!expect_int(p, 64, &v)) {
        return false;
    }
    if (v != 32 && v != 64) {
        return ptx_fail(p, &t, "address size is 32 or 64");
    }
    p->m->address_size = (uint32_t)v;
    return true;
}

/* The names of files reach logs and terminals as they are. */
static bool has_control(const struct ptx_tok *t)
{
    for (uint32_t i = 0; i < t->len; i++) {
        if ((unsigned char)t->s[i] < 0x20 || t->s[i] == 0x7f) {
            return true;
        }
    }
    return false;
}

/* .file 1 "a.cu"[, time, size] */
static bool file_directive(struct ptx_parser *p)
{
    uint64_t n, ignored;

    if (!expect_int(p, PTX_MAX_FILES - 1, &n)) {
        return false;
    }
    if (p->lex.t.kind != TK_STRING) {
        return ptx_fail(p, &p->lex.t, "expected a file name in quotes");
    }
    if (has_control(&p->lex.t)) {
        return ptx_fail(p, &p->lex.t, "control character in a file name");
    }
    n += p->first_file;
    if (n >= PTX_MAX_FILES) {
        return ptx_fail(p, &p->lex.t, "more than %d files", PTX_MAX_FILES);
    }
    while (p->pr->n_file <= n) {
        *PTX_PUSH(p->a, p->pr->file, p->pr->n_file, p->pr->cap_file) = NULL;
    }
    p->pr->file[n] = ptx_copy(p->a, p->lex.t.s, p->lex.t.len);
    ptx_lex_advance(&p->lex);
    while (ptx_accept(p, ',')) {
        if (!expect_int(p, UINT64_MAX, &ignored)) {
            return false;
        }
    }
    return true;
}

static bool inlined_at(struct ptx_parser *p)
{
    uint64_t file, line, column;

    if (!expect_int(p, PTX_MAX_FILES - 1, &file) || !expect_int(p, UINT32_MAX, &line) ||
        !expect_int(p, UINT32_MAX, &column)) {
        return false;
    }
    p->inlined =
        ptx_site(p, (uint32_t)file + p->first_file, (uint32_t)line, (uint32_t)column);
    return true;
}

static bool loc_attribute(struct ptx_parser *p)
{
    uint64_t v;

    if (ptx_tok_is(&p->lex.t, TK_ID, "function_name")) {
        ptx_lex_advance(&p->lex);
        if (p->lex.t.kind != TK_ID) {
            return ptx_fail(p, &p->lex.t, "expected a label");
        }
        ptx_lex_advance(&p->lex);
        return !ptx_accept(p, '+') || expect_int(p, UINT64_MAX, &v);
    }
    if (ptx_tok_is(&p->lex.t, TK_ID, "inlined_at")) {
        ptx_lex_advance(&p->lex);
        return inlined_at(p);
    }
    return ptx_fail(p, &p->lex.t, "expected function_name or inlined_at");
}

/* .loc file line column[, function_name label, inlined_at file line column] */
static bool loc_directive(struct ptx_parser *p)
{
    uint64_t file, line, column;

    if (!expect_int(p, PTX_MAX_FILES - 1, &file) || !expect_int(p, UINT32_MAX, &line) ||
        !expect_int(p, UINT32_MAX, &column)) {
        return false;
    }
    p->src_file = (uint32_t)file + p->first_file;
    p->src_line = (uint32_t)line;
    p->inlined = 0;
    while (ptx_accept(p, ',')) {
        if (!loc_attribute(p)) {
            return false;
        }
    }
    if (p->inlined != 0) {
        ptx_site_caller(p, p->src_file, p->src_line, (uint32_t)column, p->inlined);
    }
    return true;
}

/* .section .debug_str { ... }: skipped. */
static bool section(struct ptx_parser *p, const struct ptx_tok *head)
{
    uint32_t depth = 0;

    do {
        if (p->lex.t.kind == TK_END || p->lex.t.kind == TK_BAD) {
            return ptx_fail(p, head, "section has no end");
        }
        depth += ptx_tok_punct(&p->lex.t, '{');
        if (ptx_tok_punct(&p->lex.t, '}')) {
            if (depth == 0) {
                return ptx_fail(p, &p->lex.t, "unexpected '}'");
            }
            depth--;
            if (depth == 0) {
                ptx_lex_advance(&p->lex);
                return true;
            }
        }
        ptx_lex_advance(&p->lex);
    } while (true);
}

/* .pragma "nounroll" stands behind the label of the loop that it is about. */
static void keep_loop(struct ptx_ir *f)
{
    for (uint32_t i = f->n_label; i > 0 && f->label[i - 1].at == f->n_insn; i--) {
        f->label[i - 1].nounroll = true;
    }
}

static bool pragma(struct ptx_parser *p)
{
    static const char nounroll[] = "nounroll";

    do {
        if (p->lex.t.kind != TK_STRING) {
            return ptx_fail(p, &p->lex.t, "expected a string");
        }
        if (p->fn != NULL && p->lex.t.len == sizeof(nounroll) - 1 &&
            memcmp(p->lex.t.s, nounroll, sizeof(nounroll) - 1) == 0) {
            keep_loop(p->fn);
        }
        ptx_lex_advance(&p->lex);
    } while (ptx_accept(p, ','));
    return ptx_expect(p, ';');
}

bool ptx_body_directive(struct ptx_parser *p)
{
    static const char *const names[] = {
        "reg",          "local",  "shared",    "global",       "const",   "param",
        "pragma",       "loc",    "file",      "section",      "entry",   "func",
        "visible",      "extern", "weak",      "common",       "version", "target",
        "address_size", "alias",  "attribute", "branchtargets"};
    const struct ptx_tok head = p->lex.t;

    if (ptx_accept_dot(p, "pragma")) {
        return pragma(p);
    }
    if (ptx_accept_dot(p, "loc")) {
        return loc_directive(p);
    }
    if (ptx_accept_dot(p, "file")) {
        return file_directive(p);
    }
    if (ptx_accept_dot(p, "section")) {
        return section(p, &head);
    }
    if (ptx_tok_is(&head, TK_DOT, "texref") ||
        ptx_tok_is(&head, TK_DOT, "samplerref") ||
        ptx_tok_is(&head, TK_DOT, "surfref")) {
        return ptx_fail(p, &head, ".%.*s stands after .global", (int)head.len, head.s);
    }
    if (ptx_tok_is(&head, TK_DOT, "tex")) {
        ptx_fail(p, &head, ".tex is not supported: write .global .texref");
        return ptx_lacks(p);
    }
    return ptx_fail_near(p, &head, "unknown directive", names, ARRAY_LEN(names));
}

/* .alias f, g; */
static bool alias(struct ptx_parser *p)
{
    struct ptx_tok t[2];
    uint32_t id[2];

    for (uint32_t i = 0; i < 2; i++) {
        const struct ptx_name *n;

        t[i] = p->lex.t;
        n = t[i].kind == TK_ID ? ptx_scope_find(&p->names, t[i].s, t[i].len, false)
                               : NULL;
        if (n == NULL || n->kind != NK_FUNC) {
            return ptx_fail_unknown(p, &t[i], "function", 1u << NK_FUNC);
        }
        id[i] = n->id;
        ptx_lex_advance(&p->lex);
        if (!ptx_expect(p, i == 0 ? ',' : ';')) {
            return false;
        }
    }
    if (id[0] == id[1] || p->pr->fn[id[0]]->is_defined ||
        p->pr->fn[id[1]]->alias != PTX_NONE) {
        return ptx_fail(p, &t[0], "alias of a defined function or of an alias");
    }
    p->pr->fn[id[0]]->alias = id[1];
    return true;
}

/* .attribute(.managed): accepted. */
static bool attribute(struct ptx_parser *p)
{
    uint32_t depth = 0;

    do {
        if (p->lex.t.kind == TK_END || p->lex.t.kind == TK_BAD) {
            return ptx_fail(p, &p->lex.t, "attribute has no end");
        }
        depth += ptx_tok_punct(&p->lex.t, '(');
        depth -= depth > 0 && ptx_tok_punct(&p->lex.t, ')');
        ptx_lex_advance(&p->lex);
    } while (depth > 0);
    return true;
}

/* .visible, .weak, .common, .extern: false if the next word is none of these. */
static bool linkage(struct ptx_parser *p, bool *is_extern)
{
    static const struct {
        const char *word;
        enum ptx_linkage linkage;
    } words[] = {{"visible", PTX_VISIBLE}, {"weak", PTX_WEAK}, {"common", PTX_COMMON}};

    for (uint32_t i = 0; i < ARRAY_LEN(words); i++) {
        if (ptx_accept_dot(p, words[i].word)) {
            p->linkage = words[i].linkage;
            return true;
        }
    }
    if (ptx_accept_dot(p, "extern")) {
        *is_extern = true;
        return true;
    }
    return false;
}

static bool module_item(struct ptx_parser *p)
{
    bool is_extern = false;
    const struct ptx_tok head = p->lex.t;
    char buf[48];

    p->linkage = PTX_OWN;
    while (linkage(p, &is_extern)) {
    }
    if (head.kind != TK_DOT) {
        return ptx_fail(p, &head, "expected a directive before %s",
                        ptx_tok_text(&head, buf, sizeof(buf)));
    }
    if (ptx_accept_dot(p, "entry")) {
        return ptx_function(p, true, is_extern);
    }
    if (ptx_accept_dot(p, "func")) {
        return (!ptx_accept_dot(p, "attribute") || attribute(p)) &&
               ptx_function(p, false, is_extern);
    }
    if (ptx_accept_dot(p, "global")) {
        return (!ptx_accept_dot(p, "attribute") || attribute(p)) &&
               ptx_variable(p, ISA_SP_GLOBAL, is_extern);
    }
    if (ptx_accept_dot(p, "const")) {
        return ptx_variable(p, ISA_SP_CONST, is_extern);
    }
    if (ptx_accept_dot(p, "shared")) {
        return ptx_variable(p, ISA_SP_SHARED, is_extern);
    }
    if (ptx_accept_dot(p, "alias")) {
        return alias(p);
    }
    if (ptx_tok_is(&p->lex.t, TK_DOT, "reg")) {
        ptx_fail(p, &p->lex.t,
                 "registers of a whole module are not supported: PTX had "
                 "them up to 3.0, beside functions without parameters");
        return ptx_lacks(p);
    }
    if (ptx_accept_dot(p, "version")) {
        return version(p);
    }
    if (ptx_accept_dot(p, "target")) {
        return target(p);
    }
    return ptx_accept_dot(p, "address_size") ? address_size(p) : ptx_body_directive(p);
}

bool ptx_module_text(struct ptx_parser *p)
{
    if (!ptx_tok_is(&p->lex.t, TK_DOT, "version")) {
        return ptx_fail(p, &p->lex.t, "PTX begins with .version");
    }
    while (p->lex.t.kind != TK_END) {
        if (ptx_tok_punct(&p->lex.t, '@') && ptx_tok_punct(&p->lex.next, '@')) {
            const uint32_t line = p->lex.t.line; /* @@DWARF ... to the end of line */

            while (p->lex.t.line == line && p->lex.t.kind != TK_END &&
                   p->lex.t.kind != TK_BAD) {
                ptx_lex_advance(&p->lex);
            }
            continue;
        }
        if (!module_item(p)) {
            return false;
        }
        if (!p->has_target && p->has_version && p->lex.t.kind != TK_END &&
            !ptx_tok_is(&p->lex.t, TK_DOT, "target")) {
            return ptx_fail(p, &p->lex.t, "expected .target after .version");
        }
    }
    return p->lex.e->kind == SMW_ERR_NONE;
}
