#include "io/value_type.h"

static const struct {
    const char *name;
    uint32_t size;
    bool is_float, is_signed;
} types[VALUE_TYPES] = {
    [VALUE_U8] = {"u8", 1, false, false},   [VALUE_S8] = {"s8", 1, false, true},
    [VALUE_U16] = {"u16", 2, false, false}, [VALUE_S16] = {"s16", 2, false, true},
    [VALUE_U32] = {"u32", 4, false, false}, [VALUE_S32] = {"s32", 4, false, true},
    [VALUE_U64] = {"u64", 8, false, false}, [VALUE_S64] = {"s64", 8, false, true},
    [VALUE_F32] = {"f32", 4, true, true},   [VALUE_F64] = {"f64", 8, true, true},
    [VALUE_F16] = {"f16", 2, true, true},   [VALUE_BF16] = {"bf16", 2, true, true},
    [VALUE_E4M3] = {"e4m3", 1, true, true}, [VALUE_E5M2] = {"e5m2", 1, true, true},
};

const char *value_type_name(enum value_type t)
{
    return types[t].name;
}

uint32_t value_type_size(enum value_type t)
{
    return types[t].size;
}

bool value_type_is_float(enum value_type t)
{
    return types[t].is_float;
}

bool value_type_is_signed(enum value_type t)
{
    return types[t].is_signed;
}
