#include "run/findings.h"

#include "base/nomem.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct finding_rule finding_rules[FINDING_N_RULES] = {
    {"out-of-bounds", "An access outside of the array, buffer or space it is for."},
    {"null-pointer", "An access through a null pointer."},
    {"misaligned", "An address that is not a multiple of the access's size."},
    {"invalid-access", "An access that the memory space does not offer."},
    {"divergent-barrier", "A barrier that only some of a warp's live threads execute."},
    {"invalid-barrier",
     "A barrier with a number or a thread count that none can have."},
    {"deadlock", "Threads wait for what will never happen."},
    {"cycle-limit", "The kernel had not ended when the limit of cycles was reached."},
    {"trap", "The kernel executed trap or brkpt."},
    {"assertion", "An assertion in the kernel failed."},
    {"kernel-fault", "The kernel did what the device cannot do."},
    {"race", "Two accesses of which one writes, without an order between them."},
    {"warp-race", "Two such accesses of threads of the same warp."},
    {"uninitialized-read", "A read of bytes that nobody has written."},
    {"use-after-free", "An access to memory that was freed before."},
    {"invalid-member-mask",
     "A lane executes a .sync instruction whose member mask lacks it."},
    {"invalid-tensor-map",
     "A tensor copy whose map is none, of other dimensions, or begun inside 16 bytes."},
};

/* ---- the list ---- */

void findings_add(struct findings *l, const struct finding *f)
{
    if (l->n == l->max) {
        l->list = nomem_grow(l->list, &l->max, sizeof(l->list[0]));
    }
    l->list[l->n++] = *f;
}

void findings_free(struct findings *l)
{
    free(l->list);
    memset(l, 0, sizeof(*l));
}

bool findings_of_fault(const struct smw_fault *f, struct finding *out)
{
    if (f == NULL || f->kind == SMW_ERR_NONE) {
        return false;
    }
    memset(out, 0, sizeof(*out));
    out->rule = f->kind == SMW_ERR_DEADLOCK ? "deadlock"
                : f->kind == SMW_ERR_LIMIT  ? "cycle-limit"
                : f->rule != NULL           ? f->rule
                                            : "kernel-fault";
    memcpy(out->message, f->message, sizeof(out->message));
    memcpy(out->detail, f->detail, sizeof(out->detail));
    out->kernel = f->kernel;
    out->count = 1;
    out->at.file = f->file;
    out->at.line = f->line;
    out->at.inlined = f->inlined;
    out->at.ptx_file = f->ptx_file;
    out->at.ptx_line = f->ptx_line;
    out->at.pc = f->ptx_line != 0 ? f->pc : UINT32_MAX;
    out->has_memory = f->space != NULL;
    out->space = f->space;
    out->addr = f->addr;
    out->offset = f->offset;
    memcpy(out->array, f->array, sizeof(out->array));
    memcpy(out->at.inst, f->inst, sizeof(out->at.inst));
    out->at.has_thread = f->kind == SMW_ERR_KERNEL;
    memcpy(out->at.block, f->block, sizeof(out->at.block));
    memcpy(out->at.thread, f->thread, sizeof(out->at.thread));
    out->at.cycle = f->cycle;
    return true;
}

/* ---- JSON ---- */

static json_t *integer(uint64_t v)
{
    return json_integer(v > INT64_MAX ? INT64_MAX : (json_int_t)v);
}

json_t *findings_string(const char *s)
{
    json_t *j = json_string(s == NULL ? "" : s);
    char *copy;

    if (j != NULL) {
        return j;
    }
    copy = tb_strdup(s);
    for (char *p = copy; *p != '\0'; p++) {
        *p = (unsigned char)*p < 0x80 ? *p : '?';
    }
    j = json_string(copy);
    free(copy);
    return j;
}

static json_t *triple(const uint32_t *v)
{
    return json_pack("[I,I,I]", (json_int_t)v[0], (json_int_t)v[1], (json_int_t)v[2]);
}

static const char *base_name(const char *path)
{
    const char *slash = path == NULL ? NULL : strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

static json_t *file_line(const char *file, uint32_t line)
{
    json_t *o = json_object();

    json_object_set_new(o, "file", findings_string(base_name(file)));
    json_object_set_new(o, "line", integer(line));
    return o;
}

bool findings_called_alike(const struct smw_inlined *a, const struct smw_inlined *b)
{
    bool alike = a->n == b->n;

    for (uint32_t i = 0; i < a->n && alike; i++) {
        alike =
            a->at[i].line == b->at[i].line && strcmp(a->at[i].file, b->at[i].file) == 0;
    }
    return alike;
}

void findings_set_inlined(json_t *o, const struct smw_inlined *inlined)
{
    json_t *a = json_array();

    for (uint32_t i = 0; i < inlined->n; i++) {
        json_array_append_new(a, file_line(inlined->at[i].file, inlined->at[i].line));
    }
    if (inlined->n != 0) {
        json_object_set(o, "inlined_at", a);
    }
    json_decref(a);
}

static const char *level_name(enum finding_level level)
{
    switch (level) {
    case FINDING_ERROR: return "error";
    case FINDING_WARNING: return "warning";
    case FINDING_NOTE: return "note";
    }
    return "none";
}

static void add_place(json_t *o, const struct finding_place *p)
{
    if (p->what != NULL) {
        json_object_set_new(o, "what", findings_string(p->what));
    }
    if (p->has_thread) {
        json_object_set_new(o, "block", triple(p->block));
        json_object_set_new(o, "thread", triple(p->thread));
    }
    json_object_set_new(o, "cycle", integer(p->cycle));
    if (p->inst[0] != '\0') {
        json_object_set_new(o, "instruction", findings_string(p->inst));
    }
    if (p->pc != UINT32_MAX) {
        json_object_set_new(o, "pc", integer(p->pc));
    }
    if (p->ptx_line != 0) {
        json_object_set_new(o, "ptx", file_line(p->ptx_file, p->ptx_line));
    }
    if (p->file != NULL) {
        json_object_set_new(o, "source", file_line(p->file, p->line));
    }
    findings_set_inlined(o, &p->inlined);
}

static json_t *finding_object(const struct finding *f)
{
    json_t *o = json_object(), *others = json_array();
    char text[32];

    json_object_set_new(o, "rule", findings_string(f->rule));
    json_object_set_new(o, "level", json_string(level_name(f->level)));
    json_object_set_new(o, "message", findings_string(f->message));
    json_object_set_new(o, "kernel", findings_string(f->kernel));
    add_place(o, &f->at);
    json_object_set_new(o, "count", integer(f->count));
    if (f->has_memory) {
        snprintf(text, sizeof(text), "0x%" PRIx64, f->addr);
        json_object_set_new(o, "space", findings_string(f->space));
        json_object_set_new(o, "address", json_string(text));
    }
    if (f->has_memory && f->array[0] != '\0') {
        json_object_set_new(o, "array", findings_string(f->array));
        json_object_set_new(o, "offset", json_integer(f->offset));
    }
    for (uint32_t i = 0; i < f->n_other; i++) {
        json_t *p = json_object();

        add_place(p, &f->other[i]);
        json_array_append_new(others, p);
    }
    if (f->n_other != 0) {
        json_object_set_new(o, "related", others);
    } else {
        json_decref(others);
    }
    if (f->detail[0] != '\0') {
        json_object_set_new(o, "detail", findings_string(f->detail));
    }
    return o;
}

json_t *findings_json(const struct findings *l)
{
    json_t *a = json_array();

    for (uint32_t i = 0; i < l->n; i++) {
        json_array_append_new(a, finding_object(&l->list[i]));
    }
    return a;
}

/* ---- SARIF ---- */

bool findings_sarif_name(const char *path, struct smw_err *e)
{
    size_t n = strlen(path);

    return (n > 6 && strcmp(path + n - 6, ".sarif") == 0) ||
           err_set(e, SMW_ERR_USAGE, "--report: the name of '%s' must end in .sarif",
                   path);
}

/* A file name as the path of a URI: what RFC 3986 does not let stand is escaped. */
static json_t *uri(const char *file)
{
    struct text t = {0};
    json_t *j;

    for (const char *p = base_name(file); *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                     (c >= '0' && c <= '9') || (c != '\0' && strchr("-._~", c) != NULL);

        text_add(&t, plain ? "%c" : "%%%02X", c);
    }
    j = json_string(t.s == NULL ? "" : t.s);
    text_free(&t);
    return j;
}

static json_t *physical(const struct finding_place *p)
{
    bool source = p->file != NULL && p->line != 0;
    uint32_t line = source ? p->line : p->ptx_line;

    return json_pack("{s:{s:o},s:{s:I}}", "artifactLocation", "uri",
                     uri(source ? p->file : p->ptx_file), "region", "startLine",
                     (json_int_t)line);
}

static bool has_place(const struct finding_place *p)
{
    return (p->file != NULL && p->line != 0) ||
           (p->ptx_file != NULL && p->ptx_line != 0);
}

static json_t *location(const struct finding_place *p, const char *kernel)
{
    json_t *o = json_object();

    if (has_place(p)) {
        json_object_set_new(o, "physicalLocation", physical(p));
    }
    if (p->what != NULL) {
        json_object_set_new(o, "message",
                            json_pack("{s:o}", "text", findings_string(p->what)));
    }
    if (kernel != NULL) {
        json_object_set_new(o, "logicalLocations",
                            json_pack("[{s:o,s:s}]", "name", findings_string(kernel),
                                      "kind", "function"));
    }
    return o;
}

static uint32_t rule_index(const char *id)
{
    uint32_t i = 0;

    while (i + 1 < FINDING_N_RULES && strcmp(finding_rules[i].id, id) != 0) {
        i++;
    }
    return i;
}

/* The message says in words what JSON has in fields: a viewer shows nothing else. */
static json_t *sarif_message(const struct finding *f)
{
    const struct finding_place *p = &f->at;
    struct text t = {0};
    json_t *j;

    text_add(&t, "%s", f->message);
    if (p->has_thread) {
        text_add(&t, " [block (%u,%u,%u), thread (%u,%u,%u)]", p->block[0], p->block[1],
                 p->block[2], p->thread[0], p->thread[1], p->thread[2]);
    }
    if (f->detail[0] != '\0') {
        text_add(&t, "\n%s", f->detail);
    }
    j = json_pack("{s:o}", "text", findings_string(t.s));
    text_free(&t);
    return j;
}

static json_t *sarif_result(const struct finding *f)
{
    json_t *o = json_object(), *related = json_array();

    json_object_set_new(o, "ruleId", findings_string(f->rule));
    json_object_set_new(o, "ruleIndex", integer(rule_index(f->rule)));
    json_object_set_new(o, "level", json_string(level_name(f->level)));
    json_object_set_new(o, "message", sarif_message(f));
    json_object_set_new(o, "locations", json_pack("[o]", location(&f->at, f->kernel)));
    for (uint32_t i = 0; i < f->n_other; i++) {
        json_array_append_new(related, location(&f->other[i], NULL));
    }
    json_object_set_new(o, "relatedLocations", related);
    if (f->count > 0) {
        json_object_set_new(o, "occurrenceCount", integer(f->count));
    }
    return o;
}

void findings_sarif(const struct findings *l, struct text *out)
{
    json_t *rules = json_array(), *results = json_array(), *root;
    char *s;

    for (uint32_t i = 0; i < FINDING_N_RULES; i++) {
        json_array_append_new(rules, json_pack("{s:s,s:{s:s}}", "id",
                                               finding_rules[i].id, "shortDescription",
                                               "text", finding_rules[i].text));
    }
    for (uint32_t i = 0; i < l->n; i++) {
        json_array_append_new(results, sarif_result(&l->list[i]));
    }
    root = json_pack("{s:s,s:s,s:[{s:{s:{s:s,s:s,s:o}},s:s,s:o}]}", "$schema",
                     "https://json.schemastore.org/sarif-2.1.0.json", "version",
                     "2.1.0", "runs", "tool", "driver", "name", "smwave", "version",
                     smw_version(), "rules", rules, "columnKind", "unicodeCodePoints",
                     "results", results);
    s = json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    text_add(out, "%s\n", s == NULL ? "" : s);
    free(s);
    json_decref(root);
}
