/*
 * session.h - what "smwave exec" shows of a program while it runs. It is linked into
 * the runtime library, and is an observer there (runtime/observer.h); without
 * SMWAVE_OUT it does nothing.
 *
 * A device of the program, from its opening to its closing, is a life. The first life
 * writes into SMWAVE_OUT what "smwave run" writes into its folder: stats.json,
 * report.json, config.yml, waveforms, events.log, explain.json and profile.json; beside
 * them summary.txt, the text for people, and module.ptx, module-2.ptx ..., the code
 * that was loaded. Further lives write the same into folders of that one: device-1 of
 * another device, device-0-2 of the second life of device 0, which cudaDeviceReset()
 * began. A second process of the program writes into process-PID. Programs that the
 * process starts later are not observed.
 *
 * Waveforms grow while the program runs; the other files are written when a life ends,
 * and stats.json and report.json also after the first, second, fourth, eighth ...
 * launch, so that there are some if the program does not end by itself.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "runtime/observer.h"
#include "trace/tracing.h"

/* What of the run is traced, into folder dir. SMW_ERR_USAGE: a variable says what
 * cannot be. The texts of s stay until the plan is freed. */
bool session_plan(struct tracing_plan *p, const struct rt_settings *s, const char *dir,
                  struct smw_err *e);

/* c becomes the device of that name: a preset, or a file (run/config.h). */
bool session_load(struct smw_config *c, const char *name, struct smw_err *e);

#endif /* SESSION_SESSION_H */
