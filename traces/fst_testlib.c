#include "fst_testlib.h"

#include <fstapi.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void say(struct text *t, const char *format, ...)
{
    va_list ap;
    int n;

    if (t->room - t->n < 1024) {
        t->room = 2 * t->room + 4096;
        t->s = realloc(t->s, t->room);
        assert_non_null(t->s);
    }
    va_start(ap, format);
    n = vsnprintf(t->s + t->n, t->room - t->n, format, ap);
    va_end(ap);
    assert_in_range(n, 0, 1023);
    t->n += (size_t)n;
}

static void read_attribute(struct text *t, const struct fstHier *h)
{
    if (h->u.attr.subtype == FST_MT_COMMENT) {
        say(t, "comment %s\n", h->u.attr.name);
    } else if (h->u.attr.subtype == FST_MT_ENUMTABLE && h->u.attr.name_length > 0) {
        say(t, "table %" PRIu64 " %s\n", h->u.attr.arg, h->u.attr.name);
    } else if (h->u.attr.subtype == FST_MT_ENUMTABLE) {
        say(t, "by table %" PRIu64 "\n", h->u.attr.arg);
    } else {
        say(t, "attribute %d\n", h->u.attr.subtype);
    }
}

static void read_header(struct text *t, void *fst)
{
    static const char *const types[] = {[FST_VT_VCD_EVENT] = "event",
                                        [FST_VT_VCD_INTEGER] = "integer",
                                        [FST_VT_VCD_WIRE] = "wire",
                                        [FST_VT_GEN_STRING] = "string"};
    const struct fstHier *h;

    say(t, "version %s\ndate '%s'\nscale %d\n", fstReaderGetVersionString(fst),
        fstReaderGetDateString(fst), fstReaderGetTimescale(fst));
    while ((h = fstReaderIterateHier(fst)) != NULL) {
        switch (h->htyp) {
        case FST_HT_SCOPE: say(t, "scope %s\n", h->u.scope.name); break;
        case FST_HT_UPSCOPE: say(t, "up\n"); break;
        case FST_HT_ATTRBEGIN: read_attribute(t, h); break;
        case FST_HT_VAR:
            say(t, "%u %s %u %s%s\n", h->u.var.handle, types[h->u.var.typ],
                h->u.var.length, h->u.var.name, h->u.var.is_alias ? " again" : "");
            break;
        default: say(t, "kind %u\n", h->htyp);
        }
    }
}

static void on_value(void *ctx, uint64_t time, fstHandle handle, const unsigned char *v)
{
    const char *s = (const char *)v;

    while (s[1] != '\0' && (s[0] == '0' || (s[0] == s[1] && s[0] != '1'))) {
        s++; /* zeros in front; one letter for all */
    }
    say(ctx, "#%" PRIu64 " %u %s\n", time, handle, s);
}

static void on_text(void *ctx, uint64_t time, fstHandle handle, const unsigned char *v,
                    uint32_t n)
{
    say(ctx, "#%" PRIu64 " %u '%.*s'\n", time, handle, (int)n, (const char *)v);
}

char *read_fst(const char *path)
{
    void *fst = fstReaderOpen(path);
    struct text t = {0};

    if (fst == NULL) {
        fail_msg("%s does not open", path);
    }
    read_header(&t, fst);
    fstReaderSetFacProcessMaskAll(fst);
    assert_int_equal(fstReaderIterBlocks2(fst, on_value, on_text, &t, NULL), 1);
    for (uint32_t i = 0; i < fstReaderGetNumberDumpActivityChanges(fst); i++) {
        say(&t, "#%" PRIu64 " %s\n", fstReaderGetDumpActivityChangeTime(fst, i),
            fstReaderGetDumpActivityChangeValue(fst, i) ? "on" : "off");
    }
    say(&t, "from %" PRIu64 " to %" PRIu64 "\n", fstReaderGetStartTime(fst),
        fstReaderGetEndTime(fst));
    fstReaderClose(fst);
    return t.s;
}

struct wave_config fst_config(struct tiny_paths *p, const char *name)
{
    struct wave_config c = tiny_config(p, name);

    snprintf(p->vcd, sizeof(p->vcd), "%s.fst", name);
    c.format = WAVE_FST;
    return c;
}
