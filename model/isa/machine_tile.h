/* machine_tile.h - machine instructions of mma; what isa_machine() asks. */
#ifndef ISA_MACHINE_TILE_H
#define ISA_MACHINE_TILE_H

#include "isa/uop.h"

/* Of a form of mma; NULL: the capability has none. */
const struct isa_seq *isa_machine_tile(const struct isa_form *f, uint32_t cc);

#endif /* ISA_MACHINE_TILE_H */
