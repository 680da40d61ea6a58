/* cmd_wave_diff.c - "smwave wave compare --diff": where two dumps first differ. */
#include "cmd/cmd_wave.h"

#include "cmd/answer.h"
#include "compare.h"
#include "io/diag.h"
#include "run/findings.h"
#include <inttypes.h>
#include <stdlib.h>

static void print_difference(const struct dumpfile *d,
                             const struct compare_result *result, const char *unit)
{
    for (int i = 0; i < 2; i++) {
        if (result->ended[i] && result->path[0] == '\0') {
            diag_print("%s ends at time %" PRIu64 " (unit %s), the other goes on\n",
                       d[i].path, result->time, unit);
        }
    }
    if (result->path[0] == '\0') {
        return;
    }
    diag_print("first difference at time %" PRIu64 " (unit %s): %s\n", result->time,
               unit, result->path);
    for (int i = 0; i < 2; i++) {
        diag_print("    %s: %s\n", d[i].path, result->value[i]);
    }
    if (result->differing > 1) {
        diag_print("    and %u more at that time\n", (unsigned)(result->differing - 1));
    }
}

/* ---- what is not compared ---- */

enum { N_NOTES = COMPARE_SET + 1, NAMED = 8 /* of each kind */ };

struct notes {
    struct text list[N_NOTES];
    json_t *answer[N_NOTES]; /* NULL: for people */
    uint32_t n[N_NOTES];
};

static void take_note(void *ctx, enum compare_note note, const char *path,
                      const char *a, const char *b)
{
    struct notes *notes = ctx;

    if (notes->answer[note] != NULL) {
        json_array_append_new(notes->answer[note],
                              a == NULL ? findings_string(path)
                                        : json_pack("{s:o, s:o, s:o}", "signal",
                                                    findings_string(path), "a",
                                                    findings_string(a), "b",
                                                    findings_string(b)));
        return;
    }
    if (notes->n[note]++ >= NAMED) {
        return;
    }
    text_add(&notes->list[note], "    %s", path);
    if (a != NULL) {
        text_add(&notes->list[note], ": %s, %s", a, b);
    }
    text_add(&notes->list[note], "\n");
}

static void print_notes(const struct dumpfile *d, const struct notes *notes,
                        enum compare_note note)
{
    uint32_t n = notes->n[note];
    const char *are = n == 1 ? " is" : "s are";

    if (n == 0) {
        return;
    }
    switch (note) {
    case COMPARE_ONLY_A:
    case COMPARE_ONLY_B:
        diag_print("%u variable%s in %s only:\n", (unsigned)n, are,
                   d[note == COMPARE_ONLY_B].path);
        break;
    case COMPARE_SET:
        diag_print("%u variable%s configured otherwise, and not compared:\n",
                   (unsigned)n, are);
        break;
    }
    diag_text(stdout, notes->list[note].s);
    if (n > NAMED) {
        diag_print("    and %u more\n", (unsigned)(n - NAMED));
    }
}

/* Did what ended end because all of it was there? */
static bool are_whole(struct dumpfile *d, enum compare_verdict verdict,
                      const struct compare_result *result, struct smw_err *e)
{
    for (int i = 0; i < 2; i++) {
        if ((verdict == COMPARE_SAME || result->ended[i]) &&
            !dumpfile_finish(&d[i], e)) {
            return false;
        }
    }
    for (int i = 0; i < 2; i++) { /* a difference may be what was not read */
        dumpfile_blame(&d[i], e);
    }
    return verdict != COMPARE_FAILED && e->kind == SMW_ERR_NONE;
}

/* ---- JSON ---- */

/* The first difference. */
static json_t *answer_difference(const struct compare_result *r)
{
    const bool named = r->path[0] != '\0';
    json_t *o = json_object();

    json_object_set_new(o, "time", json_integer((json_int_t)r->time));
    json_object_set_new(o, "signal", named ? findings_string(r->path) : json_null());
    json_object_set_new(o, "a", named ? findings_string(r->value[0]) : json_null());
    json_object_set_new(o, "b", named ? findings_string(r->value[1]) : json_null());
    json_object_set_new(o, "differing", json_integer(r->differing));
    json_object_set_new(o, "ends",
                        !named && r->ended[0]   ? json_string("a")
                        : !named && r->ended[1] ? json_string("b")
                                                : json_null());
    return o;
}

static json_t *answer_diff(const struct dumpfile *d, enum compare_verdict verdict,
                           const struct compare_result *r, json_t *const *notes)
{
    const bool same = verdict == COMPARE_SAME;
    json_t *o = json_object();

    json_object_set_new(o, "a", findings_string(d[0].path));
    json_object_set_new(o, "b", findings_string(d[1].path));
    json_object_set_new(o, "unit", findings_string(compare_unit(d[0].r)));
    json_object_set_new(o, "variables", json_integer(r->common - r->set));
    json_object_set_new(o, "same", json_boolean(same));
    json_object_set_new(o, "difference", same ? json_null() : answer_difference(r));
    json_object_set(o, "only_a", notes[COMPARE_ONLY_A]);
    json_object_set(o, "only_b", notes[COMPARE_ONLY_B]);
    json_object_set(o, "configured", notes[COMPARE_SET]);
    return o;
}

/* ---- the command ---- */

static void print_diff(const struct dumpfile *d, enum compare_verdict verdict,
                       const struct compare_result *result, const struct notes *notes)
{
    if (verdict == COMPARE_DIFFER) {
        print_difference(d, result, compare_unit(d[0].r));
    } else {
        diag_print("no difference in %u variables\n",
                   (unsigned)(result->common - result->set));
    }
    for (int i = 0; i < N_NOTES; i++) {
        print_notes(d, notes, (enum compare_note)i);
    }
}

int cmd_wave_diff(struct dumpfile *d, bool json, struct smw_err *e)
{
    struct compare_result *result = tb_alloc(sizeof(*result));
    struct notes notes = {.n = {0}};
    struct compare_listener listener = {take_note, &notes};
    enum compare_verdict verdict;
    int code;

    for (int i = 0; json && i < N_NOTES; i++) {
        notes.answer[i] = json_array();
    }
    verdict = compare_dumps(d[0].r, d[1].r, &listener, result, e);
    if (!are_whole(d, verdict, result, e)) {
        code = (int)diag_error(e);
    } else {
        code = verdict == COMPARE_DIFFER ? TB_KERNEL : TB_OK;
        if (json) {
            answer_print(answer_diff(d, verdict, result, notes.answer));
        } else {
            print_diff(d, verdict, result, &notes);
        }
    }
    for (int i = 0; i < N_NOTES; i++) {
        text_free(&notes.list[i]);
        json_decref(notes.answer[i]);
    }
    free(result);
    return code;
}
