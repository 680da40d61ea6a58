/*
 * matrix_rows_test.h - addresses of the rows of ldmatrix and stmatrix, in bytes from
 * the start of the tile: row i of the operation is that of lane i.
 */
#ifndef MEM_MATRIX_ROWS_TEST_H
#define MEM_MATRIX_ROWS_TEST_H

#include <stdint.h>

#ifndef PATTERN_FN
#define PATTERN_FN static inline
#endif

enum { PATTERN_MANY = 34 };

PATTERN_FN uint32_t pattern_row(uint32_t pattern, uint32_t lane)
{
    /* rows that follow each other by this many bytes */
    static const uint16_t stride[20] = {16,  32,  48,  64,  80,  96,  112,
                                        128, 144, 160, 176, 192, 208, 224,
                                        240, 256, 272, 512, 528, 1024};
    const uint32_t row = lane % 8, tile = lane / 8;

    if (pattern < 20) {
        return (lane * stride[pattern]) % 32768;
    }
    switch (pattern) {
    case 20: /* all rows one row */ return 0;
    case 21: /* each matrix one row */ return 16 * tile;
    case 22: /* rows of 128 bytes, columns swizzled by the row: 128-byte swizzle */
        return lane * 128 + 16 * ((row ^ tile) % 8);
    case 23: /* rows of 64 bytes, swizzled by half the row */
        return lane * 64 + 16 * (((row >> 1) ^ tile) % 4);
    case 24: /* 32-byte swizzle */ return lane * 32 + 16 * (((row >> 2) ^ tile) % 2);
    case 25: /* 16 x 16 tile of rows of 32 bytes: matrices are its quarters */
        return (row + 8 * (tile % 2)) * 32 + 16 * (tile / 2);
    case 26: /* the same of rows of 128 bytes */
        return (row + 8 * (tile % 2)) * 128 + 16 * (tile / 2);
    case 27: /* the same of padded rows of 144 bytes */
        return (row + 8 * (tile % 2)) * 144 + 16 * (tile / 2);
    case 28: /* the same of rows of 128 bytes, swizzled */
        return (row + 8 * (tile % 2)) * 128 + 16 * ((tile / 2) ^ row);
    case 29: /* pairs of rows share banks */
        return (row / 2) * 16 + (row % 2) * 128 + tile * 256;
    case 30: /* pairs of rows are one row */ return (row / 2) * 16 + tile * 64;
    case 31: /* rows in reverse */ return (31 - lane) * 16;
    case 32: /* three rows share banks, the others are apart */
        return row < 3 ? row * 128 + tile * 1024 : row * 16 + tile * 1024;
    case 33: /* all matrices are one: the same 8 rows */ return row * 16;
    }
    return 0;
}

#endif /* MEM_MATRIX_ROWS_TEST_H */
