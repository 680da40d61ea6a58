#include "sm/texture.h"

#include "sm/fault.h"

#include <stdio.h>
#include <string.h>

/* ---- which object: SPEC TEX-7 ---- */

/* What a reference of the module holds: 8 bytes of global memory, which only the host
 * writes, between kernels. */
static uint64_t bound_to(struct sm *s, uint64_t addr)
{
    uint64_t object = 0;

    if (access_is_global(s, addr, sizeof(object)) && addr % sizeof(object) == 0) {
        const uint64_t at = memory_back(s->shared->memory, addr);

        memcpy(&object,
               memory_line(s->shared->memory, at & ~(uint64_t)(MEM_LINE - 1)) +
                   at % MEM_LINE,
               sizeof(object));
    }
    return object;
}

static void say(struct sm *s, uint32_t i, uint32_t lane, const char *rule,
                const char *text)
{
    const struct isa_uop *u = s->warps.warp[i].head;

    sm_raise_fault(s, i, lane, SM_RULE(rule), "%s: %s",
                   isa_op_name((enum isa_op)u->form.op), text);
}

static bool fits(const struct isa_uop *u, const struct tex_desc *d)
{
    const enum isa_geom g = (enum isa_geom)u->form.geom;

    if (g == ISA_G_NONE || d->geom == g) {
        return true;
    }
    return d->surface && g == ISA_G_A2D && /* its faces are layers */
           (d->geom == ISA_G_CUBE || d->geom == ISA_G_ACUBE);
}

/* NULL: the kernel is at fault. */
static const struct tex_desc *object_of(struct sm *s, uint32_t i, uint32_t lane,
                                        uint64_t value)
{
    const struct isa_uop *u = s->warps.warp[i].head;
    const bool surface = u->form.op >= ISA_OP_SULD;
    const bool reference = value >= ISA_GLOBAL_BASE;
    const uint64_t object = reference ? bound_to(s, value) : value;
    const struct tex_desc *d = tex_find(&s->shared->textures, object);
    char text[160];

    if (d == NULL && reference && object == 0) {
        say(s, i, lane, "invalid-texture", "nothing is bound to the reference");
        return NULL;
    }
    if (d == NULL || d->surface != surface) {
        (void)snprintf(text, sizeof(text), "0x%llx is no %s object%s",
                       (unsigned long long)object, surface ? "surface" : "texture",
                       d != NULL ? ", it is of the other kind"
                       : object - 1 < s->shared->textures.n ? ", it was destroyed"
                                                            : "");
        say(s, i, lane, "invalid-texture", text);
        return NULL;
    }
    if (!fits(u, d)) {
        (void)snprintf(text, sizeof(text), "the instruction is .%s, the %s is %s",
                       tex_geom_name((enum isa_geom)u->form.geom),
                       surface ? "surface" : "texture",
                       tex_geom_name((enum isa_geom)d->geom));
        say(s, i, lane, "invalid-texture", text);
        return NULL;
    }
    if (!access_is_global(s, d->base, d->bytes)) {
        (void)snprintf(text, sizeof(text),
                       "its memory, %llu bytes at 0x%llx, is not "
                       "allocated any more",
                       (unsigned long long)d->bytes, (unsigned long long)d->base);
        say(s, i, lane, "use-after-free", text);
        return NULL;
    }
    return d;
}

/* ---- texels ---- */

static const uint32_t *coordinate(const struct warp *w, isa_ref ref)
{
    return ref == ISA_NO_REF ? NULL
           : ref >= 0        ? w->lanes.r + (size_t)ref * ISA_LANES
                             : w->lanes.k + (size_t)(-1 - ref) * ISA_LANES;
}

static void sample(struct sm *s, uint32_t i, const struct tex_desc *d, uint32_t mask,
                   struct mem_req *r)
{
    const struct warp *w = &s->warps.warp[i];
    const struct isa_form *f = &w->head->form;
    struct tex_call c = {.integer = f->type2 != ISA_T_F32,
                         .gather = f->op == ISA_OP_TLD4
                                       ? (uint8_t)(f->pick - ISA_PICK_R + 1)
                                       : 0};

    for (uint32_t k = 0; k < 4; k++) {
        c.coord[k] = coordinate(w, w->head->src[k]);
    }
    tex_plan(d, &c, mask, r->texture);
    for (uint32_t k = 0; k < r->texture->n && s->near.shift != 0; k++) {
        for (uint32_t m = mask; m != 0; m &= m - 1) {
            uint64_t *a = &r->texture->addr[k][attr_lowest_bit(m)];

            *a -= *a != 0 ? s->near.shift : 0;
        }
    }
    r->space = ISA_SP_TEXTURE;
    r->mask = mask;
}

/* ---- surfaces ---- */

/* Lanes that have an element go on, others read 0; false: the kernel is at fault. */
static bool find_elements(struct sm *s, uint32_t i, const struct tex_desc *d,
                          struct mem_req *r, uint32_t mask)
{
    const struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    const isa_ref *at = r->op == MEM_LOAD ? u->src : u->dst;
    const uint32_t bytes = (uint32_t)r->size * r->vec;

    r->mask = 0;
    for (uint32_t m = mask; m != 0; m &= m - 1) {
        const uint32_t lane = attr_lowest_bit(m);
        int32_t c[4] = {0, 0, 0, 0};

        for (uint32_t k = 0; k < 4; k++) {
            const uint32_t *from = coordinate(w, at[k]);

            c[k] = from == NULL ? 0 : (int32_t)from[lane];
        }
        switch (tex_surface(d, (enum isa_geom)u->form.geom,
                            u->form.pick == ISA_PICK_CLAMP, c, bytes, &r->addr[lane])) {
        case TEX_INSIDE: r->mask |= 1u << lane; break;
        case TEX_SURFACE_OUTSIDE:
            if (u->form.pick == ISA_PICK_TRAP) {
                say(s, i, lane, "out-of-bounds", "the coordinates are outside of it");
                return false;
            }
            break;
        case TEX_MISALIGNED:
            say(s, i, lane, "misaligned", "x is no multiple of the element's bytes");
            return false;
        }
    }
    return true;
}

static enum access_way surface(struct sm *s, uint32_t i, const struct tex_desc *d,
                               uint32_t mask, struct mem_req *r)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    uint32_t outside;

    r->space = ISA_SP_GLOBAL;
    r->op = u->form.op == ISA_OP_SULD   ? MEM_LOAD
            : u->form.op == ISA_OP_SUST ? MEM_STORE
                                        : MEM_RED;
    if (!find_elements(s, i, d, r, mask)) {
        return ACCESS_FAULT;
    }
    outside = mask & ~r->mask;
    if (r->op != MEM_LOAD) {
        isa_store_data(u, &w->lanes, r->mask, r->d);
    } else if (outside != 0) {
        memset(r->d, 0, sizeof(r->d));
        isa_load_data(u, &w->lanes, outside, (const uint32_t(*)[ISA_LANES])r->d);
    }
    if (r->mask == 0) {
        return ACCESS_SERVED;
    }
    access_count(s, r); /* with time and without */
    return ACCESS_MEMORY;
}

/* ---- the instruction ---- */

static void query(const struct warp *w, const struct tex_desc *d, uint32_t mask,
                  struct mem_req *r)
{
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        r->d[0][lane] = tex_query(d, (enum isa_pick)w->head->form.pick);
    }
    isa_load_data(w->head, &w->lanes, mask, (const uint32_t(*)[ISA_LANES])r->d);
}

enum access_way texture_prepare(struct sm *s, uint32_t i, uint32_t mask,
                                struct mem_req *r, uint32_t *rest)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    const uint32_t first = attr_lowest_bit(mask);
    const struct tex_desc *d;
    uint32_t same = 0;

    isa_addresses(u, &w->lanes, mask, r->addr);
    for (uint32_t m = mask; m != 0; m &= m - 1) {
        const uint32_t lane = attr_lowest_bit(m);

        same |= r->addr[lane] == r->addr[first] ? 1u << lane : 0;
    }
    *rest = mask & ~same;
    d = object_of(s, i, first, r->addr[first]);
    if (d == NULL) {
        return ACCESS_FAULT;
    }
    access_describe(s, i, r);
    w->stats->tex_insts++;
    if (u->form.op == ISA_OP_TXQ || u->form.op == ISA_OP_SUQ) {
        query(w, d, same, r);
        return ACCESS_SERVED;
    }
    if (u->form.op >= ISA_OP_SULD) {
        return surface(s, i, d, same, r);
    }
    sample(s, i, d, same, r);
    return ACCESS_MEMORY;
}

bool texture_issue(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    struct mem_req *r = sim_pool_take(&s->reqs);
    uint32_t rest;
    enum access_way way;

    r->texture = sim_pool_take(&s->textures);
    way = texture_prepare(s, i, mask, r, &rest);
    if (way != ACCESS_MEMORY || r->space != ISA_SP_TEXTURE) {
        sim_pool_give(r->texture);
    }
    if (way != ACCESS_MEMORY) {
        sim_pool_give(r);
    } else {
        access_send_expected(s, i, r);
    }
    w->replay = way == ACCESS_FAULT ? w->replay : rest;
    return way != ACCESS_FAULT && rest == 0;
}
