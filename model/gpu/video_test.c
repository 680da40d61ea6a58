/*
 * Video instructions against an H100: samples/video_h100.txt has a line for each of
 * 1,202 forms, the 64-bit FNV-1a hash of 65,536 results and the form, where D, A, B and
 * C stand for the operands. Those are made by input() from the index, as on the card.
 * With a ! in between, the card does something else than the PTX ISA says, which is
 * what we do (SPEC PTX-9): instructions of one value that its assembler makes of
 * several.
 */
#include "gpu/device_test.h"

enum { N = 65536 };

static uint64_t mix(uint64_t s)
{
    uint64_t z = s * 0x9e3779b97f4a7c15ull;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/* Bytes at the edges, small numbers, numbers of a byte, any. */
static uint32_t input(uint32_t i, uint32_t k)
{
    static const uint32_t edge[4] = {0, 0x7f, 0x80, 0xff};
    const uint64_t v = mix(1 + i * 3ull + k);
    const uint32_t w = (uint32_t)v, how = (uint32_t)(v >> 32) & 7;
    uint32_t e = 0;

    for (uint32_t b = 0; b < 4; b++) {
        e |= edge[w >> (2 * b) & 3] << 8 * b;
    }
    return how == 0   ? e
           : how == 1 ? w & 0x3f
           : how == 2 ? (w >> 8 & 0xff) | ((w & 1) != 0 ? 0xffffff00u : 0)
                      : w;
}

static const char body[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 out, .param .u64 in) {\n"
    ".reg .b32 %D; .reg .b32 %A; .reg .b32 %B; .reg .b32 %C;\n"
    ".reg .b32 %r<5>; .reg .b64 %d<5>;\n"
    "ld.param.u64 %d0, [out]; ld.param.u64 %d1, [in];\n"
    "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x;\n"
    "mad.lo.u32 %r0, %r0, 1024, %r1; mul.wide.u32 %d2, %r0, 4;\n"
    "add.u64 %d1, %d1, %d2; add.u64 %d0, %d0, %d2;\n"
    "ld.global.u32 %A, [%d1]; ld.global.u32 %B, [%d1 + 262144];\n"
    "ld.global.u32 %C, [%d1 + 524288];\n";

/* The form with a % before each operand. */
static void write_form(char *to, const char *form)
{
    for (; *form != '\0'; form++) {
        if (*form >= 'A' && *form <= 'D') {
            *to++ = '%';
        }
        *to++ = *form;
    }
    *to = '\0';
}

static uint64_t run_form(struct smw_device *d, const char *form, uint64_t out,
                         uint64_t in)
{
    static uint32_t words[N];
    const uint64_t params[2] = {out, in};
    struct smw_launch l = dt_shape(N / 1024, 1024);
    uint64_t h = 0xcbf29ce484222325ull;
    char text[2048], insn[160];
    struct smw_module *m;
    struct smw_err e;

    err_clear(&e);
    write_form(insn, form);
    snprintf(text, sizeof(text), "%s%s;\nst.global.u32 [%%d0], %%D; ret; }\n", body,
             insn);
    m = smw_load(d, text, strlen(text), form, &e);
    dt_ok(m != NULL, &e);
    l.params = params;
    l.param_bytes = sizeof(params);
    l.functional = true;
    dt_ok(smw_launch(d, smw_kernel(m, "k", &e), &l, &e), &e);
    dt_ok(smw_read(d, out, words, sizeof(words), &e), &e);
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t b = 0; b < 4; b++) {
            h = (h ^ (words[i] >> 8 * b & 255)) * 0x100000001b3ull;
        }
    }
    smw_unload(m);
    return h;
}

static void test_as_h100(void **state)
{
    static uint32_t words[3 * N];
    FILE *const f = fopen(SMW_SAMPLES "/video_h100.txt", "r");
    struct smw_device *const d = dt_open_device("h100", "gpu.sms=1", NULL);
    uint32_t n = 0, n_differ = 0, wrong = 0;
    bool differs;
    uint64_t out = 0, in = 0;
    struct smw_err e;
    char line[160];

    (void)state;
    err_clear(&e);
    assert_non_null(f);
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            words[k * N + i] = input(i, k);
        }
    }
    dt_ok(smw_alloc(d, N * sizeof(words[0]), &out, &e), &e);
    dt_ok(smw_alloc(d, sizeof(words), &in, &e), &e);
    dt_ok(smw_write(d, in, words, sizeof(words), &e), &e);
    while (fgets(line, sizeof(line), f) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        n++;
        differs = line[16] == '!';
        n_differ += differs;
        if ((run_form(d, line + 17, out, in) != strtoull(line, NULL, 16)) != differs) {
            print_error("%s an H100: %s\n", differs ? "as" : "not as", line + 17);
            wrong++;
        }
    }
    fclose(f);
    smw_close(d);
    assert_int_equal(n, 1202);
    assert_int_equal(n_differ, 174);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_h100)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
