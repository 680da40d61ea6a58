/* What each call writes, byte by byte. */
#include "libvcd/vcd_testlib.h"

#include <math.h>
#include <string.h>

#define GOLDEN(vars, body)                                                             \
    "$timescale 1 ns $end\n$scope module top $end\n" vars                              \
    "$upscope $end\n$enddefinitions $end\n" body

static struct vcd *open_top(struct mem *m)
{
    struct vcd *w = mem_open(m, NULL);

    assert_true(vcd_scope(w, "top"));
    return w;
}

static void every_kind(void **state)
{
    struct mem m;
    struct vcd *w = open_top(&m);
    vcd_id clk = vcd_add(w, VCD_WIRE, "clk", 1);
    vcd_id bus = vcd_add(w, VCD_WIRE, "bus", 8);
    vcd_id reg = vcd_add(w, VCD_REG, "r", 64);
    vcd_id cycle = vcd_add(w, VCD_INTEGER, "cycle", 32);
    vcd_id ipc = vcd_add(w, VCD_REAL, "ipc", 0);
    vcd_id inst = vcd_add(w, VCD_STRING, "inst", 0);
    vcd_id done = vcd_add(w, VCD_EVENT, "done", 0);

    (void)state;
    assert_int_equal(done, 6);
    vcd_set_u64(w, cycle, 0);
    assert_true(vcd_begin(w));
    vcd_set_u64(w, clk, 1);
    vcd_time(w, 5);
    vcd_set_u64(w, clk, 0);
    vcd_set_u64(w, bus, 0x1a5); /* the low 8 bits */
    vcd_set_u64(w, reg, UINT64_MAX);
    vcd_set_u64(w, cycle, (uint64_t)-1);
    vcd_set_real(w, ipc, 1.25);
    vcd_set_string(w, inst, "ld.shared");
    vcd_fire(w, done);
    vcd_time(w, 7);
    vcd_fire(w, done);
    vcd_set_u64(w, bus, 0);
    mem_expect(
        w, &m,
        GOLDEN("$var wire 1 ! clk $end\n$var wire 8 \" bus [7:0] $end\n"
               "$var reg 64 # r [63:0] $end\n"
               "$var integer 32 $ cycle $end\n$var real 64 % ipc $end\n"
               "$var string 0 & inst $end\n$var event 1 ' done $end\n",
               "#0\n$dumpvars\nx!\nbx \"\nbx #\nb0 $\nr0 %\ns &\n$end\n"
               "1!\n#5\n0!\nb10100101 \"\n"
               "b1111111111111111111111111111111111111111111111111111111111111111 #\n"
               "b11111111111111111111111111111111 $\nr1.25 %\n"
               "sld.shared &\n1'\n#7\n1'\nb0 \"\n"));
}

static void initial_values_and_start(void **state)
{
    const uint64_t wide[2] = {5, 1};
    struct mem m;
    struct vcd *w = open_top(&m);
    vcd_id a = vcd_add(w, VCD_WIRE, "a", 1);
    vcd_id b = vcd_add(w, VCD_WIRE, "b", 65);
    vcd_id r = vcd_add(w, VCD_REAL, "r", 0);
    vcd_id s = vcd_add(w, VCD_STRING, "s", 0);

    (void)state;
    vcd_set_z(w, a);
    vcd_set_bits(w, b, wide);
    vcd_set_real(w, r, -0.5);
    vcd_set_string(w, s, "idle");
    vcd_time(w, 300);
    assert_true(vcd_begin(w));
    vcd_time(w, 300);
    mem_expect(
        w, &m,
        GOLDEN("$var wire 1 ! a $end\n$var wire 65 \" b [64:0] $end\n"
               "$var real 64 # r $end\n$var string 0 $ s $end\n",
               "#300\n$dumpvars\nz!\n"
               "b10000000000000000000000000000000000000000000000000000000000000101 \"\n"
               "r-0.5 #\nsidle $\n$end\n"));
}

static void equal_values_are_not_repeated(void **state)
{
    const uint64_t word[2] = {7, 0}, one[2] = {7, 1};
    struct mem m;
    struct vcd *w = open_top(&m);
    vcd_id a = vcd_add(w, VCD_WIRE, "a", 4);
    vcd_id b = vcd_add(w, VCD_WIRE, "b", 65);
    vcd_id r = vcd_add(w, VCD_REAL, "r", 0);
    vcd_id s = vcd_add(w, VCD_STRING, "s", 0);
    vcd_id e = vcd_add(w, VCD_EVENT, "e", 0);

    (void)state;
    vcd_begin(w);
    for (unsigned i = 1; i <= 2; i++) {
        vcd_time(w, i);
        vcd_set_u64(w, a, 7);
        vcd_set_u64(w, a, 0x17);
        vcd_set_bits(w, b, word);
        vcd_set_u64(w, b, 7);
        vcd_set_real(w, r, NAN);
        vcd_set_string(w, s, "t");
    }
    vcd_time(w, 3);
    vcd_fire(w, e);
    vcd_fire(w, e);
    vcd_time(w, 4); /* no change follows */
    vcd_set_string(w, s, "t");
    vcd_time(w, 5);
    vcd_set_bits(w, b, one);
    vcd_set_real(w, r, 0.0);
    vcd_set_real(w, r, -0.0);
    mem_expect(
        w, &m,
        GOLDEN("$var wire 4 ! a [3:0] $end\n"
               "$var wire 65 \" b [64:0] $end\n$var real 64 # r $end\n"
               "$var string 0 $ s $end\n$var event 1 % e $end\n",
               "#0\n$dumpvars\nbx !\nbx \"\nr0 #\ns $\n$end\n#1\nb111 !\n"
               "b111 \"\nrnan #\nst $\n#3\n1%\n1%\n#5\n"
               "b10000000000000000000000000000000000000000000000000000000000000111 \"\n"
               "r0 #\nr-0 #\n"));
}

static void repeats_are_kept_on_request(void **state)
{
    const struct vcd_options options = {.keep_repeats = true};
    struct mem m;
    struct vcd *w = mem_open(&m, &options);
    vcd_id a, b, s;

    (void)state;
    vcd_scope(w, "top");
    a = vcd_add(w, VCD_WIRE, "a", 1);
    b = vcd_add(w, VCD_WIRE, "b", 70);
    s = vcd_add(w, VCD_STRING, "s", 0);
    vcd_begin(w);
    for (unsigned i = 0; i < 2; i++) {
        vcd_set_u64(w, a, 1);
        vcd_set_u64(w, b, 2);
        vcd_set_string(w, s, "");
    }
    mem_expect(w, &m,
               GOLDEN("$var wire 1 ! a $end\n$var wire 70 \" b [69:0] $end\n"
                      "$var string 0 # s $end\n",
                      "#0\n$dumpvars\nx!\nbx \"\ns #\n$end\n1!\nb10 \"\ns #\n1!\n"
                      "b10 \"\ns #\n"));
}

static void four_states(void **state)
{
    const uint64_t v[] = {0xa}, u[] = {0xc}; /* xz10 */
    const uint64_t v3[] = {0, ~(uint64_t)0, 1}, u3[] = {~(uint64_t)0, 0, 1};
    struct mem m;
    struct vcd *w = open_top(&m);
    vcd_id a = vcd_add(w, VCD_WIRE, "a", 1);
    vcd_id b = vcd_add(w, VCD_WIRE, "b", 4);
    vcd_id c = vcd_add(w, VCD_WIRE, "c", 129);

    (void)state;
    vcd_begin(w);
    vcd_set_z(w, a);
    vcd_set_x(w, a);
    vcd_set_xz(w, a, v, u); /* bit 0: known 0 */
    vcd_set_xz(w, b, v, u);
    vcd_set_z(w, b);
    vcd_set_x(w, b);
    vcd_set_xz(w, c, v3, u3);
    vcd_set_z(w, c);
    vcd_set_x(w, c);
    vcd_set_x(w, c);
    vcd_set_u64(w, c, 6);
    mem_expect(
        w, &m,
        GOLDEN("$var wire 1 ! a $end\n$var wire 4 \" b [3:0] $end\n"
               "$var wire 129 # c [128:0] $end\n",
               "#0\n$dumpvars\nx!\nbx \"\nbx #\n$end\nz!\nx!\n0!\n"
               "bxz10 \"\nbz \"\nbx \"\n"
               "bx1111111111111111111111111111111111111111111111111111111111111111"
               "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz #\n"
               "bz #\nbx #\nb110 #\n"));
}

static void window(void **state)
{
    struct mem m;
    struct vcd *w = open_top(&m);
    vcd_id a = vcd_add(w, VCD_WIRE, "a", 1);
    vcd_id b = vcd_add(w, VCD_REG, "b", 9);
    vcd_id r = vcd_add(w, VCD_REAL, "r", 0);
    vcd_id s = vcd_add(w, VCD_STRING, "s", 0);
    vcd_id e = vcd_add(w, VCD_EVENT, "e", 0);

    (void)state;
    assert_int_not_equal(vcd_alias(w, VCD_WIRE, "c", 9, b), VCD_NONE);
    vcd_begin(w);
    vcd_set_u64(w, a, 1);
    vcd_dumpon(w); /* is on */
    vcd_time(w, 10);
    vcd_dumpoff(w);
    vcd_dumpoff(w);
    vcd_time(w, 11);
    vcd_set_u64(w, a, 0);
    vcd_set_u64(w, b, 3);
    vcd_set_real(w, r, 2);
    vcd_set_string(w, s, "now");
    vcd_fire(w, e);
    vcd_dumpall(w);
    vcd_time(w, 20);
    vcd_dumpon(w);
    vcd_time(w, 21);
    vcd_set_u64(w, b, 3);
    vcd_dumpall(w);
    vcd_time(w, 22);
    vcd_fire(w, e);
    vcd_dumpoff(w);
    vcd_time(w, 30);
    vcd_set_u64(w, b, 4);
    mem_expect(w, &m,
               GOLDEN("$var wire 1 ! a $end\n$var reg 9 \" b [8:0] $end\n"
                      "$var real 64 # r $end\n$var string 0 $ s $end\n"
                      "$var event 1 % e $end\n$var wire 9 \" c [8:0] $end\n",
                      "#0\n$dumpvars\nx!\nbx \"\nr0 #\ns $\n$end\n1!\n#10\n"
                      "$dumpoff\nx!\nbx \"\n$end\n#20\n$dumpon\n0!\nb11 \"\n"
                      "r2 #\nsnow $\n$end\n#21\n$dumpall\n0!\nb11 \"\nr2 #\n"
                      "snow $\n$end\n#22\n1%\n$dumpoff\nx!\nbx \"\n$end\n#30\n"));
}

static void strings_are_escaped(void **state)
{
    struct mem m;
    struct vcd *w = open_top(&m);
    vcd_id s = vcd_add(w, VCD_STRING, "s", 0);

    (void)state;
    vcd_begin(w);
    vcd_set_string(w, s, "bar.sync 0");
    vcd_set_string(w, s, "a\\b\t~!\x7f\xc3\xa9");
    vcd_set_string(w, s, "");
    mem_expect(w, &m,
               GOLDEN("$var string 0 ! s $end\n",
                      "#0\n$dumpvars\ns !\n$end\nsbar.sync\\0400 !\n"
                      "sa\\134b\\011~!\\177\\303\\251 !\ns !\n"));
}

static void aliases_share(void **state)
{
    struct mem m;
    struct vcd *w = open_top(&m);
    vcd_id a = vcd_add(w, VCD_WIRE, "a", 3), b, c, d;

    (void)state;
    vcd_scope(w, "sub");
    b = vcd_alias(w, VCD_REG, "b", 3, a);
    c = vcd_alias(w, VCD_INTEGER, "c", 3, b);
    d = vcd_add(w, VCD_WIRE, "d", 1);
    vcd_begin(w); /* closes both scopes */
    vcd_set_u64(w, b, 5);
    vcd_set_u64(w, a, 5);
    vcd_set_u64(w, c, 6);
    vcd_set_u64(w, d, 1);
    mem_expect(w, &m,
               "$timescale 1 ns $end\n$scope module top $end\n"
               "$var wire 3 ! a [2:0] $end\n$scope module sub $end\n"
               "$var reg 3 ! b [2:0] $end\n$var integer 3 ! c $end\n"
               "$var wire 1 \" d $end\n$upscope $end\n$upscope $end\n"
               "$enddefinitions $end\n#0\n$dumpvars\nbx !\nx\"\n$end\n"
               "b101 !\nb110 !\n1\"\n");
}

static void time_never_goes_back(void **state)
{
    struct mem m;
    struct vcd *w = open_top(&m);
    vcd_id a = vcd_add(w, VCD_WIRE, "a", 1);

    (void)state;
    vcd_begin(w);
    vcd_time(w, 10);
    vcd_set_u64(w, a, 1);
    assert_int_equal(vcd_error(w), 0);
    vcd_time(w, 9);
    assert_int_equal(vcd_error(w), VCD_ETIME);
    vcd_set_u64(w, a, 0);
    vcd_dumpall(w);
    vcd_dumpoff(w);
    vcd_dumpon(w);
    vcd_time(w, 12);
    vcd_set_u64(w, a, 1);
    assert_int_equal(vcd_close(w), VCD_ETIME);
    assert_string_equal(m.data, GOLDEN("$var wire 1 ! a $end\n",
                                       "#0\n$dumpvars\nx!\n$end\n#10\n1!\n#12\n"));
    mem_free(&m);
}

static void misuse_is_refused(void **state)
{
    struct mem m;
    struct vcd *w;

    (void)state;
    for (int i = 0; i < 14; i++) {
        static const int want[14] = {VCD_EKIND,   VCD_EKIND,   VCD_EKIND,  VCD_EKIND,
                                     VCD_EHANDLE, VCD_EHANDLE, VCD_EORDER, VCD_EORDER,
                                     VCD_EORDER,  VCD_EORDER,  VCD_EORDER, VCD_EKIND,
                                     VCD_EKIND,   VCD_EKIND};
        const uint64_t word = 0;
        vcd_id a, r;

        w = open_top(&m);
        a = vcd_add(w, VCD_WIRE, "a", 1);
        r = vcd_add(w, VCD_REAL, "r", 1);
        switch (i) {
        case 0: vcd_set_real(w, a, 1); break;
        case 1: vcd_set_u64(w, r, 1); break;
        case 2: vcd_set_string(w, a, "x"); break;
        case 3: vcd_fire(w, a); break;
        case 4: vcd_set_u64(w, VCD_NONE, 1); break;
        case 5: vcd_set_string(w, r + 1, "x"); break;
        case 6: vcd_fire(w, vcd_add(w, VCD_EVENT, "e", 1)); break;
        case 7: vcd_dumpoff(w); break;
        case 8: vcd_dumpon(w); break;
        case 9: vcd_dumpall(w); break;
        case 10:
            assert_true(vcd_begin(w));
            assert_false(vcd_begin(w));
            break;
        case 11: vcd_set_bits(w, r, &word); break;
        case 12: vcd_set_xz(w, r, &word, &word); break;
        default: vcd_set_x(w, r); break;
        }
        assert_int_equal(vcd_error(w), want[i]);
        vcd_begin(w);
        vcd_set_u64(w, a, 1); /* the rest works */
        assert_int_equal(vcd_close(w), want[i]);
        assert_non_null(strstr(m.data, "#0\n$dumpvars\nx!\nr0 \"\n$end\n1!\n"));
        mem_free(&m);
    }
}

static void comments(void **state)
{
    const struct vcd_options options = {.version = "tool 1.0",
                                        .timescale = "10ps",
                                        .timezero = -25};
    struct mem m;
    struct vcd *w = mem_open(&m, &options);

    (void)state;
    assert_true(vcd_comment(w, "config tiny\nseed 1"));
    assert_false(vcd_comment(w, "a$end"));
    assert_int_equal(vcd_error(w), VCD_ETEXT);
    vcd_begin(w);
    vcd_time(w, 3);
    assert_true(vcd_comment(w, "here"));
    assert_int_equal(vcd_close(w), VCD_ETEXT);
    assert_string_equal(m.data,
                        "$version tool 1.0 $end\n$timescale 10 ps $end\n"
                        "$timezero -25 $end\n$comment config tiny\nseed 1 $end\n"
                        "$enddefinitions $end\n#0\n$dumpvars\n$end\n"
                        "$comment here $end\n#3\n");
    mem_free(&m);
}

static void largest_time(void **state)
{
    const struct vcd_options options = {.timezero = INT64_MIN, .timescale = "100 fs"};
    struct mem m;
    struct vcd *w = mem_open(&m, &options);

    (void)state;
    vcd_begin(w);
    vcd_time(w, UINT64_MAX);
    mem_expect(w, &m,
               "$timescale 100 fs $end\n$timezero -9223372036854775808 $end\n"
               "$enddefinitions $end\n#0\n$dumpvars\n$end\n#18446744073709551615\n");
}

static void widest_vector(void **state)
{
    static uint64_t words[VCD_WIDTH_MAX / 64];
    struct mem m;
    struct vcd *w = open_top(&m);
    vcd_id a = vcd_add(w, VCD_WIRE, "a", VCD_WIDTH_MAX);
    const char *digits;

    (void)state;
    vcd_begin(w);
    words[VCD_WIDTH_MAX / 64 - 1] = (uint64_t)1 << 63;
    words[3] = 3;
    vcd_set_bits(w, a, words);
    assert_int_equal(vcd_close(w), 0);
    digits = strstr(m.data, "\nb1") + 2;
    assert_int_equal(strspn(digits, "01"), VCD_WIDTH_MAX);
    assert_string_equal(digits + VCD_WIDTH_MAX, " !\n");
    for (uint32_t i = 0; i < VCD_WIDTH_MAX; i++) {
        uint32_t bit = VCD_WIDTH_MAX - 1 - i;
        bool set = bit == VCD_WIDTH_MAX - 1 || bit == 192 || bit == 193;

        assert_int_equal(digits[i], set ? '1' : '0');
    }
    mem_free(&m);
}

static void positive_timezero(void **state)
{
    const struct vcd_options options = {.timezero = 1234, .timescale = "1 s"};
    struct mem m;
    struct vcd *w = mem_open(&m, &options);

    (void)state;
    mem_expect(w, &m,
               "$timescale 1 s $end\n$timezero 1234 $end\n"
               "$enddefinitions $end\n#0\n$dumpvars\n$end\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(initial_values_and_start),
        cmocka_unit_test(equal_values_are_not_repeated),
        cmocka_unit_test(repeats_are_kept_on_request),
        cmocka_unit_test(four_states),
        cmocka_unit_test(window),
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(aliases_share),
        cmocka_unit_test(time_never_goes_back),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(comments),
        cmocka_unit_test(largest_time),
        cmocka_unit_test(positive_timezero),
        cmocka_unit_test(widest_vector),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
