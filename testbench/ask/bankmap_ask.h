/*
 * bankmap_ask.h - from the words of the command line to one access.
 */
#ifndef ASK_BANKMAP_ASK_H
#define ASK_BANKMAP_ASK_H

#include "ask/bankmap.h"

/* Each fills r->access (bytes, mask, addr) and what it was asked by. r->access.bytes
 * and, but for ask_addr(), r->access.mask are set already. SMW_ERR_USAGE on failure.
 * The text lives as long as r. */
bool ask_stride(struct bankmap_request *r, const char *text, struct smw_err *e);
bool ask_index(struct bankmap_request *r, const char *text, struct smw_err *e);
/* "0,4,,0x10": lanes from 0; an empty place is a lane that is off. has_mask: the mask
 * given says which of them are on. */
bool ask_addr(struct bankmap_request *r, const char *text, bool has_mask,
              struct smw_err *e);

#endif /* ASK_BANKMAP_ASK_H */
