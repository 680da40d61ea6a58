/*
 * cfg_value.h - one configuration value between text and number; private to cfg.
 *
 * Numbers are exact: "1.4 GHz" is 1400000000, "1.5 B" is refused. Nothing rounds and
 * nothing depends on the locale.
 */
#ifndef CFG_CFG_VALUE_H
#define CFG_CFG_VALUE_H

#include "cfg/cfg.h"

/* Text of a number field to its value in the base unit, within [f->min, f->max]. */
bool cfg_parse_number(const struct cfg_field *f, const char *key, const char *text,
                      uint64_t *value, struct smw_err *e);

/* "x2", "x0.5": so many times what the field has. */
bool cfg_is_factor(const char *text);
/* Such a text; *value is what the field has, then what it shall have. */
bool cfg_parse_factor(const struct cfg_field *f, const char *key, const char *text,
                      uint64_t *value, struct smw_err *e);

/* The shortest exact text with its unit: 16384 bytes is "16 KiB". */
void cfg_print_number(enum cfg_unit unit, uint64_t value, char *buf, size_t size);

#endif /* CFG_CFG_VALUE_H */
