/* Function names as the Itanium C++ ABI mangles them, as far as nested names go:
 * _ZN2ns3fooIfEEvPT_ is ns::foo. Template arguments and parameters are skipped. */
#include "ptx/ptx_priv.h"

#include <string.h>

struct mangled {
    const char *at;
    char *out;
    size_t n, size;
    uint32_t depth;
};

static void put(struct mangled *d, const char *s, size_t len)
{
    if (d->n + len < d->size) {
        memcpy(d->out + d->n, s, len);
        d->n += len;
    }
}

/* <length> <characters>; false if there is no such thing. */
static bool source_name(struct mangled *d, const char **name, size_t *len)
{
    size_t n = 0;

    if (*d->at < '1' || *d->at > '9') {
        return false;
    }
    while (*d->at >= '0' && *d->at <= '9') {
        n = n * 10 + (size_t)(*d->at - '0');
        if (n > d->size) {
            return false;
        }
        d->at++;
    }
    if (strlen(d->at) < n) {
        return false;
    }
    *name = d->at;
    *len = n;
    d->at += n;
    return true;
}

static bool skip_name(struct mangled *d)
{
    const char *name;
    size_t len;

    return source_name(d, &name, &len);
}

/* I ... E: counts nested beginnings and skips names, which may contain any letter. */
static bool template_args(struct mangled *d)
{
    uint32_t open = 0;

    do {
        const char c = *d->at;

        if (c == '\0') {
            return false;
        }
        if (c >= '1' && c <= '9') {
            if (!skip_name(d)) {
                return false;
            }
            continue;
        }
        if (c == 'L') { /* literal: L <type> <value> E */
            while (*d->at != '\0' && *d->at != 'E') {
                if (*d->at >= '1' && *d->at <= '9' && d->at[-1] == 'L') {
                    if (!skip_name(d)) { /* of an enumeration */
                        return false;
                    }
                } else {
                    d->at++;
                }
            }
            if (*d->at == '\0') {
                return false;
            }
            d->at++;
            continue;
        }
        open += c == 'I' || c == 'N' || c == 'J' || c == 'X' || c == 'F';
        open -= c == 'E';
        d->at++;
        if (c == 'S' || c == 'T') { /* substitution, template parameter: up to _ */
            if (c == 'S' && *d->at >= 'a' && *d->at <= 'z') {
                d->at++;
                continue;
            }
            while (*d->at != '\0' && *d->at != '_') {
                d->at++;
            }
            d->at += *d->at == '_';
        }
    } while (open > 0);
    return true;
}

static bool nested(struct mangled *d)
{
    bool first = true;

    while (*d->at == 'K' || *d->at == 'V' || *d->at == 'r') {
        d->at++;
    }
    while (*d->at != 'E') {
        const char *name;
        size_t len;

        if (*d->at == 'I') {
            if (!template_args(d)) {
                return false;
            }
            continue;
        }
        if (*d->at == 'L') {
            d->at++; /* internal linkage */
        }
        if (!source_name(d, &name, &len)) {
            return false;
        }
        if (len >= 9 && memcmp(name, "_GLOBAL__", 9) == 0) {
            name = "(anonymous)";
            len = strlen(name);
        }
        if (!first) {
            put(d, "::", 2);
        }
        put(d, name, len);
        first = false;
    }
    return !first;
}

const char *ptx_demangle(struct arena *a, const char *name)
{
    const size_t size = 2 * strlen(name) + 16;
    struct mangled d = {.at = name, .out = arena_alloc(a, size), .size = size};
    const char *word;
    size_t len;

    if (strncmp(name, "_Z", 2) != 0) {
        return name;
    }
    d.at += 2;
    if (*d.at == 'N') {
        d.at++;
        return nested(&d) ? d.out : name;
    }
    d.at += *d.at == 'L';
    if (!source_name(&d, &word, &len)) {
        return name;
    }
    put(&d, word, len);
    return d.out;
}
