/* double, math, double_math. Rounding modes are the host's; operands and results pass
 * through volatile objects so that no operation leaves its mode. */
#include "reference.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#define ROUNDED(type, mode, result, expression)                                        \
    do {                                                                               \
        volatile type rounded;                                                         \
        fesetround(mode);                                                              \
        rounded = (expression);                                                        \
        fesetround(FE_TONEAREST);                                                      \
        (result) = rounded;                                                            \
    } while (0)

static void doubles(void)
{
    const double *x = random_f64(39, 2001, -1000, 300);
    double y[300], root[300], inverse[300], sums[3] = {0};
    const double *a = random_f64(40, 201, -100, 5000),
                 *b = random_f64(41, 201, -100, 5000);

    for (int i = 0; i < 300; i++) {
        double v = fabs(x[i]) + 0.5, r = v, down, up;
        volatile double divisor = v;

        y[i] = fma(fma(fma(fma(0x1.0p-7, x[i], -0.375), x[i], 1.0 / 3), x[i], -2.5),
                   x[i], 0.1);
        for (int k = 0; k < 12; k++) {
            double next = 0.5 * (r + v / r);

            if (next == r) {
                break;
            }
            r = next;
        }
        root[i] = r - sqrt(v);
        ROUNDED(double, FE_TOWARDZERO, down, 1 / divisor);
        ROUNDED(double, FE_UPWARD, up, 1 / divisor);
        inverse[i] = down - up;
    }
    for (int i = 0; i < 5000; i++) { /* whole numbers: exact in any order */
        sums[i % 288 / 96] += a[i] * b[i];
    }
    emit("double.yml", "y", y, 300, 8);
    emit("double.yml", "root", root, 300, 8);
    emit("double.yml", "inverse", inverse, 300, 8);
    emit("double.yml", "sums", sums, 3, 8);
}

static void accurate(void)
{
    float out[200 * 8];

    for (int i = 0; i < 200; i++) {
        float v = -300.0f + 3.0f * (float)i, p = fabsf(v) + 0.01f;
        float *o = out + 8 * i;

        o[0] = (float)sin((double)v);
        o[1] = (float)cos((double)v * 1000);
        o[2] = (float)exp(-(double)p);
        o[3] = (float)log((double)p);
        o[4] = (float)sqrt((double)p);
        o[5] = (float)(1 / sqrt((double)p));
        o[6] = (float)tanh((double)v);
        o[7] = (float)pow((double)p, (double)0.3f);
    }
    write_npy("math_accurate.npy", "<f4", out, 200 * 8, 4);
}

static void fast(void)
{
    float out[192 * 8];

    for (int i = 0; i < 192; i++) {
        float v = -3.0f + 0.03125f * (float)i, p = fabsf(v) + 0.01f;
        float *o = out + 8 * i;

        o[0] = (float)sin((double)v);
        o[1] = (float)cos((double)v);
        o[2] = (float)exp(-(double)p);
        o[3] = (float)log((double)p);
        o[4] = (float)((double)v / (double)p);
        o[5] = (float)(1 / (double)p);
        o[6] = (float)log2((double)p);
        o[7] = v < 0 ? 0 : v > 1 ? 1 : v;
    }
    write_npy("math_fast.npy", "<f4", out, 192 * 8, 4);
}

static void rounding(void)
{
    const float *x = random_words(42, 0xbfffffff, 1200),
                *y = random_words(43, 0xbfffffff, 1200);
    float out[300 * 12];

    for (int i = 0; i < 300; i++) {
        volatile float a = x[i], b = y[i], product = -a * b;
        float *o = out + 12 * i;
        int32_t word;

        memcpy(&word, &x[i], 4);
        ROUNDED(float, FE_TOWARDZERO, o[0], a + b);
        ROUNDED(float, FE_UPWARD, o[1], a + b);
        ROUNDED(float, FE_DOWNWARD, o[2], a *b);
        ROUNDED(float, FE_TOWARDZERO, o[3], a *b);
        o[4] = fmaf(a, b, product);
        ROUNDED(float, FE_UPWARD, o[5], fmaf(a, b, a));
        ROUNDED(float, FE_DOWNWARD, o[6], a / b);
        o[7] = a / b;
        ROUNDED(float, FE_UPWARD, o[8], sqrtf(fabsf(a)));
        ROUNDED(float, FE_TOWARDZERO, o[9], 1 / b);
        o[10] = rintf(a * 8) + truncf(b * 8) + floorf(a) + ceilf(b);
        ROUNDED(float, FE_TOWARDZERO, o[11], (float)word);
        o[11] = (float)((int)floorf(a * 100) + (int)ceilf(b * 100)) + o[11];
    }
    emit("math.yml", "rounded", out, 300 * 12, 4);
}

static void double_functions(void)
{
    double out[240 * 6];

    for (int i = 0; i < 240; i++) {
        double v = -15 + 0.125 * i, p = fabs(v) + 0.01;
        double *o = out + 6 * i;

        o[0] = sin(v);
        o[1] = exp(-p);
        o[2] = log(p);
        o[3] = 1 / sqrt(p);
        o[4] = cbrt(v);
        o[5] = atan2(v, p);
    }
    write_npy("double_math.npy", "<f8", out, 240 * 6, 8);
}

void reference_math(void)
{
    doubles();
    accurate();
    fast();
    rounding();
    double_functions();
}
