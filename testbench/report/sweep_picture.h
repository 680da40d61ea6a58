/* sweep_picture.h - pictures of a sweep inside its page. */
#ifndef REPORT_SWEEP_PICTURE_H
#define REPORT_SWEEP_PICTURE_H

#include "report/html.h"
#include "sweep/picture.h"

/* Draw p as figure number n of the page; t: its table, for what the pointer tells. */
void sweep_picture(const struct picture *p, const struct sweep_table *t, size_t n,
                   struct text *out);

#endif /* REPORT_SWEEP_PICTURE_H */
