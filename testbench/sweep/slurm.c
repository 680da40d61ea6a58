#include "sweep/slurm.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what Slurm writes ---- */

/* The number at *s, which is left behind it. False: there is none, or it is large. */
static bool take(const char **s, uint64_t *out)
{
    size_t n = strspn(*s, "0123456789");

    if (n == 0 || n > 6) {
        return false;
    }
    *out = strtoull(*s, NULL, 10);
    *s += n;
    return true;
}

/* Seconds; 0: it is no time. */
static uint64_t seconds_of(const char *text)
{
    static const uint64_t with_days[] = {3600, 60, 1};
    static const uint64_t of_two[] = {60, 1};
    const uint64_t *unit = with_days;
    uint64_t sum = 0, v;
    uint32_t most = 3;

    if (!take(&text, &v)) {
        return 0;
    }
    if (*text == '-') {
        sum = v * 86400;
        text++;
        if (!take(&text, &v)) {
            return 0;
        }
    } else if (strchr(text, ':') == strrchr(text, ':')) { /* MM or MM:SS */
        unit = of_two;
        most = 2;
    }
    for (uint32_t i = 0;; i++) {
        sum += v * unit[i];
        if (*text == '\0') {
            return sum;
        }
        if (*text++ != ':' || i + 1 == most || !take(&text, &v)) {
            return 0;
        }
    }
}

bool slurm_check_time(const char *text, struct smw_err *e)
{
    uint64_t seconds = seconds_of(text);

    if (seconds == 0) {
        err_set(e, SMW_ERR_USAGE, "--time '%s' is no time", text);
        err_hint(e, "minutes, MM:SS, HH:MM:SS or D-HH:MM:SS, such as 00:30:00");
        return false;
    }
    if (seconds < SLURM_MIN_TIME) {
        err_set(e, SMW_ERR_USAGE, "--time '%s' is too short", text);
        err_hint(e, "tasks end their points %u to %u s before; at least %u minutes",
                 SLURM_NOTICE, SLURM_NOTICE + 60, SLURM_MIN_TIME / 60);
        return false;
    }
    return true;
}

bool slurm_check_memory(const char *text, struct smw_err *e)
{
    const char *s = text;
    uint64_t v;

    if (take(&s, &v) && v > 0 &&
        (*s == '\0' || (strchr("KMGT", *s) != NULL && s[1] == '\0'))) {
        return true;
    }
    err_set(e, SMW_ERR_USAGE, "--mem '%s' is no size", text);
    err_hint(e, "a number with K, M, G or T behind it, such as 1G");
    return false;
}

/* ---- scripts ---- */

/* The sweep's name, which may be that of its file, as far as it can name a job. */
static char *job_name(const struct jobs *j)
{
    char *name = tb_strdup(j->sweep.name);

    for (char *c = name; *c != '\0'; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || strchr("_.-", *c) != NULL;

        *c = plain ? *c : '_';
    }
    return name;
}

static void add_head(const struct jobs *j, const struct slurm_options *o, bool array,
                     struct text *out)
{
    char *name = job_name(j);

    text_add(out,
             "#!/bin/sh\n# %s\n#SBATCH --job-name=%s%s\n"
             "#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=%u\n"
             "#SBATCH --time=%s --mem=%s\n",
             array
                 ? "A task of a job array runs a chunk of the plan. $1: the first chunk"
                 : "Merges what the arrays have left.",
             name, array ? "" : "-merge", array ? o->cpus : 1, o->time, o->memory);
    if (o->partition != NULL) {
        text_add(out, "#SBATCH --partition=%s\n", o->partition);
    }
    text_add(out, "#SBATCH --requeue --open-mode=append --output=%s\n",
             array ? "array-%A_%a.log" : "merge-%j.log");
    free(name);
}

void slurm_array_script(const struct jobs *j, const struct slurm_options *o,
                        struct text *out)
{
    add_head(j, o, true, out);
    text_add(out, "#SBATCH --signal=B:USR1@%u\n\n", SLURM_NOTICE);
    text_add(out,
             "task=$((${1:-0} + ${SLURM_ARRAY_TASK_ID:?this is a task of an array}))\n"
             "first=$((task * %" PRIu64 "))\n"
             "last=$((first + %" PRIu64 "))\n"
             "[ \"$last\" -le %" PRIu64 " ] || last=%" PRIu64 "\n",
             j->chunk, j->chunk - 1, j->n_points - 1, j->n_points - 1);
    text_add(out,
             "attempt=$((${SLURM_RESTART_COUNT:-0} + 1))\n"
             "echo \"points $first-$last on ${SLURMD_NODENAME:-?}, attempt $attempt\"\n"
             "\n"
             "# Time is nearly up: what runs may end, nothing more begins.\n"
             "told=\n"
             "run=\n"
             "trap 'told=1; [ -z \"$run\" ] || kill -USR1 \"$run\"' USR1\n");
    jobs_command(j, "\"$SLURM_CPUS_PER_TASK\"", "\"$first-$last\"", out);
    text_add(out, " &\n"
                  "run=$!\n"
                  "[ -z \"$told\" ] || kill -USR1 \"$run\"\n"
                  "while :; do\n"
                  "    wait \"$run\"\n"
                  "    code=$?\n"
                  "    # a signal ends the waiting, not the run\n"
                  "    kill -0 \"$run\" 2>/dev/null || break\n"
                  "done\n"
                  "echo \"exit $code\"\n");
    text_add(out,
             "if [ -n \"$told\" ] && [ \"$code\" -eq %d ]; then\n"
             "    echo \"queued again for the rest\"\n"
             "    scontrol requeue \"$SLURM_JOB_ID\"\n"
             "fi\n"
             "exit \"$code\"\n",
             SLURM_STOPPED);
}

void slurm_merge_script(const struct jobs *j, const struct slurm_options *o,
                        struct text *out)
{
    add_head(j, o, false, out);
    text_add(out, "\nexec ");
    jobs_quote(out, j->program);
    text_add(out, " sweep merge ");
    jobs_quote(out, j->dir);
    text_add(out, "\n");
}

/* "0-3,7,9-12" of the chunks todo[first..last), less offset. */
static void add_tasks(const struct jobs *j, uint64_t first, uint64_t last,
                      uint64_t offset, struct text *out)
{
    const char *comma = "";

    for (uint64_t i = first; i < last; i++) {
        uint64_t from = i;

        while (i + 1 < last && j->todo[i + 1] == j->todo[i] + 1) {
            i++;
        }
        text_add(out, "%s%" PRIu64, comma, j->todo[from] - offset);
        if (i > from) {
            text_add(out, "-%" PRIu64, j->todo[i] - offset);
        }
        comma = ",";
    }
}

void slurm_submit_script(const struct jobs *j, const struct slurm_options *o,
                         struct text *out)
{
    char *dir = file_join(j->dir, "slurm");
    const char *after = "";

    text_add(out,
             "#!/bin/sh\n# Submits what has not ended: arrays one after the other, "
             "then the merge.\nset -eu\ncd ");
    jobs_quote(out, dir);
    text_add(out, "\n");
    for (uint64_t i = 0, last; i < j->n_todo; i = last) {
        uint64_t offset = j->todo[i] / o->max_array * o->max_array;

        for (last = i; last < j->n_todo && j->todo[last] - offset < o->max_array;) {
            last++;
        }
        text_add(out, "job=$(sbatch --parsable %s--array=", after);
        add_tasks(j, i, last, offset, out);
        text_add(out, "%%%u array.sh %" PRIu64 ")\n", o->max_running, offset);
        text_add(out, "job=${job%%%%;*}\necho \"array $job\"\n");
        after = "--dependency=afterany:\"$job\" ";
    }
    text_add(out,
             "job=$(sbatch --parsable %smerge.sh)\n"
             "echo \"merge ${job%%%%;*}\"\n",
             after);
    free(dir);
}
