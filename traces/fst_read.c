/*
 * An FST as a VCD, by the reader that comes with the writer.
 */
#include "dump.h"

#include "fst_io.h"
#include <fstapi.h>

int dump_fst_error(void)
{
    return fst_io_error();
}

void dump_fst_refuse(int error)
{
    if (error != 0) {
        fst_io_note(error);
    }
}

bool dump_fst_to_vcd(const char *path, FILE *out)
{
    void *fst;
    bool ok;

    fst_io_clear();
    fst = fstReaderOpen(path);
    if (fst == NULL) {
        return false;
    }
    fstReaderSetVcdExtensions(fst, 1); /* comments too */
    ok = fstReaderProcessHier(fst, out) != 0;
    fstReaderSetFacProcessMaskAll(fst);
    ok = ok && fstReaderIterBlocks(fst, NULL, NULL, out) != 0;
    fstReaderClose(fst);
    return ok && ferror(out) == 0;
}
