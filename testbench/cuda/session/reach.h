/*
 * reach.h - the memory that a launch can reach: what its arguments hold addresses of,
 * and what lies behind those.
 */
#ifndef SESSION_REACH_H
#define SESSION_REACH_H

#include "smwave.h"

enum { REACH_MOST = 4096 /* pieces; more are left out, and the reach says so */ };

struct reach_piece {
    uint64_t addr, bytes;
    bool host;           /* memory of the host that kernels use */
    const char *symbol;  /* the variable of the module; NULL: a buffer */
    uint32_t from;       /* the piece in which its address was found */
    uint64_t offset;     /* and where; of an argument: in the parameter block */
    bool is_argument;    /* from and offset: there instead */
    bool refers;         /* it holds addresses of pieces */
    unsigned char *data; /* its bytes as they are now */
};

struct reach {
    struct reach_piece *at;
    uint32_t n;
    bool more; /* than there is room for */
};

/* The device has nothing left to do. False and *e: memory could not be read. */
bool reach_find(struct reach *r, struct smw_device *d, const struct smw_module *m,
                const void *params, uint32_t param_bytes, struct smw_err *e);
void reach_free(struct reach *r);
/* The piece that begins at addr, NULL if there is none. */
const struct reach_piece *reach_at(const struct reach *r, uint64_t addr);

#endif /* SESSION_REACH_H */
