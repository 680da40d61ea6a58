/*
 * cc.h - "smwave cc": CUDA C++ made into programs by clang alone, under nvcc's options.
 *
 * Each .cu file is compiled twice. The pass of the device makes PTX text, once for each
 * architecture that was asked for; the pass of the host compiles the rest and takes the
 * texts, packed as a fat binary (fatbin.h), into the object. Programs are linked with
 * libsmwave_cudart, which finds the texts again when they start.
 *
 *   cc_options   what the words of a command line ask for
 *   cc_plan      the steps that this takes: commands of clang, and steps of our own
 *   cc_run       carries them out, or prints them (--dryrun)
 *
 * The folder ROOT with headers, libraries and the program "nvcc" looks like a
 * toolkit's, so that build systems find their way: ROOT/{bin,include,lib64}. Nothing of
 * a toolkit that is installed is used.
 */
#ifndef CC_CC_H
#define CC_CC_H

#include "base/err.h"
#include "io/file.h"
#include <argp.h>

enum {
    CC_MAX_TARGETS = 16,
    CC_DEFAULT_TARGET = 75 /* what nvcc 13 compiles for if nothing is said */
};

/* What the headers and --version call themselves: the release of CUDA whose programs
 * they aim at. */
#define CC_CUDA_RELEASE "12.0"

/* A list of words, with a NULL behind the last; zeroed: empty. */
struct cc_words {
    char **w;
    uint32_t n, capacity;
};

void cc_add(struct cc_words *l, const char *fmt, ...) ATTR_PRINTF(2, 3);
void cc_add_all(struct cc_words *l, const struct cc_words *from);
void cc_words_free(struct cc_words *l);
/* As a shell would read them back. */
void cc_words_quote(const struct cc_words *l, struct text *t);

/* ---- options ---- */

enum cc_mode {
    CC_LINK, /* to a program, or with shared to a library */
    CC_OBJECT,
    CC_PTX,
    CC_FATBIN,
    CC_PREPROCESS,
    CC_DEPENDENCIES, /* -M, -MM */
    CC_DEVICE_LINK,  /* nothing is left to do: an object without contents */
    CC_ARCHIVE,
    CC_VERSION,
    CC_HELP,
    CC_LIST_TARGETS
};

enum cc_language { CC_CUDA, CC_CXX, CC_C, CC_TO_LINKER };

struct cc_input {
    char *word; /* a path; CC_TO_LINKER: that, or an option */
    enum cc_language language;
};

struct cc_target {
    uint32_t number; /* 75 of compute_75 */
    char suffix;     /* 'a' of compute_90a, or 0 */
};

struct cc_options {
    enum cc_mode mode;
    char *output; /* NULL: named after the input */
    struct cc_input *input;
    uint32_t n_inputs;
    struct cc_target target[CC_MAX_TARGETS];
    uint32_t n_targets;

    bool relocatable;  /* -rdc=true: functions and variables of other files */
    bool debug;        /* -g: of the host */
    bool debug_device; /* -G: the device's code is not optimised */
    bool fast_math;    /* all of the following */
    bool flush, no_precise_div, no_precise_sqrt, no_fma;
    bool per_thread; /* stream 0 is each thread's own */
    bool shared;
    bool no_runtime; /* -cudart none */
    bool no_warnings;
    bool forward; /* options nobody knows go to the compiler of the host */
    bool verbose, dry, keep;
    uint32_t max_regs; /* 0: no limit */
    char optimise[8];  /* "-O3", "" : not said */
    char *std;         /* "c++17" */
    char *keep_dir;
    bool deps;           /* -MD, -MMD */
    bool deps_user_only; /* -MM, -MMD: without headers of the system */
    bool deps_phony;     /* -MP */
    char *deps_file, *deps_target;
    bool deps_quote; /* -MQ */

    struct cc_words preprocess; /* -I, -D and so on, for both passes */
    struct cc_words host;       /* for the host's pass */
    struct cc_words link;       /* behind the inputs */
    struct cc_words notes;      /* said with --verbose: what had no effect, and why */
};

/* Fills *o from the words of a command line, the program's name not among them. root:
 * the folder ROOT, NULL if none was found. False and *e, with the nearest option, if
 * one is not understood. cc_options_free() in any case. */
bool cc_options_read(struct cc_options *o, int argc, char *const *argv,
                     const char *root, struct smw_err *e);
void cc_options_free(struct cc_options *o);
/* The table of options, for --help. */
void cc_options_help(struct text *t);
/* The same for manual pages and completions; the entry of zeros ends it. */
extern const struct argp_option cc_option_table[];

/* ---- clang and ROOT ---- */

struct cc_tools {
    char *clang;    /* as it is to be called */
    uint32_t major; /* its version: 14 of 14.0.6 */
    char *root;     /* with bin, include, lib64 */
};

/* SMWAVE_CLANG, else the newest of those that are tested that PATH has, else any. */
bool cc_find_clang(struct cc_tools *t, struct smw_err *e);
/* Of the program that runs. NULL and *e if its headers are gone. */
char *cc_find_root(struct smw_err *e);
void cc_tools_free(struct cc_tools *t);

/* ---- the plan ---- */

enum cc_step_kind {
    CC_RUN,     /* words: a command */
    CC_REPAIR,  /* in -> out: a source in which launches are written k << <1, 2>> >() */
    CC_MARK,    /* in: PTX that is changed; words: how to get out, its IR, if needed */
    CC_FINISH,  /* in -> out: PTX with what clang has no option for */
    CC_PACK,    /* texts -> out: a fat binary */
    CC_REGISTER /* in -> out: the host's assembly with a registration that is ours */
};

struct cc_step {
    enum cc_step_kind kind;
    struct cc_words words; /* CC_RUN, CC_MARK: a command; CC_PACK: the PTX files */
    char *in, *out;        /* NULL: not of this kind */
    struct cc_target
        target[CC_MAX_TARGETS]; /* CC_PACK: of each; CC_FINISH: the first */
    uint32_t max_regs;          /* CC_FINISH */
};

struct cc_plan {
    struct cc_step *step;
    uint32_t n;
    struct cc_words made; /* files that go when all is done */
    char *dir;            /* for files in between */
};

/* The steps for o. dir: a folder for files in between. False and *e if it cannot be
 * done. The caller frees in any case. o and t are referred to. */
bool cc_plan_make(struct cc_plan *p, const struct cc_options *o,
                  const struct cc_tools *t, const char *dir, struct smw_err *e);
void cc_plan_free(struct cc_plan *p);

/* What build systems read of --verbose and --dryrun, lines "#$ NAME=value". */
void cc_plan_environment(const struct cc_tools *t, FILE *f);
/* One step, as --verbose and --dryrun print it. */
void cc_step_print(const struct cc_step *s, FILE *f);

/* ---- steps of our own; false and *e if a file fails ---- */

/* Does the source write "<< <" where a launch has to say "<<<"? */
bool cc_source_is_odd(const char *text);
/* A copy with the brackets joined, of the same length line by line; the caller
 * frees. */
char *cc_source_repair(const char *text);
/* PTX of another target and with a limit of registers; the caller frees. target: as in
 * the text if number is 0; max_regs: none if 0. */
char *cc_ptx_finish(const char *ptx, struct cc_target target, uint32_t max_regs);
/* Was it made of a source that says something of clusters? Then it is not whole without
 * cc_ptx_mark(). */
bool cc_ptx_is_marked(const char *ptx);
/* PTX with the directives that __cluster_dims__ and the third number of
 * __launch_bounds__ mean. ir: LLVM's of the same source. The caller frees. NULL and *e
 * if they contradict each other. */
char *cc_ptx_mark(const char *ptx, const char *ir, struct smw_err *e);
/* Assembly in which the function that NVIDIA's device linker would have written has the
 * name under which libsmwave_cudart has it; the caller frees. */
char *cc_asm_register(const char *text);

/* Carries the plan out; the exit code: 0, that of the first command that fails, or
 * TB_IO. */
int cc_run(const struct cc_plan *p, const struct cc_options *o);

/* What an error of clang or the linker means here, for people; NULL: nothing more than
 * it says. line: one line of their output. The caller frees. */
char *cc_explain(const char *line);

/* The whole command; argv[0] is not looked at. The exit code. */
int cc_main(int argc, char *const *argv);

#endif /* CC_CC_H */
