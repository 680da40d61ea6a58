/*
 * device_texture.h - fetches through texture objects, reads and writes through surface
 * objects: CUDA C++ Programming Guide, "Texture Functions" and "Surface Functions"; PTX
 * ISA, "Texture Instructions" and "Surface Instructions". x of a surface counts bytes.
 */
#ifndef SMWAVE_DEVICE_TEXTURE_H
#define SMWAVE_DEVICE_TEXTURE_H
#include "../surface_types.h"
#include "../texture_types.h"
#include "../vector_functions.h"

#define SMW_D static __inline__ __attribute__((device, always_inline))

/* ---- textures ---- */

/* What the instruction gives: four elements, each a word. */
template <class E> struct smw_texel {
    E x, y, z, w;
};

/* Of a type that programs fetch: the element that the instruction gives, and how the
 * value is made of it. */
template <class T> struct smw_fetched;

#define SMW_FETCHED(T, E, value)                                                       \
    template <> struct smw_fetched<T> {                                                \
        typedef E element;                                                             \
        static __inline__ __attribute__((device, always_inline)) T                     \
        make(const smw_texel<E> &t)                                                    \
        {                                                                              \
            return value;                                                              \
        }                                                                              \
    };
#define SMW_FETCHED_ALL(name, One, E)                                                  \
    SMW_FETCHED(One, E, (One)t.x)                                                      \
    SMW_FETCHED(name##1, E, make_##name##1((One)t.x))                                  \
    SMW_FETCHED(name##2, E, make_##name##2((One)t.x, (One)t.y))                        \
    SMW_FETCHED(name##4, E, make_##name##4((One)t.x, (One)t.y, (One)t.z, (One)t.w))
SMW_FETCHED(char, int, (char)t.x)
SMW_FETCHED_ALL(char, signed char, int)
SMW_FETCHED_ALL(uchar, unsigned char, unsigned)
SMW_FETCHED_ALL(short, short, int)
SMW_FETCHED_ALL(ushort, unsigned short, unsigned)
SMW_FETCHED_ALL(int, int, int)
SMW_FETCHED_ALL(uint, unsigned, unsigned)
SMW_FETCHED_ALL(float, float, float)
#undef SMW_FETCHED_ALL
#undef SMW_FETCHED

#define SMW_ARGS(...)     __VA_ARGS__
#define SMW_OPERANDS(...) __VA_ARGS__

/* A fetch: its parameters, instruction and where its coordinates stand in it. */
#define SMW_TEXTURE_AS(name, E, c, type, parameters, op, coordinates, operands)        \
    SMW_D void smw_##name(smw_texel<E> &t, cudaTextureObject_t o, parameters)          \
    {                                                                                  \
        __asm__ volatile("tex." op ".v4." type " {%0, %1, %2, %3}, [%4, " coordinates  \
                         ";"                                                           \
                         : "=" c(t.x), "=" c(t.y), "=" c(t.z), "=" c(t.w)              \
                         : "l"(o), operands);                                          \
    }
#define SMW_TEXTURE(name, from, parameters, given, op, coordinates, operands)          \
    SMW_TEXTURE_AS(name, float, "f", "f32." from, SMW_ARGS(parameters), op,            \
                   coordinates, SMW_OPERANDS(operands))                                \
    SMW_TEXTURE_AS(name, int, "r", "s32." from, SMW_ARGS(parameters), op, coordinates, \
                   SMW_OPERANDS(operands))                                             \
    SMW_TEXTURE_AS(name, unsigned, "r", "u32." from, SMW_ARGS(parameters), op,         \
                   coordinates, SMW_OPERANDS(operands))                                \
    template <class T> SMW_D T name(cudaTextureObject_t o, parameters)                 \
    {                                                                                  \
        smw_texel<typename smw_fetched<T>::element> t;                                 \
                                                                                       \
        smw_##name(t, o, given);                                                       \
        return smw_fetched<T>::make(t);                                                \
    }                                                                                  \
    template <class T> SMW_D void name(T *v, cudaTextureObject_t o, parameters)        \
    {                                                                                  \
        *v = name<T>(o, given);                                                        \
    }

SMW_TEXTURE(tex1Dfetch, "s32", int x, x, "1d", "{%5}]", "r"(x))
SMW_TEXTURE(tex1D, "f32", float x, x, "1d", "{%5}]", "f"(x))
SMW_TEXTURE(tex2D, "f32", SMW_ARGS(float x, float y), SMW_ARGS(x, y), "2d", "{%5, %6}]",
            SMW_OPERANDS("f"(x), "f"(y)))
SMW_TEXTURE(tex3D, "f32", SMW_ARGS(float x, float y, float z), SMW_ARGS(x, y, z), "3d",
            "{%5, %6, %7, %7}]", SMW_OPERANDS("f"(x), "f"(y), "f"(z)))
SMW_TEXTURE(tex1DLayered, "f32", SMW_ARGS(float x, int layer), SMW_ARGS(x, layer),
            "a1d", "{%5, %6}]", SMW_OPERANDS("r"(layer), "f"(x)))
SMW_TEXTURE(tex2DLayered, "f32", SMW_ARGS(float x, float y, int layer),
            SMW_ARGS(x, y, layer), "a2d", "{%5, %6, %7, %7}]",
            SMW_OPERANDS("r"(layer), "f"(x), "f"(y)))
SMW_TEXTURE(texCubemap, "f32", SMW_ARGS(float x, float y, float z), SMW_ARGS(x, y, z),
            "cube", "{%5, %6, %7, %7}]", SMW_OPERANDS("f"(x), "f"(y), "f"(z)))
SMW_TEXTURE(tex1DLod, "f32", SMW_ARGS(float x, float level), SMW_ARGS(x, level),
            "level.1d", "{%5}], %6", SMW_OPERANDS("f"(x), "f"(level)))
SMW_TEXTURE(tex2DLod, "f32", SMW_ARGS(float x, float y, float level),
            SMW_ARGS(x, y, level), "level.2d", "{%5, %6}], %7",
            SMW_OPERANDS("f"(x), "f"(y), "f"(level)))
SMW_TEXTURE(tex3DLod, "f32", SMW_ARGS(float x, float y, float z, float level),
            SMW_ARGS(x, y, z, level), "level.3d", "{%5, %6, %7, %7}], %8",
            SMW_OPERANDS("f"(x), "f"(y), "f"(z), "f"(level)))
#undef SMW_TEXTURE
#undef SMW_TEXTURE_AS

/* ---- surfaces ---- */

/* Values move as words of 1 to 16 bytes. */
template <int Bytes> struct smw_word;
#define SMW_WORD(bytes, T)                                                             \
    template <> struct smw_word<bytes> {                                               \
        typedef T type;                                                                \
    };
SMW_WORD(1, unsigned char)
SMW_WORD(2, unsigned short)
SMW_WORD(4, unsigned)
SMW_WORD(8, uint2)
SMW_WORD(16, uint4)
#undef SMW_WORD

/* One word type in one geometry and mode: E is the register, c its constraint. */
#define SMW_SURFACE_WORD(G, mode, op, at, parameters, operands, T, E, c, size)         \
    SMW_D void smw_suld_##G##_##mode(T &v, cudaSurfaceObject_t o, parameters)          \
    {                                                                                  \
        E a;                                                                           \
                                                                                       \
        __asm__ volatile("suld.b." op "." size "." #mode " {%[a]}, " at ";"            \
                         : [a] "=" c(a)                                                \
                         : [o] "l"(o), operands                                        \
                         : "memory");                                                  \
        v = (T)a;                                                                      \
    }                                                                                  \
    SMW_D void smw_sust_##G##_##mode(T v, cudaSurfaceObject_t o, parameters)           \
    {                                                                                  \
        __asm__ volatile("sust.b." op "." size "." #mode " " at                        \
                         ", {%[a]};" ::[a] c((E)v),                                    \
                         [o] "l"(o), operands                                          \
                         : "memory");                                                  \
    }
#define SMW_SURFACE_MODE(G, mode, op, at, parameters, operands)                        \
    SMW_SURFACE_WORD(G, mode, op, at, SMW_ARGS(parameters), SMW_OPERANDS(operands),    \
                     unsigned char, unsigned short, "h", "b8")                         \
    SMW_SURFACE_WORD(G, mode, op, at, SMW_ARGS(parameters), SMW_OPERANDS(operands),    \
                     unsigned short, unsigned short, "h", "b16")                       \
    SMW_SURFACE_WORD(G, mode, op, at, SMW_ARGS(parameters), SMW_OPERANDS(operands),    \
                     unsigned, unsigned, "r", "b32")                                   \
    SMW_D void smw_suld_##G##_##mode(uint2 &v, cudaSurfaceObject_t o, parameters)      \
    {                                                                                  \
        __asm__ volatile("suld.b." op ".v2.b32." #mode " {%[a], %[b]}, " at ";"        \
                         : [a] "=r"(v.x), [b] "=r"(v.y)                                \
                         : [o] "l"(o), operands                                        \
                         : "memory");                                                  \
    }                                                                                  \
    SMW_D void smw_sust_##G##_##mode(uint2 v, cudaSurfaceObject_t o, parameters)       \
    {                                                                                  \
        __asm__ volatile("sust.b." op ".v2.b32." #mode " " at                          \
                         ", {%[a], %[b]};" ::[a] "r"(v.x),                             \
                         [b] "r"(v.y), [o] "l"(o), operands                            \
                         : "memory");                                                  \
    }                                                                                  \
    SMW_D void smw_suld_##G##_##mode(uint4 &v, cudaSurfaceObject_t o, parameters)      \
    {                                                                                  \
        __asm__ volatile("suld.b." op ".v4.b32." #mode                                 \
                         " {%[a], %[b], %[c], %[d]}, " at ";"                          \
                         : [a] "=r"(v.x), [b] "=r"(v.y), [c] "=r"(v.z), [d] "=r"(v.w)  \
                         : [o] "l"(o), operands                                        \
                         : "memory");                                                  \
    }                                                                                  \
    SMW_D void smw_sust_##G##_##mode(uint4 v, cudaSurfaceObject_t o, parameters)       \
    {                                                                                  \
        __asm__ volatile("sust.b." op ".v4.b32." #mode " " at                          \
                         ", {%[a], %[b], %[c], %[d]};" ::[a] "r"(v.x),                 \
                         [b] "r"(v.y), [c] "r"(v.z), [d] "r"(v.w), [o] "l"(o),         \
                         operands                                                      \
                         : "memory");                                                  \
    }

/* A geometry: outside the surface an access ends the kernel (trap), takes the nearest
 * element (clamp), or reads 0 and writes nothing (zero). */
#define SMW_SURFACE(G, op, at, parameters, given, operands)                            \
    SMW_SURFACE_MODE(G, trap, op, at, SMW_ARGS(parameters), SMW_OPERANDS(operands))    \
    SMW_SURFACE_MODE(G, clamp, op, at, SMW_ARGS(parameters), SMW_OPERANDS(operands))   \
    SMW_SURFACE_MODE(G, zero, op, at, SMW_ARGS(parameters), SMW_OPERANDS(operands))    \
    template <class T>                                                                 \
    SMW_D T surf##G##read(cudaSurfaceObject_t o, parameters,                           \
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)         \
    {                                                                                  \
        typename smw_word<sizeof(T)>::type w;                                          \
        T v;                                                                           \
                                                                                       \
        if (mode == cudaBoundaryModeClamp) {                                           \
            smw_suld_##G##_clamp(w, o, given);                                         \
        } else if (mode == cudaBoundaryModeZero) {                                     \
            smw_suld_##G##_zero(w, o, given);                                          \
        } else {                                                                       \
            smw_suld_##G##_trap(w, o, given);                                          \
        }                                                                              \
        __builtin_memcpy((void *)&v, &w, sizeof(v));                                   \
        return v;                                                                      \
    }                                                                                  \
    template <class T>                                                                 \
    SMW_D void surf##G##read(T *v, cudaSurfaceObject_t o, parameters,                  \
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)      \
    {                                                                                  \
        *v = surf##G##read<T>(o, given, mode);                                         \
    }                                                                                  \
    template <class T>                                                                 \
    SMW_D void surf##G##write(T v, cudaSurfaceObject_t o, parameters,                  \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)     \
    {                                                                                  \
        typename smw_word<sizeof(T)>::type w;                                          \
                                                                                       \
        __builtin_memcpy((void *)&w, &v, sizeof(v));                                   \
        if (mode == cudaBoundaryModeClamp) {                                           \
            smw_sust_##G##_clamp(w, o, given);                                         \
        } else if (mode == cudaBoundaryModeZero) {                                     \
            smw_sust_##G##_zero(w, o, given);                                          \
        } else {                                                                       \
            smw_sust_##G##_trap(w, o, given);                                          \
        }                                                                              \
    }

SMW_SURFACE(1D, "1d", "[%[o], {%[x]}]", int x, x, SMW_OPERANDS([x] "r"(x)))
SMW_SURFACE(2D, "2d", "[%[o], {%[x], %[y]}]", SMW_ARGS(int x, int y), SMW_ARGS(x, y),
            SMW_OPERANDS([x] "r"(x), [y] "r"(y)))
SMW_SURFACE(3D, "3d", "[%[o], {%[x], %[y], %[z], %[z]}]", SMW_ARGS(int x, int y, int z),
            SMW_ARGS(x, y, z), SMW_OPERANDS([x] "r"(x), [y] "r"(y), [z] "r"(z)))
SMW_SURFACE(2DLayered, "a2d", "[%[o], {%[z], %[x], %[y], %[y]}]",
            SMW_ARGS(int x, int y, int z), SMW_ARGS(x, y, z),
            SMW_OPERANDS([x] "r"(x), [y] "r"(y), [z] "r"(z)))
#undef SMW_SURFACE
#undef SMW_SURFACE_MODE
#undef SMW_SURFACE_WORD
#undef SMW_ARGS
#undef SMW_OPERANDS

#endif /* SMWAVE_DEVICE_TEXTURE_H */
