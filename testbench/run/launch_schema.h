/*
 * launch_schema.h - the JSON schema of launch files, for editors: "smwave config schema
 * launch". What depends on the module, the device or several places of the file is the
 * reader's matter.
 */
#ifndef RUN_LAUNCH_SCHEMA_H
#define RUN_LAUNCH_SCHEMA_H

/* Its text, indented; the caller frees. Never NULL. */
char *launch_schema(void);

#endif /* RUN_LAUNCH_SCHEMA_H */
