#include "run/args.h"

#include "io/file.h"
#include "io/num.h"
#include <stdlib.h>
#include <string.h>

struct builder {
    const struct launch_file *l;
    const uint64_t *address;
    uint32_t address_bytes; /* of a pointer in the module */
    struct smw_err *e;
};

static void put(unsigned char *at, uint64_t bits, uint32_t size)
{
    for (uint32_t i = 0; i < size && i < 8; i++) {
        at[i] = (unsigned char)(bits >> (8 * i));
    }
}

static bool refuse(struct builder *b, const struct yaml_node *a,
                   const struct smw_param *p, const char *why)
{
    return yaml_refuse(&b->l->yaml, a, SMW_ERR_INPUT, b->e,
                       "parameter '%s' is .%s of %u byte%s: %s", p->name, p->type,
                       p->size, p->size == 1 ? "" : "s", why);
}

static bool put_buffer(struct builder *b, const struct yaml_node *a, int32_t index,
                       const struct smw_param *p, unsigned char *at)
{
    uint64_t address = b->address[index];

    if ((uint32_t)index >= b->l->n_buffers && (p->size != 8 || p->type[0] == 'f')) {
        return refuse(b, a, p, "it cannot hold a texture, which has 64 bits");
    }
    if (p->size == 4 && p->type[0] != 'f' && b->address_bytes == 8) {
        (void)refuse(b, a, p, "the address of a buffer has 64 bits");
        err_hint(b->e, "pointers are parameters of 64 bits");
        return false;
    }
    if (p->type[0] == 'f' || (p->size != 8 && p->size != 4)) {
        return refuse(b, a, p, "it cannot hold the address of a buffer");
    }
    if (p->size == 4 && address > UINT32_MAX) {
        return refuse(b, a, p, "the buffer's address does not fit");
    }
    put(at, address, p->size);
    return true;
}

static bool put_float(struct builder *b, const struct yaml_node *a,
                      const struct smw_param *p, unsigned char *at)
{
    uint64_t bits = 0;

    if (p->size != 4 && p->size != 8) {
        return refuse(b, a, p, "numbers of this type cannot be passed");
    }
    if (!value_read_number(&b->l->yaml, a, p->size == 4 ? VALUE_F32 : VALUE_F64, &bits,
                           b->e)) {
        return false;
    }
    put(at, bits, p->size);
    return true;
}

static bool put_number(struct builder *b, const struct yaml_node *a,
                       const struct smw_param *p, unsigned char *at)
{
    struct num_int v = {0};
    uint64_t limit;
    double d;

    if (p->type[0] == 'f') {
        return put_float(b, a, p, at);
    }
    if (strcmp(p->type, "b8") == 0 && p->size != 1) {
        return refuse(b, a, p,
                      "a structure takes a list of members, [{type: value}, "
                      "...]");
    }
    switch (num_int(a->text, &v)) {
    case NUM_OK: break;
    case NUM_OVERFLOW: return refuse(b, a, p, "the number does not fit");
    case NUM_BAD:
        if (num_f64(a->text, &d) == NUM_OK) {
            return refuse(b, a, p,
                          "it takes a whole number; write {f32: ...} for bits");
        }
        return launch_unknown_buffer(b->l, a, b->e);
    }
    limit = p->size >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * p->size)) - 1;
    if (v.magnitude > (v.negative ? limit / 2 + 1 : limit)) {
        return refuse(b, a, p, "the number does not fit");
    }
    put(at, num_bits(v), p->size);
    return true;
}

/* {type: value}: size and bits. */
static bool typed(struct builder *b, const struct yaml_node *a, uint32_t *size,
                  uint64_t *bits)
{
    enum value_type type;

    if (!value_read_type(&b->l->yaml, a->first->key, &type, b->e) ||
        !value_read_number(&b->l->yaml, a->first, type, bits, b->e)) {
        return false;
    }
    *size = value_type_size(type);
    return true;
}

static bool put_typed(struct builder *b, const struct yaml_node *a,
                      const struct smw_param *p, unsigned char *at)
{
    uint32_t size = 0;
    uint64_t bits = 0;

    if (!typed(b, a, &size, &bits)) {
        return false;
    }
    if (size != p->size) {
        return refuse(b, a, p, "the value has another size");
    }
    put(at, bits, size);
    return true;
}

static bool put_structure(struct builder *b, const struct yaml_node *a,
                          const struct smw_param *p, unsigned char *at)
{
    uint32_t offset = 0, align = 1;

    for (const struct yaml_node *m = a->first; m != NULL; m = m->next) {
        uint32_t size = 8;
        uint64_t bits = 0;

        if (m->kind == YAML_MAP) {
            if (!typed(b, m, &size, &bits)) {
                return false;
            }
        } else {
            bits = b->address[launch_find_named(b->l, m->text)];
        }
        align = size > align ? size : align;
        offset = (offset + size - 1) / size * size;
        if (offset + size > p->size) {
            return refuse(b, m, p, "the members do not fit");
        }
        put(at + offset, bits, size);
        offset += size;
    }
    if ((offset + align - 1) / align * align != p->size) {
        return refuse(b, a, p, "the members do not fill it");
    }
    return true;
}

/* {raw: HEX}, which is checked */
static bool put_raw(struct builder *b, const struct yaml_node *a,
                    const struct smw_param *p, unsigned char *at)
{
    const char *const text = a->first->text;

    if (strlen(text) != 2 * (size_t)p->size) {
        return refuse(b, a, p, "the bytes given are not as many");
    }
    for (uint32_t i = 0; i < p->size; i++) {
        const char digits[] = {text[2 * i], text[2 * i + 1], '\0'};

        at[i] = (unsigned char)strtoul(digits, NULL, 16);
    }
    return true;
}

static bool put_argument(struct builder *b, const struct yaml_node *a,
                         const struct smw_param *p, unsigned char *at)
{
    int32_t named;

    switch (a->kind) {
    case YAML_MAP:
        return strcmp(a->first->key->text, "raw") == 0 ? put_raw(b, a, p, at)
                                                       : put_typed(b, a, p, at);
    case YAML_LIST: return put_structure(b, a, p, at);
    case YAML_SCALAR: break;
    }
    named = launch_find_named(b->l, a->text);
    if (named < 0 && strcmp(a->text, "zero") == 0) {
        return true; /* the block is zeroed */
    }
    return named >= 0 ? put_buffer(b, a, named, p, at) : put_number(b, a, p, at);
}

/* "kernel 'f' takes 2 arguments (.u64 d, .u32 n), 3 are given" */
static void refuse_count(struct builder *b, const struct launch_run *r,
                         const struct smw_kernel *k, uint32_t given)
{
    uint32_t n = smw_kernel_params(k);
    struct text list = {0};
    struct smw_param p;

    text_add(&list, "%s", "");
    for (uint32_t i = 0; i < n && smw_kernel_param(k, i, &p); i++) {
        text_add(&list, "%s.%s %s", i == 0 ? " (" : ", ", p.type, p.name);
    }
    yaml_refuse(&b->l->yaml, r->args != NULL ? r->args : r->at, SMW_ERR_INPUT, b->e,
                "kernel '%s' takes %u argument%s%s%s, %u %s given", smw_kernel_name(k),
                n, n == 1 ? "" : "s", list.s, n == 0 ? "" : ")", given,
                given == 1 ? "is" : "are");
    text_free(&list);
}

void *args_build(const struct launch_file *l, const struct launch_run *r,
                 const struct smw_kernel *k, const uint64_t *address, uint32_t *bytes,
                 struct smw_err *e)
{
    struct builder b = {.l = l,
                        .address = address,
                        .address_bytes = smw_kernel_address_bytes(k),
                        .e = e};
    const struct yaml_node *a = r->args == NULL ? NULL : r->args->first;
    uint32_t given = r->args == NULL ? 0 : r->args->n;
    unsigned char *block;
    struct smw_param p;
    uint32_t size = 0;

    if (given != smw_kernel_params(k)) {
        refuse_count(&b, r, k, given);
        return NULL;
    }
    for (uint32_t i = 0; i < given && smw_kernel_param(k, i, &p); i++) {
        size = p.offset + p.size > size ? p.offset + p.size : size;
    }
    block = tb_alloc(size);
    for (uint32_t i = 0; i < given && smw_kernel_param(k, i, &p); i++, a = a->next) {
        if (!put_argument(&b, a, &p, block + p.offset)) {
            free(block);
            return NULL;
        }
    }
    *bytes = size;
    return block;
}
