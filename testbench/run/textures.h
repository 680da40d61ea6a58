/*
 * textures.h - textures and surfaces of a launch file on the device.
 *
 * Of layout linear or pitch they are the buffer's own memory. An array has memory of
 * its own: what the buffer holds is copied there before the first launch and, if a
 * surface is among those that share it, back at the end. Entries of one buffer, shape,
 * size and channels share one array.
 */
#ifndef RUN_TEXTURES_H
#define RUN_TEXTURES_H

#include "run/host.h"

/* Make them, behind the data; their objects are h->address[n_buffers] and up. */
bool textures_place(struct host *h, struct smw_err *e);
/* What surfaces of arrays hold goes into their buffers. */
bool textures_copy_back(struct host *h, struct smw_err *e);
/* They are no more. */
bool textures_give_back(struct host *h, struct smw_err *e);

#endif /* RUN_TEXTURES_H */
