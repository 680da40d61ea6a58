/*
 * vcd_priv.h - what the files of libvcd share. Not installed.
 *
 *   vcd_text.c   numbers, digits, escapes and names: pure functions
 *   vcd_out.c    opening, the buffer, the sink, the size limit, closing
 *   vcd_decl.c   scopes and variables
 *   vcd_value.c  changes and blocks of values
 */
#ifndef LIBVCD_VCD_PRIV_H
#define LIBVCD_VCD_PRIV_H

#include "libvcd/vcd.h"

enum {
    VCD_ID_MAX = 5,      /* base-94 digits of a uint32_t */
    VCD_TIME_MAX = 22,   /* '#', 20 digits, newline */
    VCD_REAL_MAX = 32,   /* %.16g with a NUL: 24 */
    VCD_SPARE = 64,      /* a time, a change less its digits, 31 to scribble on */
    VCD_HEAD_SPARE = 128 /* a header line less its names and texts */
};

/* One variable, as the change path sees it. 32 bytes: there may be 100,000. */
struct vcd_slot {
    /* Vector of up to 64 bits: value and unknown planes, spare bits 0. Wider: a is the
     * index in words of the value plane, the unknown plane follows it. Real: a is the
     * bit pattern. String: a is the index in strings. Alias: a is the target's id. */
    uint64_t a, b;
    uint32_t width;
    uint8_t kind;     /* enum vcd_kind, or VCD_KIND_ALIAS */
    uint8_t tail_len; /* of tail */
    char tail[10];    /* identifier and newline; room to copy 8 bytes blindly */
};
_Static_assert(sizeof(struct vcd_slot) == 32, "two slots to a cache line");
enum { VCD_KIND_ALIAS = VCD_EVENT + 1 };

/* The same variable, as its declaration sees it. */
struct vcd_decl {
    size_t name;    /* in vcd.text */
    uint32_t scope; /* in vcd.scopes */
    uint32_t width;
    enum vcd_kind kind;
};

struct vcd_level {
    size_t name;     /* in vcd.text; unused for the root, scope 0 */
    uint32_t parent; /* scope 0 for the top scopes and itself */
};

struct vcd_str {
    char *text; /* NULL while empty */
    size_t cap;
};

struct vcd {
    /* The change path. */
    char *p, *end; /* next free byte; no line may pass end without vcd_more() */
    struct vcd_slot *slots;
    uint32_t n_slots, n_idents; /* aliases included, excluded */
    bool live;                  /* changes are written; else only remembered */
    bool time_due;              /* now has not been written */
    bool keep_repeats;          /* options */
    uint64_t now;
    uint64_t *words;
    struct vcd_str *strings;

    /* State: live is begun and none of the others. */
    bool begun, off, limited, frozen, dead;
    bool guard; /* the limit holds: not in the header, not in a block */
    int error;

    /* Output. */
    struct vcd_sink sink;
    char *buf;
    size_t cap;
    uint64_t flushed; /* bytes the sink took */
    uint64_t limit;   /* 0: none */
    uint64_t reserve; /* bytes kept back for the closing lines */
    uint64_t block;   /* largest block of values, strings apart */

    /* Declarations. Capacities in elements; sizes beside what they count. */
    size_t slots_cap, decls_cap, words_cap, n_words, strings_cap, n_strings;
    struct vcd_decl *decls; /* n_slots of them */
    struct vcd_level *scopes;
    size_t scopes_cap;
    uint32_t n_scopes, scope; /* scope: the current one */
    uint32_t n_enums;
    char *text;
    size_t text_cap, n_text;
    /* Open addressing over (scope, name): 0 empty, 2 n + 1 variable n, 2 n + 2 scope n.
     */
    uint64_t *hash;
    size_t hash_cap, n_hash; /* cap: 0 or a power of two, more than 4/3 of n_hash */
};

/* --- vcd_text.c: each writes at p, says where it stopped, adds no NUL --- */

char *vcd_put_text(char *p, const char *text);
char *vcd_put_u64(char *p, uint64_t value);
char *vcd_put_real(char *p, double value);
/* Identifier n, at most VCD_ID_MAX characters. */
char *vcd_put_id(char *p, uint32_t n);
/* May scribble 7 bytes past the end. */
char *vcd_put_vector(char *p, const uint64_t *value, const uint64_t *unknown,
                     uint32_t width);
size_t vcd_escaped_len(const char *text);
char *vcd_put_escaped(char *p, const char *text);
/* Whatever stands for the decimal point in this locale becomes '.'. In place. */
void vcd_plain_point(char *number);
bool vcd_name_legal(const char *name);
/* Magnitude and unit index (0 = s ... 5 = fs), false if text is not a timescale. */
bool vcd_read_timescale(const char *text, const char **magnitude, const char **unit);

/* The eight digits of a byte. The product has the byte eight times, each 9 bits on, so
 * that in its k-th byte the top bit is bit 7 - k; none overlap. */
static inline void vcd_put_byte(char *p, uint64_t byte)
{
    uint64_t ones = byte * 0x8040201008040201u >> 7 & 0x0101010101010101u;
    uint64_t digits = ones | 0x3030303030303030u;

    p[0] = (char)digits; /* one store, where bytes lie so */
    p[1] = (char)(digits >> 8);
    p[2] = (char)(digits >> 16);
    p[3] = (char)(digits >> 24);
    p[4] = (char)(digits >> 32);
    p[5] = (char)(digits >> 40);
    p[6] = (char)(digits >> 48);
    p[7] = (char)(digits >> 56);
}

/* Digits up to the leftmost 1, at least one. No branches: values are not predictable.
 */
static inline unsigned vcd_significant(uint64_t value)
{
#ifdef __GNUC__
    return 64 - (unsigned)__builtin_clzll(value | 1);
#else
    unsigned n = 1;

    for (unsigned step = 32; step != 0; step /= 2) {
        unsigned shift = (value >> step != 0) * step;

        value >>= shift;
        n += shift;
    }
    return n;
#endif
}

/* The shortest digits that extend to the value. With the leftmost 1 at the top, they
 * begin at p whatever their number; always 32 or 64 are written, for which neither a
 * loop nor its end has to be guessed. May scribble 31 bytes past the end. */
static inline char *vcd_put_bits(char *p, uint64_t value)
{
    unsigned n = vcd_significant(value);

    value <<= 64 - n;
    vcd_put_byte(p, value >> 56);
    vcd_put_byte(p + 8, value >> 48 & 255);
    vcd_put_byte(p + 16, value >> 40 & 255);
    vcd_put_byte(p + 24, value >> 32 & 255);
    if (n > 32) {
        vcd_put_byte(p + 32, value >> 24 & 255);
        vcd_put_byte(p + 40, value >> 16 & 255);
        vcd_put_byte(p + 48, value >> 8 & 255);
        vcd_put_byte(p + 56, value & 255);
    }
    return p + n;
}

/* --- vcd_out.c --- */

void vcd_fail(struct vcd *w, int code);
/* array[cap] has room for need elements; false (and the error is kept) if not. */
bool vcd_grow(struct vcd *w, void **array, size_t *cap, size_t need, size_t size);
/* No change will be taken any more: it would be at a wrong time, or some are missing.
 */
void vcd_freeze(struct vcd *w, int code);
/* The slow half of vcd_room(). */
char *vcd_more(struct vcd *w, size_t need);
void vcd_state_changed(struct vcd *w);
bool vcd_limit_allows(const struct vcd *w, uint64_t need);

/* need contiguous bytes at w->p, or NULL: dropped (error or limit). */
static inline char *vcd_room(struct vcd *w, size_t need)
{
    return (size_t)(w->end - w->p) >= need ? w->p : vcd_more(w, need);
}

/* --- vcd_decl.c --- */

static inline bool vcd_is_vector(unsigned kind)
{
    return kind <= VCD_INTEGER;
}

/* The bits in use of the last word of a vector. */
static inline uint64_t vcd_top_mask(uint32_t width)
{
    return ~(uint64_t)0 >> (64 - width % 64) % 64;
}

/* The variable, or what it is an alias of; NULL (and the error is kept) for none. */
static inline struct vcd_slot *vcd_slot_of(struct vcd *w, vcd_id id)
{
    struct vcd_slot *s;

    if (id >= w->n_slots) {
        vcd_fail(w, VCD_EHANDLE);
        return NULL;
    }
    s = &w->slots[id];
    return s->kind == VCD_KIND_ALIAS ? &w->slots[s->a] : s;
}

/* --- vcd_value.c --- */

enum vcd_block { VCD_BLOCK_VALUES, VCD_BLOCK_X };

/* The time if due, $keyword, a line per variable, $end. No limit applies inside. */
void vcd_put_block(struct vcd *w, const char *keyword, enum vcd_block what);
void vcd_put_due_time(struct vcd *w);
/* The size limit was reached: close the window for good. */
void vcd_trip(struct vcd *w);

#endif /* LIBVCD_VCD_PRIV_H */
