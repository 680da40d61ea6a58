/* plan.c - the steps that a command line takes. */
#include "cc/cc.h"

#include <stdlib.h>
#include <string.h>

/* What a plan is made with. */
struct maker {
    struct cc_plan *p;
    const struct cc_options *o;
    const struct cc_tools *t;
    struct smw_err *e;
    uint32_t input; /* number of the one that is compiled */
};

/* A source while it is compiled. */
struct source {
    const char *path; /* as the user called it */
    enum cc_language language;
    char *file, *quote; /* what is compiled; "-iquote" of its folder, NULL: none */
    char *stem;
};

/* The first target whose blocks come in clusters. */
enum { FIRST_CLUSTERS = 90 };

/* The newest target that each clang has: LLVM's list of NVPTX processors. */
static uint32_t newest_target(uint32_t major)
{
    return major >= 20 ? 120 : major >= 16 ? 90 : 86;
}

/* The PTX that is asked of clang: what the target needs, and at least 7.0, where the
 * shuffles are that all programs use. */
static uint32_t ptx_of(uint32_t target, char suffix)
{
    static const struct {
        uint32_t target, ptx;
    } needs[] = {{100, 86}, {89, 78}, {87, 74}, {86, 71}};

    for (uint32_t i = 0; i < ARRAY_LEN(needs); i++) {
        if (target >= needs[i].target) {
            return suffix != '\0' && needs[i].ptx < 80 ? 80 : needs[i].ptx;
        }
    }
    return 70;
}

static struct cc_step *add_step(struct maker *m, enum cc_step_kind kind)
{
    struct cc_plan *p = m->p;

    p->step = tb_realloc(p->step, (p->n + 1) * sizeof(*p->step));
    p->step[p->n] = (struct cc_step){.kind = kind};
    return &p->step[p->n++];
}

/* A file in between; the caller frees. */
static char *between(struct maker *m, const struct source *s, const char *end)
{
    char *path = tb_printf("%s/%u-%s%s", m->p->dir, (unsigned)m->input, s->stem, end);

    cc_add(&m->p->made, "%s", path);
    return path;
}

/* ---- both passes ---- */

static void add_clang(struct maker *m, struct cc_words *w, enum cc_language language)
{
    cc_add(w, "%s", m->t->clang);
    cc_add(w, "--driver-mode=%s", language == CC_C ? "gcc" : "g++");
}

/* Language, headers, macros. */
static void add_common(struct maker *m, struct cc_words *w, const struct source *s)
{
    const struct cc_options *o = m->o;
    bool is_c = s->language == CC_C;

    if (!is_c || (o->std != NULL && strchr(o->std, '+') == NULL)) {
        cc_add(w, "-std=%s",
               o->std == NULL || strchr(o->std, '+') == NULL
                   ? (is_c && o->std != NULL ? o->std : "c++17")
                   : o->std);
    }
    if (s->quote != NULL) {
        cc_add(w, "-iquote");
        cc_add(w, "%s", s->quote);
    }
    cc_add_all(w, &o->preprocess);
    if (o->per_thread) {
        cc_add(w, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    }
    if (s->language == CC_CUDA) {
        cc_add(w, "-nocudainc");
        cc_add(w, "-nocudalib");
        cc_add(w, "--cuda-path=%s/none", m->t->root);
        cc_add(w, "-Wno-unknown-cuda-version");
        cc_add(w, "-Xclang");
        cc_add(w, "-target-sdk-version=11.0"); /* how kernels are launched since 9.2 */
        if (m->t->major < 16) {
            cc_add(w, "-isystem");
            cc_add(w, "%s/include/smwave/wrappers", m->t->root);
        }
    }
    cc_add(w, "-isystem");
    cc_add(w, "%s/include", m->t->root);
    if (s->language == CC_CUDA) {
        cc_add(w, "-include");
        cc_add(w, "%s/include/smwave/prelude.h", m->t->root);
        if (o->relocatable) {
            cc_add(w, "-fgpu-rdc");
            cc_add(w, "-D__CUDACC_RDC__=1");
        }
        if (o->debug_device) {
            cc_add(w, "-D__CUDACC_DEBUG__=1");
        }
        if (o->fast_math) {
            cc_add(w, "-D__USE_FAST_MATH__=1");
        }
    }
    cc_add(w, "-Wno-unused-command-line-argument");
    cc_add(w, "-Wno-unknown-warning-option");
}

/* ---- the pass of the device ---- */

/* clang compiles for the newest that it has, and the text names the target: what is new
 * in between is reached through assembler text alone. */
static bool is_beyond(const struct maker *m, struct cc_target t)
{
    return t.number > newest_target(m->t->major) ||
           (t.suffix != '\0' && m->t->major < 18);
}

static void add_target(struct maker *m, struct cc_words *w, struct cc_target t)
{
    uint32_t newest = newest_target(m->t->major);
    bool beyond = is_beyond(m, t);
    uint32_t number = t.number > newest ? newest : t.number;

    cc_add(w,
           beyond || t.suffix == '\0' ? "--cuda-gpu-arch=sm_%u"
                                      : "--cuda-gpu-arch=sm_%u%c",
           (unsigned)number, t.suffix);
    if (t.number > newest) {
        cc_add(w, "-Wno-builtin-macro-redefined");
        cc_add(w, "-U__CUDA_ARCH__");
        cc_add(w, "-D__CUDA_ARCH__=%u", (unsigned)(10 * t.number));
    }
    cc_add(w, "-Xclang");
    cc_add(w, "-target-feature");
    cc_add(w, "-Xclang");
    cc_add(w, "+ptx%u", (unsigned)ptx_of(number, beyond ? '\0' : t.suffix));
}

static void add_device_math(struct maker *m, struct cc_words *w)
{
    const struct cc_options *o = m->o;

    if (o->flush) {
        cc_add(w, "-fcuda-flush-denormals-to-zero");
    }
    if (o->no_precise_div) {
        cc_add(w, "-mllvm");
        cc_add(w, "-nvptx-prec-divf32=%d", o->fast_math ? 0 : 1);
    }
    if (o->no_precise_sqrt) {
        cc_add(w, "-mllvm");
        cc_add(w, "-nvptx-prec-sqrtf32=0");
    }
    if (o->no_fma) {
        cc_add(w, "-ffp-contract=off");
    }
}

/* A command that makes to of s, PTX or what emit says instead. */
static void add_device_pass(struct maker *m, struct cc_words *w, const struct source *s,
                            struct cc_target t, const char *emit, const char *to)
{
    const struct cc_options *o = m->o;

    add_clang(m, w, CC_CUDA);
    cc_add(w, "-x");
    cc_add(w, "cuda");
    cc_add(w, "--cuda-device-only");
    cc_add(w, "-S");
    if (emit != NULL) {
        cc_add(w, "%s", emit);
        cc_add(w, "-Xclang");
        cc_add(w, "-disable-llvm-passes");
    }
    cc_add(w, "-gline-tables-only");
    cc_add(w, o->debug_device ? "-O0" : "-O2");
    if (o->no_warnings || o->mode != CC_PTX || emit != NULL) {
        cc_add(w, "-w"); /* the pass of the host, or the first, warns of the same */
    }
    add_target(m, w, t);
    add_device_math(m, w);
    add_common(m, w, s);
    cc_add(w, "%s", s->file);
    cc_add(w, "-o");
    cc_add(w, "%s", to);
}

/* PTX for one target. out: NULL: a file in between. The file's name; the caller
 * frees. */
static char *add_device(struct maker *m, const struct source *s, struct cc_target t,
                        const char *out)
{
    const struct cc_options *o = m->o;
    bool finish = is_beyond(m, t) || o->max_regs > 0;
    char *end = tb_printf(".sm_%u%s.ptx", (unsigned)t.number, t.suffix ? "a" : "");
    char *ptx = out != NULL ? tb_strdup(out) : between(m, s, end);
    char *raw = finish ? between(m, s, ".raw.ptx") : tb_strdup(ptx);
    struct cc_step *step;

    add_device_pass(m, &add_step(m, CC_RUN)->words, s, t, NULL, raw);
    if (t.number >= FIRST_CLUSTERS) {
        step = add_step(m, CC_MARK);
        step->in = tb_strdup(raw);
        step->out = between(m, s, ".ll");
        add_device_pass(m, &step->words, s, t, "-emit-llvm", step->out);
    }
    if (finish) {
        step = add_step(m, CC_FINISH);
        step->in = tb_strdup(raw);
        step->out = tb_strdup(ptx);
        step->target[0] = is_beyond(m, t) ? t : (struct cc_target){0};
        step->max_regs = o->max_regs;
    }
    free(end);
    free(raw);
    return ptx;
}

/* All targets, packed; the file's name, which the caller frees. */
static char *add_fatbin(struct maker *m, const struct source *s, const char *out)
{
    struct cc_words texts = {0};
    struct cc_step *step;
    char *fatbin;

    for (uint32_t i = 0; i < m->o->n_targets; i++) {
        char *ptx = add_device(m, s, m->o->target[i], NULL);

        cc_add(&texts, "%s", ptx);
        free(ptx);
    }
    fatbin = out != NULL ? tb_strdup(out) : between(m, s, ".fatbin");
    step = add_step(m, CC_PACK);
    step->words = texts;
    step->out = tb_strdup(fatbin);
    memcpy(step->target, m->o->target, sizeof(step->target));
    return fatbin;
}

/* ---- the pass of the host ---- */

static bool has_word(const struct cc_words *l, const char *word)
{
    for (uint32_t i = 0; i < l->n; i++) {
        if (strcmp(l->w[i], word) == 0) {
            return true;
        }
    }
    return false;
}

static void add_dependencies(struct maker *m, struct cc_words *w, const char *object)
{
    const struct cc_options *o = m->o;

    cc_add(w, o->deps_user_only ? "-MMD" : "-MD");
    cc_add(w, "-MF");
    if (o->deps_file != NULL) {
        cc_add(w, "%s", o->deps_file);
    } else {
        size_t n = strlen(object);

        cc_add(w, "%.*s.d", (int)(file_ends(object, ".o") ? n - 2 : n), object);
    }
    cc_add(w, o->deps_quote ? "-MQ" : "-MT");
    cc_add(w, "%s", o->deps_target != NULL ? o->deps_target : object);
    if (o->deps_phony) {
        cc_add(w, "-MP");
    }
}

/* The beginning of a command of the host's pass. */
static struct cc_words *add_host(struct maker *m, const struct source *s)
{
    const struct cc_options *o = m->o;
    struct cc_words *w = &add_step(m, CC_RUN)->words;

    add_clang(m, w, s->language);
    cc_add(w, "-x");
    cc_add(w, s->language == CC_CUDA ? "cuda" : s->language == CC_CXX ? "c++" : "c");
    if (s->language == CC_CUDA) {
        cc_add(w, "--cuda-host-only");
    }
    if (!has_word(&o->host, "-fno-pie") && !has_word(&o->host, "-no-pie")) {
        cc_add(w, "-fPIE"); /* what compilers that may link it expect */
    }
    cc_add(w, "%s", o->optimise[0] != '\0' ? o->optimise : o->debug ? "-O0" : "-O2");
    if (o->optimise[0] == '\0') {
        /* Without -O nvcc does not optimise the host's code, which programs are used
         * to: ours is faster, and still lets integers overflow. */
        cc_add(w, "-fwrapv");
        cc_add(w, "-fno-strict-aliasing");
    }
    if (o->debug) {
        cc_add(w, "-g");
    }
    if (o->no_warnings) {
        cc_add(w, "-w");
    }
    add_common(m, w, s);
    cc_add_all(w, &o->host);
    return w;
}

static void add_object(struct maker *m, const struct source *s, const char *object)
{
    char *fatbin = s->language == CC_CUDA ? add_fatbin(m, s, NULL) : NULL;
    bool is_linked = fatbin != NULL && m->o->relocatable;
    char *text = is_linked ? between(m, s, ".host.s") : NULL;
    struct cc_words *w = add_host(m, s);
    struct cc_step *step;
    char *named;

    if (m->o->deps) {
        add_dependencies(m, w, object);
    }
    if (fatbin != NULL) {
        cc_add(w, "-Xclang");
        cc_add(w, "-fcuda-include-gpubinary");
        cc_add(w, "-Xclang");
        cc_add(w, "%s", fatbin);
    }
    cc_add(w, is_linked ? "-S" : "-c");
    cc_add(w, "%s", s->file);
    cc_add(w, "-o");
    cc_add(w, "%s", is_linked ? text : object);
    free(fatbin);
    if (!is_linked) {
        return;
    }
    named = between(m, s, ".s");
    step = add_step(m, CC_REGISTER);
    step->in = text;
    step->out = named;
    w = &add_step(m, CC_RUN)->words;
    add_clang(m, w, CC_CXX);
    cc_add(w, "-c");
    cc_add(w, "%s", named);
    cc_add(w, "-o");
    cc_add(w, "%s", object);
}

/* ---- sources ---- */

static void source_free(struct source *s)
{
    free(s->file);
    free(s->quote);
    free(s->stem);
}

static bool source_open(struct maker *m, struct source *s, const struct cc_input *in)
{
    size_t size;
    char *text = file_read(in->word, 1 << 28, &size, SMW_ERR_INPUT, m->e);

    *s = (struct source){.path = in->word, .language = in->language};
    if (text == NULL) {
        return false;
    }
    s->stem = file_stem(in->word);
    if (in->language == CC_CUDA && cc_source_is_odd(text)) {
        const char *slash = strrchr(in->word, '/');
        struct cc_step *step = add_step(m, CC_REPAIR);

        s->quote = slash == NULL
                       ? tb_strdup(".")
                       : tb_printf("%.*s", (int)(slash - in->word + 1), in->word);
        s->file = between(m, s, ".cu");
        step->in = tb_strdup(in->word);
        step->out = tb_strdup(s->file);
    } else {
        s->file = tb_strdup(in->word);
    }
    free(text);
    return true;
}

/* Preprocessed text and dependencies go where -o says, or to standard output. */
static void add_text(struct maker *m, const struct source *s)
{
    const struct cc_options *o = m->o;
    struct cc_words *w = add_host(m, s);

    if (o->mode == CC_PREPROCESS) {
        cc_add(w, "-E");
        if (o->deps) {
            add_dependencies(m, w, s->path);
        }
    } else {
        cc_add(w, o->deps_user_only ? "-MM" : "-M");
        if (o->deps_target != NULL) {
            cc_add(w, o->deps_quote ? "-MQ" : "-MT");
            cc_add(w, "%s", o->deps_target);
        }
        if (o->deps_phony) {
            cc_add(w, "-MP");
        }
    }
    cc_add(w, "%s", s->path);
    if (o->output != NULL || o->deps_file != NULL) {
        cc_add(w, "-o");
        cc_add(w, "%s", o->output != NULL ? o->output : o->deps_file);
    }
}

/* What a source becomes; made: an object that is linked, NULL: it is the result. */
static bool add_source(struct maker *m, const struct cc_input *in, char **made)
{
    static const char *const ends[] = {
        [CC_OBJECT] = ".o", [CC_PTX] = ".ptx", [CC_FATBIN] = ".fatbin"};
    const struct cc_options *o = m->o;
    struct source s;
    char *out = NULL;

    m->input++;
    if (!source_open(m, &s, in)) {
        source_free(&s);
        return false;
    }
    if (made != NULL) {
        *made = between(m, &s, ".o");
        add_object(m, &s, *made);
    } else if (o->mode == CC_PREPROCESS || o->mode == CC_DEPENDENCIES) {
        add_text(m, &s);
    } else {
        out = o->output != NULL ? tb_strdup(o->output)
                                : tb_printf("%s%s", s.stem, ends[o->mode]);
        if (o->mode == CC_OBJECT) {
            add_object(m, &s, out);
        } else if (in->language != CC_CUDA) {
            err_set(m->e, SMW_ERR_USAGE, "%s: only of .cu files there is PTX", s.path);
        } else if (o->mode == CC_FATBIN) {
            free(add_fatbin(m, &s, out));
        } else if (o->n_targets > 1) {
            err_set(m->e, SMW_ERR_USAGE,
                    "-ptx makes one text, and %u architectures "
                    "are asked for",
                    (unsigned)o->n_targets);
        } else {
            free(add_device(m, &s, o->target[0], out));
        }
    }
    free(out);
    source_free(&s);
    return m->e->kind == SMW_ERR_NONE;
}

/* ---- linking ---- */

static void add_runtime(struct maker *m, struct cc_words *w)
{
    cc_add(w, "-L%s/lib64", m->t->root);
    if (!m->o->no_runtime) {
        cc_add(w, "-lsmwave_cudart");
    }
    cc_add(w, "-Wl,-rpath,%s/lib64", m->t->root);
}

static bool add_link(struct maker *m)
{
    const struct cc_options *o = m->o;
    struct cc_words objects = {0}, *w;
    bool ok = true;

    for (uint32_t i = 0; i < o->n_inputs && ok; i++) {
        const struct cc_input *in = &o->input[i];
        char *object = NULL;

        if (in->language == CC_TO_LINKER) {
            object = tb_strdup(in->word);
        } else {
            ok = add_source(m, in, &object);
        }
        if (object != NULL) {
            cc_add(&objects, "%s", object);
        }
        free(object);
    }
    w = &add_step(m, CC_RUN)->words;
    if (o->mode == CC_ARCHIVE) {
        cc_add(w, "ar");
        cc_add(w, "rcs");
        cc_add(w, "%s", o->output != NULL ? o->output : "a.a");
        cc_add_all(w, &objects);
    } else {
        add_clang(m, w, CC_CXX);
        cc_add(w, "-o");
        cc_add(w, "%s", o->output != NULL ? o->output : o->shared ? "a.so" : "a.out");
        if (o->shared) {
            cc_add(w, "-shared");
        }
        if (has_word(&o->host, "-fno-pie") || has_word(&o->host, "-no-pie")) {
            cc_add(w, "-no-pie");
        }
        cc_add_all(w, &o->host); /* -fopenmp and -pg bring libraries of their own */
        cc_add_all(w, &objects);
        cc_add_all(w, &o->link);
        add_runtime(m, w);
        cc_add(w, "-Wno-unused-command-line-argument");
    }
    cc_words_free(&objects);
    return ok;
}

/* There is nothing to link before the program starts: build systems get the object that
 * they want to link. */
static void add_device_link(struct maker *m)
{
    struct cc_words *w = &add_step(m, CC_RUN)->words;

    add_clang(m, w, CC_C);
    cc_add(w, "-x");
    cc_add(w, "c");
    cc_add(w, "-c");
    cc_add(w, "-fPIC");
    cc_add(w, "/dev/null");
    cc_add(w, "-o");
    cc_add(w, "%s", m->o->output != NULL ? m->o->output : "a_dlink.o");
}

bool cc_plan_make(struct cc_plan *p, const struct cc_options *o,
                  const struct cc_tools *t, const char *dir, struct smw_err *e)
{
    struct maker m = {.p = p, .o = o, .t = t, .e = e};
    uint32_t sources = 0;

    *p = (struct cc_plan){.dir = tb_strdup(dir)};
    for (uint32_t i = 0; i < o->n_inputs; i++) {
        sources += o->input[i].language != CC_TO_LINKER;
    }
    if (o->n_inputs == 0) {
        return err_set(e, SMW_ERR_USAGE, "no input file");
    }
    if (o->mode == CC_DEVICE_LINK) {
        add_device_link(&m);
        return true;
    }
    if (o->mode == CC_LINK || o->mode == CC_ARCHIVE) {
        return add_link(&m);
    }
    if (sources == 0) {
        return err_set(e, SMW_ERR_USAGE, "no source among the input files");
    }
    if (o->output != NULL && sources > 1) {
        return err_set(e, SMW_ERR_USAGE, "-o %s is one name, and there are %u sources",
                       o->output, (unsigned)sources);
    }
    for (uint32_t i = 0; i < o->n_inputs; i++) {
        if (o->input[i].language != CC_TO_LINKER &&
            !add_source(&m, &o->input[i], NULL)) {
            return false;
        }
    }
    return true;
}

void cc_plan_free(struct cc_plan *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        cc_words_free(&p->step[i].words);
        free(p->step[i].in);
        free(p->step[i].out);
    }
    free(p->step);
    cc_words_free(&p->made);
    free(p->dir);
    *p = (struct cc_plan){0};
}
