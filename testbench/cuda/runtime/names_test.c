/*
 * The shared library as programs find it: under each of its names there is every
 * function, and those whose form differs between releases have the one asked for.
 */
#define _GNU_SOURCE /* dlvsym() */
#include "runtime/properties.h"
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef cudaError_t (*properties_fn)(void *p, int device);

/* Some of each kind: plain, refused, for per-thread streams, of compilers. */
static const char *const anywhere[] = {
    "cudaMalloc",
    "cudaMemcpy",
    "cudaMemcpy_ptds",
    "cudaMemcpyAsync_ptsz",
    "cudaLaunchKernel",
    "cudaLaunchKernel_ptsz",
    "cudaGraphLaunch",
    "cudaCreateTextureObject",
    "cudaIpcGetMemHandle",
    "cudaGraphicsGLRegisterBuffer",
    "__cudaRegisterFatBinary",
    "__cudaPushCallConfiguration",
    "__cudaLaunchKernel",
    "smwaveGetDeviceProperties",
    "cudaGetDeviceProperties_v2",
    "cudaGetErrorName",
    "cudaLibraryLoadData",
    "cudaMemcpyBatchAsync",
    "cudaGraphAddNode",
};

static void *open_as(const char *name)
{
    char path[4096];
    void *library;

    snprintf(path, sizeof(path), "%s/%s", RT_LIBRARY_DIR, name);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fail_msg("%s", dlerror());
    }
    return library;
}

static void all_are_there(void **state)
{
    static const char *const names[] = {"libsmwave_cudart.so", "libcudart.so.12",
                                        "libcudart.so.13"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        void *library = open_as(names[i]);

        for (size_t k = 0; k < sizeof(anywhere) / sizeof(anywhere[0]); k++) {
            assert_non_null(dlsym(library, anywhere[k]));
        }
        assert_null(dlsym(library, "smw_open")); /* the model's stay inside */
        assert_null(dlsym(library, "rt_malloc"));
    }
}

static properties_fn find(void *library, const char *version)
{
    void *p = dlvsym(library, "cudaGetDeviceProperties", version);
    properties_fn fn;

    assert_non_null(p);
    memcpy(&fn, &p, sizeof(fn));
    return fn;
}

/* CUDA 12's plain name has the structure of CUDA 11, 13's its own. What lies behind is
 * not written. */
static void properties_have_their_form(void **state)
{
    void *library = open_as("libcudart.so.13");
    struct cudaDeviceProp ours, old;
    struct rt_properties_13 new;
    const size_t end = offsetof(struct cudaDeviceProp, hostRegisterSupported);

    (void)state;
    memset(&old, 0x55, sizeof(old));
    assert_int_equal(find(library, "libsmwave_cudart")(&ours, 0), 0);
    assert_int_equal(find(library, "libcudart.so.12")(&old, 0), 0);
    assert_int_equal(find(library, "libcudart.so.13")(&new, 0), 0);
    assert_memory_equal(&ours, &old, end);
    assert_int_equal(((unsigned char *)&old)[end], 0x55);
    assert_string_equal(new.name, ours.name);
    assert_int_equal(new.warpSize, 32);
    assert_int_equal(new.major, 9);
    assert_int_equal(new.multiProcessorCount, ours.multiProcessorCount);
    assert_int_equal(new.l2CacheSize, ours.l2CacheSize);
    assert_int_equal(new.sharedMemPerBlockOptin, ours.sharedMemPerBlockOptin);
    assert_int_equal(new.maxBlocksPerMultiProcessor, ours.maxBlocksPerMultiProcessor);
}

/* As the headers of CUDA 13.0 and 12 have them. */
static void structures_have_their_size(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct rt_properties_13), 1008);
    assert_int_equal(sizeof(struct cudaDeviceProp), 1032);
    assert_int_equal(offsetof(struct rt_properties_13, multiProcessorCount), 384);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_there),
        cmocka_unit_test(properties_have_their_form),
        cmocka_unit_test(structures_have_their_size),
    };

    setenv("SMWAVE_DEVICE", "h100", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
