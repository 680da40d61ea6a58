/* fyaml.h - for fuzzers of YAML: libfyaml loses memory when it refuses some texts (an
 * unfinished 'string' of many quotes is one), which is not this program's to find. */
#ifndef FUZZ_FYAML_H
#define FUZZ_FYAML_H

const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libfyaml";
}

#endif /* FUZZ_FYAML_H */
