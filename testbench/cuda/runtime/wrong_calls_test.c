/*
 * Each call of wrong_calls.inc gives the number that wrong_calls.csv has from an H100's
 * runtime, in a process of its own. With the argument "print" the numbers that this
 * library gives are printed instead.
 */
#include "runtime/test_kernels.h"
#include "runtime/wrong_calls.h"
#include "runtime/wrong_calls_list.h"
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CRASH = -1, MISSING = -2 };

/* What the call gives; CRASH: the process ended by a signal. */
static int run_apart(int which)
{
    int ends[2], status, got = CRASH;
    pid_t child;

    fflush(stdout);
    if (pipe(ends) != 0 || (child = fork()) < 0) {
        perror("fork");
        exit(1);
    }
    if (child == 0) {
        close(ends[0]);
        make_objects();
        got = run_call(which);
        if (write(ends[1], &got, sizeof(got)) != (ssize_t)sizeof(got)) {
            _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    if (read(ends[0], &got, sizeof(got)) != (ssize_t)sizeof(got)) {
        got = CRASH;
    }
    close(ends[0]);
    waitpid(child, &status, 0);
    return got;
}

/* The call of a line, without its quotes, and the number behind it. */
static bool split(char *line, char **call, int *number)
{
    char *to, *from;

    if (line[0] != '"') {
        return false;
    }
    *call = to = line + 1;
    for (from = to; *from != '\0' && !(from[0] == '"' && from[1] != '"'); from++) {
        from += from[0] == '"';
        *to++ = *from;
    }
    if (from[0] != '"' || from[1] != ',') {
        return false;
    }
    *to = '\0';
    *number = strncmp(from + 2, "crash", 5) == 0 ? CRASH : atoi(from + 2);
    return true;
}

static int expected[N_CALLS];

static void read_expected(const char *path)
{
    char line[1024], *call;
    FILE *file = fopen(path, "r");
    int number;

    for (int k = 0; k < N_CALLS; k++) {
        expected[k] = MISSING;
    }
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    while (fgets(line, sizeof(line), file) != NULL) {
        if (!split(line, &call, &number)) {
            continue;
        }
        for (int k = 0; k < N_CALLS; k++) {
            if (strcmp(call, call_texts[k]) == 0) {
                expected[k] = number;
            }
        }
    }
    fclose(file);
}

int main(int argc, char **argv)
{
    bool print = argc > 1 && strcmp(argv[1], "print") == 0;
    int known = 0, bad = 0;

    setenv("SMWAVE_DEVICE", "h100", 1);
    setenv("SMWAVE_QUIET", "1", 1);
    test_register();
    if (!print) {
        read_expected(RT_TEST_DIR "/wrong_calls.csv");
    }
    for (int k = 0; k < N_CALLS; k++) {
        int got = run_apart(k);

        if (print) {
            printf("%s,%d\n", call_texts[k], got);
            continue;
        }
        if (expected[k] == MISSING) {
            printf("%s: no line in wrong_calls.csv\n", call_texts[k]);
            bad++;
            continue;
        }
        known++;
        /* where a real runtime crashes, any number will do */
        if (got == CRASH || (expected[k] != CRASH && got != expected[k])) {
            printf("%s: %d, not %d\n", call_texts[k], got, expected[k]);
            bad++;
        }
    }
    if (!print) {
        printf("%d calls, %d of them wrong\n", known, bad);
    }
    return bad != 0 || (!print && known < 200);
}
