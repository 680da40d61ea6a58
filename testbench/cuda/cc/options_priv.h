/*
 * options_priv.h - what options.c, which reads words, and options_apply.c, which knows
 * what options mean, have in common.
 */
#ifndef CC_OPTIONS_PRIV_H
#define CC_OPTIONS_PRIV_H

#include "cc/cc.h"

enum option_kind { FLAG, VALUE, JOINED, NUMBER };

enum option_id {
    OUTPUT,
    COMPILE,
    DEVICE_C,
    PTX,
    FATBIN,
    DEVICE_LINK,
    ARCHIVE,
    LINK,
    PREPROCESS,
    DEPS_ONLY,
    DEPS_ONLY_USER,
    DEPS,
    DEPS_USER,
    DEPS_FILE,
    DEPS_TARGET,
    DEPS_QUOTE,
    DEPS_PHONY,
    SHARED,
    LANGUAGE,
    ARCH,
    CODE,
    GENCODE,
    RELOCATABLE,
    OPTIMISE,
    DEBUG,
    DEBUG_DEVICE,
    DEFINE,
    UNDEFINE,
    INCLUDE,
    SYSTEM,
    PRE_INCLUDE,
    LIBRARY,
    LIBRARY_PATH,
    STANDARD,
    FAST_MATH,
    FLUSH,
    PRECISE_DIV,
    PRECISE_SQRT,
    FUSE,
    MAX_REGS,
    DEFAULT_STREAM,
    CUDART,
    HOST_OPTIONS,
    LINKER_OPTIONS,
    FORWARD,
    OPTIONS_FILE,
    NO_WARNINGS,
    VERBOSE,
    DRY,
    KEEP,
    KEEP_DIR,
    VERSION,
    HELP,
    LIST_TARGETS,
    IGNORED,
    REFUSED
};

struct option_row {
    const char *name, *brief;
    enum option_kind kind;
    enum option_id id;
    const char *text;
};

/* What a reader keeps beside the options. */
struct option_reader {
    struct cc_options *o;
    const char *root;
    enum cc_language language; /* after -x */
    bool has_language;
    uint32_t files; /* --options-file inside each other */
    struct smw_err *e;
};

/* All words of a list; false and the reader's error if one is not understood. */
bool cc_read_words(struct option_reader *r, char *const *w, uint32_t n);

/* An option with its value, or one that stands alone. */
bool cc_apply_value(struct option_reader *r, const struct option_row *row,
                    const char *value);
bool cc_apply_flag(struct option_reader *r, const struct option_row *row);

void cc_add_input(struct option_reader *r, const char *word, enum cc_language language);
/* The words of a file of options. */
bool cc_read_file(struct option_reader *r, const char *path);

#endif /* CC_OPTIONS_PRIV_H */
