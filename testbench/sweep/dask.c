#include "sweep/dask.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { NO_DASK = 3, NOBODY = 4, NOT_RUN = 5, NO_PYTHON = 127 }; /* of the client */

static const char client_source[] = FILE_BUILTIN "sweep/dask_client.py";

static bool write_files(const struct jobs *j, const char *dir, uint32_t workers,
                        struct smw_err *e)
{
    size_t size = 0;
    char *source = file_read(client_source, 1 << 20, &size, SMW_ERR_INTERNAL, e);
    struct text client = {0}, commands = {0};
    bool ok = source != NULL;

    if (ok) {
        text_add_bytes(&client, source, size);
        jobs_commands(j, workers, &commands);
        ok = jobs_write(dir, "client.py", &client, e) &&
             jobs_write(dir, "commands", &commands, e);
    }
    text_free(&client);
    text_free(&commands);
    free(source);
    return ok;
}

static bool tell(int status, const char *address, struct smw_err *e)
{
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);

    switch (code) {
    case 0: return true;
    case NO_DASK:
        err_set(e, SMW_ERR_IO, "python3 has no dask.distributed");
        err_hint(e, "Debian, Ubuntu: apt install python3-distributed");
        break;
    case NO_PYTHON: err_set(e, SMW_ERR_IO, "python3 is not installed"); break;
    case NOBODY:
        err_set(e, SMW_ERR_IO, "no Dask scheduler answers at %s", address);
        err_hint(e, "'dask-scheduler' says its address, such as tcp://HOST:8786");
        break;
    case NOT_RUN:
        err_set(e, SMW_ERR_IO, "some points could not be run by the workers");
        err_hint(e, "the same command goes on");
        break;
    default:
        err_set(e, SMW_ERR_IO, "the Dask client ended with code %d", code);
        err_hint(e, "the same command goes on");
        break;
    }
    return false;
}

bool dask_run(const struct jobs *j, const char *address, uint32_t workers,
              struct smw_err *e)
{
    char *dir = file_join(j->dir, "dask");
    char *client = file_join(dir, "client.py"), *commands = file_join(dir, "commands");
    char *where = tb_strdup(address), python[] = "python3";
    char *argv[] = {python, client, where, commands, NULL};
    int status = 0;
    bool ok =
        j->n_todo == 0 || (write_files(j, dir, workers, e) &&
                           jobs_spawn(argv, &status, e) && tell(status, address, e));

    free(where);
    free(commands);
    free(client);
    free(dir);
    return ok;
}
