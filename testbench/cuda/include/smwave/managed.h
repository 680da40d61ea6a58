/*
 * managed.h - __managed__ variables: where the host's twins of this object lie.
 *
 * clang has no managed variables for NVIDIA's devices. Here one is a variable of the
 * device whose twin on the host is in the section smw_managed (host_defines.h). The
 * linker knows where that begins and ends in a program; what is found there the runtime
 * keeps equal to the device's. A program without any has no such section.
 */
#ifndef SMWAVE_MANAGED_H
#define SMWAVE_MANAGED_H

#ifndef __CUDA_ARCH__
extern "C" {
extern char __start_smw_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_smw_managed[] __attribute__((weak, visibility("hidden")));
void smwaveRegisterManaged(void *start, void *stop) __attribute__((weak));
}

/* One in a program or library, whatever its number of objects; before the objects'
 * own constructors, which register their variables. */
__attribute__((constructor(101), weak, visibility("hidden"))) void smw_tell_managed()
{
    if (__start_smw_managed != 0 && smwaveRegisterManaged != 0) {
        smwaveRegisterManaged(__start_smw_managed, __stop_smw_managed);
    }
}
#endif

#endif /* SMWAVE_MANAGED_H */
