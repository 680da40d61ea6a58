#include "isa/isa.h"

struct type_info {
    const char *name;
    uint8_t bits;
    bool is_signed, is_float;
};

static const struct type_info types[ISA_N_TYPES] = {
    [ISA_T_NONE] = {"none", 0, false, false},
    [ISA_T_B8] = {"b8", 8, false, false},
    [ISA_T_B16] = {"b16", 16, false, false},
    [ISA_T_B32] = {"b32", 32, false, false},
    [ISA_T_B64] = {"b64", 64, false, false},
    [ISA_T_B128] = {"b128", 128, false, false},
    [ISA_T_U8] = {"u8", 8, false, false},
    [ISA_T_U16] = {"u16", 16, false, false},
    [ISA_T_U32] = {"u32", 32, false, false},
    [ISA_T_U64] = {"u64", 64, false, false},
    [ISA_T_S8] = {"s8", 8, true, false},
    [ISA_T_S16] = {"s16", 16, true, false},
    [ISA_T_S32] = {"s32", 32, true, false},
    [ISA_T_S64] = {"s64", 64, true, false},
    [ISA_T_F16] = {"f16", 16, false, true},
    [ISA_T_F16X2] = {"f16x2", 32, false, true},
    [ISA_T_BF16] = {"bf16", 16, false, true},
    [ISA_T_BF16X2] = {"bf16x2", 32, false, true},
    [ISA_T_TF32] = {"tf32", 32, false, true},
    [ISA_T_E4M3] = {"e4m3", 8, false, true},
    [ISA_T_E5M2] = {"e5m2", 8, false, true},
    [ISA_T_E4M3X2] = {"e4m3x2", 16, false, true},
    [ISA_T_E5M2X2] = {"e5m2x2", 16, false, true},
    [ISA_T_F32] = {"f32", 32, false, true},
    [ISA_T_F64] = {"f64", 64, false, true},
    [ISA_T_U4] = {"u4", 4, false, false},
    [ISA_T_S4] = {"s4", 4, true, false},
    [ISA_T_B1] = {"b1", 1, false, false},
    [ISA_T_PRED] = {"pred", 1, false, false},
};

static const char *const op_names[ISA_N_OPS] = {
#define X(e, s) [ISA_OP_##e] = s,
    ISA_OPS(X)
#undef X
};

uint32_t isa_type_bits(enum isa_type t)
{
    return types[t].bits;
}

bool isa_type_is_signed(enum isa_type t)
{
    return types[t].is_signed;
}

bool isa_type_is_float(enum isa_type t)
{
    return types[t].is_float;
}

bool isa_type_is_narrow(enum isa_type t)
{
    return t >= ISA_T_F16 && t < ISA_T_F32;
}

const char *isa_type_name(enum isa_type t)
{
    return types[t].name;
}

const char *isa_op_name(enum isa_op op)
{
    return op_names[op];
}
