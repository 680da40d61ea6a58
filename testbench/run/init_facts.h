/*
 * init_facts.h - what the PTX of a kernel says about its arguments.
 *
 * Registers are followed from the ld.param that fills them: sums, differences, copies and
 * conversions of an address stay one, in the order of the text and without looking at
 * branches. That is a guess good enough to fill in a launch file that a person reads.
 */
#ifndef RUN_INIT_FACTS_H
#define RUN_INIT_FACTS_H

#include "ptx/ptx.h"

enum { INIT_MAX_WORDS = 64 };

/* A piece of the parameter block that the kernel loads at once. */
struct init_word {
    uint32_t offset, size; /* bytes, in the parameter block */
    enum isa_type type;
    bool is_address;            /* memory was accessed through it */
    bool read, written, atomic; /* that memory */
    enum isa_type element;      /* of the first access */
    uint32_t vec;               /* elements of the widest access: 1, 2, 4 */
};

struct init_facts {
    const struct ptx_module *module;
    const struct ptx_kernel *kernel;
    struct init_word
        word[INIT_MAX_WORDS]; /* in order of offset; those behind are lost */
    uint32_t n_words;
    bool calls;     /* functions, which may access memory too */
    bool thread[3]; /* it asks for %tid or %ntid .x, .y, .z */
    bool grid[3];   /* for %ctaid or %nctaid */
};

void init_facts(struct init_facts *f, const struct ptx_module *m,
                const struct ptx_kernel *k);

/* The word at that offset of the parameter block, NULL: it is never loaded. */
const struct init_word *init_word_at(const struct init_facts *f, uint32_t offset);

/* Is the parameter the address of a buffer? One of the size of an address that memory is
 * accessed through; also one that is never loaded, or given to functions perhaps. */
bool init_is_buffer(const struct init_facts *f, const struct ptx_param *p);

#endif /* RUN_INIT_FACTS_H */
