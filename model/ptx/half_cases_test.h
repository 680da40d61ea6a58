/*
 * half_cases_test.h - instructions on narrow floating point and what an H100 makes of
 * them: HALF_CASE(kind, text, hash), to be included with that macro defined.
 *
 * kind: the result and the operands, each H a 16-bit register, R 32 bits, L 64 bits, F
 * f32, D f64: R_FF makes 32 bits from two f32. AG_HH, AS_HH: a half in global (shared)
 * memory, to which another is added; RG_HH the same without a result. text has %0 for
 * the result, %1 and more for the operands. hash: of all results, half_operands_test.h.
 */
/* clang-format off */
HALF_CASE(H_HH, "add.rn.f16 %0,%1,%2;", 0x6339a1c27d356f34)
HALF_CASE(H_HH, "add.rn.ftz.f16 %0,%1,%2;", 0x139ac77208a07f1d)
HALF_CASE(H_HH, "add.rn.sat.f16 %0,%1,%2;", 0xf526423dee7c54bd)
HALF_CASE(H_HH, "add.rn.ftz.sat.f16 %0,%1,%2;", 0x1b419aada293547e)
HALF_CASE(H_HH, "sub.rn.f16 %0,%1,%2;", 0x63649fd2b226a434)
HALF_CASE(H_HH, "sub.rn.ftz.f16 %0,%1,%2;", 0x5aab77052139f8ca)
HALF_CASE(H_HH, "sub.rn.sat.f16 %0,%1,%2;", 0xb682b8eaf6533c35)
HALF_CASE(H_HH, "sub.rn.ftz.sat.f16 %0,%1,%2;", 0x99c6207344a6d4b4)
HALF_CASE(H_HH, "mul.rn.f16 %0,%1,%2;", 0x0f14bd3117c611b4)
HALF_CASE(H_HH, "mul.rn.ftz.f16 %0,%1,%2;", 0x4a81a951be1de30c)
HALF_CASE(H_HH, "mul.rn.sat.f16 %0,%1,%2;", 0xd002a79cea7b7a66)
HALF_CASE(H_HH, "mul.rn.ftz.sat.f16 %0,%1,%2;", 0xd8e0bb78fc468e45)
HALF_CASE(H_HHH, "fma.rn.f16 %0,%1,%2,%3;", 0x5d49339e89a7749b)
HALF_CASE(H_HHH, "fma.rn.ftz.f16 %0,%1,%2,%3;", 0x28a56ce17727a1ca)
HALF_CASE(H_HHH, "fma.rn.sat.f16 %0,%1,%2,%3;", 0x61b8e294f9dd28f4)
HALF_CASE(H_HHH, "fma.rn.ftz.sat.f16 %0,%1,%2,%3;", 0x789d6750759ff423)
HALF_CASE(H_HHH, "fma.rn.relu.f16 %0,%1,%2,%3;", 0xf7bb4d4d40499b20)
HALF_CASE(H_HHH, "fma.rn.ftz.relu.f16 %0,%1,%2,%3;", 0x2ad5781d793126f5)
HALF_CASE(H_HHH, "fma.rn.oob.f16 %0,%1,%2,%3;", 0x7a8318f52e5d8ddd)
HALF_CASE(H_HHH, "fma.rn.oob.relu.f16 %0,%1,%2,%3;", 0x81dcadb3d805f4b4)
HALF_CASE(H_H, "neg.f16 %0,%1;", 0x566bd7209df6780f)
HALF_CASE(H_H, "neg.ftz.f16 %0,%1;", 0xb5cbdf651bb41877)
HALF_CASE(H_H, "abs.f16 %0,%1;", 0xc816e4980161dab5)
HALF_CASE(H_H, "abs.ftz.f16 %0,%1;", 0xf0dbf5e86390065f)
HALF_CASE(H_H, "ex2.approx.f16 %0,%1;", 0xc9983493d3bbda5d)
HALF_CASE(H_H, "tanh.approx.f16 %0,%1;", 0xad98fc09da28487f)
HALF_CASE(H_HH, "min.f16 %0,%1,%2;", 0x67390adacff08ce6)
HALF_CASE(H_HH, "min.ftz.f16 %0,%1,%2;", 0xd158ca5da3430a16)
HALF_CASE(H_HH, "min.NaN.f16 %0,%1,%2;", 0x3e5e10a55af90744)
HALF_CASE(H_HH, "min.ftz.NaN.f16 %0,%1,%2;", 0x7dbf7b725d1cd0f1)
HALF_CASE(H_HH, "min.xorsign.abs.f16 %0,%1,%2;", 0x317b772e9e204d92)
HALF_CASE(H_HH, "min.NaN.xorsign.abs.f16 %0,%1,%2;", 0xcdf1b4a99a6f23f9)
HALF_CASE(H_HH, "min.ftz.NaN.xorsign.abs.f16 %0,%1,%2;", 0x363a53230323bbe8)
HALF_CASE(H_HH, "max.f16 %0,%1,%2;", 0xdce4ea6bd4eec245)
HALF_CASE(H_HH, "max.ftz.f16 %0,%1,%2;", 0x805386e0fb345f08)
HALF_CASE(H_HH, "max.NaN.f16 %0,%1,%2;", 0xa32fbb552a25596f)
HALF_CASE(H_HH, "max.ftz.NaN.f16 %0,%1,%2;", 0xc4ea3fdfa31ade4c)
HALF_CASE(H_HH, "max.xorsign.abs.f16 %0,%1,%2;", 0x1115855262ffd96f)
HALF_CASE(H_HH, "max.NaN.xorsign.abs.f16 %0,%1,%2;", 0x26f2162a8af832de)
HALF_CASE(H_HH, "max.ftz.NaN.xorsign.abs.f16 %0,%1,%2;", 0xf51633213fc009cf)
HALF_CASE(R_RR, "add.rn.f16x2 %0,%1,%2;", 0x6ae0d1a289832f23)
HALF_CASE(R_RR, "add.rn.ftz.f16x2 %0,%1,%2;", 0x4acfbbc63f426dfe)
HALF_CASE(R_RR, "add.rn.sat.f16x2 %0,%1,%2;", 0x441ed6e8953864f0)
HALF_CASE(R_RR, "add.rn.ftz.sat.f16x2 %0,%1,%2;", 0xd758d9df7c19d153)
HALF_CASE(R_RR, "sub.rn.f16x2 %0,%1,%2;", 0x93332586086e50b9)
HALF_CASE(R_RR, "sub.rn.ftz.f16x2 %0,%1,%2;", 0x8689642afac50f74)
HALF_CASE(R_RR, "sub.rn.sat.f16x2 %0,%1,%2;", 0xc68807b62f450d7a)
HALF_CASE(R_RR, "sub.rn.ftz.sat.f16x2 %0,%1,%2;", 0x3a655309a34ffee6)
HALF_CASE(R_RR, "mul.rn.f16x2 %0,%1,%2;", 0x0a2edda68cd327a9)
HALF_CASE(R_RR, "mul.rn.ftz.f16x2 %0,%1,%2;", 0x55b825ed023fa323)
HALF_CASE(R_RR, "mul.rn.sat.f16x2 %0,%1,%2;", 0xcf6c7c6d458d2cde)
HALF_CASE(R_RR, "mul.rn.ftz.sat.f16x2 %0,%1,%2;", 0x27d565766eae29c3)
HALF_CASE(R_RRR, "fma.rn.f16x2 %0,%1,%2,%3;", 0xe93a78a38d596b82)
HALF_CASE(R_RRR, "fma.rn.ftz.f16x2 %0,%1,%2,%3;", 0xb605f8f27842f1b3)
HALF_CASE(R_RRR, "fma.rn.sat.f16x2 %0,%1,%2,%3;", 0x1bfc9b3cf4f7cf1d)
HALF_CASE(R_RRR, "fma.rn.ftz.sat.f16x2 %0,%1,%2,%3;", 0xfbbc2adeb6e7414f)
HALF_CASE(R_RRR, "fma.rn.relu.f16x2 %0,%1,%2,%3;", 0xfb2e0a1878265e0d)
HALF_CASE(R_RRR, "fma.rn.ftz.relu.f16x2 %0,%1,%2,%3;", 0xf8770c32ff71cf14)
HALF_CASE(R_RRR, "fma.rn.oob.f16x2 %0,%1,%2,%3;", 0x4dbbb4cb1da2f9a4)
HALF_CASE(R_RRR, "fma.rn.oob.relu.f16x2 %0,%1,%2,%3;", 0xabf1edb60f1fdcc5)
HALF_CASE(R_R, "neg.f16x2 %0,%1;", 0xe32dbe732e3acbcc)
HALF_CASE(R_R, "neg.ftz.f16x2 %0,%1;", 0xc298dd156b680389)
HALF_CASE(R_R, "abs.f16x2 %0,%1;", 0x7ec5b6ef6b23c38c)
HALF_CASE(R_R, "abs.ftz.f16x2 %0,%1;", 0x848a8053ebb7edc9)
HALF_CASE(R_R, "ex2.approx.f16x2 %0,%1;", 0xfc93b5684892935b)
HALF_CASE(R_R, "tanh.approx.f16x2 %0,%1;", 0xe1a186921cac950d)
HALF_CASE(R_RR, "min.f16x2 %0,%1,%2;", 0x7d2388bfd5db19a5)
HALF_CASE(R_RR, "min.ftz.f16x2 %0,%1,%2;", 0xaaf2b68b2a30e35d)
HALF_CASE(R_RR, "min.NaN.f16x2 %0,%1,%2;", 0xaaac02a18e369652)
HALF_CASE(R_RR, "min.ftz.NaN.f16x2 %0,%1,%2;", 0xa213e0d1baf3ff23)
HALF_CASE(R_RR, "min.xorsign.abs.f16x2 %0,%1,%2;", 0x576f64ada299a18a)
HALF_CASE(R_RR, "min.NaN.xorsign.abs.f16x2 %0,%1,%2;", 0x5ab8c3aaf6dfe343)
HALF_CASE(R_RR, "min.ftz.NaN.xorsign.abs.f16x2 %0,%1,%2;", 0xc2c380ae2a6c1473)
HALF_CASE(R_RR, "max.f16x2 %0,%1,%2;", 0x032d9fee8b9b812d)
HALF_CASE(R_RR, "max.ftz.f16x2 %0,%1,%2;", 0x202d0e06d0fb1e3e)
HALF_CASE(R_RR, "max.NaN.f16x2 %0,%1,%2;", 0x73862d8cc2f194ba)
HALF_CASE(R_RR, "max.ftz.NaN.f16x2 %0,%1,%2;", 0xbd483bb4b40c9899)
HALF_CASE(R_RR, "max.xorsign.abs.f16x2 %0,%1,%2;", 0x3cee2f72fe737b2c)
HALF_CASE(R_RR, "max.NaN.xorsign.abs.f16x2 %0,%1,%2;", 0x73390f7dbf24a234)
HALF_CASE(R_RR, "max.ftz.NaN.xorsign.abs.f16x2 %0,%1,%2;", 0xe3218748245e12ef)
HALF_CASE(H_HH, "add.rn.bf16 %0,%1,%2;", 0xb30b7e7dee732d63)
HALF_CASE(H_HH, "sub.rn.bf16 %0,%1,%2;", 0x4c0acbe8ce68096e)
HALF_CASE(H_HH, "mul.rn.bf16 %0,%1,%2;", 0x8cd2977ef69ca8e9)
HALF_CASE(H_HHH, "fma.rn.bf16 %0,%1,%2,%3;", 0x607493b1caaa5139)
HALF_CASE(H_HHH, "fma.rn.relu.bf16 %0,%1,%2,%3;", 0x8921340b7117400a)
HALF_CASE(H_HHH, "fma.rn.oob.bf16 %0,%1,%2,%3;", 0x2ef202dacfd5d7bb)
HALF_CASE(H_HHH, "fma.rn.oob.relu.bf16 %0,%1,%2,%3;", 0x2bd70c0f8439b01c)
HALF_CASE(H_H, "neg.bf16 %0,%1;", 0xf9322e04941c6dcd)
HALF_CASE(H_H, "abs.bf16 %0,%1;", 0x0cc729fa0f214f8b)
HALF_CASE(H_H, "ex2.approx.ftz.bf16 %0,%1;", 0x7e213650133a417d)
HALF_CASE(H_H, "tanh.approx.bf16 %0,%1;", 0xcd7c53470fa2d1a1)
HALF_CASE(H_HH, "min.bf16 %0,%1,%2;", 0xa0a68e2662c5c102)
HALF_CASE(H_HH, "min.NaN.bf16 %0,%1,%2;", 0x31c6d0ddf60e7446)
HALF_CASE(H_HH, "min.xorsign.abs.bf16 %0,%1,%2;", 0x2ad7838bed6da2e7)
HALF_CASE(H_HH, "min.NaN.xorsign.abs.bf16 %0,%1,%2;", 0x44cdac9386a813b4)
HALF_CASE(H_HH, "max.bf16 %0,%1,%2;", 0xfce2e14795dc684c)
HALF_CASE(H_HH, "max.NaN.bf16 %0,%1,%2;", 0xeb70bb45bdaf9d53)
HALF_CASE(H_HH, "max.xorsign.abs.bf16 %0,%1,%2;", 0x611ecc649f73e53e)
HALF_CASE(H_HH, "max.NaN.xorsign.abs.bf16 %0,%1,%2;", 0xc6e866e56979328b)
HALF_CASE(R_RR, "add.rn.bf16x2 %0,%1,%2;", 0xfdcfd504c3b871f6)
HALF_CASE(R_RR, "sub.rn.bf16x2 %0,%1,%2;", 0xa859bde3b97f6d12)
HALF_CASE(R_RR, "mul.rn.bf16x2 %0,%1,%2;", 0x5eb33fc045ffc802)
HALF_CASE(R_RRR, "fma.rn.bf16x2 %0,%1,%2,%3;", 0xfd861d3db508f621)
HALF_CASE(R_RRR, "fma.rn.relu.bf16x2 %0,%1,%2,%3;", 0x8c6a61b952aa27ec)
HALF_CASE(R_RRR, "fma.rn.oob.bf16x2 %0,%1,%2,%3;", 0x074f4ecc7a51cafa)
HALF_CASE(R_RRR, "fma.rn.oob.relu.bf16x2 %0,%1,%2,%3;", 0x7b276ca2ba4662bb)
HALF_CASE(R_R, "neg.bf16x2 %0,%1;", 0xb7123370bd020d07)
HALF_CASE(R_R, "abs.bf16x2 %0,%1;", 0xd40e31f1a706d7e5)
HALF_CASE(R_R, "ex2.approx.ftz.bf16x2 %0,%1;", 0xccdc55889dbd978d)
HALF_CASE(R_R, "tanh.approx.bf16x2 %0,%1;", 0x55eb645fcfb248c0)
HALF_CASE(R_RR, "min.bf16x2 %0,%1,%2;", 0x23c0f7f85d40cc85)
HALF_CASE(R_RR, "min.NaN.bf16x2 %0,%1,%2;", 0x1d987796505b055b)
HALF_CASE(R_RR, "min.xorsign.abs.bf16x2 %0,%1,%2;", 0x3856dadc037d8705)
HALF_CASE(R_RR, "min.NaN.xorsign.abs.bf16x2 %0,%1,%2;", 0x48e81753b12c38a5)
HALF_CASE(R_RR, "max.bf16x2 %0,%1,%2;", 0x8d895fbae52b1513)
HALF_CASE(R_RR, "max.NaN.bf16x2 %0,%1,%2;", 0xbf6603748ec154ad)
HALF_CASE(R_RR, "max.xorsign.abs.bf16x2 %0,%1,%2;", 0x0f9f271a3f6fd186)
HALF_CASE(R_RR, "max.NaN.xorsign.abs.bf16x2 %0,%1,%2;", 0xbd2417c7ccf00be0)
HALF_CASE(F_FF, "min.NaN.f32 %0,%1,%2;", 0x9d156afb61a58b04)
HALF_CASE(F_FF, "min.ftz.NaN.f32 %0,%1,%2;", 0x24cb41056610c44f)
HALF_CASE(F_FF, "min.xorsign.abs.f32 %0,%1,%2;", 0xcc0c5602abe42cb3)
HALF_CASE(F_FF, "min.NaN.xorsign.abs.f32 %0,%1,%2;", 0xa232fe3f550761ba)
HALF_CASE(F_FF, "min.ftz.NaN.xorsign.abs.f32 %0,%1,%2;", 0xeb5791ab013df3d7)
HALF_CASE(F_FF, "max.NaN.f32 %0,%1,%2;", 0x93cfb9601b880ea4)
HALF_CASE(F_FF, "max.ftz.NaN.f32 %0,%1,%2;", 0x5ec19353e73643dc)
HALF_CASE(F_FF, "max.xorsign.abs.f32 %0,%1,%2;", 0x6cd0d079b38744cb)
HALF_CASE(F_FF, "max.NaN.xorsign.abs.f32 %0,%1,%2;", 0x212af791324a4636)
HALF_CASE(F_FF, "max.ftz.NaN.xorsign.abs.f32 %0,%1,%2;", 0xf46fd79524637e4f)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.eq.f16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0x0b29b0e6127b0fa0)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.ne.f16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0x3ba87be8198e9dd5)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.lt.f16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0xe5d2eaf410335ede)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.le.f16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0x96b75f008ec4a287)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.gt.f16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0x4b608b406e5e09a4)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.ge.f16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0xcc80fb083bd8d03d)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.equ.f16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0x38e07bdb2d647345)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.neu.f16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0x70ff77336b1bb7b5)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.ltu.f16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0xd6032d2f8ca9d546)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.leu.f16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0xb3a440bdb28a1a67)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.gtu.f16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0x099745ee7698e3d9)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.geu.f16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0xc91b8d5d2bb2bbfe)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.num.f16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0x8d145ed4835e9ecb)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.nan.f16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0x1c26ea140c0f2d62)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.eq.bf16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0xe2689d764939fafd)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.ne.bf16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0x8487ee556e0768ec)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.lt.bf16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0xdc2a33fd7b193c8b)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.le.bf16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0xdc944f15a309f557)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.gt.bf16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0xf5bd5185bf8372ca)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.ge.bf16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0x83f55cc78ab51971)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.equ.bf16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0x9322c99738a2341b)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.neu.bf16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0xb9aba1207d66205f)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.ltu.bf16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0x34d7eaaeaf0710ed)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.leu.bf16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0xaa8177e4266e2cb2)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.gtu.bf16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0xa69d6949f8869028)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.geu.bf16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0x84fe138c2d0bc264)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.num.bf16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0xef911aae22b85f36)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.nan.bf16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0xd25ef87ee4bd91fe)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.lt.ftz.f16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0xee6920bc042f5f58)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.equ.ftz.f16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0x52e16aa5ee32b936)
HALF_CASE(H_HH,
    "{.reg .pred p; setp.gtu.ftz.f16 p,%1,%2; selp.b16 %0,1,0,p;}",
    0xc671dc53494aaa60)
HALF_CASE(R_RR,
    "{.reg .pred p,q; .reg .b32 x,y; setp.lt.f16x2 p|q,%1,%2; selp.b32 x,1,0,p; "
    "selp.b32 y,2,0,q; or.b32 %0,x,y;}",
    0xc3c3b590440d780c)
HALF_CASE(R_RR,
    "{.reg .pred p,q,s; .reg .b32 x,y; setp.lt.s32 s,%1,%2; "
    "setp.lt.xor.f16x2 p|q,%1,%2,s; selp.b32 x,1,0,p; selp.b32 y,2,0,q; "
    "or.b32 %0,x,y;}",
    0x4511d2c79eebc78c)
HALF_CASE(R_RR,
    "{.reg .pred p,q; .reg .b32 x,y; setp.neu.f16x2 p|q,%1,%2; selp.b32 x,1,0,p; "
    "selp.b32 y,2,0,q; or.b32 %0,x,y;}",
    0xe6293394f00a0938)
HALF_CASE(R_RR,
    "{.reg .pred p,q,s; .reg .b32 x,y; setp.lt.s32 s,%1,%2; "
    "setp.neu.xor.f16x2 p|q,%1,%2,s; selp.b32 x,1,0,p; selp.b32 y,2,0,q; "
    "or.b32 %0,x,y;}",
    0x125c2f7ceecca9ec)
HALF_CASE(R_RR,
    "{.reg .pred p,q; .reg .b32 x,y; setp.num.f16x2 p|q,%1,%2; selp.b32 x,1,0,p; "
    "selp.b32 y,2,0,q; or.b32 %0,x,y;}",
    0xac06b9cd55002811)
HALF_CASE(R_RR,
    "{.reg .pred p,q,s; .reg .b32 x,y; setp.lt.s32 s,%1,%2; "
    "setp.num.xor.f16x2 p|q,%1,%2,s; selp.b32 x,1,0,p; selp.b32 y,2,0,q; "
    "or.b32 %0,x,y;}",
    0xf8d5116195f86b83)
HALF_CASE(R_RR,
    "{.reg .pred p; setp.lt.f16x2 p,%1,%2; selp.b32 %0,1,0,p;}",
    0xac3eed0e13fa658c)
HALF_CASE(R_RR, "set.gt.f16x2.f16x2 %0,%1,%2;", 0x0921e8e03ad8edd3)
HALF_CASE(R_RR, "set.leu.u32.f16x2 %0,%1,%2;", 0xa736af2794524c6e)
HALF_CASE(R_RR,
    "{.reg .pred s; setp.lt.s32 s,%1,%2; set.gt.and.f16x2.f16x2 %0,%1,%2,s;}",
    0xd31fb54cf44436bb)
HALF_CASE(R_RR,
    "{.reg .pred p,q; .reg .b32 x,y; setp.lt.bf16x2 p|q,%1,%2; selp.b32 x,1,0,p; "
    "selp.b32 y,2,0,q; or.b32 %0,x,y;}",
    0x4b4ba9ec6b4fd42a)
HALF_CASE(R_RR,
    "{.reg .pred p,q,s; .reg .b32 x,y; setp.lt.s32 s,%1,%2; "
    "setp.lt.xor.bf16x2 p|q,%1,%2,s; selp.b32 x,1,0,p; selp.b32 y,2,0,q; "
    "or.b32 %0,x,y;}",
    0x05fb40874651dfef)
HALF_CASE(R_RR,
    "{.reg .pred p,q; .reg .b32 x,y; setp.neu.bf16x2 p|q,%1,%2; selp.b32 x,1,0,p; "
    "selp.b32 y,2,0,q; or.b32 %0,x,y;}",
    0x7cbca245baa11fe4)
HALF_CASE(R_RR,
    "{.reg .pred p,q,s; .reg .b32 x,y; setp.lt.s32 s,%1,%2; "
    "setp.neu.xor.bf16x2 p|q,%1,%2,s; selp.b32 x,1,0,p; selp.b32 y,2,0,q; "
    "or.b32 %0,x,y;}",
    0x6cfa0c55350d9167)
HALF_CASE(R_RR,
    "{.reg .pred p,q; .reg .b32 x,y; setp.num.bf16x2 p|q,%1,%2; selp.b32 x,1,0,p; "
    "selp.b32 y,2,0,q; or.b32 %0,x,y;}",
    0x65b3cba1455a7355)
HALF_CASE(R_RR,
    "{.reg .pred p,q,s; .reg .b32 x,y; setp.lt.s32 s,%1,%2; "
    "setp.num.xor.bf16x2 p|q,%1,%2,s; selp.b32 x,1,0,p; selp.b32 y,2,0,q; "
    "or.b32 %0,x,y;}",
    0xa77826e31d303f98)
HALF_CASE(R_RR,
    "{.reg .pred p; setp.lt.bf16x2 p,%1,%2; selp.b32 %0,1,0,p;}",
    0x8843649426f28179)
HALF_CASE(R_RR, "set.gt.bf16x2.bf16x2 %0,%1,%2;", 0x05fbd0eafa8e4388)
HALF_CASE(R_RR, "set.leu.u32.bf16x2 %0,%1,%2;", 0x5d89f0d88ad9402f)
HALF_CASE(R_RR,
    "{.reg .pred s; setp.lt.s32 s,%1,%2; set.gt.and.bf16x2.bf16x2 %0,%1,%2,s;}",
    0x21bdf1299a7fac0c)
HALF_CASE(H_HH, "set.lt.f16.f16 %0,%1,%2;", 0x12e9d600ea5f61fb)
HALF_CASE(H_HH, "set.ge.u16.f16 %0,%1,%2;", 0x91bb9d393d31f4f7)
HALF_CASE(R_HH, "set.neu.s32.f16 %0,%1,%2;", 0xcf504c2616803ae9)
HALF_CASE(H_HH, "set.lt.f16.u16 %0,%1,%2;", 0x8ebdd69574ebe826)
HALF_CASE(H_FF, "set.lt.f16.f32 %0,%1,%2;", 0xdb8d978fba83e43a)
HALF_CASE(H_HH, "set.lt.bf16.bf16 %0,%1,%2;", 0x5a1ce196446fd608)
HALF_CASE(H_HH, "set.ge.u16.bf16 %0,%1,%2;", 0x9f8b803ca58d7b7f)
HALF_CASE(R_HH, "set.neu.s32.bf16 %0,%1,%2;", 0x2a15e8bc94d2356d)
HALF_CASE(H_HH, "set.lt.bf16.u16 %0,%1,%2;", 0xe23b68e371544e63)
HALF_CASE(H_FF, "set.lt.bf16.f32 %0,%1,%2;", 0xddb6e417de2f739e)
HALF_CASE(H_HH, "set.lt.bf16.f16 %0,%1,%2;", 0x5fa4f991e2adfa6d)
HALF_CASE(H_HH, "set.lt.ftz.f16.f16 %0,%1,%2;", 0xd2146116868394c5)
HALF_CASE(F_H, "cvt.f32.f16 %0,%1;", 0x04428dbe7abcc33f)
HALF_CASE(F_H, "cvt.ftz.f32.f16 %0,%1;", 0x04428dbe7abcc33f)
HALF_CASE(F_H, "cvt.sat.f32.f16 %0,%1;", 0x3c5c6f18fc4cb137)
HALF_CASE(F_H, "cvt.ftz.sat.f32.f16 %0,%1;", 0x3c5c6f18fc4cb137)
HALF_CASE(F_H, "cvt.f32.bf16 %0,%1;", 0x2e509ae6ae5cd31b)
HALF_CASE(F_H, "cvt.ftz.f32.bf16 %0,%1;", 0x0edd4ea1347a57f3)
HALF_CASE(D_H, "cvt.f64.f16 %0,%1;", 0xc4480f66f1c06b37)
HALF_CASE(D_H, "cvt.sat.f64.f16 %0,%1;", 0xa4790326cf4e70c2)
HALF_CASE(D_H, "cvt.f64.bf16 %0,%1;", 0x6ced7fed61e94bbb)
HALF_CASE(H_F, "cvt.rn.f16.f32 %0,%1;", 0x36455672028d1315)
HALF_CASE(H_F, "cvt.rn.bf16.f32 %0,%1;", 0x103395cb059ee350)
HALF_CASE(H_D, "cvt.rn.f16.f64 %0,%1;", 0x5d2768c72cd82365)
HALF_CASE(H_D, "cvt.rn.bf16.f64 %0,%1;", 0x03fddc1018108669)
HALF_CASE(H_H, "cvt.rn.bf16.f16 %0,%1;", 0xd4c8dc0588483bac)
HALF_CASE(H_H, "cvt.rn.f16.bf16 %0,%1;", 0x729c175f49623884)
HALF_CASE(H_F, "cvt.rz.f16.f32 %0,%1;", 0xa578d6512eb1f49c)
HALF_CASE(H_F, "cvt.rz.bf16.f32 %0,%1;", 0x000debdd8d8a5bb5)
HALF_CASE(H_D, "cvt.rz.f16.f64 %0,%1;", 0x71ae357b22276148)
HALF_CASE(H_D, "cvt.rz.bf16.f64 %0,%1;", 0x3e96f4fa9d1d99d1)
HALF_CASE(H_H, "cvt.rz.bf16.f16 %0,%1;", 0xa037206af9e91c87)
HALF_CASE(H_H, "cvt.rz.f16.bf16 %0,%1;", 0x4661619679287117)
HALF_CASE(H_F, "cvt.rm.f16.f32 %0,%1;", 0xd22170479ff34df6)
HALF_CASE(H_F, "cvt.rm.bf16.f32 %0,%1;", 0x39809f31e37441b9)
HALF_CASE(H_D, "cvt.rm.f16.f64 %0,%1;", 0xeb4bf5bf0ee33c51)
HALF_CASE(H_D, "cvt.rm.bf16.f64 %0,%1;", 0x9b081913ee2a7a51)
HALF_CASE(H_H, "cvt.rm.bf16.f16 %0,%1;", 0x59903ab0cf13ecc8)
HALF_CASE(H_H, "cvt.rm.f16.bf16 %0,%1;", 0x6f8da410b8919052)
HALF_CASE(H_F, "cvt.rp.f16.f32 %0,%1;", 0x4b0f72c4342213e3)
HALF_CASE(H_F, "cvt.rp.bf16.f32 %0,%1;", 0x8b50015b27a1eef2)
HALF_CASE(H_D, "cvt.rp.f16.f64 %0,%1;", 0xe80da6be9f683100)
HALF_CASE(H_D, "cvt.rp.bf16.f64 %0,%1;", 0x90615c7dcf2a4e87)
HALF_CASE(H_H, "cvt.rp.bf16.f16 %0,%1;", 0x277db8671a9d2f9f)
HALF_CASE(H_H, "cvt.rp.f16.bf16 %0,%1;", 0xca9fdd6f076f4b26)
HALF_CASE(H_F, "cvt.rn.ftz.f16.f32 %0,%1;", 0x36455672028d1315)
HALF_CASE(H_F, "cvt.rz.ftz.f16.f32 %0,%1;", 0xa578d6512eb1f49c)
HALF_CASE(H_F, "cvt.rn.sat.f16.f32 %0,%1;", 0x02d3f7e68a6792f1)
HALF_CASE(H_F, "cvt.rn.ftz.sat.f16.f32 %0,%1;", 0x02d3f7e68a6792f1)
HALF_CASE(H_F, "cvt.rp.sat.f16.f32 %0,%1;", 0x46e608ae42697a8f)
HALF_CASE(H_F, "cvt.rn.relu.f16.f32 %0,%1;", 0x9ecb871c396ac565)
HALF_CASE(H_F, "cvt.rz.relu.f16.f32 %0,%1;", 0xe875cd64b69c92e9)
HALF_CASE(H_F, "cvt.rn.satfinite.f16.f32 %0,%1;", 0x5940316b66b21bff)
HALF_CASE(H_F, "cvt.rz.satfinite.f16.f32 %0,%1;", 0x82d0fe831a365153)
HALF_CASE(H_F, "cvt.rn.relu.satfinite.f16.f32 %0,%1;", 0xe7c44209f6d4cef4)
HALF_CASE(H_F, "cvt.rz.relu.satfinite.f16.f32 %0,%1;", 0xcc78a411840cc333)
HALF_CASE(H_F, "cvt.rn.ftz.bf16.f32 %0,%1;", 0x477dd8eb4aecbc92)
HALF_CASE(H_F, "cvt.rz.ftz.bf16.f32 %0,%1;", 0x79fceed0d8a08ebd)
HALF_CASE(H_F, "cvt.rm.ftz.bf16.f32 %0,%1;", 0xa53829c556647781)
HALF_CASE(H_F, "cvt.rn.relu.bf16.f32 %0,%1;", 0x0aa2bd2ecf83605c)
HALF_CASE(H_F, "cvt.rz.relu.bf16.f32 %0,%1;", 0x43240a0234911490)
HALF_CASE(H_F, "cvt.rn.satfinite.bf16.f32 %0,%1;", 0x5632f5dc5874fd59)
HALF_CASE(H_F, "cvt.rz.satfinite.bf16.f32 %0,%1;", 0x267cd1b14a61ccdd)
HALF_CASE(H_F, "cvt.rn.relu.satfinite.bf16.f32 %0,%1;", 0xcbdc9ad18edcb904)
HALF_CASE(H_D, "cvt.rn.sat.f16.f64 %0,%1;", 0xcb1a3bf45b3d2a23)
HALF_CASE(H_H, "cvt.rni.f16.f16 %0,%1;", 0xd3d744b206cffe46)
HALF_CASE(H_H, "cvt.rni.bf16.bf16 %0,%1;", 0x9303a406ca7409a0)
HALF_CASE(H_H, "cvt.rzi.f16.f16 %0,%1;", 0xd1c86df37089fbaa)
HALF_CASE(H_H, "cvt.rzi.bf16.bf16 %0,%1;", 0x842235a67ff5d6ff)
HALF_CASE(H_H, "cvt.rmi.f16.f16 %0,%1;", 0xea9a18d236a91f00)
HALF_CASE(H_H, "cvt.rmi.bf16.bf16 %0,%1;", 0x734970dc176e9b48)
HALF_CASE(H_H, "cvt.rpi.f16.f16 %0,%1;", 0x67618e8a13b05330)
HALF_CASE(H_H, "cvt.rpi.bf16.bf16 %0,%1;", 0x13471db2d5f262be)
HALF_CASE(H_H, "cvt.rni.sat.f16.f16 %0,%1;", 0x93002c5cbe9eb525)
HALF_CASE(H_H, "cvt.sat.f16.f16 %0,%1;", 0x46ca0d86b4a5c383)
HALF_CASE(H_H, "cvt.f16.f16 %0,%1;", 0xa0d0c1f47abbed74)
HALF_CASE(H_H, "cvt.bf16.bf16 %0,%1;", 0x53d163189548c25a)
HALF_CASE(R_FF, "cvt.rn.f16x2.f32 %0,%1,%2;", 0x26fee8855dcd20ab)
HALF_CASE(R_FF, "cvt.rn.relu.f16x2.f32 %0,%1,%2;", 0xa48782a11980dd59)
HALF_CASE(R_FF, "cvt.rn.satfinite.f16x2.f32 %0,%1,%2;", 0x10d6083401056598)
HALF_CASE(R_FF, "cvt.rn.relu.satfinite.f16x2.f32 %0,%1,%2;", 0xe8e409f70da2f8ee)
HALF_CASE(R_FF, "cvt.rz.f16x2.f32 %0,%1,%2;", 0x03e5e310b3d6e29f)
HALF_CASE(R_FF, "cvt.rz.relu.f16x2.f32 %0,%1,%2;", 0x825d9b864251d68a)
HALF_CASE(R_FF, "cvt.rz.satfinite.f16x2.f32 %0,%1,%2;", 0xced310443043be6a)
HALF_CASE(R_FF, "cvt.rz.relu.satfinite.f16x2.f32 %0,%1,%2;", 0xce2c787e07227b40)
HALF_CASE(R_FF, "cvt.rn.bf16x2.f32 %0,%1,%2;", 0x788c9a410c9cf4a4)
HALF_CASE(R_FF, "cvt.rn.relu.bf16x2.f32 %0,%1,%2;", 0xeb9ffee2267c1dd3)
HALF_CASE(R_FF, "cvt.rn.satfinite.bf16x2.f32 %0,%1,%2;", 0xeb8fcb55a957c685)
HALF_CASE(R_FF, "cvt.rn.relu.satfinite.bf16x2.f32 %0,%1,%2;", 0xe2fe97fada53adc5)
HALF_CASE(R_FF, "cvt.rz.bf16x2.f32 %0,%1,%2;", 0x7b1e5473b55749b4)
HALF_CASE(R_FF, "cvt.rz.relu.bf16x2.f32 %0,%1,%2;", 0xff2750b5f6c3fb95)
HALF_CASE(R_FF, "cvt.rz.satfinite.bf16x2.f32 %0,%1,%2;", 0x3f36f4568306e20e)
HALF_CASE(R_FF, "cvt.rz.relu.satfinite.bf16x2.f32 %0,%1,%2;", 0x6d42e7a9ca90f39c)
HALF_CASE(R_F, "cvt.rna.tf32.f32 %0,%1;", 0xb2876332eef9a7d1)
HALF_CASE(R_F, "cvt.rna.satfinite.tf32.f32 %0,%1;", 0xd7d5dff4987002a1)
HALF_CASE(R_F, "cvt.rn.tf32.f32 %0,%1;", 0xff0244317bd4c4c0)
HALF_CASE(R_F, "cvt.rz.tf32.f32 %0,%1;", 0xa286ebada2378a0d)
HALF_CASE(R_F, "cvt.rn.relu.tf32.f32 %0,%1;", 0x9c56e3a74b715286)
HALF_CASE(R_F, "cvt.rz.relu.tf32.f32 %0,%1;", 0xb1d6a45da068e5b8)
HALF_CASE(H_FF, "cvt.rn.satfinite.e4m3x2.f32 %0,%1,%2;", 0xd727552dddcfc0fe)
HALF_CASE(H_R, "cvt.rn.satfinite.e4m3x2.f16x2 %0,%1;", 0x1a7c01118e5985a8)
HALF_CASE(R_H, "cvt.rn.f16x2.e4m3x2 %0,%1;", 0xf105e9e2e298da1b)
HALF_CASE(H_FF, "cvt.rn.satfinite.relu.e4m3x2.f32 %0,%1,%2;", 0x9aacca6b41ab1c98)
HALF_CASE(H_R, "cvt.rn.satfinite.relu.e4m3x2.f16x2 %0,%1;", 0x5badd4415cc2a36f)
HALF_CASE(R_H, "cvt.rn.relu.f16x2.e4m3x2 %0,%1;", 0x8cf8982afcc9c3ff)
HALF_CASE(H_FF, "cvt.rn.satfinite.e5m2x2.f32 %0,%1,%2;", 0x7175c2ff53e4fd96)
HALF_CASE(H_R, "cvt.rn.satfinite.e5m2x2.f16x2 %0,%1;", 0x004d6164ed974711)
HALF_CASE(R_H, "cvt.rn.f16x2.e5m2x2 %0,%1;", 0xa92056593316c393)
HALF_CASE(H_FF, "cvt.rn.satfinite.relu.e5m2x2.f32 %0,%1,%2;", 0xdf7e4bc5fd96ae60)
HALF_CASE(H_R, "cvt.rn.satfinite.relu.e5m2x2.f16x2 %0,%1;", 0x65986f6dcb290c6d)
HALF_CASE(R_H, "cvt.rn.relu.f16x2.e5m2x2 %0,%1;", 0x9d6d18b33b5e7ece)
HALF_CASE(H_H, "cvt.rni.u8.f16 %0,%1;", 0xdcaf8fea72dcaf33)
HALF_CASE(H_H, "cvt.rzi.u8.f16 %0,%1;", 0xa9850c19bccd1e0b)
HALF_CASE(H_H, "cvt.rmi.u8.f16 %0,%1;", 0xa9850c19bccd1e0b)
HALF_CASE(H_H, "cvt.rpi.u8.f16 %0,%1;", 0xdc736a857f5f28a9)
HALF_CASE(H_H, "cvt.rn.f16.u8 %0,%1;", 0x8821813024f6433b)
HALF_CASE(H_H, "cvt.rz.f16.u8 %0,%1;", 0x8821813024f6433b)
HALF_CASE(H_H, "cvt.rm.f16.u8 %0,%1;", 0x8821813024f6433b)
HALF_CASE(H_H, "cvt.rp.f16.u8 %0,%1;", 0x8821813024f6433b)
HALF_CASE(H_H, "cvt.rni.s8.f16 %0,%1;", 0xe69b714f493325de)
HALF_CASE(H_H, "cvt.rzi.s8.f16 %0,%1;", 0x596c2eb26334a946)
HALF_CASE(H_H, "cvt.rmi.s8.f16 %0,%1;", 0x44a47780195d37b2)
HALF_CASE(H_H, "cvt.rpi.s8.f16 %0,%1;", 0xdc5c87067c64cd2a)
HALF_CASE(H_H, "cvt.rn.f16.s8 %0,%1;", 0xbbab73785f805728)
HALF_CASE(H_H, "cvt.rz.f16.s8 %0,%1;", 0xbbab73785f805728)
HALF_CASE(H_H, "cvt.rm.f16.s8 %0,%1;", 0xbbab73785f805728)
HALF_CASE(H_H, "cvt.rp.f16.s8 %0,%1;", 0xbbab73785f805728)
HALF_CASE(H_H, "cvt.rni.u16.f16 %0,%1;", 0x884cd03aecd3aae3)
HALF_CASE(H_H, "cvt.rzi.u16.f16 %0,%1;", 0xaf402b194546134d)
HALF_CASE(H_H, "cvt.rmi.u16.f16 %0,%1;", 0xaf402b194546134d)
HALF_CASE(H_H, "cvt.rpi.u16.f16 %0,%1;", 0x8c0f9b31dc6e3910)
HALF_CASE(H_H, "cvt.rn.f16.u16 %0,%1;", 0x79fe314d75f379dd)
HALF_CASE(H_H, "cvt.rz.f16.u16 %0,%1;", 0x2343c97262d5e338)
HALF_CASE(H_H, "cvt.rm.f16.u16 %0,%1;", 0x2343c97262d5e338)
HALF_CASE(H_H, "cvt.rp.f16.u16 %0,%1;", 0xa764325f36ea6caf)
HALF_CASE(H_H, "cvt.rni.s16.f16 %0,%1;", 0x71224d72c876fa38)
HALF_CASE(H_H, "cvt.rzi.s16.f16 %0,%1;", 0x32c2b2429d8352c4)
HALF_CASE(H_H, "cvt.rmi.s16.f16 %0,%1;", 0x0c2c3fecaa3557db)
HALF_CASE(H_H, "cvt.rpi.s16.f16 %0,%1;", 0x6b827555e0b59105)
HALF_CASE(H_H, "cvt.rn.f16.s16 %0,%1;", 0x7547eec71da767e5)
HALF_CASE(H_H, "cvt.rz.f16.s16 %0,%1;", 0x20afc17ce1d1c6ef)
HALF_CASE(H_H, "cvt.rm.f16.s16 %0,%1;", 0x9f9af24e6c995450)
HALF_CASE(H_H, "cvt.rp.f16.s16 %0,%1;", 0xb69dc9dc08f79c6a)
HALF_CASE(R_H, "cvt.rni.u32.f16 %0,%1;", 0x52a761dfd2df427b)
HALF_CASE(R_H, "cvt.rzi.u32.f16 %0,%1;", 0x6721b322336e80e9)
HALF_CASE(R_H, "cvt.rmi.u32.f16 %0,%1;", 0x6721b322336e80e9)
HALF_CASE(R_H, "cvt.rpi.u32.f16 %0,%1;", 0x8bd3f353db754865)
HALF_CASE(H_R, "cvt.rn.f16.u32 %0,%1;", 0x238405603cb4bb31)
HALF_CASE(H_R, "cvt.rz.f16.u32 %0,%1;", 0x3b82c7162e230e96)
HALF_CASE(H_R, "cvt.rm.f16.u32 %0,%1;", 0x3b82c7162e230e96)
HALF_CASE(H_R, "cvt.rp.f16.u32 %0,%1;", 0x87284a8438ae5b0c)
HALF_CASE(R_H, "cvt.rni.s32.f16 %0,%1;", 0x4923935c0da63223)
HALF_CASE(R_H, "cvt.rzi.s32.f16 %0,%1;", 0x055887a8e02f4b7c)
HALF_CASE(R_H, "cvt.rmi.s32.f16 %0,%1;", 0x4674589aba389779)
HALF_CASE(R_H, "cvt.rpi.s32.f16 %0,%1;", 0xbc84538e07d9270c)
HALF_CASE(H_R, "cvt.rn.f16.s32 %0,%1;", 0xc6695cb5523a3bf3)
HALF_CASE(H_R, "cvt.rz.f16.s32 %0,%1;", 0xefbdc30b609b61ba)
HALF_CASE(H_R, "cvt.rm.f16.s32 %0,%1;", 0xb2007b137529cf5e)
HALF_CASE(H_R, "cvt.rp.f16.s32 %0,%1;", 0x5baefef2bd3b3d6a)
HALF_CASE(L_H, "cvt.rni.u64.f16 %0,%1;", 0xa3f18628623efd0c)
HALF_CASE(L_H, "cvt.rzi.u64.f16 %0,%1;", 0xff0f1743f5c369b2)
HALF_CASE(L_H, "cvt.rmi.u64.f16 %0,%1;", 0xff0f1743f5c369b2)
HALF_CASE(L_H, "cvt.rpi.u64.f16 %0,%1;", 0xe6b1afab5e838a64)
HALF_CASE(H_L, "cvt.rn.f16.u64 %0,%1;", 0xf4853cdbb6373374)
HALF_CASE(H_L, "cvt.rz.f16.u64 %0,%1;", 0xda1bb68f73142012)
HALF_CASE(H_L, "cvt.rm.f16.u64 %0,%1;", 0xda1bb68f73142012)
HALF_CASE(H_L, "cvt.rp.f16.u64 %0,%1;", 0xd4326a8525faad94)
HALF_CASE(L_H, "cvt.rni.s64.f16 %0,%1;", 0xa845820f0d3dc940)
HALF_CASE(L_H, "cvt.rzi.s64.f16 %0,%1;", 0xd0994dd7f1f3df38)
HALF_CASE(L_H, "cvt.rmi.s64.f16 %0,%1;", 0x7cde8aabc60d94d9)
HALF_CASE(L_H, "cvt.rpi.s64.f16 %0,%1;", 0x476fbbb5e3028249)
HALF_CASE(H_L, "cvt.rn.f16.s64 %0,%1;", 0x0a290e57e5cbf37d)
HALF_CASE(H_L, "cvt.rz.f16.s64 %0,%1;", 0xb3de2d7e93c97a00)
HALF_CASE(H_L, "cvt.rm.f16.s64 %0,%1;", 0x3a38fb927c091f73)
HALF_CASE(H_L, "cvt.rp.f16.s64 %0,%1;", 0xdada195bd278b9b8)
HALF_CASE(H_H, "cvt.rni.u16.bf16 %0,%1;", 0x12d2269804dd3580)
HALF_CASE(H_H, "cvt.rzi.u16.bf16 %0,%1;", 0x28ce99ee15b92daa)
HALF_CASE(H_H, "cvt.rmi.u16.bf16 %0,%1;", 0x28ce99ee15b92daa)
HALF_CASE(H_H, "cvt.rpi.u16.bf16 %0,%1;", 0xc0a4fb29c7040163)
HALF_CASE(H_H, "cvt.rn.bf16.u16 %0,%1;", 0xb9f11ad583eef418)
HALF_CASE(H_H, "cvt.rz.bf16.u16 %0,%1;", 0x73a7b65105f37b0e)
HALF_CASE(H_H, "cvt.rm.bf16.u16 %0,%1;", 0x73a7b65105f37b0e)
HALF_CASE(H_H, "cvt.rp.bf16.u16 %0,%1;", 0x3d96b8670b410737)
HALF_CASE(H_H, "cvt.rni.s16.bf16 %0,%1;", 0x6a5b44f082fea77d)
HALF_CASE(H_H, "cvt.rzi.s16.bf16 %0,%1;", 0x0a341379d76bae44)
HALF_CASE(H_H, "cvt.rmi.s16.bf16 %0,%1;", 0x555ea9c7cb5689cc)
HALF_CASE(H_H, "cvt.rpi.s16.bf16 %0,%1;", 0x9ca3af85961c49c0)
HALF_CASE(H_H, "cvt.rn.bf16.s16 %0,%1;", 0xc6a797e84b7269b4)
HALF_CASE(H_H, "cvt.rz.bf16.s16 %0,%1;", 0xc2cddaaacab7eeeb)
HALF_CASE(H_H, "cvt.rm.bf16.s16 %0,%1;", 0x2b152713639f756e)
HALF_CASE(H_H, "cvt.rp.bf16.s16 %0,%1;", 0xdd4ad6c057eb6205)
HALF_CASE(R_H, "cvt.rni.u32.bf16 %0,%1;", 0x084336d3fba4ceea)
HALF_CASE(R_H, "cvt.rzi.u32.bf16 %0,%1;", 0x7476d8d9c1217e92)
HALF_CASE(R_H, "cvt.rmi.u32.bf16 %0,%1;", 0x7476d8d9c1217e92)
HALF_CASE(R_H, "cvt.rpi.u32.bf16 %0,%1;", 0xb30df39d546b26f4)
HALF_CASE(H_R, "cvt.rn.bf16.u32 %0,%1;", 0x3074bc9ac78e46fe)
HALF_CASE(H_R, "cvt.rz.bf16.u32 %0,%1;", 0x2efc76a4b2fb5751)
HALF_CASE(H_R, "cvt.rm.bf16.u32 %0,%1;", 0x2efc76a4b2fb5751)
HALF_CASE(H_R, "cvt.rp.bf16.u32 %0,%1;", 0x7abd28aa252eb215)
HALF_CASE(R_H, "cvt.rni.s32.bf16 %0,%1;", 0x0bcf27808849cfe1)
HALF_CASE(R_H, "cvt.rzi.s32.bf16 %0,%1;", 0x589ac2cfed801b05)
HALF_CASE(R_H, "cvt.rmi.s32.bf16 %0,%1;", 0x3d4d80c88e0cf15f)
HALF_CASE(R_H, "cvt.rpi.s32.bf16 %0,%1;", 0x77d8f25c1f61cefc)
HALF_CASE(H_R, "cvt.rn.bf16.s32 %0,%1;", 0x6062f51b04f53216)
HALF_CASE(H_R, "cvt.rz.bf16.s32 %0,%1;", 0x5a69ed9e02e2035e)
HALF_CASE(H_R, "cvt.rm.bf16.s32 %0,%1;", 0x78e0a7fa4f3b23c1)
HALF_CASE(H_R, "cvt.rp.bf16.s32 %0,%1;", 0xe66bc6bee256108a)
HALF_CASE(L_H, "cvt.rni.u64.bf16 %0,%1;", 0x7d251c4bc3410932)
HALF_CASE(L_H, "cvt.rzi.u64.bf16 %0,%1;", 0x1ed40a6752508b0c)
HALF_CASE(L_H, "cvt.rmi.u64.bf16 %0,%1;", 0x1ed40a6752508b0c)
HALF_CASE(L_H, "cvt.rpi.u64.bf16 %0,%1;", 0x936a343001b0b9ad)
HALF_CASE(H_L, "cvt.rn.bf16.u64 %0,%1;", 0x9bc265dc0119e587)
HALF_CASE(H_L, "cvt.rz.bf16.u64 %0,%1;", 0x1a3f5ed75cf2b153)
HALF_CASE(H_L, "cvt.rm.bf16.u64 %0,%1;", 0x1a3f5ed75cf2b153)
HALF_CASE(H_L, "cvt.rp.bf16.u64 %0,%1;", 0x0d95081a71e66660)
HALF_CASE(L_H, "cvt.rni.s64.bf16 %0,%1;", 0xc3c04956e80751ea)
HALF_CASE(L_H, "cvt.rzi.s64.bf16 %0,%1;", 0x9be1e8bfe5b31b67)
HALF_CASE(L_H, "cvt.rmi.s64.bf16 %0,%1;", 0xfee1f2fd15d4905e)
HALF_CASE(L_H, "cvt.rpi.s64.bf16 %0,%1;", 0xecb6ce34412d9772)
HALF_CASE(H_L, "cvt.rn.bf16.s64 %0,%1;", 0xe5ff29d76c49c395)
HALF_CASE(H_L, "cvt.rz.bf16.s64 %0,%1;", 0x6ad177e5ed904853)
HALF_CASE(H_L, "cvt.rm.bf16.s64 %0,%1;", 0xfdc63db1ce71a4c8)
HALF_CASE(H_L, "cvt.rp.bf16.s64 %0,%1;", 0x100598171af186d5)
HALF_CASE(H_L, "cvt.rn.sat.f16.s64 %0,%1;", 0x25e8ac1e42d71219)
HALF_CASE(R_H, "cvt.rzi.sat.s32.f16 %0,%1;", 0x055887a8e02f4b7c)
HALF_CASE(AG_HH, "atom.global.add.noftz.f16", 0x6339a1c27d356f34)
HALF_CASE(AS_HH, "atom.shared.add.noftz.f16", 0x6339a1c27d356f34)
HALF_CASE(AG_RR, "atom.global.add.noftz.f16x2", 0x6ae0d1a289832f23)
HALF_CASE(AS_RR, "atom.shared.add.noftz.f16x2", 0x6ae0d1a289832f23)
HALF_CASE(RG_HH, "red.global.add.noftz.f16", 0x6339a1c27d356f34)
HALF_CASE(RG_RR, "red.global.add.noftz.f16x2", 0x6ae0d1a289832f23)
HALF_CASE(AG_HH, "atom.global.add.noftz.bf16", 0xb30b7e7dee732d63)
HALF_CASE(AS_HH, "atom.shared.add.noftz.bf16", 0xb30b7e7dee732d63)
HALF_CASE(AG_RR, "atom.global.add.noftz.bf16x2", 0xfdcfd504c3b871f6)
HALF_CASE(AS_RR, "atom.shared.add.noftz.bf16x2", 0xfdcfd504c3b871f6)
HALF_CASE(RG_HH, "red.global.add.noftz.bf16", 0xb30b7e7dee732d63)
HALF_CASE(RG_RR, "red.global.add.noftz.bf16x2", 0xfdcfd504c3b871f6)
/* clang-format on */
