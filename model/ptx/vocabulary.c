/* Names in scope, special registers, C++ names. */
#include "ptx/ptx_priv.h"

#include <stdio.h>
#include <string.h>

/* ---- a map from 64-bit keys ---- */

struct ptx_names_map {
    struct arena *a;
    uint64_t *key; /* UINT64_MAX: free */
    uint32_t *value;
    uint32_t n, cap;
};

struct ptx_names_map *ptx_map_new(struct arena *a)
{
    struct ptx_names_map *const map = arena_alloc(a, sizeof(*map));

    map->a = a;
    return map;
}

void ptx_map_clear(struct ptx_names_map *map)
{
    map->n = 0;
    map->cap = 0;
}

static uint32_t map_slot(const struct ptx_names_map *map, uint64_t key)
{
    uint64_t h = key * 0x9e3779b97f4a7c15ull;
    uint32_t i = (uint32_t)(h >> 32) & (map->cap - 1);

    while (map->key[i] != UINT64_MAX && map->key[i] != key) {
        i = (i + 1) & (map->cap - 1);
    }
    return i;
}

static void map_grow(struct ptx_names_map *map)
{
    const struct ptx_names_map old = *map;

    map->cap = old.cap == 0 ? 64 : old.cap * 4;
    map->key = arena_alloc(map->a, map->cap * sizeof(map->key[0]));
    map->value = arena_alloc(map->a, map->cap * sizeof(map->value[0]));
    memset(map->key, 0xff, map->cap * sizeof(map->key[0]));
    for (uint32_t i = 0; i < old.cap; i++) {
        if (old.key[i] != UINT64_MAX) {
            const uint32_t s = map_slot(map, old.key[i]);

            map->key[s] = old.key[i];
            map->value[s] = old.value[i];
        }
    }
}

uint32_t *ptx_map_at(struct ptx_names_map *map, uint64_t key, bool *found)
{
    uint32_t i;

    if (2 * (map->n + 1) > map->cap) {
        map_grow(map);
    }
    i = map_slot(map, key);
    *found = map->key[i] == key;
    map->n += !*found;
    map->key[i] = key;
    return &map->value[i];
}

/* ---- scopes ---- */

bool ptx_declare(struct ptx_parser *p, const struct ptx_tok *t, enum ptx_name_kind kind,
                 uint32_t id)
{
    const struct ptx_name *old;
    uint32_t line = t->line;

    if (ptx_scope_add(&p->names, t->s, t->len, kind, id, &old)) {
        return true;
    }
    for (const char *c = old->s; c < t->s; c++) {
        line -= *c == '\n';
    }
    return ptx_fail(p, t, "'%.*s' is declared twice, first in line %u",
                    t->len < 64 ? (int)t->len : 64, t->s, line);
}

/* The range that has t as member *number. */
static const struct ptx_name *find_range(const struct ptx_parser *p,
                                         const struct ptx_tok *t, uint32_t *number)
{
    const struct ptx_name *best = NULL;
    uint64_t v = 0, scale = 1;

    for (uint32_t k = t->len; k > 1 && t->len - k < 10; k--) {
        const char c = t->s[k - 1];
        const struct ptx_name *n;

        if (c < '0' || c > '9') {
            break;
        }
        v += scale * (uint64_t)(c - '0');
        scale *= 10;
        if (c == '0' && k != t->len) {
            continue; /* no leading zero */
        }
        n = ptx_scope_find(&p->names, t->s, k - 1, true);
        if (n != NULL && v < p->range[n->id].n && (best == NULL || n > best)) {
            best = n;
            *number = (uint32_t)v;
        }
    }
    return best;
}

uint32_t ptx_find_reg(struct ptx_parser *p, const struct ptx_tok *t)
{
    const struct ptx_name *const exact = ptx_scope_find(&p->names, t->s, t->len, false);
    uint32_t number = 0, *reg;
    const struct ptx_name *const member = find_range(p, t, &number);
    const struct ptx_range *r;
    bool found;

    if (member == NULL || (exact != NULL && exact > member)) {
        return exact != NULL && exact->kind == NK_REG ? exact->id : PTX_NONE;
    }
    reg = ptx_map_at(p->map, (uint64_t)member->id << 32 | number, &found);
    if (!found) {
        r = &p->range[member->id];
        *PTX_PUSH(p->a, p->fn->vreg, p->fn->n_vreg, p->fn->cap_vreg) =
            (struct ptx_vreg){r->s, r->len, number, r->type};
        *reg = p->fn->n_vreg - 1;
    }
    return *reg;
}

/* The hint for a register beyond the end of its range. */
static bool range_hint(struct ptx_parser *p, const struct ptx_tok *t)
{
    uint32_t k = t->len;
    const struct ptx_name *n;

    while (k > 1 && t->s[k - 1] >= '0' && t->s[k - 1] <= '9') {
        k--;
    }
    n = k < t->len ? ptx_scope_find(&p->names, t->s, k, true) : NULL;
    if (n == NULL || p->range[n->id].n == 0 || t->s[k] == '0') {
        return false;
    }
    err_hint(p->lex.e, "%.*s<%u> ends at %.*s%u", (int)(k < 64 ? k : 64), t->s,
             p->range[n->id].n, (int)(k < 64 ? k : 64), t->s, p->range[n->id].n - 1);
    return true;
}

uint32_t ptx_may_compare(struct ptx_parser *p, uint32_t n)
{
    enum { MANY = 4000 };
    const uint32_t left = PTX_MAX_COMPARED - p->n_compared;

    n = n < MANY ? n : MANY;
    n = n < left ? n : left;
    p->n_compared += n;
    return n;
}

bool ptx_fail_unknown(struct ptx_parser *p, const struct ptx_tok *t, const char *what,
                      uint32_t kinds)
{
    uint32_t n = 0, most = 0;
    const char **names;
    char what_text[64];

    if (p->lex.e->kind != SMW_ERR_NONE) {
        return ptx_fail(p, t, "unknown %s", what);
    }
    most = ptx_may_compare(p, p->names.n);
    names = arena_alloc(p->a, (most + 1) * sizeof(names[0]));
    for (uint32_t i = p->names.n; i > 0 && n < most; i--) {
        const struct ptx_name *d = &p->names.name[i - 1];

        if (kinds >> d->kind & 1) {
            names[n++] = ptx_copy(p->a, d->s, d->len);
        }
    }
    snprintf(what_text, sizeof(what_text), "unknown %s", what);
    ptx_fail_near(p, t, what_text, names, n);
    if (kinds >> NK_REG & 1 && t->len > 0) {
        range_hint(p, t);
    }
    return false;
}

/* ---- special registers ---- */

static const char *const sregs[ISA_N_SREGS] = {
    [ISA_SR_TID_X] = "%tid.x",
    [ISA_SR_TID_Y] = "%tid.y",
    [ISA_SR_TID_Z] = "%tid.z",
    [ISA_SR_NTID_X] = "%ntid.x",
    [ISA_SR_NTID_Y] = "%ntid.y",
    [ISA_SR_NTID_Z] = "%ntid.z",
    [ISA_SR_CTAID_X] = "%ctaid.x",
    [ISA_SR_CTAID_Y] = "%ctaid.y",
    [ISA_SR_CTAID_Z] = "%ctaid.z",
    [ISA_SR_NCTAID_X] = "%nctaid.x",
    [ISA_SR_NCTAID_Y] = "%nctaid.y",
    [ISA_SR_NCTAID_Z] = "%nctaid.z",
    [ISA_SR_LANEID] = "%laneid",
    [ISA_SR_WARPID] = "%warpid",
    [ISA_SR_NWARPID] = "%nwarpid",
    [ISA_SR_SMID] = "%smid",
    [ISA_SR_NSMID] = "%nsmid",
    [ISA_SR_GRIDID] = "%gridid",
    [ISA_SR_LANEMASK_EQ] = "%lanemask_eq",
    [ISA_SR_LANEMASK_LE] = "%lanemask_le",
    [ISA_SR_LANEMASK_LT] = "%lanemask_lt",
    [ISA_SR_LANEMASK_GE] = "%lanemask_ge",
    [ISA_SR_LANEMASK_GT] = "%lanemask_gt",
    [ISA_SR_CLOCK] = "%clock",
    [ISA_SR_CLOCK_HI] = "%clock_hi",
    [ISA_SR_CLOCK64] = "%clock64",
    [ISA_SR_GLOBALTIMER] = "%globaltimer",
    [ISA_SR_GLOBALTIMER_LO] = "%globaltimer_lo",
    [ISA_SR_GLOBALTIMER_HI] = "%globaltimer_hi",
    [ISA_SR_DYNAMIC_SMEM] = "%dynamic_smem_size",
    [ISA_SR_TOTAL_SMEM] = "%total_smem_size",
    [ISA_SR_ENVREG1] = "%envreg1",
    [ISA_SR_ENVREG2] = "%envreg2",
    [ISA_SR_ENVREG] = "%envreg0",
    [ISA_SR_RESERVED_BEGIN] = "%reserved_smem_offset_begin",
    [ISA_SR_RESERVED_END] = "%reserved_smem_offset_end",
    [ISA_SR_RESERVED_CAP] = "%reserved_smem_offset_cap",
    [ISA_SR_RESERVED_0] = "%reserved_smem_offset_0",
    [ISA_SR_RESERVED_1] = "%reserved_smem_offset_1",
    [ISA_SR_CLUSTERID_X] = "%clusterid.x",
    [ISA_SR_CLUSTERID_Y] = "%clusterid.y",
    [ISA_SR_CLUSTERID_Z] = "%clusterid.z",
    [ISA_SR_NCLUSTERID_X] = "%nclusterid.x",
    [ISA_SR_NCLUSTERID_Y] = "%nclusterid.y",
    [ISA_SR_NCLUSTERID_Z] = "%nclusterid.z",
    [ISA_SR_CLUSTER_CTAID_X] = "%cluster_ctaid.x",
    [ISA_SR_CLUSTER_CTAID_Y] = "%cluster_ctaid.y",
    [ISA_SR_CLUSTER_CTAID_Z] = "%cluster_ctaid.z",
    [ISA_SR_CLUSTER_NCTAID_X] = "%cluster_nctaid.x",
    [ISA_SR_CLUSTER_NCTAID_Y] = "%cluster_nctaid.y",
    [ISA_SR_CLUSTER_NCTAID_Z] = "%cluster_nctaid.z",
    [ISA_SR_CLUSTER_RANK] = "%cluster_ctarank",
    [ISA_SR_CLUSTER_SIZE] = "%cluster_nctarank",
    [ISA_SR_EXPLICIT_CLUSTER] = "%is_explicit_cluster",
};

/* %envreg3 to %envreg31, which nobody sets. */
static bool other_envreg(const char *s, uint32_t len, uint32_t *sreg)
{
    uint32_t n = 0, i = 7;

    if (len < 8 || len > 9 || memcmp(s, "%envreg", 7) != 0 || s[7] == '0') {
        return false;
    }
    for (; i < len && s[i] >= '0' && s[i] <= '9'; i++) {
        n = 10 * n + (uint32_t)(s[i] - '0');
    }
    *sreg = ISA_SR_ENVREG;
    return i == len && n < 32;
}

bool ptx_find_sreg(const char *s, uint32_t len, uint32_t *sreg)
{
    for (uint32_t i = 0; i < ISA_N_SREGS; i++) {
        if (strlen(sregs[i]) == len && memcmp(sregs[i], s, len) == 0) {
            *sreg = i;
            return true;
        }
    }
    return other_envreg(s, len, sreg);
}

const char *ptx_sreg_name(uint32_t sreg)
{
    return sregs[sreg];
}
