/*
 * story.h - the text that a person reads after a program has run: its launches, as
 * "smwave run" sums them up, its copies and the modelled time.
 */
#ifndef SESSION_STORY_H
#define SESSION_STORY_H

#include "run/results.h"

enum { STORY_LAUNCHES = 16 /* more are told in a line for each kernel */ };

void story_tell(const struct results *r, struct text *out);

#endif /* SESSION_STORY_H */
