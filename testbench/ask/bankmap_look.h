/*
 * bankmap_look.h - what the text pictures of bankmap share.
 */
#ifndef ASK_BANKMAP_LOOK_H
#define ASK_BANKMAP_LOOK_H

#include "ask/bankmap.h"

#define LOOK_COLUMNS 80 /* that text is wrapped at */
#define LOOK_LABEL   8  /* characters of a label in front of it */

/* The pass as one character: 1-9, a-z, A-Z, * above. */
char look_symbol(uint32_t pass);
/* A label and words wrapped beside it; nothing if words is NULL. */
void look_wrap(const char *label, const char *words, bool color, struct text *out);
void look_words(const struct bankmap_words *w, bool color, struct text *out);
void look_title(const struct bankmap_request *r, const struct bankmap_words *w,
                bool bad, bool color, struct text *out);

#endif /* ASK_BANKMAP_LOOK_H */
