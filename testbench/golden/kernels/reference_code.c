/* collatz, functions, structs, switch, local_array, barriers, printf */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

static void collatz(void)
{
    int32_t steps[1000];
    uint64_t highest[1000];

    for (uint32_t i = 0; i < 1000; i++) {
        uint64_t v = i + 1u;

        highest[i] = v;
        for (steps[i] = 0; v != 1; steps[i]++) {
            v = v & 1 ? 3 * v + 1 : v >> 1;
            highest[i] = v > highest[i] ? v : highest[i];
        }
    }
    emit("collatz.yml", "steps", steps, 1000, 4);
    emit("collatz.yml", "highest", highest, 1000, 8);
}

static void functions(void)
{
    static const uint32_t fibonacci[11] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55};
    const int32_t *a = random_s32(17, 2000, -1000, 96), *b = random_s32(18, 999, 1, 96);
    uint32_t numbers[64];
    int32_t out[96];
    float mixed[96];

    for (int i = 0; i < 64; i++) {
        numbers[i] = fibonacci[i % 11];
    }
    for (int i = 0; i < 96; i++) {
        int32_t x = a[i], y = b[i];

        if (x % 2 != 0) {
            while (y != 0) { /* keeps the sign that the last remainder had */
                int32_t t = x % y;

                x = y;
                y = t;
            }
            out[i] = x;
        } else {
            out[i] = x / y * 1000 + x % y;
        }
        mixed[i] = (float)(a[i] + b[i] * 0.5 * (i - 8) + i * 16);
    }
    emit("functions.yml", "numbers", numbers, 64, 4);
    emit("functions.yml", "out", out, 96, 4);
    emit("functions.yml", "mixed", mixed, 96, 4);
}

static void structs(void)
{
    static const int steps[5] = {1, -2, 3, -4, 5};
    const int32_t *in = random_s32(19, 301, -150, 100);
    uint8_t *p = random_words(20, 0x3f7fffff, 16 * 50);
    double out[100];

    for (int i = 0; i < 100; i++) {
        int v = in[i] < -50 ? -50 : in[i] > 70 ? 70 : in[i];

        out[i] = v * 0.25 + steps[i % 5] + 1.5;
    }
    for (int i = 0; i < 50; i++, p += 16) {
        float f[3];
        uint16_t kind;

        memcpy(f, p, 12);
        memcpy(&kind, p + 12, 2);
        f[0] += 0.5f;
        f[1] -= 1.0f;
        f[2] += f[2];
        kind ^= 0x0f0f;
        p[14 + (kind & 1)]++;
        memcpy(p, f, 12);
        memcpy(p + 12, &kind, 2);
    }
    emit("structs.yml", "out", out, 100, 8);
    emit("structs.yml", "particles", p - 16 * 50, 200, 4);
}

static int interpret(int op, int v, int k)
{
    int ones = 0;

    switch (op) {
    case 0: return v + 17;
    case 1: return v * 3;
    case 2: return v ^ 0x5555;
    case 3: return -v;
    case 4: return (v >= 0 ? v / 4 : -((3 - v) / 4)) - k;
    case 5: return v - k;
    case 6: return v / 7;
    case 7: return v % 1000;
    case 8: return v | k * 256;
    case 9: return abs(v);
    case 10:
        for (uint32_t u = (uint32_t)v; u != 0; u /= 2) {
            ones += u % 2 != 0;
        }
        return ones;
    default: return v + 1;
    }
}

static void switches(void)
{
    const uint8_t *code = random_words(21, 0xffffffff, 200);
    const int32_t *in = random_s32(22, 20001, -10000, 200);
    int32_t out[200], table[200];

    for (int i = 0; i < 200; i++) {
        static const int kind[5] = {0, 1, 2, 1, 3};
        int v = in[i];

        for (int k = 0; k < 4; k++) {
            v = interpret(code[(i * 3 + k) % 200] % 12, v, k);
        }
        out[i] = v;
        v = in[i];
        table[i] = kind[i % 5] == 0   ? v + 10
                   : kind[i % 5] == 1 ? v * v
                   : kind[i % 5] == 2 ? -v
                                      : 4 * v;
    }
    emit("switch.yml", "out", out, 200, 4);
    emit("switch.yml", "table", table, 200, 4);
}

static int by_value(const void *a, const void *b)
{
    int x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

static void local_array(void)
{
    int32_t *in = random_s32(23, 2001, -1000, 640);
    const uint32_t *words = random_words(24, 0xffffffff, 256);
    int32_t out[640];
    uint32_t digits[64];

    for (int t = 0; t < 40; t++) {
        qsort(in + 16 * t, 16, 4, by_value);
        for (int i = 0; i < 16; i++) {
            out[16 * t + i] = in[16 * t + (i + t) % 16];
        }
    }
    for (int t = 0; t < 64; t++) {
        uint64_t order = 0;

        for (int d = 0; d < 16; d++) {
            uint32_t digit = (uint32_t)(d * 5 + t) % 16, count = 0;

            for (uint32_t w = words[t], i = 0; i < 8; i++, w /= 16) {
                count += w % 16 == digit;
            }
            order = order * 9 + count;
        }
        digits[t] = (uint32_t)(order ^ order >> 32);
    }
    emit("local_array.yml", "sorted", out, 640, 4);
    emit("local_array.yml", "digits", digits, 64, 4);
}

static void barriers(void)
{
    const int32_t *in = random_s32(25, 17, -8, 256);
    int32_t counted[256], passed[512], cube[288], left[96] = {0};

    for (int b = 0; b < 256; b += 128) {
        int even = 0, all = 1, any = 0;

        for (int i = b; i < b + 128; i++) {
            even += in[i] % 2 == 0;
            all = all && in[i] > -8;
            any = any || in[i] == 8;
        }
        for (int i = b; i < b + 128; i++) {
            counted[i] = even + all * 65536 + any * 131072;
        }
    }
    for (int i = 0; i < 512; i++) {
        passed[i] = 2 * (in[i / 256 * 64 + 63 - i % 64] + i / 64 % 4);
    }
    for (int i = 0; i < 288; i++) {
        cube[i] = i % 8 + 100 * (i / 8 % 6) + 10000 * (i / 48);
    }
    for (int i = 0; i < 70; i++) {
        left[i] = in[69 - i];
    }
    emit("barriers.yml", "counted", counted, 256, 4);
    emit("barriers.yml", "passed", passed, 512, 4);
    emit("barriers.yml", "cube", cube, 288, 4);
    emit("barriers.yml", "left", left, 96, 4);
}

/* In the order of blocks, then threads. */
static void text(void)
{
    FILE *f = create("printf.txt");

    for (int i = 0; i < 10; i++) {
        if (i % 3 == 0) {
            fprintf(f, "thread %d of block %d: %5.2f %s\n", i % 8, i / 8, i * 0.25,
                    i % 2 ? "odd" : "even");
        }
        if (i == 1) {
            fprintf(f, "%c %x %lld %08.3e 100%%\n", 'a' + i, 0xbeefu, -(1ll << 40),
                    1.0 / 3);
            fprintf(f, "no argument\n");
        }
    }
    fclose(f);
}

void reference_code(void)
{
    collatz();
    functions();
    structs();
    switches();
    local_array();
    barriers();
    text();
}
