/*
 * config.h - configurations from presets, files and -s options.
 *
 * A configuration file is YAML: keys nested or dotted, `extends` names a preset or a
 * file to start from (default: the model's defaults), `name` and `doc` say what it is.
 */
#ifndef RUN_CONFIG_H
#define RUN_CONFIG_H

#include "io/file.h"
#include "mem/rules.h"
#include "smwave.h"

/* The preset of what names none. */
#define CONFIG_STANDARD "gtx480"

/* As smw_config_new(), never NULL (file.h says what then). */
struct smw_config *config_new(void);

/* what: a preset's name, or a file (its name ends in .yml or .yaml or has a slash).
 * from: the file that names it, whose directory relative names start at; NULL: none. */
bool config_load(struct smw_config *c, const char *what, const char *from,
                 struct smw_err *e);

/* "key=value" of an -s option. */
bool config_override(struct smw_config *c, const char *option, struct smw_err *e);

/* e is about a key ("sm.onchip.partition: ..."): if option sets it, that is the
 * place. */
bool config_blame_override(const char *option, struct smw_err *e);

/* All keys as a file that loads back to the same configuration. */
void config_print(const struct smw_config *c, struct text *out);

/* The rules of a capability named on a command line, "3.5"; else NULL and a usage error
 * that lists the known ones. */
const struct rules_cc *config_rules(const char *cc, struct smw_err *e);

/* "did you mean", or the list of presets. */
void config_hint_preset(const char *name, struct smw_err *e);

#endif /* RUN_CONFIG_H */
