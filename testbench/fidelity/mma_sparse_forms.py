# Writes mma_sparse_forms.inc: forms of mma.sp with their instruction, for each selector.
H, B, T, I, U = 'DRAW_F16', 'DRAW_BF16', 'DRAW_TF32', 'DRAW_BITS', 'DRAW_SUM'
rows = []


def form(name, ptx, k, kab, kc, e, nd, na, nb, float_d, selectors, per):
    rows.append((name, ptx, k, kab, kc, e, nd, na, nb, float_d, selectors, per))


for k, na, nb in ((16, 2, 2), (32, 4, 4)):
    sel = 4 if k == 16 else 2
    form(f'm16n8k{k}_f32_f16', 'f32.f16.f16.f32', k, H, 'DRAW_F32', 5, 4, na, nb, True, sel, 4)
    form(f'm16n8k{k}_f16_f16', 'f16.f16.f16.f16', k, H, H, 5, 2, na, nb, False, sel, 4)
    form(f'm16n8k{k}_f32_bf16', 'f32.bf16.bf16.f32', k, B, 'DRAW_F32', 8, 4, na, nb, True, sel, 4)
for k, na, nb in ((8, 2, 2), (16, 4, 4)):
    form(f'm16n8k{k}_f32_tf32', 'f32.tf32.tf32.f32', k, T, 'DRAW_F32', 8, 4, na, nb, True, 4 if k == 8 else 2, 2)
for a in ('e4m3', 'e5m2'):
    for b in ('e4m3', 'e5m2'):
        form(f'm16n8k64_f32_{a}_{b}', f'f32.{a}.{b}.f32', 64, 'DRAW_BYTES', 'DRAW_F32', 5, 4, 4, 4, True, 1, 4)
for k, na, nb in ((32, 2, 2), (64, 4, 4)):
    for a in ('s8', 'u8'):
        for b in ('s8', 'u8'):
            form(f'm16n8k{k}_s32_{a}_{b}', f's32.{a}.{b}.s32', k, I, U, 0, 4, na, nb, False, 2 if k == 32 else 1, 4)
for k, na, nb in ((64, 2, 2), (128, 4, 4)):
    for a in ('s4', 'u4'):
        form(f'm16n8k{k}_s32_{a}_{a}', f's32.{a}.{a}.s32', k, I, U, 0, 4, na, nb, False, 2 if k == 64 else 1, 8)
with open('mma_sparse_forms.inc', 'w') as f:
    f.write('/* Written by mma_sparse_forms.py. */\n')
    for name, ptx, k, kab, kc, e, nd, na, nb, fd, sel, per in rows:
        f.write(f'struct sp_{name} {{ enum {{ K = {k}, ND = {nd}, NA = {na}, NB = {nb}, KAB = {kab}, KC = {kc}, IN_E = {e}, SELECTORS = {sel}, PER = {per} }};\n')
        c = 'f' if fd else 'r'
        f.write(f'  typedef {"float" if fd else "unsigned"} TD;\n')
        i, lists = 0, []
        for m in (nd, na, nb, nd):
            lists.append('{' + ', '.join(f'%{j}' for j in range(i, i + m)) + '}')
            i += m
        ins = f'mma.sp::ordered_metadata.sync.aligned.m16n8k{k}.row.col.{ptx} ' + ', '.join(lists) + f', %{i}, %{i + 1};'
        outs = ', '.join(f'"={c}"(d[{j}])' for j in range(nd))
        args = ', '.join([f'"r"(a[{j}])' for j in range(na)] + [f'"r"(b[{j}])' for j in range(nb)] + [f'"{c}"(c[{j}])' for j in range(nd)])
        f.write('  template <int S> static __device__ __forceinline__ void go(TD *d, const unsigned *a, const unsigned *b, const TD *c, unsigned e) {\n')
        f.write(f'    asm volatile("{ins}" : {outs} : {args}, "r"(e), "n"(S)); }}\n}};\n')
    f.write('#define SPARSE_FORMS(X) ' + ' '.join(f'X(sp_{r[0]})' for r in rows) + '\n')
