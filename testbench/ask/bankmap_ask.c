#include "ask/bankmap_ask.h"

#include "ask/bankmap_index.h"
#include "io/num.h"
#include <stdlib.h>
#include <string.h>

/* *e is about column `column` of the option's text. */
static void at_option(const char *option, const char *text, uint32_t column,
                      uint32_t width, struct smw_err *e)
{
    char *line = tb_printf("%s '%s'", option, text);

    err_at(e, "command line", line, 1, (uint32_t)strlen(option) + 2 + column, width);
    e->line = 0; /* a place in a file it is not */
    free(line);
}

static bool place(struct bankmap_request *r, uint32_t lane, int64_t index,
                  const char *option, const char *text, struct smw_err *e)
{
    uint64_t highest = bankmap_highest(r->setup.space, r->access.bytes);

    if (index < 0) {
        err_set(e, SMW_ERR_USAGE, "the index of lane %u is negative: %lld", lane,
                (long long)index);
    } else if ((uint64_t)index > highest / r->access.bytes) {
        err_set(e, SMW_ERR_USAGE, "the index of lane %u is out of range: %lld", lane,
                (long long)index);
    }
    if (e->kind != SMW_ERR_NONE) {
        at_option(option, text, 1, (uint32_t)strlen(text), e);
        return false;
    }
    r->access.addr[lane] = (uint64_t)index * r->access.bytes;
    return true;
}

bool ask_stride(struct bankmap_request *r, const char *text, struct smw_err *e)
{
    uint64_t stride = 0;

    if (num_u64(text, &stride) != NUM_OK || stride > UINT32_MAX) {
        err_set(e, SMW_ERR_USAGE, "a stride is a whole number of elements, 0 or more");
        at_option("--stride", text, 1, (uint32_t)strlen(text), e);
        return false;
    }
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        if ((r->access.mask >> lane & 1u) != 0 &&
            !place(r, lane, (int64_t)(lane * stride), "--stride", text, e)) {
            return false;
        }
    }
    r->source = BANKMAP_STRIDE;
    r->stride = stride;
    r->formula = tb_printf(stride == 1 ? "index tid" : "index %llu * tid",
                           (unsigned long long)stride);
    return true;
}

bool ask_index(struct bankmap_request *r, const char *text, struct smw_err *e)
{
    int64_t index[ISA_LANES];

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        if (!index_eval(text, lane, &index[lane], e)) {
            at_option("--index", text, e->column, e->width, e);
            return false;
        }
    }
    for (uint32_t m = r->access.mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);

        if (!place(r, lane, index[lane], "--index", text, e)) {
            return false;
        }
    }
    r->source = BANKMAP_INDEX;
    r->formula = tb_printf("index %s", text);
    return true;
}

/* One address of n characters. */
static bool take_address(struct bankmap_request *r, uint32_t lane, const char *text,
                         const char *at, size_t n, struct smw_err *e)
{
    uint64_t highest = bankmap_highest(r->setup.space, r->access.bytes);
    char *word = tb_printf("%.*s", (int)n, at);
    uint64_t v = 0;

    if (lane >= ISA_LANES) {
        err_set(e, SMW_ERR_USAGE, "a warp has %u lanes, this address is one too many",
                ISA_LANES);
    } else if (num_u64(word, &v) != NUM_OK) {
        err_set(e, SMW_ERR_USAGE, "'%s' is no byte offset", word);
    } else if (v > highest) {
        err_set(e, SMW_ERR_USAGE, "the offset of lane %u is out of range: at most %llu",
                lane, (unsigned long long)highest);
    } else if (v % r->access.bytes != 0) {
        err_set(e, SMW_ERR_USAGE,
                "lane %u is misaligned: %s is no multiple of %u bytes", lane, word,
                r->access.bytes);
    }
    free(word);
    if (e->kind != SMW_ERR_NONE) {
        at_option("--addr", text, (uint32_t)(at - text) + 1, (uint32_t)n, e);
        return false;
    }
    r->access.addr[lane] = v;
    return true;
}

bool ask_addr(struct bankmap_request *r, const char *text, bool has_mask,
              struct smw_err *e)
{
    const char *at = text;
    uint32_t given = 0;

    for (uint32_t lane = 0;; lane++) {
        size_t n;

        at += strspn(at, " ");
        n = strcspn(at, ", ");
        if (n > 0) {
            if (!take_address(r, lane, text, at, n, e)) {
                return false;
            }
            given |= 1u << lane;
        }
        at += n;
        at += strspn(at, " ");
        if (*at == '\0') {
            break;
        }
        if (*at != ',') {
            err_set(e, SMW_ERR_USAGE, "a comma must stand between two offsets");
            at_option("--addr", text, (uint32_t)(at - text) + 1, 1, e);
            return false;
        }
        at++;
    }
    if (has_mask && (r->access.mask & ~given) != 0) {
        err_set(e, SMW_ERR_USAGE, "lane %u is active and has no offset",
                (uint32_t)__builtin_ctz(r->access.mask & ~given));
        at_option("--addr", text, 1, (uint32_t)strlen(text), e);
        return false;
    }
    r->access.mask = has_mask ? r->access.mask : given;
    r->source = BANKMAP_ADDR;
    r->formula = tb_strdup("at the offsets given");
    return true;
}
