/*
 * cpu_time.c - what a command costs: "cpu_time [-e] COMMAND [ARGUMENT]..." runs it
 * with its standard output thrown away and prints the nanoseconds of processor time,
 * user and system, that it took; -e: those that passed meanwhile. Its exit status
 * becomes this one's.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { USAGE = 2, CANNOT_RUN = 127 };

static double ns(const struct timeval *t)
{
    return (double)t->tv_sec * 1e9 + (double)t->tv_usec * 1e3;
}

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    const int elapsed = argc > 1 && strcmp(argv[1], "-e") == 0;
    const double begin = now();
    struct rusage use;
    int status = 0;
    pid_t child;

    argc -= elapsed;
    argv += elapsed;
    if (argc < 2) {
        fprintf(stderr, "usage: cpu_time [-e] COMMAND [ARGUMENT]...\n");
        return USAGE;
    }
    child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);

        if (null >= 0 && dup2(null, STDOUT_FILENO) == STDOUT_FILENO) {
            execvp(argv[1], argv + 1);
        }
        perror(argv[1]);
        _exit(CANNOT_RUN);
    }
    if (child < 0 || waitpid(child, &status, 0) != child ||
        getrusage(RUSAGE_CHILDREN, &use) != 0) {
        perror("cpu_time");
        return EXIT_FAILURE;
    }
    printf("%.0f\n", elapsed ? now() - begin : ns(&use.ru_utime) + ns(&use.ru_stime));
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}
