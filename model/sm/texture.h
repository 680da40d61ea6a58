/* texture.h - instructions on textures and surfaces, and the answers to them. */
#ifndef SM_TEXTURE_H
#define SM_TEXTURE_H

#include "sm/access.h"

/* The next instruction of warp i, for the lanes in mask (not empty), as request r:
 * texels in r->texture, which is there already, or bytes of a surface as an access to
 * global memory. *rest: lanes that name another object; they are a request of their
 * own. */
enum access_way texture_prepare(struct sm *s, uint32_t i, uint32_t mask,
                                struct mem_req *r, uint32_t *rest);

/* The same, sent; false: it must be issued again for the lanes left in w->replay. */
bool texture_issue(struct sm *s, uint32_t i, uint32_t mask);

#endif /* SM_TEXTURE_H */
