#include "sm/syscall.h"

#include "base/nomem.h"
#include "sm/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct syscall *syscall_new(void)
{
    return nomem_calloc(1, sizeof(struct syscall));
}

uint64_t syscall_param(const struct syscall_args *a, uint32_t k, uint32_t lane)
{
    size_t at = a->wide ? 2 + 2 * (size_t)k : 1 + (size_t)k;
    uint64_t lo = a->word[at * ISA_LANES + lane];

    return a->wide ? lo | (uint64_t)a->word[(at + 1) * ISA_LANES + lane] << 32 : lo;
}

/* Read a string of global memory, cut to size - 1; false: it is not all allocated. */
static bool read_string(const struct memory *m, uint64_t addr, char *buf, uint32_t size)
{
    for (uint32_t n = 0; n < size; n++) {
        if (memory_find(m, addr + n) == NULL) {
            return false;
        }
        memory_read(m, addr + n, buf + n, 1);
        if (buf[n] == '\0') {
            return true;
        }
    }
    buf[size - 1] = '\0';
    return true;
}

/* The longest format decides how much is fetched, for all lanes. */
bool syscall_measure(struct syscall *c, const struct memory *m,
                     const struct syscall_args *a, uint32_t mask, uint32_t *lane)
{
    uint64_t last = 0;
    uint32_t n_args = 0;

    for (uint32_t left = mask; left != 0; left &= left - 1) {
        uint32_t l = attr_lowest_bit(left);
        uint64_t addr = syscall_param(a, 0, l);

        if (addr != last || left == mask) {
            char format[1024];
            uint32_t bytes;

            if (!read_string(m, addr, format, sizeof(format))) {
                *lane = l;
                return false;
            }
            bytes = format_bytes(format, &n_args);
            bytes = bytes < SYSCALL_BYTES ? bytes : SYSCALL_BYTES;
            c->bytes = bytes > c->bytes ? bytes : c->bytes;
            last = addr;
        }
        c->n_args[l] = n_args;
    }
    return true;
}

void syscall_next(const struct syscall *c, const struct syscall_args *a,
                  uint64_t addr[ISA_LANES])
{
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        addr[lane] = syscall_param(a, 1, lane) - ISA_LOCAL_WINDOW + c->fetched;
    }
}

void syscall_take(struct syscall *c, uint32_t mask, const uint32_t word[ISA_LANES])
{
    for (uint32_t m = mask; m != 0; m &= m - 1) {
        uint32_t lane = attr_lowest_bit(m);

        memcpy(c->args[lane] + c->fetched, &word[lane], 4);
    }
    c->fetched += 4;
}

void syscall_return(struct syscall *c, const struct syscall_args *a, uint32_t mask)
{
    for (uint32_t m = mask; m != 0; m &= m - 1) {
        uint32_t lane = attr_lowest_bit(m);

        a->word[lane] = c->n_args[lane];
    }
    c->fetched = 0;
    c->bytes = 0;
}

const char *syscall_stop(const struct isa_uop *u, const struct isa_lanes *lanes,
                         const struct memory *m, uint32_t lane, char *text, size_t size)
{
    /* message, file and line of __assertfail(): words of its parameters */
    static const uint32_t word[] = {0, 2, 4};
    char string[2][96] = {"?", "?"};
    const uint32_t *area;

    if (u->form.op != ISA_OP_CALL) {
        (void)snprintf(text, size, "the kernel executed %s",
                       isa_op_name((enum isa_op)u->form.op));
        return "trap";
    }
    area = lanes->r + (size_t)u->frame * ISA_LANES + lane;
    for (uint32_t k = 0; k < 2; k++) {
        uint64_t addr =
            area[word[k] * ISA_LANES] | (uint64_t)area[(word[k] + 1) * ISA_LANES] << 32;

        (void)read_string(m, addr, string[k], sizeof(string[k]));
    }
    (void)snprintf(text, size, "assertion failed: %s (%s:%u)", string[0], string[1],
                   area[word[2] * ISA_LANES]);
    return "assertion";
}
