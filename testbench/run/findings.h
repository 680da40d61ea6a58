/*
 * findings.h - what is wrong with a kernel, in one form: faults that stop it,
 * deadlocks, limits and what checks found; on the terminal's terms elsewhere, here as
 * JSON for report.json and as SARIF 2.1.0 for editors and continuous integration.
 *
 * A finding names one of the rules of finding_rules. Strings of a finding are borrowed
 * (of the device, of the module) but for message and detail, which are its own.
 */
#ifndef RUN_FINDINGS_H
#define RUN_FINDINGS_H

#include "io/file.h"
#include "smwave.h"

#include <jansson.h>

enum finding_level { FINDING_ERROR, FINDING_WARNING, FINDING_NOTE };

struct finding_rule {
    const char *id;   /* "out-of-bounds" */
    const char *text; /* one sentence: what it is */
};

enum { FINDING_N_RULES = 17 };

extern const struct finding_rule finding_rules[FINDING_N_RULES];

/* A place in the source and in the PTX, and who was there. */
struct finding_place {
    const char *what; /* of a second place: "store", "the missing barrier"; else NULL */
    const char *file; /* of the source, NULL without .loc */
    uint32_t line;    /* 0: unknown */
    struct smw_inlined inlined;
    const char *ptx_file; /* NULL: unknown */
    uint32_t ptx_line;
    uint32_t pc;    /* micro-op, as events.log and smw_inst() count; UINT32_MAX: none */
    char inst[128]; /* the PTX instruction; "" */
    bool has_thread; /* block and thread are known */
    uint32_t block[3], thread[3];
    uint64_t cycle; /* of the SM clock */
};

struct finding {
    const char *rule; /* id */
    enum finding_level level;
    char message[512];
    char detail[2048]; /* further lines; "" */
    const char *kernel;
    struct finding_place at;
    struct finding_place other[2]; /* the other access, where a barrier is missing */
    uint32_t n_other;
    uint64_t count;    /* equal ones folded into this one, itself included */
    bool has_memory;   /* the next ones are known */
    const char *space; /* "shared", "global" ... */
    uint64_t addr;     /* byte address in the space */
    char array[96];    /* the array or buffer it belongs to or is nearest to; "" */
    int64_t offset;    /* bytes from the begin of array */
};

struct findings {
    struct finding *list;
    uint32_t n, max;
};

/* A copy of f at the end of the list. */
void findings_add(struct findings *l, const struct finding *f);
void findings_free(struct findings *l);

/* The fault of a device as a finding; false: there is none. */
bool findings_of_fault(const struct smw_fault *f, struct finding *out);

/* A JSON array of them, in their order. */
json_t *findings_json(const struct findings *l);

/* SMW_ERR_USAGE unless the name of the file for --report ends in .sarif. */
bool findings_sarif_name(const char *path, struct smw_err *e);
/* A whole SARIF 2.1.0 file. */
void findings_sarif(const struct findings *l, struct text *out);

/* ---- for those who write JSON ---- */

/* A string that came from users: bytes that are not UTF-8 become '?'. */
json_t *findings_string(const char *s);

/* One line of a header is another place for each that it is inlined at. */
bool findings_called_alike(const struct smw_inlined *a, const struct smw_inlined *b);
/* "inlined_at": the calls by which a place came to where it is, the inner one first;
 * not there if there are none. */
void findings_set_inlined(json_t *o, const struct smw_inlined *inlined);

#endif /* RUN_FINDINGS_H */
