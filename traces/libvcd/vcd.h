/*
 * vcd.h - writes value change dumps (VCD, IEEE 1364 clause 18) that viewers open.
 *
 * Life of a dump:
 *
 *   vcd_open*()        writes $version, $timescale and $timezero
 *   vcd_comment(), vcd_scope(), vcd_add(), vcd_alias(), vcd_upscope()
 *                      declare; a vcd_set_*() here gives an initial value, a
 *                      vcd_time() here the time of the first line (else #0)
 *   vcd_begin()        ends the header and writes #time and the $dumpvars block
 *   vcd_time(), vcd_set_*(), vcd_fire(), vcd_dumpoff(), vcd_dumpon(), ...
 *   vcd_close()        writes the final time, closes, returns the verdict
 *
 * What is written: a time only when a change follows it, and the final time always; a
 * value only when it differs from the last one (unless options.keep_repeats), an event
 * every time; identifiers 0, 1, 2, ... in base 94 in declaration order; no $date, so
 * equal calls give equal bytes. A vector without initial value is x, a real 0, a
 * string empty; an event is not in any block.
 *
 * Errors are sticky and the first one is kept: read it with vcd_error() at any moment,
 * or once, from vcd_close(). A positive code is the errno of the sink (or ENOMEM): the
 * sink is written no more. A negative one is an enum vcd_err: the caller broke the
 * contract, the call had no effect, the rest of the dump goes on. After VCD_ETIME, and
 * after ENOMEM once changes are written, no change is taken any more: the dump would
 * not be true. It still ends properly.
 *
 * No function but the openers may be given NULL for the writer, vcd_close() apart. A
 * writer belongs to one thread at a time; writers share nothing.
 *
 * The shared library is libvcd.so.0; the number goes up with every release that a
 * program must be compiled anew for. While the version is 0.x.y, a new x may change the
 * interface.
 */
#ifndef LIBVCD_VCD_H
#define LIBVCD_VCD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The shared library shows what stands from here on, and nothing else. */
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

enum {
    VCD_NAME_MAX = 255,          /* characters in one name */
    VCD_WIDTH_MAX = 1 << 20,     /* bits in one vector */
    VCD_BUFFER_DEFAULT = 1 << 18 /* bytes collected before the sink sees them */
};

enum vcd_kind {
    VCD_WIRE,    /* vector, four states */
    VCD_REG,     /* the same, drawn as a register by some viewers */
    VCD_INTEGER, /* the same, shown as a number: its loader name has no range */
    VCD_REAL,    /* double, written with 16 significant digits */
    VCD_STRING,  /* bytes up to a NUL */
    VCD_EVENT    /* no value, happens at a time */
};

enum vcd_err {
    VCD_OK = 0,
    VCD_EORDER = -1, /* call out of order: before or after vcd_begin(), no scope */
    VCD_ENAME = -2,  /* not a name that every reader takes, see vcd_check_name() */
    VCD_EDUP = -3,   /* the scope has a variable of that name */
    VCD_EWIDTH =
        -4,         /* width 0, above VCD_WIDTH_MAX, or not that of the alias' target */
    VCD_EKIND = -5, /* the variable's kind cannot take this */
    VCD_EHANDLE = -6, /* no such variable */
    VCD_ETIME = -7,   /* time went backwards */
    VCD_ETEXT = -8    /* a text with $end in it, which would end its own section */
};

/* A variable: its number in declaration order, aliases included. */
typedef uint32_t vcd_id;
#define VCD_NONE UINT32_MAX

/* Where the bytes go. */
struct vcd_sink {
    /* Take some of len bytes (len > 0): how many, or minus an errno. 0 counts as EIO;
     * after -EINTR it is asked again. What it is given begins and, if all of it was
     * taken before, ends with a whole line. */
    ssize_t (*write)(void *ctx, const void *buf, size_t len);
    /* Push what write took towards the disk: 0 or minus an errno. May be NULL. */
    int (*flush)(void *ctx);
    /* Called once, by vcd_close(), errors or not: 0 or minus an errno. May be NULL. */
    int (*close)(void *ctx);
    /* A write failed in the middle of a line: keep the first len bytes that were taken,
     * which end with a whole one. Called at most once, before close; 0 or minus an
     * errno, which changes nothing. NULL: half a line stays, which readers may take for
     * another change or time. */
    int (*cut)(void *ctx, uint64_t len);
    void *ctx;
};

/* All zero, or a NULL pointer to it, is a good default. */
struct vcd_options {
    const char *version; /* text of $version; NULL: none */
    const char
        *timescale;    /* 1, 10 or 100, blanks or none, s ms us ns ps fs; NULL: 1 ns */
    int64_t timezero;  /* added by viewers to every time; 0: not written */
    size_t buffer;     /* bytes, raised to what one line needs; 0: the default */
    bool keep_repeats; /* write values equal to the last one too */
};

struct vcd; /* a writer */

/* NULL with errno: EINVAL for bad options, ENOMEM, or what opening the file gave. */
struct vcd *vcd_open(const struct vcd_sink *sink, const struct vcd_options *options);
/* The stream stays the caller's: it is flushed by vcd_flush() and vcd_close(). */
struct vcd *vcd_open_file(FILE *stream, const struct vcd_options *options);
/* Creates or empties the file; vcd_close() closes it. */
struct vcd *vcd_open_path(const char *path, const struct vcd_options *options);

/* Ends the dump (vcd_begin() first if it was not called), frees w; vcd_error()'s code.
 */
int vcd_close(struct vcd *w);
int vcd_error(const struct vcd *w);
/* Words for a code of vcd_error(). */
const char *vcd_strerror(int code);

/* --- declaring: before vcd_begin() --- */

/* 0, or why a variable of that name cannot be added to the current scope: VCD_ENAME
 * unless it is a letter or '_' and then letters, digits, '_' or '$' (readers give
 * meaning to dots, brackets, stars, backslashes), or VCD_EDUP. */
int vcd_check_name(const struct vcd *w, const char *name);

/* Go down into the module scope name, which is made, or entered again, in the current
 * one; and back up. Scopes still open at vcd_begin() are closed there. */
bool vcd_scope(struct vcd *w, const char *name);
bool vcd_upscope(struct vcd *w);

/* A variable in the current scope. width: bits of a vector; ignored for other kinds.
 * VCD_NONE when refused; using VCD_NONE is an error, never a crash. */
vcd_id vcd_add(struct vcd *w, enum vcd_kind kind, const char *name, uint32_t width);
/* A second name for the variable of: it must be a vector of that width too, or of the
 * same kind. Setting either sets both. */
vcd_id vcd_alias(struct vcd *w, enum vcd_kind kind, const char *name, uint32_t width,
                 vcd_id of);

/* A table that names the values 0, 1 ... n - 1 of vectors of width bits (at most 64):
 * its number, from 1, or 0 when refused. Names of tables and values are of bytes
 * 33..126, and n is at least 1. Written as $attrbegin misc 07, as by fst2vcd -e, which
 * Surfer reads; others pass over it, GTKWave and vcd2fst among them. */
uint32_t vcd_enum(struct vcd *w, const char *name, uint32_t width,
                  const char *const *names, uint32_t n);
/* The variable that is added next has values of that table. */
bool vcd_enum_next(struct vcd *w, uint32_t table);

/* End of the header, then the time and all initial values. */
bool vcd_begin(struct vcd *w);

/* A $comment: in the header at this place, or between changes. */
bool vcd_comment(struct vcd *w, const char *text);

/* The name by which GTKWave's loader and save files know the variable: scopes and name
 * with dots, and [width-1:0] behind a wire or reg of more than one bit. Like
 * snprintf(): at most size - 1 characters and a NUL, returns the full length; 0 for no
 * such one. */
size_t vcd_loader_name(const struct vcd *w, vcd_id id, char *buf, size_t size);

/* --- changing --- */

/* The time of the changes that follow, in timescale units; equal is fine. */
void vcd_time(struct vcd *w, uint64_t time);

/* A vector takes the low bits of value; a wider one is filled with zeros. */
void vcd_set_u64(struct vcd *w, vcd_id id, uint64_t value);
/* (width + 63) / 64 words, least significant first; spare bits are ignored. */
void vcd_set_bits(struct vcd *w, vcd_id id, const uint64_t *words);
/* Four states, as above: a bit of unknown clear: the bit of value. Set: z where value
 * is 0, x where it is 1. */
void vcd_set_xz(struct vcd *w, vcd_id id, const uint64_t *value,
                const uint64_t *unknown);
void vcd_set_x(struct vcd *w, vcd_id id); /* every bit x */
void vcd_set_z(struct vcd *w, vcd_id id); /* every bit z */
void vcd_set_real(struct vcd *w, vcd_id id, double value);
/* Blanks, backslashes and bytes outside 33..126 are written as \ooo. Copied. */
void vcd_set_string(struct vcd *w, vcd_id id, const char *text);
void vcd_fire(struct vcd *w, vcd_id id); /* after vcd_begin() only */

/* --- blocks, limits --- */

/* Close the window: vectors go x; changes are remembered, not written, events are lost.
 * vcd_dumpon() writes all current values and goes on. Doing either twice is harmless.
 */
void vcd_dumpoff(struct vcd *w);
void vcd_dumpon(struct vcd *w);
/* Every value once more (nothing while the window is closed). */
void vcd_dumpall(struct vcd *w);

/* Keep the dump at or below bytes (0: no limit). The change that might pass it, the
 * closing lines counted, becomes a $dumpoff, and nothing but the final time follows.
 * Header and $dumpvars are always written. Not an error. */
void vcd_limit(struct vcd *w, uint64_t bytes);
bool vcd_limited(const struct vcd *w);

/* Hand everything to the sink: what is there then opens in a viewer. vcd_error(). */
int vcd_flush(struct vcd *w);
/* Bytes of the dump so far, those still in the buffer included. */
uint64_t vcd_bytes_written(const struct vcd *w);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif /* LIBVCD_VCD_H */
