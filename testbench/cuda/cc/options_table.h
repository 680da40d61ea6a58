/*
 * options_table.h - the options of nvcc that "smwave cc" knows, for options.c alone.
 *
 * X(LONG, SHORT, KIND, ID, TEXT): --LONG or -LONG, and -SHORT unless it is NULL. KIND:
 *   FLAG     stands alone
 *   VALUE    --LONG value, --LONG=value, -SHORT value, -SHORT=value
 *   JOINED   the same, and -SHORTvalue
 *   NUMBER   the same, if the value begins with a digit
 * TEXT of IGNORED options is why they have no effect, of REFUSED ones why they cannot
 * work; of all others what they do. Facts: nvcc's documentation, "NVCC Command
 * Options".
 */
#ifndef CC_OPTIONS_TABLE_H
#define CC_OPTIONS_TABLE_H

#define CC_OPTIONS(X)                                                                  \
    X("output-file", "o", VALUE, OUTPUT, "name of what is made")                       \
    X("compile", "c", FLAG, COMPILE, "make objects; do not link")                      \
    X("device-c", "dc", FLAG, DEVICE_C, "-c with -rdc=true")                           \
    X("device-w", "dw", FLAG, COMPILE, "-c")                                           \
    X("ptx", "ptx", FLAG, PTX, "make PTX of .cu files")                                \
    X("fatbin", "fatbin", FLAG, FATBIN, "make fat binaries of .cu files")              \
    X("device-link", "dlink", FLAG, DEVICE_LINK,                                       \
      "make an empty object: the runtime links PTX when the program starts")           \
    X("lib", "lib", FLAG, ARCHIVE, "make a static library")                            \
    X("link", "link", FLAG, LINK, "make a program (without any of these)")             \
    X("preprocess", "E", FLAG, PREPROCESS, "preprocess for the host")                  \
    X("generate-dependencies", "M", FLAG, DEPS_ONLY, "print what a source includes")   \
    X("generate-nonsystem-dependencies", "MM", FLAG, DEPS_ONLY_USER,                   \
      "the same without headers of the system")                                        \
    X("generate-dependencies-with-compile", "MD", FLAG, DEPS,                          \
      "write it beside the object")                                                    \
    X("generate-nonsystem-dependencies-with-compile", "MMD", FLAG, DEPS_USER,          \
      "the same without headers of the system")                                        \
    X("dependency-output", "MF", VALUE, DEPS_FILE, "where dependencies go")            \
    X("dependency-target-name", "MT", VALUE, DEPS_TARGET, "the target they are of")    \
    X("MQ", "MQ", VALUE, DEPS_QUOTE, "the same, quoted for make")                      \
    X("generate-dependency-targets", "MP", FLAG, DEPS_PHONY,                           \
      "a target for each header")                                                      \
    X("shared", "shared", FLAG, SHARED, "link to a shared library")                    \
    X("x", "x", VALUE, LANGUAGE, "language of the files behind it: cu, c++, c")        \
    X("gpu-architecture", "arch", VALUE, ARCH,                                         \
      "sm_80 or compute_80: what to compile for (sm_75)")                              \
    X("gpu-code", "code", VALUE, CODE, "the same, a list")                             \
    X("generate-code", "gencode", VALUE, GENCODE,                                      \
      "arch=compute_75,code=sm_75; each arch adds a PTX text")                         \
    X("relocatable-device-code", "rdc", VALUE, RELOCATABLE,                            \
      "true: device code may use that of other files")                                 \
    X("optimize", "O", NUMBER, OPTIMISE, "0 to 3, of the host's code (2)")             \
    X("debug", "g", FLAG, DEBUG, "debug information for the host")                     \
    X("device-debug", "G", FLAG, DEBUG_DEVICE, "device code is not optimised")         \
    X("define-macro", "D", JOINED, DEFINE, "define a macro")                           \
    X("undefine-macro", "U", JOINED, UNDEFINE, "forget a macro")                       \
    X("include-path", "I", JOINED, INCLUDE, "a folder of headers")                     \
    X("system-include", "isystem", JOINED, SYSTEM, "a folder of the system's headers") \
    X("pre-include", "include", VALUE, PRE_INCLUDE, "a header before the first line")  \
    X("library", "l", JOINED, LIBRARY, "link with a library")                          \
    X("library-path", "L", JOINED, LIBRARY_PATH, "a folder of libraries")              \
    X("std", "std", VALUE, STANDARD, "c++11 to c++20 (c++17)")                         \
    X("use_fast_math", "use_fast_math", FLAG, FAST_MATH,                               \
      "__sinf() for sinf() ..., and the next four")                                    \
    X("ftz", "ftz", VALUE, FLUSH, "true: denormals of float are zero")                 \
    X("prec-div", "prec-div", VALUE, PRECISE_DIV, "false: division of float is fast")  \
    X("prec-sqrt", "prec-sqrt", VALUE, PRECISE_SQRT,                                   \
      "false: square root of float is fast")                                           \
    X("fmad", "fmad", VALUE, FUSE, "false: a * b + c is rounded twice")                \
    X("maxrregcount", "maxrregcount", VALUE, MAX_REGS,                                 \
      "registers of a thread at most")                                                 \
    X("default-stream", "default-stream", VALUE, DEFAULT_STREAM,                       \
      "legacy or per-thread")                                                          \
    X("cudart", "cudart", VALUE, CUDART, "none: link without the runtime")             \
    X("compiler-options", "Xcompiler", VALUE, HOST_OPTIONS,                            \
      "options of the host's pass, a,b")                                               \
    X("linker-options", "Xlinker", VALUE, LINKER_OPTIONS,                              \
      "options of the linker, a,b")                                                    \
    X("forward-unknown-to-host-compiler", NULL, FLAG, FORWARD,                         \
      "options nobody knows go to the host's pass")                                    \
    X("forward-unknown-opts", NULL, FLAG, FORWARD, "the same")                         \
    X("options-file", "optf", VALUE, OPTIONS_FILE, "more options, in a file")          \
    X("disable-warnings", "w", FLAG, NO_WARNINGS, "no warnings")                       \
    X("verbose", "v", FLAG, VERBOSE, "print the steps")                                \
    X("dryrun", "dryrun", FLAG, DRY, "print the steps and take none")                  \
    X("keep", "keep", FLAG, KEEP, "keep the files in between")                         \
    X("save-temps", "save-temps", FLAG, KEEP, "the same")                              \
    X("keep-dir", "keep-dir", VALUE, KEEP_DIR, "where they are kept")                  \
    X("list-gpu-arch", "arch-ls", FLAG, LIST_TARGETS, "print what -arch knows")        \
    X("list-gpu-code", "code-ls", FLAG, LIST_TARGETS, "the same")

/* What has no effect, or cannot work. */
#define CC_OPTIONS_WITHOUT(X)                                                          \
    X("generate-line-info", "lineinfo", FLAG, IGNORED,                                 \
      "PTX always names lines of the source")                                          \
    X("expt-relaxed-constexpr", "expt-relaxed-constexpr", FLAG, IGNORED,               \
      "clang always allows it")                                                        \
    X("expt-extended-lambda", "expt-extended-lambda", FLAG, IGNORED,                   \
      "clang always allows it")                                                        \
    X("extended-lambda", "extended-lambda", FLAG, IGNORED, "clang always allows it")   \
    X("compiler-bindir", "ccbin", VALUE, IGNORED, "clang compiles for the host too")   \
    X("allow-unsupported-compiler", NULL, FLAG, IGNORED,                               \
      "clang compiles for the host too")                                               \
    X("machine", "m", NUMBER, IGNORED, "programs have 64 bits")                        \
    X("ptxas-options", "Xptxas", VALUE, IGNORED, "PTX is not assembled")               \
    X("nvlink-options", "Xnvlink", VALUE, IGNORED,                                     \
      "PTX is linked when the program starts")                                         \
    X("archive-options", "Xarchive", VALUE, IGNORED, "ar needs none")                  \
    X("Xcudafe", "Xcudafe", VALUE, IGNORED, "clang's front end has other options")     \
    X("Xcicc", "Xcicc", VALUE, IGNORED, "clang's back end has other options")          \
    X("Xfatbin", "Xfatbin", VALUE, IGNORED, "fat binaries are written here")           \
    X("compress-mode", "compress-mode", VALUE, IGNORED,                                \
      "fat binaries hold plain text")                                                  \
    X("no-compress", "no-compress", FLAG, IGNORED, "fat binaries hold plain text")     \
    X("cudadevrt", "cudadevrt", VALUE, IGNORED, "there is no library of the device")   \
    X("dlink-time-opt", "dlto", FLAG, IGNORED,                                         \
      "PTX is linked when the program starts")                                         \
    X("dopt", "dopt", VALUE, IGNORED, "-G alone says how device code is optimised")    \
    X("resource-usage", "res-usage", FLAG, IGNORED, "smwave run and exec tell it")     \
    X("restrict", "restrict", FLAG, IGNORED, "pointers say it with __restrict__")      \
    X("extra-device-vectorization", NULL, FLAG, IGNORED,                               \
      "clang vectorises as it does")                                                   \
    X("source-in-ptx", "src-in-ptx", FLAG, IGNORED,                                    \
      "PTX always names lines of the source")                                          \
    X("threads", "t", NUMBER, IGNORED, "files are compiled one after the other")       \
    X("split-compile", "split-compile", VALUE, IGNORED,                                \
      "files are compiled one after the other")                                        \
    X("time", "time", VALUE, IGNORED, "--verbose prints the steps")                    \
    X("Werror", "Werror", VALUE, IGNORED, "clang's warnings are others")               \
    X("diag-suppress", "diag-suppress", VALUE, IGNORED, "clang's warnings are others") \
    X("diag-error", "diag-error", VALUE, IGNORED, "clang's warnings are others")       \
    X("diag-warn", "diag-warn", VALUE, IGNORED, "clang's warnings are others")         \
    X("display-error-number", NULL, FLAG, IGNORED, "clang's warnings have names")      \
    X("Wno-deprecated-gpu-targets", NULL, FLAG, IGNORED,                               \
      "no architecture is deprecated")                                                 \
    X("Wno-deprecated-declarations", NULL, FLAG, IGNORED, "nothing is declared so")    \
    X("Wreorder", NULL, FLAG, IGNORED, "clang's warnings are others")                  \
    X("Wext-lambda-captures-this", NULL, FLAG, IGNORED, "clang's warnings are others") \
    X("objdir-as-tempdir", NULL, FLAG, IGNORED, "files in between go into --keep-dir") \
    X("no-align-double", NULL, FLAG, IGNORED, "programs have 64 bits")                 \
    X("cubin", "cubin", FLAG, REFUSED,                                                 \
      "machine code of a device: a model of PTX has none; -ptx or -fatbin makes what " \
      "runs")                                                                          \
    X("run", "run", FLAG, REFUSED, "start the program that was made by its own name")  \
    X("cuda", "cuda", FLAG, REFUSED,                                                   \
      "clang makes no .ii file of both passes; -E preprocesses")                       \
    X("optix-ir", "optix-ir", FLAG, REFUSED, "there is no OptiX here")                 \
    X("clean-targets", "clean", FLAG, REFUSED,                                         \
      "nothing is left behind that were to clean")

/* What every command of the program has too. */
#define CC_OPTIONS_COMMON(X)                                                           \
    X("version", "V", FLAG, VERSION, "print the version")                              \
    X("help", "h", FLAG, HELP, "print this")

#endif /* CC_OPTIONS_TABLE_H */
