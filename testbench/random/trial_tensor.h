/* trial_tensor.h - the tensors of a program: their memory and maps, on a device and as
 * the interpreter has them. */
#ifndef RANDOM_TRIAL_TENSOR_H
#define RANDOM_TRIAL_TENSOR_H

#include "gen.h"
#include "smwave.h"

/* The maps of tensors that lie at an address of the device, by the model's own encoder;
 * false: it refuses one. */
bool trial_tensor_maps(const struct gen_program *p, uint64_t addr,
                       uint8_t maps[TENSOR_MAPS], struct smw_err *e);
/* The interpreter's. */
void trial_tensor_numbers(uint8_t maps[TENSOR_MAPS]);

/* Write the memory with the maps in it, and the constant of them. */
bool trial_tensors_write(const struct gen_program *p, struct smw_device *d,
                         struct smw_module *m, uint64_t addr,
                         const uint8_t maps[TENSOR_MAPS], struct smw_err *e);

#endif /* RANDOM_TRIAL_TENSOR_H */
