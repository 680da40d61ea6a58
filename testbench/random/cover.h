/*
 * cover.h - what the programs of a run had in them, against what the model's front end
 * takes: operations, their forms, and what a program as a whole is made of.
 *
 * A form is a row of the model's table (model/ptx/insn_table.h) with one choice of
 * every word that changes what the instruction does; scopes, hints and cache operators
 * change nothing there and count as words only.
 */
#ifndef RANDOM_COVER_H
#define RANDOM_COVER_H

#include "code.h"
#include "gen.h"
#include <stdio.h>

struct cover;

struct cover *cover_new(void); /* NULL: no memory */
void cover_free(struct cover *c);

/* A program that has been run: code says what each instruction is and how often threads
 * came to it. */
void cover_add(struct cover *c, const struct gen_program *p, const struct code *code);
void cover_print(const struct cover *c, FILE *out);

#endif /* RANDOM_COVER_H */
