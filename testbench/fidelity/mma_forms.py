# Writes mma_forms.inc: every form of mma as a structure with its operands and its instruction.
rows=[]
def s(name, ins, ka,kb,kc, ine, nd,na,nb,nc, td,ta,tc):
    rows.append((name,ins,ka,kb,kc,ine,nd,na,nb,nc,td,ta,tc))
H='DRAW_F16'; F='DRAW_F32'; B='DRAW_BF16'; T='DRAW_TF32'; D='DRAW_F64'; I='DRAW_BITS'; U='DRAW_SUM'
for la in ('row','col'):
    for lb in ('row','col'):
        s(f'm8n8k4_{la}_{lb}_f32_f16_f32', f'mma.sync.aligned.m8n8k4.{la}.{lb}.f32.f16.f16.f32',H,H,F,5,8,2,2,8,'f','r','f')
s('m8n8k4_row_col_f16_f16_f16','mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16',H,H,H,5,4,2,2,4,'r','r','r')
s('m8n8k4_row_col_f32_f16_f16','mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16',H,H,H,5,8,2,2,4,'f','r','r')
for k,na,nb in ((8,2,1),(16,4,2)):
    s(f'm16n8k{k}_f32_f16',f'mma.sync.aligned.m16n8k{k}.row.col.f32.f16.f16.f32',H,H,F,5,4,na,nb,4,'f','r','f')
    s(f'm16n8k{k}_f16_f16',f'mma.sync.aligned.m16n8k{k}.row.col.f16.f16.f16.f16',H,H,H,5,2,na,nb,2,'r','r','r')
    s(f'm16n8k{k}_f32_bf16',f'mma.sync.aligned.m16n8k{k}.row.col.f32.bf16.bf16.f32',B,B,F,8,4,na,nb,4,'f','r','f')
for k,na,nb in ((4,2,1),(8,4,2)):
    s(f'm16n8k{k}_f32_tf32',f'mma.sync.aligned.m16n8k{k}.row.col.f32.tf32.tf32.f32',T,T,F,8,4,na,nb,4,'f','r','f')
s('m8n8k4_f64','mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64',D,D,D,11,4,2,2,4,'d','d','d')
for k,na,nb in ((4,2,1),(8,4,2),(16,8,4)):
    s(f'm16n8k{k}_f64',f'mma.sync.aligned.m16n8k{k}.row.col.f64.f64.f64.f64',D,D,D,11,8,2*na,2*nb,8,'d','d','d')
for a in ('e4m3','e5m2'):
  for b in ('e4m3','e5m2'):
    s(f'm16n8k32_f32_{a}_{b}',f'mma.sync.aligned.m16n8k32.row.col.f32.{a}.{b}.f32','DRAW_BYTES','DRAW_BYTES',F,5,4,4,2,4,'f','r','f')
    s(f'm16n8k32_f16_{a}_{b}',f'mma.sync.aligned.m16n8k32.row.col.f16.{a}.{b}.f16','DRAW_BYTES','DRAW_BYTES',H,5,2,4,2,2,'r','r','r')
for sat in ('','.satfinite'):
  for a,b in (('s8','s8'),('u8','u8'),('s8','u8'),('u8','s8')):
    if sat and a!=b: continue
    q='_sat' if sat else ''
    s(f'm8n8k16_{a}_{b}{q}',f'mma.sync.aligned.m8n8k16.row.col{sat}.s32.{a}.{b}.s32',I,I,U,0,2,1,1,2,'r','r','r')
    s(f'm16n8k16_{a}_{b}{q}',f'mma.sync.aligned.m16n8k16.row.col{sat}.s32.{a}.{b}.s32',I,I,U,0,4,2,1,4,'r','r','r')
    s(f'm16n8k32_{a}_{b}{q}',f'mma.sync.aligned.m16n8k32.row.col{sat}.s32.{a}.{b}.s32',I,I,U,0,4,4,2,4,'r','r','r')
  for a,b in (('s4','s4'),('u4','u4'),('s4','u4'),('u4','s4')):
    if sat and a!=b: continue
    q='_sat' if sat else ''
    s(f'm8n8k32_{a}_{b}{q}',f'mma.sync.aligned.m8n8k32.row.col{sat}.s32.{a}.{b}.s32',I,I,U,0,2,1,1,2,'r','r','r')
    s(f'm16n8k32_{a}_{b}{q}',f'mma.sync.aligned.m16n8k32.row.col{sat}.s32.{a}.{b}.s32',I,I,U,0,4,2,1,4,'r','r','r')
    s(f'm16n8k64_{a}_{b}{q}',f'mma.sync.aligned.m16n8k64.row.col{sat}.s32.{a}.{b}.s32',I,I,U,0,4,4,2,4,'r','r','r')
for op in ('xor','and'):
    s(f'm8n8k128_{op}',f'mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.{op}.popc',I,I,U,0,2,1,1,2,'r','r','r')
    s(f'm16n8k128_{op}',f'mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.{op}.popc',I,I,U,0,4,2,1,4,'r','r','r')
    s(f'm16n8k256_{op}',f'mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.{op}.popc',I,I,U,0,4,4,2,4,'r','r','r')
def cons(t,n,arr,out):
    o=[]
    if t=='d':
        for i in range(n//2): o.append(f'"{"=" if out else ""}d"({arr}[{i}])')
    else:
        for i in range(n): o.append(f'"{"=" if out else ""}{t}"({arr}[{i}])')
    return ', '.join(o)
with open('mma_forms.inc','w') as f:
    f.write('/* Written by mma_forms.py. */\n')
    for name,ins,ka,kb,kc,ine,nd,na,nb,nc,td,ta,tc in rows:
        cnt=lambda t,n: n//2 if t=='d' else n
        i=0; lists=[]
        for t,n in ((td,nd),(ta,na),(ta,nb),(tc,nc)):
            m=cnt(t,n); 
            body=', '.join(f'%{j}' for j in range(i,i+m))
            # single registers of s8 etc. are vectors of one
            lists.append('{'+body+'}'); i+=m
        ty={'f':'float','r':'unsigned','d':'double'}
        f.write(f'struct {name} {{ enum {{ ND={nd}, NA={na}, NB={nb}, NC={nc}, KA={ka}, KB={kb}, KC={kc}, IN_E={ine} }};\n')
        f.write(f'  typedef {ty[td]} TD; typedef {ty[ta]} TA; typedef {ty[tc]} TC;\n')
        f.write(f'  static __device__ __forceinline__ void go(TD *d, const TA *a, const TA *b, const TC *c) {{\n')
        f.write(f'    asm volatile("{ins} {", ".join(lists)};" : {cons(td,nd,"d",True)} : {cons(ta,na,"a",False)}, {cons(ta,nb,"b",False)}, {cons(tc,nc,"c",False)}); }} }};\n')
    f.write('#define SHAPES(X) '+' '.join(f'X({r[0]})' for r in rows)+'\n')
