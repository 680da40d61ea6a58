/*
 * vcd_enum.c - names of values, as attributes of the header. The form is that of
 * fst2vcd's extended output: a table is "misc 07 NAME N, N names, N values in binary,
 * its number", a reference to it, before a variable, 'misc 07 "" NUMBER'.
 */
#include "libvcd/vcd_priv.h"

#include <string.h>

#define OPENING "$attrbegin misc 07 "

static bool is_word(const char *s)
{
    size_t n = 0;

    while (s[n] > ' ' && s[n] <= '~') {
        n++;
    }
    return n > 0 && s[n] == '\0' && strcmp(s, "$end") != 0;
}

static int refuse(const struct vcd *w, const char *name, uint32_t width,
                  const char *const *names, uint32_t n)
{
    if (w->begun) {
        return VCD_EORDER;
    }
    if (width < 1 || width > 64 || n < 1 || (width < 32 && n > 1u << width)) {
        return VCD_EWIDTH;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!is_word(names[i])) {
            return VCD_ENAME;
        }
    }
    return is_word(name) && name[0] != '"' ? 0 : VCD_ENAME;
}

static char *put_value(char *p, uint64_t value, uint32_t width)
{
    for (uint32_t i = width; i > 0; i--) {
        *p++ = (value >> (i - 1) & 1u) != 0 ? '1' : '0';
    }
    return p;
}

uint32_t vcd_enum(struct vcd *w, const char *name, uint32_t width,
                  const char *const *names, uint32_t n)
{
    int why = refuse(w, name, width, names, n);
    size_t need = VCD_SPARE + strlen(name);
    char *p;

    if (why != 0) {
        vcd_fail(w, why);
        return 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        need += strlen(names[i]) + width + 2;
    }
    p = vcd_room(w, need);
    if (p == NULL) {
        return 0;
    }
    p = vcd_put_text(p, OPENING);
    p = vcd_put_text(p, name);
    *p++ = ' ';
    p = vcd_put_u64(p, n);
    for (uint32_t i = 0; i < n; i++) {
        *p++ = ' ';
        p = vcd_put_text(p, names[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        *p++ = ' ';
        p = put_value(p, i, width);
    }
    *p++ = ' ';
    p = vcd_put_u64(p, ++w->n_enums);
    w->p = vcd_put_text(p, " $end\n");
    return w->n_enums;
}

bool vcd_enum_next(struct vcd *w, uint32_t table)
{
    char *p;

    if (w->begun || table == 0 || table > w->n_enums) {
        vcd_fail(w, w->begun ? VCD_EORDER : VCD_EHANDLE);
        return false;
    }
    p = vcd_room(w, VCD_SPARE);
    if (p == NULL) {
        return false;
    }
    p = vcd_put_text(p, OPENING "\"\" ");
    p = vcd_put_u64(p, table);
    w->p = vcd_put_text(p, " $end\n");
    return true;
}
