/*
 * An FST as a VCD, by the reader that comes with the writer.
 */
#include "dump.h"

#include <fstapi.h>

bool dump_fst_to_vcd(const char *path, FILE *out)
{
    void *fst = fstReaderOpen(path);
    bool ok;

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
