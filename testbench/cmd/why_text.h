/* why_text.h - a chain of waits (why.h), for people. */
#ifndef CMD_WHY_TEXT_H
#define CMD_WHY_TEXT_H

#include "io/file.h"
#include <jansson.h>

/* What why_chain() gave, as text. */
void why_text(const json_t *why, struct text *out);

#endif /* CMD_WHY_TEXT_H */
