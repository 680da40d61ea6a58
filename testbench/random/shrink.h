/* shrink.h - makes a program smaller as long as it fails in the same way. */
#ifndef RANDOM_SHRINK_H
#define RANDOM_SHRINK_H

#include "trial.h"

/* p fails with v on the preset; it does so too when it is back. */
void shrink(struct trial *t, struct gen_program *p, uint32_t preset, enum verdict v);

#endif /* RANDOM_SHRINK_H */
