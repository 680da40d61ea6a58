/*
 * bankmap.h - "smwave bankmap": what one access of one warp does to banks, lines and
 * sectors, without running anything.
 *
 * The rules are mem/rules.h and only that; the files here read patterns and draw what
 * the rules answer:
 *
 *   bankmap_ask.c    one pattern, from words    bankmap_batch.c  a CSV file of patterns
 *   bankmap_index.c  expressions of tid         bankmap_plan.c   what pictures show
 *   bankmap_grid.c   pictures on a terminal     bankmap_svg.c    the same as SVG
 *   bankmap_words.c  shared: why, what helps    bankmap_lines.c  global: the same
 *   bankmap_table.c  all capabilities
 */
#ifndef ASK_BANKMAP_H
#define ASK_BANKMAP_H

#include "io/file.h"
#include "isa/uop.h"
#include "mem/rules.h"

enum bankmap_space { BANKMAP_SHARED, BANKMAP_GLOBAL };

struct bankmap_setup {     /* the device and the kind of access */
    struct rules_cc rules; /* a copy, changed as asked */
    enum bankmap_space space;
    uint8_t op;         /* enum mem_op */
    uint32_t bank_mode; /* 4, 8 or 16 */
    bool in_l1;         /* the L1 caches global loads */
};

struct bankmap_access { /* of a warp */
    uint32_t bytes;     /* per lane: 1 2 4 8 16 */
    uint32_t mask;
    uint64_t addr[ISA_LANES]; /* byte offsets */
};

bool bankmap_is_width(uint64_t bytes);
/* The highest offset a lane of this width may have. */
uint64_t bankmap_highest(enum bankmap_space space, uint32_t bytes);

void bankmap_shared(const struct bankmap_setup *s, const struct bankmap_access *a,
                    struct rules_waves *out);
void bankmap_global(const struct bankmap_setup *s, const struct bankmap_access *a,
                    struct rules_lines *out);
/* Independent shared requests: the instruction; on 1.x each half-warp of each 32-bit
 * part. */
uint32_t bankmap_requests(const struct bankmap_setup *s, const struct bankmap_access *a,
                          const struct rules_waves *w);
/* "2x64+1x32", largest first; "" for none. */
void bankmap_transactions(const struct rules_lines *l, char buf[48]);

/* ---- many patterns: CSV to CSV ---- */

/* Patterns of f, which messages call name, to out. */
bool bankmap_batch(const struct bankmap_setup *s, FILE *f, const char *name, FILE *out,
                   struct smw_err *e);

/* ---- one access: what a picture shows ---- */

#define BANKMAP_MAX_WORDS 4

struct bankmap_plan { /* of a shared access */
    struct rules_waves w;
    uint32_t words;       /* 32-bit words of a lane */
    uint32_t group_lanes; /* lanes judged together */
    bool merged;          /* twice as many as usual (BANK-8) */
    bool distinct;        /* a group has several words in one bank */
    bool by_word;         /* word i of all lanes is a request of its own (1.x) */
    /* The pass, from 1, that serves a lane's word; 0: none. */
    uint8_t pass[ISA_LANES][BANKMAP_MAX_WORDS];
    uint8_t bank[ISA_LANES][BANKMAP_MAX_WORDS];
    uint32_t word[ISA_LANES][BANKMAP_MAX_WORDS]; /* its number in the array */
    uint32_t first[RULES_MAX_WAVES];  /* of each pass: the first pass of its group */
    uint32_t ways[BANKS_MAX];         /* passes a bank works in, in its worst group */
    uint32_t busy[BANKS_MAX];         /* passes a bank works in */
    uint32_t again[BANKS_MAX];        /* of those: beyond what its group needs alone */
    uint32_t worst_bank, worst_first; /* and the first pass of that group */
};

void bankmap_plan(const struct bankmap_setup *s, const struct bankmap_access *a,
                  struct bankmap_plan *p);

/* Banks, lanes as people write them: "0-15", "0, 2, 4 ... 30", "3, 7-9, 30". */
enum { BANKMAP_LIST = 80 };
void bankmap_banks(const struct bank_set *banks, char buf[BANKMAP_LIST]);
void bankmap_lanes(uint32_t mask, char buf[BANKMAP_LIST]);
struct bank_set bankmap_pass(const struct bankmap_plan *p,
                             uint32_t pass); /* its banks */

/* The words below the picture, lines of at most `columns` characters. */
struct bankmap_words {
    struct text headline; /* "2-way conflict: 2 wavefronts where 1 would do" */
    struct text rule;     /* the rule applied */
    struct text why;
    struct text fix; /* empty: nothing to mend, or nothing known */
};

/* How the access was asked for; what a better one would look like. */
enum bankmap_source { BANKMAP_STRIDE, BANKMAP_INDEX, BANKMAP_ADDR };

struct bankmap_request {
    struct bankmap_setup setup;
    struct bankmap_access access;
    enum bankmap_source source;
    uint64_t stride;     /* in elements */
    const char *formula; /* "index 2 * tid", "index (tid ^ 1)", "the addresses given" */
};

void bankmap_words_shared(const struct bankmap_request *r, const struct bankmap_plan *p,
                          struct bankmap_words *out);
void bankmap_words_global(const struct bankmap_request *r, const struct rules_lines *l,
                          struct bankmap_words *out);
void bankmap_words_free(struct bankmap_words *w);

/* "shared load of 4 bytes per lane" */
void bankmap_describe(const struct bankmap_request *r, struct text *out);
/* Sectors that move with line i, bit by bit. */
uint32_t bankmap_moves(const struct bankmap_setup *s, const struct rules_lines *l,
                       uint32_t i);
/* Bytes of the line that lanes want. */
uint32_t bankmap_touched(const struct rules_line *l);
/* 0: nothing, 1: some, 2: all four bytes of 32-bit word w of the line are touched. */
uint32_t bankmap_word_touched(const struct rules_line *l, uint32_t w);

/* ---- pictures ---- */

void bankmap_grid(const struct bankmap_request *r, bool color, struct text *out);
void bankmap_strip(const struct bankmap_request *r, bool color, struct text *out);
/* The access on every capability; options that setup.rules came with do not matter. */
void bankmap_table(const struct bankmap_request *r, bool color, struct text *out);
void bankmap_svg(const struct bankmap_request *r, struct text *out);

#endif /* ASK_BANKMAP_H */
