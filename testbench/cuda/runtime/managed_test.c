/* __managed__ variables as smwave cc makes them, and device code in several parts. */
#include "runtime/test_kernels.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

void smwaveRegisterManaged(void *start, void *stop);
void smwaveRegisterLinkedBinary(void (*register_globals)(void **handle),
                                const void *wrapper, const void *id,
                                void (*unused)(void *));

#define OK(call) assert_int_equal(call, cudaSuccess)

/* ---- two texts, one of which calls the other ---- */

static const char caller_text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".extern .func (.param .b32 r) seven();\n"
    ".visible .entry ask(.param .u64 p)\n{\n"
    "    .reg .u64 %a;\n    .reg .b32 %v;\n    ld.param.u64 %a, [p];\n"
    "    {\n    .param .b32 r;\n    call.uni (r), seven, ();\n"
    "    ld.param.b32 %v, [r];\n    }\n    st.global.b32 [%a], %v;\n    ret;\n}\n";
static const char callee_text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .func (.param .b32 r) seven()\n{\n"
    "    .reg .b32 %v;\n    mov.b32 %v, 7;\n    st.param.b32 [r], %v;\n    ret;\n}\n";
static const char ask_twin;

struct wrapper {
    unsigned magic, version;
    const void *data;
    void *more;
};

static void register_ask(void **handle)
{
    __cudaRegisterFunction(handle, &ask_twin, NULL, "ask", -1, NULL, NULL, NULL, NULL,
                           NULL);
}

static void register_nothing(void **handle)
{
    (void)handle;
}

static void objects_are_linked(void **state)
{
    static struct wrapper caller = {0x466243b1u, 1, caller_text, NULL};
    static struct wrapper callee = {0x466243b1u, 1, callee_text, NULL};
    struct dim3 one = {1, 1, 1};
    int *p, got = 0;
    void *args[] = {&p};

    (void)state;
    smwaveRegisterLinkedBinary(register_ask, &caller, NULL, NULL);
    smwaveRegisterLinkedBinary(register_nothing, &callee, NULL, NULL);
    OK(cudaMalloc((void **)&p, 4));
    OK(cudaLaunchKernel(&ask_twin, one, one, args, 0, NULL));
    OK(cudaMemcpy(&got, p, 4, cudaMemcpyDeviceToHost));
    assert_int_equal(got, 7);
    OK(cudaFree(p));
}

/* What is no device code, or for newer devices only, is the launch's error; the program
 * goes on. */
static void wrong_code_is_refused(void **state)
{
    static const char newer[] = ".version 8.7\n.target sm_120\n.address_size 64\n"
                                ".visible .entry ask()\n{\n    ret;\n}\n";
    static const struct {
        const char *text;
        unsigned magic;
        cudaError_t expected;
    } wrong[] = {
        {".version 7.0\n.target sm_70\nhello\n", 0x466243b1u, cudaErrorInvalidPtx},
        {"hello", 0x466243b1u, cudaErrorInvalidKernelImage},
        {newer, 0x466243b1u, cudaErrorNoKernelImageForDevice},
        {newer, 0x12345678u, cudaErrorInvalidKernelImage},
    };
    static struct wrapper image[4];
    static const char twin[4];
    struct dim3 one = {1, 1, 1};
    void *p;

    (void)state;
    for (int i = 0; i < 4; i++) {
        void **handle;

        image[i] = (struct wrapper){wrong[i].magic, 1, wrong[i].text, NULL};
        handle = __cudaRegisterFatBinary(&image[i]);
        __cudaRegisterFunction(handle, &twin[i], NULL, "ask", -1, NULL, NULL, NULL,
                               NULL, NULL);
        __cudaRegisterFatBinaryEnd(handle);
        assert_int_equal(cudaLaunchKernel(&twin[i], one, one, NULL, 0, NULL),
                         wrong[i].expected);
        assert_int_equal(cudaGetLastError(), wrong[i].expected);
        OK(cudaMalloc(&p, 16));
        OK(cudaFree(p));
    }
}

/* ---- one variable on both sides ---- */

static void hosts_values_go_and_come(void **state)
{
    struct dim3 one = {1, 1, 1}, sixteen = {16, 1, 1};
    int x = 3, values[16];
    void *args[] = {&x};

    (void)state;
    for (int i = 0; i < 16; i++) {
        values[i] = i;
    }
    memcpy(test_symbol, values, sizeof(values));
    OK(cudaLaunchKernel(SET_SYMBOL_KERNEL, one, sixteen, args, 0, NULL));
    OK(cudaDeviceSynchronize());
    memcpy(values, test_symbol, sizeof(values));
    for (int i = 0; i < 16; i++) {
        assert_int_equal(values[i], i + 3);
    }
    memset(test_symbol, 0, sizeof(test_symbol));
    OK(cudaLaunchKernel(SET_SYMBOL_KERNEL, one, sixteen, args, 0, NULL));
    OK(cudaStreamSynchronize(NULL));
    memcpy(values, test_symbol, sizeof(values));
    assert_int_equal(values[15], 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_values_go_and_come),
        cmocka_unit_test(objects_are_linked),
        cmocka_unit_test(wrong_code_is_refused),
    };

    setenv("SMWAVE_DEVICE", "h100", 1);
    test_register();
    smwaveRegisterManaged(test_symbol, test_symbol + sizeof(test_symbol));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
