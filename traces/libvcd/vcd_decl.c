#include "libvcd/vcd_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- the names: one hash over scopes and variables --- */

/* FNV-1a. Only equality depends on it: the table is never walked for output. */
static uint64_t hash_of(uint32_t scope, const char *name, bool is_scope)
{
    uint64_t h = 0xcbf29ce484222325u ^ ((uint64_t)scope * 2 + is_scope);

    h *= 0x100000001b3u;
    for (; *name != '\0'; name++) {
        h = (h ^ (unsigned char)*name) * 0x100000001b3u;
    }
    return h ^ h >> 32;
}

static bool is_entry(const struct vcd *w, uint64_t entry, uint32_t scope,
                     const char *name, bool is_scope)
{
    size_t n = (size_t)((entry - 1) / 2);

    if ((entry % 2 == 0) != is_scope) {
        return false;
    }
    if (is_scope) {
        return w->scopes[n].parent == scope &&
               strcmp(w->text + w->scopes[n].name, name) == 0;
    }
    return w->decls[n].scope == scope && strcmp(w->text + w->decls[n].name, name) == 0;
}

/* Where the name is, or the free place where it would go. The table is never full. */
static uint64_t *find(const struct vcd *w, uint32_t scope, const char *name,
                      bool is_scope)
{
    size_t i = (size_t)hash_of(scope, name, is_scope) & (w->hash_cap - 1);

    while (w->hash[i] != 0 && !is_entry(w, w->hash[i], scope, name, is_scope)) {
        i = (i + 1) & (w->hash_cap - 1);
    }
    return &w->hash[i];
}

/* Room for one more entry. */
static bool grow_hash(struct vcd *w)
{
    size_t old_cap = w->hash_cap;
    uint64_t *old = w->hash, *bigger;

    if ((w->n_hash + 1) * 4 <= old_cap * 3) {
        return true;
    }
    bigger = calloc(old_cap != 0 ? old_cap * 2 : 64, sizeof(*bigger));
    if (bigger == NULL) {
        vcd_fail(w, ENOMEM);
        return false;
    }
    w->hash = bigger;
    w->hash_cap = old_cap != 0 ? old_cap * 2 : 64;
    for (size_t i = 0; i < old_cap; i++) {
        bool is_scope = old[i] % 2 == 0;
        size_t n = (size_t)((old[i] - 1) / 2);

        if (old[i] == 0) {
            continue;
        }
        if (is_scope) {
            *find(w, w->scopes[n].parent, w->text + w->scopes[n].name, true) = old[i];
        } else {
            *find(w, w->decls[n].scope, w->text + w->decls[n].name, false) = old[i];
        }
    }
    free(old);
    return true;
}

/* Room for one more name: its text, its entry. */
static bool grow_names(struct vcd *w, const char *name)
{
    void *text = w->text;
    bool ok = vcd_grow(w, &text, &w->text_cap, w->n_text + strlen(name) + 1, 1);

    w->text = text;
    return ok && grow_hash(w);
}

static size_t keep_name(struct vcd *w, const char *name)
{
    size_t at = w->n_text;

    w->n_text = (size_t)(vcd_put_text(w->text + at, name) - w->text) + 1;
    w->text[w->n_text - 1] = '\0';
    return at;
}

int vcd_check_name(const struct vcd *w, const char *name)
{
    if (!vcd_name_legal(name)) {
        return VCD_ENAME;
    }
    if (w->n_hash != 0 && *find(w, w->scope, name, false) != 0) {
        return VCD_EDUP;
    }
    return 0;
}

/* --- scopes --- */

/* Room for a header line with a text of len characters. False: out of memory. A sink
 * that failed is no reason to refuse a declaration: *p is NULL then. */
static bool line(struct vcd *w, size_t len, char **p)
{
    *p = vcd_room(w, len + VCD_HEAD_SPARE);
    return *p != NULL || w->dead;
}

static bool make_scope(struct vcd *w, const char *name)
{
    void *scopes = w->scopes;
    bool ok = vcd_grow(w, &scopes, &w->scopes_cap, (size_t)w->n_scopes + 1,
                       sizeof(*w->scopes));

    w->scopes = scopes;
    if (!ok || !grow_names(w, name)) {
        return false;
    }
    *find(w, w->scope, name, true) = (uint64_t)w->n_scopes * 2 + 2;
    w->n_hash++;
    w->scopes[w->n_scopes].parent = w->scope;
    w->scopes[w->n_scopes].name = keep_name(w, name);
    w->scope = w->n_scopes++;
    return true;
}

bool vcd_scope(struct vcd *w, const char *name)
{
    uint64_t entry = 0;
    char *p;

    if (w->begun || !vcd_name_legal(name)) {
        vcd_fail(w, w->begun ? VCD_EORDER : VCD_ENAME);
        return false;
    }
    if (!line(w, strlen(name), &p)) {
        return false;
    }
    if (w->n_hash != 0) {
        entry = *find(w, w->scope, name, true);
    }
    if (entry != 0) {
        w->scope = (uint32_t)((entry - 1) / 2);
    } else if (!make_scope(w, name)) {
        return false;
    }
    if (p != NULL) {
        p = vcd_put_text(p, "$scope module ");
        p = vcd_put_text(p, name);
        w->p = vcd_put_text(p, " $end\n");
    }
    return true;
}

bool vcd_upscope(struct vcd *w)
{
    char *p;

    if (w->begun || w->scope == 0) {
        vcd_fail(w, VCD_EORDER);
        return false;
    }
    w->scope = w->scopes[w->scope].parent;
    p = vcd_room(w, VCD_HEAD_SPARE); /* the buffer is never smaller */
    if (p != NULL) {
        w->p = vcd_put_text(p, "$upscope $end\n");
    }
    return true;
}

/* --- variables --- */

/* What the $var line calls the width: 0 for a string as other writers have it. */
static uint32_t width_of(enum vcd_kind kind, uint32_t width)
{
    switch (kind) {
    case VCD_WIRE:
    case VCD_REG:
    case VCD_INTEGER: return width;
    case VCD_REAL: return 64;
    case VCD_STRING: return 0;
    case VCD_EVENT: return 1;
    }
    return 0;
}

static size_t words_of(const struct vcd_decl *d)
{
    return vcd_is_vector(d->kind) && d->width > 64 ? (d->width + 63) / 64 : 0;
}

/* 0, or why d cannot be declared as name. */
static int refuse(const struct vcd *w, const struct vcd_decl *d, const char *name)
{
    if (w->begun || w->scope == 0) {
        return VCD_EORDER;
    }
    if ((unsigned)d->kind > VCD_EVENT) {
        return VCD_EKIND;
    }
    if (vcd_is_vector(d->kind) && (d->width == 0 || d->width > VCD_WIDTH_MAX)) {
        return VCD_EWIDTH;
    }
    return vcd_check_name(w, name);
}

/* Room in every table for d, all of it or (growth aside) nothing. */
static bool grow_all(struct vcd *w, const struct vcd_decl *d, const char *name)
{
    size_t n = (size_t)w->n_slots + 1;
    void *slots = w->slots, *decls = w->decls, *words = w->words, *strings = w->strings;
    bool ok = grow_names(w, name);

    ok = ok && vcd_grow(w, &slots, &w->slots_cap, n, sizeof(*w->slots));
    ok = ok && vcd_grow(w, &decls, &w->decls_cap, n, sizeof(*w->decls));
    ok = ok && vcd_grow(w, &words, &w->words_cap, w->n_words + 2 * words_of(d),
                        sizeof(*w->words));
    ok = ok &&
         vcd_grow(w, &strings, &w->strings_cap, w->n_strings + 1, sizeof(*w->strings));
    w->slots = slots;
    w->decls = decls;
    w->words = words;
    w->strings = strings;
    return ok;
}

static char *put_range(char *p, uint32_t width)
{
    *p++ = '[';
    p = vcd_put_u64(p, width - 1);
    return vcd_put_text(p, ":0]");
}

static bool has_range(const struct vcd_decl *d)
{
    return (d->kind == VCD_WIRE || d->kind == VCD_REG) && d->width > 1;
}

static char *put_var(char *p, const struct vcd_decl *d, const struct vcd_slot *s,
                     const char *name)
{
    static const char *const kinds[] = {
        [VCD_WIRE] = "$var wire ",       [VCD_REG] = "$var reg ",
        [VCD_INTEGER] = "$var integer ", [VCD_REAL] = "$var real ",
        [VCD_STRING] = "$var string ",   [VCD_EVENT] = "$var event "};

    p = vcd_put_text(p, kinds[d->kind]);
    p = vcd_put_u64(p, d->width);
    *p++ = ' ';
    memcpy(p, s->tail, s->tail_len - 1u);
    p += s->tail_len - 1;
    *p++ = ' ';
    p = vcd_put_text(p, name);
    if (has_range(d)) {
        *p++ = ' ';
        p = put_range(p, d->width);
    }
    return vcd_put_text(p, " $end\n");
}

/* The identifier, and the value before any is given. grow_all() has made room. */
static void init_slot(struct vcd *w, struct vcd_slot *s, const struct vcd_decl *d)
{
    uint64_t mask =
        d->width % 64 != 0 ? ~(~(uint64_t)0 << d->width % 64) : ~(uint64_t)0;
    size_t words = words_of(d);
    char *end = vcd_put_id(s->tail, w->n_idents++);

    *end++ = '\n';
    s->tail_len = (uint8_t)(end - s->tail);
    s->kind = (uint8_t)d->kind;
    s->width = d->width;
    if (words != 0) {
        s->a = w->n_words;
        memset(w->words + s->a, 0xff, 2 * words * sizeof(*w->words));
        w->words[s->a + words - 1] = mask;
        w->words[s->a + 2 * words - 1] = mask;
        w->n_words += 2 * words;
    } else if (vcd_is_vector(d->kind)) {
        s->a = s->b = mask;
    } else if (d->kind == VCD_STRING) {
        w->strings[w->n_strings] = (struct vcd_str){NULL, 0};
        s->a = w->n_strings++;
    }
}

static vcd_id declare(struct vcd *w, struct vcd_decl *d, const char *name, vcd_id of)
{
    vcd_id id = w->n_slots;
    struct vcd_slot *s;
    char *p;

    if (!grow_all(w, d, name) || !line(w, strlen(name), &p)) {
        return VCD_NONE;
    }
    *find(w, w->scope, name, false) = (uint64_t)id * 2 + 1;
    w->n_hash++;
    d->scope = w->scope;
    d->name = keep_name(w, name);
    w->decls[id] = *d;
    w->n_slots++;
    s = &w->slots[id];
    memset(s, 0, sizeof(*s));
    if (of == VCD_NONE) {
        init_slot(w, s, d);
    } else {
        s->kind = VCD_KIND_ALIAS;
        s->a = of;
        s = &w->slots[of];
    }
    if (p != NULL) {
        w->p = put_var(p, d, s, name);
    }
    return id;
}

vcd_id vcd_add(struct vcd *w, enum vcd_kind kind, const char *name, uint32_t width)
{
    struct vcd_decl d = {.kind = kind, .width = width_of(kind, width)};
    int why = refuse(w, &d, name);

    if (why != 0) {
        vcd_fail(w, why);
        return VCD_NONE;
    }
    return declare(w, &d, name, VCD_NONE);
}

vcd_id vcd_alias(struct vcd *w, enum vcd_kind kind, const char *name, uint32_t width,
                 vcd_id of)
{
    struct vcd_decl d = {.kind = kind, .width = width_of(kind, width)};
    const struct vcd_slot *s = vcd_slot_of(w, of);
    int why = refuse(w, &d, name);

    if (s == NULL) {
        return VCD_NONE;
    }
    if (why == 0 && kind != (enum vcd_kind)s->kind &&
        !(vcd_is_vector(kind) && vcd_is_vector(s->kind))) {
        why = VCD_EKIND;
    }
    if (why == 0 && d.width != s->width) {
        why = VCD_EWIDTH;
    }
    if (why != 0) {
        vcd_fail(w, why);
        return VCD_NONE;
    }
    return declare(w, &d, name, (vcd_id)(s - w->slots));
}

/* --- the name in a viewer --- */

/* piece, so that it ends before index end of the full name; as much as buf holds. */
static size_t place(char *buf, size_t size, size_t end, const char *piece)
{
    size_t start = end - strlen(piece);

    for (size_t i = start; i < end && i + 1 < size; i++) {
        buf[i] = piece[i - start];
    }
    return start;
}

size_t vcd_loader_name(const struct vcd *w, vcd_id id, char *buf, size_t size)
{
    char range[VCD_SPARE] = "";
    const struct vcd_decl *d;
    size_t len, at;

    if (id >= w->n_slots) {
        if (size > 0) {
            buf[0] = '\0';
        }
        return 0;
    }
    d = &w->decls[id];
    if (has_range(d)) {
        *put_range(range, d->width) = '\0';
    }
    len = strlen(w->text + d->name) + strlen(range);
    for (uint32_t s = d->scope; s != 0; s = w->scopes[s].parent) {
        len += strlen(w->text + w->scopes[s].name) + 1;
    }
    at = place(buf, size, len, range);
    at = place(buf, size, at, w->text + d->name);
    for (uint32_t s = d->scope; s != 0; s = w->scopes[s].parent) {
        at = place(buf, size, at, ".");
        at = place(buf, size, at, w->text + w->scopes[s].name);
    }
    if (size > 0) {
        buf[len < size ? len : size - 1] = '\0';
    }
    return len;
}
