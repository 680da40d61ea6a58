#include "runtime/settings.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(struct smw_err *e, const char *format, ...)
{
    va_list args;

    if (e->kind != SMW_ERR_NONE) {
        return false;
    }
    e->kind = SMW_ERR_CONFIG;
    va_start(args, format);
    vsnprintf(e->message, sizeof(e->message), format, args);
    va_end(args);
    return false;
}

const char *rt_said_variable(enum rt_said what)
{
    static const char *const names[] = {
#define X(name, variable) [RT_SAID_##name] = variable,
        RT_SAID_TABLE(X)
#undef X
    };

    return names[what];
}

static const char *from_environment(const char *name)
{
    return getenv(name);
}

/* The number at *text, which moves behind it. */
static bool number(const char **text, uint64_t *out)
{
    char *end;

    if (**text < '0' || **text > '9') {
        return false;
    }
    errno = 0;
    *out = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0;
}

static bool whole_number(const char *name, const char *text, uint64_t max,
                         uint64_t *out, struct smw_err *e)
{
    const char *at = text;

    if (!number(&at, out) || *at != '\0' || *out > max) {
        return refuse(e, "%s is a whole number up to %llu, not '%s'", name,
                      (unsigned long long)max, text);
    }
    return true;
}

static bool read_devices(struct rt_settings *s, const char *text, struct smw_err *e)
{
    const char *at = text;

    for (;;) {
        size_t n = strcspn(at, ",");

        if (s->n_devices == RT_DEVICES) {
            return refuse(e, "SMWAVE_DEVICE names more than %d devices", RT_DEVICES);
        }
        if (n == 0 || n >= sizeof(s->device[0])) {
            return refuse(e,
                          "SMWAVE_DEVICE is names of devices divided by commas, "
                          "not '%s'",
                          text);
        }
        memcpy(s->device[s->n_devices], at, n);
        s->device[s->n_devices++][n] = '\0';
        if (at[n] == '\0') {
            return true;
        }
        at += n + 1;
    }
}

static bool read_launches(struct rt_settings *s, const char *text, struct smw_err *e)
{
    const char *at = text;

    for (;;) {
        uint64_t first, last;

        if (!number(&at, &first) || first == 0) {
            break;
        }
        last = first;
        if (*at == '-') {
            at++;
            last = UINT64_MAX;
            if (*at >= '0' && *at <= '9' && !number(&at, &last)) {
                break;
            }
        }
        if (last < first || s->n_timed == RT_LAUNCH_RANGES) {
            break;
        }
        s->timed[s->n_timed].first = first;
        s->timed[s->n_timed++].last = last;
        if (*at == '\0') {
            return true;
        }
        if (*at++ != ',') {
            break;
        }
    }
    return refuse(e,
                  "SMWAVE_LAUNCHES is numbers from 1 and ranges, \"3,7-9,20-\", "
                  "not '%s'",
                  text);
}

static bool read_check(struct rt_settings *s, const char *text, struct smw_err *e)
{
    static const char *const names[] = {
        [SMW_CHECK_NONE] = "none",
        [SMW_CHECK_FAST] = "fast",
        [SMW_CHECK_FULL] = "full",
        [SMW_CHECK_GLOBAL] = "global",
    };

    for (uint32_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(text, names[i]) == 0) {
            s->check = (enum smw_check)i;
            return true;
        }
    }
    return refuse(e, "SMWAVE_CHECK is none, fast, full or global, not '%s'", text);
}

bool rt_settings_read(struct rt_settings *s, const char *(*value)(const char *name),
                      struct smw_err *e)
{
    const char *text;
    uint64_t n = 0;

    if (value == NULL) {
        value = from_environment;
    }
    memset(s, 0, sizeof(*s));
    s->check = SMW_CHECK_FAST;
    s->threads = 1;
    s->set = value("SMWAVE_SET");
    s->out = value("SMWAVE_OUT");
    for (uint32_t i = 0; i < RT_SAID_N; i++) {
        s->said[i] = value(rt_said_variable((enum rt_said)i));
    }
    text = value("SMWAVE_DEVICE");
    if (!read_devices(s, text != NULL ? text : RT_DEFAULT_DEVICE, e)) {
        return false;
    }
    if ((text = value("SMWAVE_CHECK")) != NULL && !read_check(s, text, e)) {
        return false;
    }
    if ((text = value("SMWAVE_LAUNCHES")) != NULL && !read_launches(s, text, e)) {
        return false;
    }
    if ((text = value("SMWAVE_MAX_CYCLES")) != NULL &&
        !whole_number("SMWAVE_MAX_CYCLES", text, UINT64_MAX, &s->max_cycles, e)) {
        return false;
    }
    if ((text = value("SMWAVE_THREADS")) != NULL) {
        if (!whole_number("SMWAVE_THREADS", text, 64, &n, e)) {
            return false;
        }
        s->threads = n > 0 ? (uint32_t)n : 1;
    }
    if ((text = value("SMWAVE_QUIET")) != NULL) {
        if (!whole_number("SMWAVE_QUIET", text, 1, &n, e)) {
            return false;
        }
        s->quiet = n == 1;
    }
    return true;
}

bool rt_settings_timed(const struct rt_settings *s, uint64_t i)
{
    for (uint32_t r = 0; r < s->n_timed; r++) {
        if (i >= s->timed[r].first && i <= s->timed[r].last) {
            return true;
        }
    }
    return s->n_timed == 0;
}

/* "key=value;key=value" into c. */
static bool apply_set(struct smw_config *c, const char *text, struct smw_err *e)
{
    char pair[512];

    for (const char *at = text; *at != '\0';) {
        size_t n = strcspn(at, ";");
        char *value;

        if (n >= sizeof(pair)) {
            return refuse(e, "SMWAVE_SET has a pair of more than %zu characters",
                          sizeof(pair) - 1);
        }
        memcpy(pair, at, n);
        pair[n] = '\0';
        at += n + (at[n] == ';');
        if (n == 0) {
            continue;
        }
        value = strchr(pair, '=');
        if (value == NULL) {
            return refuse(e, "SMWAVE_SET is key=value pairs, not '%s'", pair);
        }
        *value = '\0';
        if (!smw_config_set(c, pair, value + 1, e)) {
            return false;
        }
    }
    return true;
}

struct smw_config *rt_settings_config(const struct rt_settings *s, uint32_t i,
                                      struct smw_err *e)
{
    struct smw_config *c = smw_config_new();

    if (c == NULL) {
        e->kind = SMW_ERR_NOMEM;
        snprintf(e->message, sizeof(e->message), "out of memory");
        return NULL;
    }
    if ((s->load != NULL ? s->load(c, s->device[i], e)
                         : smw_config_preset(c, s->device[i], e)) &&
        (s->set == NULL || apply_set(c, s->set, e)) && smw_config_check(c, e)) {
        return c;
    }
    smw_config_free(c);
    return NULL;
}
