/* explain.c - what messages of clang and the linker mean for CUDA programs. */
#include "cc/cc.h"

#include <stdlib.h>
#include <string.h>

/* Libraries of NVIDIA's that programs ask for, by headers and names for the linker. */
static const struct {
    const char *name, *what;
} libraries[] = {
    {"cublas", "cuBLAS"},
    {"cufft", "cuFFT"},
    {"curand", "cuRAND"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"cudnn", "cuDNN"},
    {"nvrtc", "NVRTC"},
    {"nvml", "NVML"},
    {"npp", "NPP"},
    {"nvjpeg", "nvJPEG"},
    {"thrust/", "Thrust"},
    {"cub/", "CUB"},
    {"nccl", "NCCL"},
    {"cutlass", "CUTLASS"},
    {"nvToolsExt", "NVTX"},
    {"nvtx3/", "NVTX"},
    {"cuda/std/", "libcu++"},
    {"cuda/atomic", "libcu++"},
    {"optix", "OptiX"},
    {"cupti", "CUPTI"},
    {"cuda_gl_interop", "OpenGL's part of CUDA"},
};

/* Said of launches and calls of the runtime in code of the device. */
#define NO_LAUNCHES                                                                    \
    "kernels that launch kernels, or call the runtime, are not modelled: the host "    \
    "has "                                                                             \
    "to launch them"

/* Other messages; also, unless it is NULL, stands in the line too. The first that fits
 * counts. */
static const struct {
    const char *says, *also, *means;
} messages[] = {
    {"reference to __global__ function '", "in __global__ function", NO_LAUNCHES},
    {"reference to __global__ function '", "in __device__ function", NO_LAUNCHES},
    {"no matching function for call to 'cuda", NULL,
     "if this is code of the device: " NO_LAUNCHES},
    {"undefined reference to `main'", NULL,
     "no file of the program has a function main(); -c makes an object alone"},
    {"undefined reference to `smwave", NULL,
     "libsmwave_cudart is of another version than the headers"},
    {"undefined reference to `cuda", NULL,
     "a function of the CUDA runtime that libsmwave_cudart does not have"},
    {"unknown type name 'texture'", NULL,
     "texture references are gone since CUDA 12; texture objects take their place"},
    {"no template named 'texture'", NULL,
     "texture references are gone since CUDA 12; texture objects take their place"},
    {"'omp.h' file not found", NULL,
     "clang has it in a package of its own: libomp-19-dev, with "
     "the number of the clang that is used"},
    {"cannot find -lomp:", NULL,
     "clang has OpenMP's library in a package of its own: "
     "libomp-19-dev, with the number of the clang that is used"},
    {"undefined reference to `__kmpc_", NULL,
     "objects with OpenMP are linked with -Xcompiler -fopenmp too"},
    {"'mpi.h' file not found", NULL,
     "MPI's headers are not among clang's folders: -I names "
     "theirs"},
    {"call to __host__ function from __global__ function", NULL,
     "the function needs __device__"},
    {"'annotate' attribute requires parameter 1", NULL,
     "the numbers of __cluster_dims__ are constants of 1 or more"},
    {"is not supported on this target", NULL,
     "a type of the host's processor in code of the device"},
};

static const char *behind(const char *line, const char *word)
{
    const char *at = strstr(line, word);

    return at == NULL ? NULL : at + strlen(word);
}

/* The name of a library in a message that it, or its header, is not there. */
static const char *missing(const char *line)
{
    const char *name;

    if (strstr(line, "file not found") != NULL) {
        name = behind(line, "fatal error: '");
        return name;
    }
    name = behind(line, "cannot find -l");
    return name != NULL ? name : behind(line, "unable to find library -l");
}

char *cc_explain(const char *line)
{
    const char *name = missing(line);

    for (uint32_t i = 0; name != NULL && i < ARRAY_LEN(libraries); i++) {
        if (strncmp(name, libraries[i].name, strlen(libraries[i].name)) == 0) {
            return tb_printf("%s is a library of NVIDIA's that smwave does not have; "
                             "programs that need it do not run here",
                             libraries[i].what);
        }
    }
    if (strstr(line, "<< <") != NULL || strstr(line, ">> >") != NULL) {
        return tb_strdup("nvcc takes << < and >> > for the brackets of a launch, clang "
                         "does not: smwave cc joins them in .cu files, in headers they "
                         "have to be written <<< and >>>");
    }
    for (uint32_t i = 0; i < ARRAY_LEN(messages); i++) {
        if (strstr(line, messages[i].says) != NULL &&
            (messages[i].also == NULL || strstr(line, messages[i].also) != NULL)) {
            return tb_strdup(messages[i].means);
        }
    }
    return NULL;
}
