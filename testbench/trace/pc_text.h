/*
 * pc_text.h - the instructions of a module as waveforms show them: a line of text for
 * each pc, "ld.shared.u32 %r5, [%r4] reverse.cu:17", the PTX line where there is no
 * other. It is plain: no control characters, and nothing in front that a viewer takes
 * for a colour.
 */
#ifndef TRACE_PC_TEXT_H
#define TRACE_PC_TEXT_H

#include "io/file.h"
#include "smwave.h"
#include <stdint.h>

enum { CODE_LINE = 320 /* room for a line of text */ };

struct code {
    char **text; /* by pc; NULL: not known */
    uint32_t n;
};

void code_of_module(struct code *c, const struct smw_module *m);
/* The same without the kernels that no launch on d is of: a warp that waits for its
 * first block has the pc 0. */
void code_of_launches(struct code *c, const struct smw_module *m,
                      const struct smw_device *d);
/* All of m, added to what c has: the first of several at a pc stays. */
void code_add_module(struct code *c, const struct smw_module *m);

/* Read the table that a run left beside its dump (RUN.pcs.txt). SMW_ERR_INPUT: it is
 * none; SMW_ERR_IO. */
bool code_of_table(struct code *c, const char *path, struct smw_err *e);

void code_free(struct code *c);

#endif /* TRACE_PC_TEXT_H */
