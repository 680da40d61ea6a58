#include "dump.h"

#include <errno.h>

bool dump_has_fst(void)
{
    return false;
}

struct dump *dump_open_fst(const char *path, const struct dump_options *o)
{
    (void)path;
    (void)o;
    errno = ENOSYS;
    return NULL;
}

int dump_fst_error(void)
{
    return 0;
}

void dump_fst_refuse(int error)
{
    (void)error;
}

bool dump_fst_to_vcd(const char *path, FILE *out)
{
    (void)path;
    (void)out;
    return false;
}
