/*
 * video.h - video instructions: arithmetic on bytes and halves of words, and on all of
 * them side by side; add, min and max of two 16-bit integers in a word.
 *
 * What the words of the instruction say is one number, the micro-op's imm. Operands are
 * src[0] to src[2], the last one 0 where the instruction has none.
 *
 * Source: "Video Instructions" of the PTX ISA 9.0, whose pseudocode this follows.
 */
#ifndef ISA_VIDEO_H
#define ISA_VIDEO_H

#include "isa/uop.h"

enum isa_video_op {
    ISA_VIDEO_ADD,
    ISA_VIDEO_SUB,
    ISA_VIDEO_ABSDIFF,
    ISA_VIDEO_MIN,
    ISA_VIDEO_MAX,
    ISA_VIDEO_SHL,
    ISA_VIDEO_SHR,
    ISA_VIDEO_MAD,
    ISA_VIDEO_SET,
    ISA_VIDEO_AVRG
};

enum isa_video_second { /* with the third operand */
                        ISA_VIDEO_NONE,
                        ISA_VIDEO_SUM,
                        ISA_VIDEO_LEAST,
                        ISA_VIDEO_MOST
};

enum { /* parts of a word */
       ISA_VIDEO_WORD,
       ISA_VIDEO_B0, /* to B3 */
       ISA_VIDEO_H0 = 5,
       ISA_VIDEO_H1
};

struct isa_video {
    uint8_t op;     /* enum isa_video_op */
    uint8_t n;      /* values in a word: 1, 2 or 4 */
    uint8_t second; /* enum isa_video_second */
    uint8_t cmp;    /* enum isa_cmp, of SET */
    bool signed_d, signed_a, signed_b, sat, clamp, plus_one, relu;
    bool neg_a, neg_b, neg_c;
    uint8_t shift;           /* of MAD: 0, 7 or 15 */
    uint8_t a, b, d;         /* n 1: parts. n 2 and 4: */
    uint16_t list_a, list_b; /* from which of all values of a and b, lowest first, 4
                                bits each */
    uint8_t mask;            /* values of d that are written */
};

int64_t isa_video_pack(const struct isa_video *v);
struct isa_video isa_video_unpack(int64_t imm);

/* What one lane computes. */
uint32_t isa_video(const struct isa_video *v, uint32_t a, uint32_t b, uint32_t c);
isa_exec_fn *isa_exec_video(void);

#endif /* ISA_VIDEO_H */
