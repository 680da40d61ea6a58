/* matmul, scan, histogram, bitonic, stencil, convolution, transpose, vectors */
#include "reference.h"

#include <string.h>

static void matmul(void)
{
    enum { ROWS = 50, INNER = 40, COLS = 60 };
    const float *a = random_f32(1, 17, -8, ROWS * INNER);
    const float *b = random_f32(2, 17, -8, INNER * COLS);
    float *c = zeros(ROWS * COLS * sizeof(*c));

    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLS; j++) {
            for (int k = 0; k < INNER; k++) {
                c[i * COLS + j] += a[i * INNER + k] * b[k * COLS + j];
            }
        }
    }
    emit("matmul.yml", "c", c, ROWS * COLS, 4);
}

static void scan(void)
{
    const int32_t *in = random_s32(3, 201, -100, 2048);
    int32_t inclusive[200], exclusive[2048], sums[4] = {0}, totals[4];
    int32_t sum = 0;

    for (int i = 0; i < 2048; i++) {
        exclusive[i] = sum;
        sum += in[i];
        if (i < 200) {
            inclusive[i] = sum;
        }
        sums[i / 512] += in[i];
        if (i % 512 == 511) {
            totals[i / 512] = sum;
        }
    }
    emit("scan.yml", "inclusive", inclusive, 200, 4);
    emit("scan.yml", "sums", sums, 4, 4);
    emit("scan.yml", "totals", totals, 4, 4);
    emit("scan.yml", "exclusive", exclusive, 2048, 4);
}

static void histogram(void)
{
    const uint8_t *in = random_words(4, 0xffffffff, 10000);
    uint32_t bins[256] = {0};

    for (int i = 0; i < 10000; i++) {
        bins[in[i]]++;
    }
    emit("histogram.yml", "bins", bins, 256, 4);
}

static void bitonic(void)
{
    uint32_t *keys = random_words(5, 0xffffffff, 8192);
    uint16_t order[2048];

    for (int b = 0; b < 2048; b += 1024) {
        for (int i = 0; i < 1024; i++) { /* by insertion: another way to sort */
            uint32_t k = keys[b + i];
            int j = i;

            for (; j > 0 && keys[b + j - 1] > k; j--) {
                keys[b + j] = keys[b + j - 1];
                order[b + j] = order[b + j - 1];
            }
            keys[b + j] = k;
            order[b + j] = (uint16_t)i;
        }
    }
    emit("bitonic.yml", "keys", keys, 2048, 4);
    emit("bitonic.yml", "order", order, 2048, 2);
}

static int clamp(int v, int low, int high)
{
    return v < low ? low : v > high ? high : v;
}

static void stencil(void)
{
    enum { W = 100, H = 45 };
    const float *in = random_f32(6, 17, -8, W * H);
    float out[W * H];

    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) {
            float sum = 0;

            sum +=
                in[clamp(y - 1, 0, H - 1) * W + x] + in[clamp(y + 1, 0, H - 1) * W + x];
            sum +=
                in[y * W + clamp(x - 1, 0, W - 1)] + in[y * W + clamp(x + 1, 0, W - 1)];
            out[y * W + x] = in[y * W + x] / 2 + sum / 8;
        }
    }
    emit("stencil.yml", "out", out, W * H, 4);
}

static void convolution(void)
{
    enum { W = 70, H = 33 };
    const uint8_t *in = random_words(7, 0xffffffff, W * H);
    const int32_t *weights = random_s32(8, 9, -4, 25);
    int32_t out[W * H], gathered[32];

    for (int i = 0; i < W * H; i++) {
        int32_t sum = 0;

        for (int k = 0; k < 25; k++) {
            int x = i % W + k % 5 - 2, y = i / W + k / 5 - 2;

            if (x >= 0 && x < W && y >= 0 && y < H) {
                sum += weights[k] * in[y * W + x];
            }
        }
        /* floor(sum / 16) */
        out[i] = sum >= 0 ? sum / 16 : -((15 - sum) / 16);
    }
    for (int i = 0; i < 32; i++) {
        gathered[i] = weights[i * 7 % 25] + weights[3];
    }
    emit("convolution.yml", "out", out, W * H, 4);
    emit("convolution.yml", "gathered", gathered, 32, 4);
}

static void transpose(void)
{
    enum { W = 96, H = 64 };
    float out[W * H];

    for (int i = 0; i < W * H; i++) {
        out[i % W * H + i / W] = (float)i;
    }
    emit("transpose.yml", "plain", out, W * H, 4);
    emit("transpose.yml", "padded", out, W * H, 4);
}

static void vectors(void)
{
    const uint8_t *pixels = random_words(9, 0xffffffff, 2000);
    const float *x = random_f32(10, 17, -8, 520);
    float *y = random_f32(11, 101, -50, 520);
    const double *a = random_f64(12, 2001, -1000, 200),
                 *b = random_f64(13, 2001, -1000, 200);
    char *text = random_words(14, 0x7f7f7f7f, 300);
    uint8_t grey[500];
    double c[200];

    for (int i = 0; i < 500; i++) {
        const uint8_t *p = pixels + 4 * i;

        grey[i] = (uint8_t)((p[0] * 77 + p[1] * 150 + p[2] * 29 + 255 - p[3]) / 256);
    }
    for (int i = 0; i < 520; i++) {
        y[i] += 2.5f * x[i];
    }
    for (int i = 0; i < 200; i += 2) {
        c[i] = a[i] * b[i] - a[i + 1] * b[i + 1];
        c[i + 1] = a[i] * b[i + 1] + a[i + 1] * b[i];
    }
    for (int i = 0; i < 300; i++) {
        text[i] -= text[i] >= 'a' && text[i] <= 'z' ? 32 : 0;
    }
    emit("vectors.yml", "out", grey, 500, 1);
    emit("vectors.yml", "y", y, 520, 4);
    emit("vectors.yml", "c", c, 200, 8);
    emit("vectors.yml", "text", text, 300, 1);
}

static void mixed_widths(void)
{
    const int16_t *a = random_words(15, 0xffffffff, 600);
    const uint16_t *b = random_words(16, 0xffffffff, 300);
    int64_t wide[150];
    int8_t narrow[150];

    for (int i = 0; i < 150; i++) {
        wide[i] = (int64_t)a[2 * i] * a[2 * i + 1] * b[i] - 1;
        narrow[i] = (int8_t)(uint8_t)((uint16_t)a[2 * i] ^ b[i]);
    }
    emit("vectors.yml", "wide", wide, 150, 8);
    emit("vectors.yml", "narrow", narrow, 150, 1);
}

void reference_data(void)
{
    matmul();
    scan();
    histogram();
    bitonic();
    stencil();
    convolution();
    transpose();
    vectors();
    mixed_widths();
}
