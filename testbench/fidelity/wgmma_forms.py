# Writes wgmma_forms.inc: forms of wgmma as structures with their instruction, of
# descriptors (ss) and with A in registers (rs).
TYPES = {  # name: PTX types, k, kinds drawn, trailing scales, exponent bits of A
    'f32_f16': ('f32.f16.f16', 16, 'DRAW_F16', 'DRAW_F32', 2, 5),
    'f16_f16': ('f16.f16.f16', 16, 'DRAW_F16', 'DRAW_F16', 2, 5),
    'f32_bf16': ('f32.bf16.bf16', 16, 'DRAW_BF16', 'DRAW_F32', 2, 8),
    'f32_tf32': ('f32.tf32.tf32', 8, 'DRAW_TF32', 'DRAW_F32', 2, 8),
}
for d in ('f32', 'f16'):
    for a in ('e4m3', 'e5m2'):
        for b in ('e4m3', 'e5m2'):
            TYPES[f'{d}_{a}_{b}'] = (f'{d}.{a}.{b}', 32, 'DRAW_BYTES', f'DRAW_{d.upper()}', 2, 5)
for a in ('s8', 'u8'):
    for b in ('s8', 'u8'):
        TYPES[f's32_{a}_{b}'] = (f's32.{a}.{b}', 32, 'DRAW_BITS', 'DRAW_SUM', 0, 0)
    TYPES[f's32_{a}_{a}_sat'] = (f'satfinite.s32.{a}.{a}', 32, 'DRAW_BITS', 'DRAW_SUM', 0, 0)
TYPES['s32_b1'] = ('s32.b1.b1', 256, 'DRAW_BITS', 'DRAW_SUM', 0, 0)

RESULTS = [(t, 8) for t in TYPES]
SIZES = (8, 16, 32, 64, 96, 128, 192, 256)
TIMES = [(t, n) for t in ('f32_f16', 'f16_f16', 'f32_tf32', 'f32_e4m3_e4m3', 's32_s8_s8') for n in SIZES]
TURNED = [('f32_f16', n) for n in (16, 32, 64)]


def struct(f, t, n, turned):
    ptx, k, kab, kc, scales, ine = TYPES[t]
    word = t.startswith('s32') or t.startswith('f16')
    nd = n // 4 if t.startswith('f16') else n // 2
    c = 'r' if word else 'f'
    halves = t in ('f32_f16', 'f16_f16', 'f32_bf16')
    name = f'n{n}_{t}' + ('_t' if turned else '')
    f.write(f'struct {name} {{ enum {{ N = {n}, K = {k}, ND = {nd}, KAB = {kab}, KC = {kc}, IN_E = {ine} }};\n')
    f.write(f'  typedef {"unsigned" if word else "float"} TD;\n')
    tail = '.and.popc' if t == 's32_b1' else ''
    d = '{' + ', '.join(f'%{i}' for i in range(nd)) + '}'
    outs = ', '.join(f'"+{c}"(d[{i}])' for i in range(nd))
    for how, na in (('ss', 1), ('rs', 4)):
        a = f'%{nd}' if na == 1 else '{' + ', '.join(f'%{nd + i}' for i in range(4)) + '}'
        b, s = f'%{nd + na}', nd + na + 1
        end, ins = '', ''
        if scales:
            end += f', %{s + 1}, %{s + 2}'
            ins += ', "n"(SA), "n"(SB)'
        if halves:
            end += f', %{s + 3}, %{s + 4}' if na == 1 else f', %{s + 3}'
            ins += ', "n"(TA), "n"(TB)' if na == 1 else ', "n"(TB)'
        av = '"l"(a)' if na == 1 else ', '.join(f'"r"(a[{i}])' for i in range(4))
        arg = 'unsigned long long a' if na == 1 else 'const unsigned *a'
        f.write(f'  template <int SA, int SB, int TA, int TB> static __device__ __forceinline__ void {how}(TD *d, {arg}, unsigned long long b, int keep) {{\n')
        f.write(f'    asm volatile("{{ .reg .pred p; setp.ne.b32 p, %{s}, 0; wgmma.mma_async.sync.aligned.m64n{n}k{k}.{ptx}{tail} {d}, {a}, {b}, p{end}; }}" : {outs} : {av}, "l"(b), "r"(keep){ins}); }}\n')
    f.write('};\n')
    return name


with open('wgmma_forms.inc', 'w') as f:
    f.write('/* Written by wgmma_forms.py. */\n')
    done = {}
    for t, n in RESULTS + TIMES + TURNED:
        if (t, n) not in done:
            done[t, n] = struct(f, t, n, False)
    for list_name, forms in (('RESULT_FORMS', RESULTS), ('TIME_FORMS', TIMES)):
        f.write(f'#define {list_name}(X) ' + ' '.join(f'X({done[x]})' for x in forms) + '\n')
