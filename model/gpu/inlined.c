#include "ptx/ptx.h"
#include "smwave.h"

#include <stdio.h>

void smw_inlined_text(const struct smw_inlined *i, char *buf, size_t size)
{
    size_t n = 0;

    if (size == 0 || buf == NULL) {
        return;
    }
    buf[0] = '\0';
    for (uint32_t k = 0; i != NULL && k < i->n && n < size; k++) {
        n += (size_t)snprintf(buf + n, size - n, ", inlined at %s:%u",
                              ptx_base_name(i->at[k].file), i->at[k].line);
    }
}
