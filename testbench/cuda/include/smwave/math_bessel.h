/*
 * math_bessel.h - Bessel functions of the first and second kind of whole orders, and
 * the modified ones of orders 0 and 1, for double; float's are these, rounded.
 *
 * Up to 8 the functions are polynomials on pieces, about a zero where a piece has one,
 * so that results near it keep their digits. Beyond, amplitude and phase are
 * polynomials in 1/x^2, and the error is an absolute one.
 */
#ifndef SMWAVE_MATH_BESSEL_H
#define SMWAVE_MATH_BESSEL_H

#include "smwave/math_basic.h"
#include "smwave/math_double.h"

namespace smwave_math
{

/* J0 (turn 0) or Y0 (turn -1: a quarter later), x > 8 */
SMWAVE_SLOW double bessel0_large(double x, int turn)
{
    double r = quotient(1.0, x), z = mul(r, r), amplitude, phase, low, u, v, s;
    int q, k;

    amplitude =
        poly(z, 0x1.0000000000000p+0, -0x1.fffffffffccb4p-5, 0x1.a7ffffe924712p-4,
             -0x1.15efefbb914cep-1, 0x1.764af6220cd66p+2, -0x1.aad772e5abcb0p+6,
             0x1.6c1a06c40a88ap+11, -0x1.97366f0bdcc11p+16, 0x1.f4d9de5d18ea4p+21,
             -0x1.18bb4c5373611p+27, 0x1.e52868d3caf49p+31, -0x1.0f3491ba9bd88p+36,
             0x1.1e0c0821cd369p+39);
    phase = poly(z, -0x1.0000000000000p-3, 0x1.0aaaaaaaa9d55p-4, -0x1.ad33332b490a3p-3,
                 0x1.a358419caf189p+0, -0x1.779836ba77c17p+4, 0x1.0babd5b1c31c3p+9,
                 -0x1.14b49ef696deep+14, 0x1.7b8eff71eb1bap+19, -0x1.31f82b6e7d93ap+25,
                 0x1.f48830f1e5a62p+30, -0x1.6ad99d91b36edp+36, 0x1.a1ce7ecd4d32ep+41,
                 -0x1.58fe7a4f8bd71p+46, 0x1.6488f327648f0p+50, -0x1.57175f206b0e2p+53);
    phase = mul(phase, r); /* small: at most 1/16 */
    u = reduce(x, q, low);
    /* x + phase - (2 order + 1) pi/4: the last part is an odd multiple of pi/4, of
     * which half the multiples go into q. The sum is reduced once more. */
    v = u + (phase - 0x1.921fb54442d18p-1);
    s = (u - v) + (phase - 0x1.921fb54442d18p-1);
    v = v + ((s + low) - 0x1.1a62633145c07p-55);
    u = reduce(v, k, low);
    u = sine(u, q + k + 1 - 0 + turn);
    s = mul(root(r), 0x1.9884533d43651p-1); /* sqrt(2 / pi) */
    return mul(mul(s, amplitude), u);
}

/* J1 (turn 0) or Y1 (turn -1: a quarter later), x > 8 */
SMWAVE_SLOW double bessel1_large(double x, int turn)
{
    double r = quotient(1.0, x), z = mul(r, r), amplitude, phase, low, u, v, s;
    int q, k;

    amplitude =
        poly(z, 0x1.0000000000000p+0, 0x1.7fffffffff19cp-3, -0x1.8bfffff32d2f4p-3,
             0x1.9c4fedc0ae4afp-1, -0x1.ef5487d419d34p+2, 0x1.0920dbe64a697p+7,
             -0x1.b32bd4a890889p+11, 0x1.db37cd51211d9p+16, -0x1.203ac7a2c0c7ap+22,
             0x1.40a69a314744dp+27, -0x1.13e51e7c9e1dbp+32, 0x1.33af13972fc57p+36,
             -0x1.44045f5f6d6b1p+39);
    phase = poly(z, 0x1.8000000000000p-2, -0x1.4fffffffff89ap-3, 0x1.7bccccc86870fp-2,
                 -0x1.2f48698942ee6p+1, 0x1.e9f9d5c6d311fp+4, -0x1.496d68f6d4a71p+9,
                 0x1.4859766f21598p+14, -0x1.b7d068a994237p+19, 0x1.5d4ae7a00cf6cp+25,
                 -0x1.1b33b75d9813fp+31, 0x1.988825104b8d6p+36, -0x1.d50234aaffc37p+41,
                 0x1.828f9578d4addp+46, -0x1.8f03625ea5146p+50, 0x1.7fa6fbaf3f30bp+53);
    phase = mul(phase, r); /* small: at most 1/16 */
    u = reduce(x, q, low);
    /* x + phase - (2 order + 1) pi/4: the last part is an odd multiple of pi/4, of
     * which half the multiples go into q. The sum is reduced once more. */
    v = u + (phase - 0x1.921fb54442d18p-1);
    s = (u - v) + (phase - 0x1.921fb54442d18p-1);
    v = v + ((s + low) - 0x1.1a62633145c07p-55);
    u = reduce(v, k, low);
    u = sine(u, q + k + 1 - 1 + turn);
    s = mul(root(r), 0x1.9884533d43651p-1); /* sqrt(2 / pi) */
    return mul(mul(s, amplitude), u);
}

SMWAVE_SLOW double bessel_j0(double x) /* x >= 0 */
{
    double z = mul(x, x), t;

    if (x < 2.0) {
        return poly(z, 0x1.0000000000000p+0, -0x1.0000000000000p-2,
                    0x1.0000000000000p-6, -0x1.c71c71c71c71cp-12, 0x1.c71c71c71c6f6p-18,
                    -0x1.23456789aa045p-24, 0x1.02e85c073f99cp-31,
                    -0x1.522a42d59a46ep-39, 0x1.5229b85f0c001p-47,
                    -0x1.0b0a736328681p-55, 0x1.4a898b05e00e8p-64);
    }
    if (x < 4) {
        t = (x - 0x1.33d152e971b40p+1) + 0x1.0f539d7da258ep-53;
        return mul(t, poly(t, -0x1.09cdb36551280p-1, 0x1.ba1deea029494p-4,
                           0x1.cfae864368d72p-5, -0x1.1bb1cbe1a41c1p-7,
                           -0x1.1f992590d0eeap-9, 0x1.15382ba096232p-12,
                           0x1.6ed3b9ee1291fp-15, -0x1.232c78026538bp-18,
                           -0x1.1cce2abf62d17p-21, 0x1.7ff9680f97ba4p-25,
                           0x1.294c48fd0f2cfp-28, -0x1.5b7815463de38p-32,
                           -0x1.c7e7b0c677ae6p-36, 0x1.0e404115d7d58p-39,
                           0x1.6b908eacac61ep-45));
    }
    if (x < 7) {
        t = (x - 0x1.6148f5b2c2e45p+2) - 0x1.75054cd60a517p-54;
        return mul(t, poly(t, 0x1.5c6e60a097823p-2, -0x1.f8f72e7a848dfp-6,
                           -0x1.b2150cb41e8c1p-5, 0x1.2f7ffe9025676p-8,
                           0x1.27e31fe9a97c7p-9, -0x1.6f641f4192120p-13,
                           -0x1.863f481a47739p-15, 0x1.ad77d74643805p-19,
                           0x1.32e6d99e55697p-21, -0x1.2da37d56c6db4p-25,
                           -0x1.41d72e6b2309cp-28, 0x1.1d03d460a0a03p-32,
                           0x1.e2f391bdabe0ap-36, -0x1.846ae0c47fed1p-40,
                           -0x1.104b25594996fp-43, 0x1.853eb0aa61ffbp-48,
                           0x1.d8a6521e62af4p-52));
    }
    t = (x - 0x1.14eb56cccdecap+3) + 0x1.51970714c7c25p-52;
    return mul(
        t, poly(t, -0x1.15f7977a772d4p-2, 0x1.00f7fcf183e0dp-6, 0x1.68b984ec6493cp-5,
                -0x1.48e63600d8426p-9, -0x1.0e0d60385a714p-9, 0x1.d796052778b04p-14,
                0x1.7800bc551b7ffp-15, -0x1.33248431bd470p-19, -0x1.30e8cc723fcfep-21,
                0x1.ceda4006c1066p-26, 0x1.4583118c793d2p-28, -0x1.cac110706777fp-33,
                -0x1.ec841c8ed81f9p-36, 0x1.51580cad9b4afp-40, 0x1.4668ea1910c88p-43));
}

SMWAVE_SLOW double bessel_j1(double x) /* x >= 0 */
{
    double z = mul(x, x), t;

    if (x < 2.5) {
        return mul(x, poly(z, 0x1.0000000000000p-1, -0x1.0000000000000p-4,
                           0x1.5555555555555p-9, -0x1.c71c71c71c71bp-15,
                           0x1.6c16c16c16af8p-21, -0x1.845c8a0cd3f57p-28,
                           0x1.27e4fb6f4654bp-35, -0x1.522a3f88de1eap-43,
                           0x1.2c95f9da083a3p-51, -0x1.ab050b570c26cp-60,
                           0x1.d9bf7b27b681dp-69));
    }
    if (x < 5.3) {
        t = (x - 0x1.ea75575af6f09p+1) + 0x1.60155a9d1b256p-53;
        return mul(t, poly(t, -0x1.9c6cf582cbf7fp-2, 0x1.ae8a39f51ad07p-5,
                           0x1.b589d1da138f3p-5, -0x1.537544c331fb7p-8,
                           -0x1.24b34099583f9p-9, 0x1.6e4c2d536d69cp-13,
                           0x1.83a06e2ff1e37p-15, -0x1.9799d4dad9c38p-19,
                           -0x1.33825c648b69bp-21, 0x1.170697f309300p-25,
                           0x1.456972a0aa536p-28, -0x1.03bbf9adc192bp-32,
                           -0x1.ec39464bd2bc2p-36, 0x1.5f83d5ab32659p-40,
                           0x1.10b75a8bec763p-43, -0x1.7f408c00a8062p-48));
    }
    t = (x - 0x1.c0ff5f3b47250p+2) + 0x1.b226d9d243827p-54;
    return mul(
        t, poly(t, 0x1.33518b3874e8ap-2, -0x1.5e70dc60362c1p-6, -0x1.80c83bdeee5afp-5,
                0x1.9a4b292e3def3p-9, 0x1.13fbc7d698192p-9, -0x1.07358bbdc3207p-13,
                -0x1.796a751f81d61p-15, 0x1.4255b0174bf75p-19, 0x1.3026e0cb6342ap-21,
                -0x1.d48dce8f7a8f7p-26, -0x1.44639bdccce9cp-28, 0x1.c62d106e44638p-33,
                0x1.ecad9658ff074p-36, -0x1.3bc2926514203p-40, -0x1.181239662645bp-43,
                0x1.4d12cd8f0a888p-48, 0x1.deacac739c4e4p-52, -0x1.356ff112d0671p-56));
}

SMWAVE_SLOW double bessel_y0(double x) /* x > 0 */
{
    double z = mul(x, x), t;

    if (x < 0.6) { /* 2/pi log(x) J0(x) + a polynomial */
        t = poly(z, -0x1.2e4d699cbd01fp-4, 0x1.6bbcb41034286p-3, -0x1.075b1bbf41364p-6,
                 0x1.1a6206b7b970dp-11, -0x1.3e997941f0a7cp-17, 0x1.bce4a5990833cp-24,
                 -0x1.a6ed6c2a11346p-31, 0x1.224ac07a3753fp-38);
        return mad(mul(0x1.45f306dc9c883p-1, log(x)), bessel_j0(x), t);
    }
    if (x < 1.4) {
        t = (x - 0x1.c982eb8d417eap-1) - 0x1.ea9d270347f83p-56;
        return mul(
            t,
            poly(t, 0x1.c24371844b88ap-1, -0x1.f7e38a46d7103p-2, 0x1.c3b1338af3f54p-3,
                 -0x1.cf18e6a4b3710p-3, 0x1.c068086c1a820p-3, -0x1.a396a8059b875p-3,
                 0x1.9424b9382020fp-3, -0x1.8d35b48d0f2d1p-3, 0x1.8c08ce824cdacp-3,
                 -0x1.8f7e2e82a731bp-3, 0x1.96ded90ff81c1p-3, -0x1.a1b7baabc91a8p-3,
                 0x1.afbe94f9b1259p-3, -0x1.c0c79f2499ad2p-3, 0x1.d52753eac6e99p-3,
                 -0x1.edb287f074e30p-3, 0x1.03aa0234fd02bp-2, -0x1.0c2b6e6632e1bp-2,
                 0x1.16d9976960366p-2, -0x1.44f8a151a7a29p-2, 0x1.989b86a2a4d59p-2,
                 -0x1.a50fcbfaec63fp-2, 0x1.0ec34e052d62cp-2, -0x1.36883e2dde19ap-4));
    }
    if (x < 2.8) {
        t = x - 0x1.1000000000000p+1;
        return poly(t, 0x1.09f0f995cb215p-1, 0x1.38ba68ddbc78cp-5,
                    -0x1.1323a2510560cp-2, 0x1.30b19d038327cp-5, 0x1.fcfc806faa464p-8,
                    0x1.93534e4ff16e9p-10, -0x1.7af9dc00afa07p-10,
                    0x1.e1cc5d5efc930p-12, -0x1.71bffe96cfbb2p-13,
                    0x1.4232c8882529fp-14, -0x1.14a3eba3a4477p-15,
                    0x1.db43541cf4fe0p-17, -0x1.9bb1084f01e1ep-18,
                    0x1.66fd90a989223p-19, -0x1.39c1aa7394908p-20,
                    0x1.12639f46e60d1p-21, -0x1.f4b3ae1072bebp-23,
                    0x1.d4aa7dab698e9p-24, -0x1.3cb18e81c1886p-25,
                    0x1.769d00d57cdffp-27, -0x1.098faf2b590dap-26,
                    0x1.3d6845e0639d5p-27);
    }
    if (x < 5.4) {
        t = (x - 0x1.fa9534d98569cp+1) + 0x1.f06ae7804384ep-54;
        return mul(t, poly(t, -0x1.9c34256a12a0cp-2, 0x1.a09c9290367eap-5,
                           0x1.df6d59bf50ea5p-5, -0x1.c116fdc597aacp-8,
                           -0x1.1e32bc4ef6f4cp-9, 0x1.99827650d5cffp-13,
                           0x1.ab2c1fea1cb95p-15, -0x1.48637181ae5e9p-18,
                           -0x1.3b216430a1488p-22, -0x1.77718c1e01aafp-26,
                           0x1.452e4cd3307ccp-26, -0x1.f682554286872p-29,
                           0x1.a5a23efc15286p-31, -0x1.9a74e83dcb079p-33,
                           0x1.899a0f3fb1ce4p-35, -0x1.69dbdaa634441p-37,
                           0x1.5346b2cfde115p-39, -0x1.8c8a3d539a5e3p-41,
                           0x1.c50012629ccacp-43, -0x1.02dddcbc135c7p-45));
    }
    t = (x - 0x1.c581dc4e72103p+2) + 0x1.9774a495f56cfp-54;
    return mul(
        t, poly(t, 0x1.334cca0697a5bp-2, -0x1.5aef611fc4d56p-6, -0x1.8969c64cbf453p-5,
                0x1.b2f14a955275cp-9, 0x1.1d35e85fde346p-9, -0x1.26dd71e38fbf2p-13,
                -0x1.8177e4fe5b5b6p-15, 0x1.6a92273422340p-19, 0x1.34aa7578149ebp-21,
                -0x1.0a28148fbc92bp-25, -0x1.442a3f4f92380p-28, 0x1.fa6c271015ce1p-33,
                0x1.f14f96dce9e05p-36, -0x1.71461adeadf83p-40, -0x1.06b0a8be7ddaap-43,
                0x1.32d787570415fp-48, 0x1.427a076960586p-51, -0x1.38f9c183960a9p-55));
}

SMWAVE_SLOW double bessel_y1(double x) /* x > 0 */
{
    double z = mul(x, x), t;

    if (x < 0.8) { /* 2/pi (log(x) J1(x) - 1/x) + x times a polynomial */
        t = poly(z, -0x1.91866143cbc8ap-3, 0x1.bd3975c75b4a7p-5, -0x1.835b97894be5bp-9,
                 0x1.2c7dbffcde7fdp-14, -0x1.0a780ac720e8cp-20, 0x1.32e5a3d678b8cp-27,
                 -0x1.f0cb3360d2c56p-35, 0x1.283cb072d46cdp-42);
        t = mad(t, x, mul(mul(0x1.45f306dc9c883p-1, log(x)), bessel_j1(x)));
        return t - quotient(0x1.45f306dc9c883p-1, x);
    }
    if (x < 1.6) {
        t = x - 0x1.3000000000000p+0;
        return poly(t, -0x1.42cfd119b24cap-1, 0x1.809d7612bdbd7p-1,
                    -0x1.cbfcce4958e18p-3, 0x1.ed6737d05e195p-3, -0x1.0d8ddda85b15bp-2,
                    0x1.c723c0cdf78cep-3, -0x1.7e9e1c44cc19cp-3, 0x1.4456b396f3491p-3,
                    -0x1.12479eb7490f9p-3, 0x1.cf2a0ff3560d9p-4, -0x1.86c3fee275eb2p-4,
                    0x1.49848a1fa469fp-4, -0x1.15ca245fba730p-4, 0x1.d45a8ec61e73ep-5,
                    -0x1.8a60b05b6cba7p-5, 0x1.4af3e877c8dabp-5, -0x1.1906573758bdfp-5,
                    0x1.ec9df6ccac417p-6, -0x1.89026946b19f7p-6, 0x1.e79973e9c015fp-7,
                    -0x1.0ac95b435a422p-6, 0x1.c3ed7caa78df2p-6, -0x1.326cb028f188fp-6);
    }
    if (x < 3.2) {
        t = (x - 0x1.193bed4dff243p+1) + 0x1.bd1e50d219bfdp-55;
        return mul(t, poly(t, 0x1.0aa48442f014bp-1, -0x1.e56f82217b8f6p-4,
                           -0x1.0d2af4e932430p-5, -0x1.3a6dec3726573p-8,
                           0x1.e671c7d12ddfcp-8, -0x1.5429dc5b36cbfp-9,
                           0x1.17ab4af3ad023p-10, -0x1.0b2d872eedbdfp-11,
                           0x1.eea7bddbb4443p-13, -0x1.c3faff5e9a185p-14,
                           0x1.9d172f80cbd50p-15, -0x1.7953dd6b3a50bp-16,
                           0x1.58642b026a330p-17, -0x1.3a51a17128dd9p-18,
                           0x1.1ec301303a643p-19, -0x1.03e601acc8bfcp-20,
                           0x1.d3787de8a4921p-22, -0x1.b54398563ac33p-23,
                           0x1.bb6f755ca2658p-24, -0x1.a10d192761a60p-25,
                           0x1.0d8486d99edb5p-26, -0x1.43cdd09feeae8p-29));
    }
    if (x < 4.4) {
        t = x - 0x1.e800000000000p+1;
        return poly(t, 0x1.a7744ddaf222cp-2, -0x1.928670c5fc730p-5,
                    -0x1.7d1fa7f0bc082p-3, 0x1.5589649e8aa48p-6, 0x1.7dc9cc1cc48f4p-7,
                    -0x1.ba9dd8d8ea00fp-11, -0x1.9df004428be9cp-12,
                    0x1.30beb1f790cd3p-15, 0x1.1e64c2c15fd89p-19, 0x1.370350723eca9p-21,
                    -0x1.3c879b731d1eap-22, 0x1.1d3f6439676efp-24,
                    -0x1.19534162bea99p-26, 0x1.2d6cfe1935b49p-28,
                    -0x1.64fdbf1ed0a27p-30, 0x1.8caed83b07460p-32);
    }
    if (x < 6.6) {
        t = (x - 0x1.5b7fe4e87b02ep+2) - 0x1.dfe7bac228e8cp-52;
        return mul(t, poly(t, -0x1.5c7c556f0c19ap-2, 0x1.00b9f8571ca1fp-5,
                           0x1.a15d92dfe3e2ep-5, -0x1.10a329e2c24aap-8,
                           -0x1.1be6db99243abp-9, 0x1.337c7e13a0abfp-13,
                           0x1.85b940ec615f3p-15, -0x1.80619160c68f5p-19,
                           -0x1.255e6dd8efd94p-21, 0x1.b62cf6e0399cbp-26,
                           0x1.80b27e4cdad92p-28, -0x1.a7ff22e39fda0p-32,
                           0x1.39cf91998b86dp-39, -0x1.33f85128d9307p-38,
                           0x1.4f9281e7cd57dp-40, -0x1.047dcaad7fc3ap-42,
                           0x1.31f780e05b08cp-45));
    }
    t = (x - 0x1.13127ae6169b4p+3) - 0x1.479cc068d9046p-52;
    return mul(t, poly(t, 0x1.15f993fceab5cp-2, -0x1.02b3933cf21b2p-6,
                       -0x1.6395dfe49fcd0p-5, 0x1.3ced2a2e693cfp-9,
                       0x1.07a678d5ffdadp-9, -0x1.b50d7e1d8130bp-14,
                       -0x1.6f7bab10c03e7p-15, 0x1.176e72f8201cdp-19,
                       0x1.2becb4aadcdd8p-21, -0x1.a384ecbbf8050p-26,
                       -0x1.41ea30bfbf34cp-28, 0x1.9da6a0ba37183p-33,
                       0x1.e868f516731c9p-36, -0x1.46ea0fe750ea5p-40,
                       -0x1.697654aed7401p-43, -0x1.3d6207898ef76p-49));
}

/* e^x p, x > 8, where e^x alone may be too large */
SMWAVE_INSIDE double times_exp(double x, double p)
{
    int n;
    double r = exp_near(exp_reduce(x, n));

    return mul(scaled(mul(r, p), n - 60), 0x1p60);
}

/*
 * Order n >= 2 from those of orders 0 and 1: upwards where n < x, else downwards from
 * an order where the function is nothing, scaled by what J0 should be (Miller's
 * method).
 */
SMWAVE_SLOW double bessel_jn(int n, double x)
{
    double before, now, next, twice = quotient(2.0, x), sum = 0.0, found = 0.0;
    int m = n + (int)root(mul(60.0, (double)n)) + 20, i;

    if (x < 0x1p-30) { /* (x/2)^n / n! */
        now = 1.0;
        for (i = 1; i <= n && now != 0.0; i++) {
            now = mul(now, quotient(mul(0.5, x), (double)i));
        }
        return now;
    }
    if ((double)n <= x) {
        before = x < 8.0 ? bessel_j0(x) : bessel0_large(x, 0);
        now = x < 8.0 ? bessel_j1(x) : bessel1_large(x, 0);
        for (i = 1; i < n; i++) {
            next = mad(mul((double)i, twice), now, -before);
            before = now;
            now = next;
        }
        return now;
    }
    m = m & ~1;
    next = 0.0;
    now = 0x1p-900;
    for (i = m; i > 0; i--) {
        before = mad(mul((double)i, twice), now, -next);
        next = now;
        now = before;
        if (size(now) > 0x1p300) {
            now = mul(now, 0x1p-600);
            next = mul(next, 0x1p-600);
            found = mul(found, 0x1p-600);
            sum = mul(sum, 0x1p-600);
        }
        if (i - 1 == n) {
            found = now;
        }
        if (((i - 1) & 1) == 0) {
            sum = i - 1 == 0 ? sum + now : mad(2.0, now, sum); /* J0 + 2 J2 + ... = 1 */
        }
    }
    return quotient(found, sum);
}
SMWAVE_SLOW double bessel_yn(int n, double x)
{
    double before = x < 8.0 ? bessel_y0(x) : bessel0_large(x, -1);
    double now = x < 8.0 ? bessel_y1(x) : bessel1_large(x, -1), next;

    for (int i = 1; i < n && now > -infinity_d(); i++) {
        next = mad(quotient((double)(2 * i), x), now, -before);
        before = now;
        now = next;
    }
    return now;
}

} /* namespace smwave_math */

SMWAVE_DEVICE double j0(double x)
{
    using namespace smwave_math;
    double a = size(x);

    return a < 8.0 ? bessel_j0(a) : a == infinity_d() ? 0.0 : bessel0_large(a, 0);
}
SMWAVE_DEVICE double j1(double x)
{
    using namespace smwave_math;
    double a = size(x), r = a < 8.0 ? bessel_j1(a) : bessel1_large(a, 0);

    r = a == infinity_d() ? 0.0 : r;
    return x < 0.0 ? -r : x == 0.0 ? x : r;
}
SMWAVE_DEVICE double y0(double x)
{
    using namespace smwave_math;
    double r = x < 8.0 ? bessel_y0(x) : bessel0_large(x, -1);

    r = x == infinity_d() ? 0.0 : x == 0.0 ? -infinity_d() : r;
    return x < 0.0 ? nan_d() : r;
}
SMWAVE_DEVICE double y1(double x)
{
    using namespace smwave_math;
    double r = x < 8.0 ? bessel_y1(x) : bessel1_large(x, -1);

    r = x == infinity_d() ? 0.0 : x == 0.0 ? -infinity_d() : r;
    return x < 0.0 ? nan_d() : r;
}
SMWAVE_DEVICE double jn(int n, double x)
{
    using namespace smwave_math;
    double a = size(x), r;

    if (n < 2) {
        return n == 0 ? j0(x) : n == 1 ? j1(x) : nan_d();
    }
    r = a == 0.0 || a == infinity_d() ? 0.0 : x != x ? x : bessel_jn(n, a);
    return bits(x) < 0 && (n & 1) != 0 ? -r : r;
}
SMWAVE_DEVICE double yn(int n, double x)
{
    using namespace smwave_math;

    if (n < 2) {
        return n == 0 ? y0(x) : n == 1 ? y1(x) : nan_d();
    }
    return x == 0.0            ? -infinity_d()
           : x == infinity_d() ? 0.0
           : x < 0.0 || x != x ? nan_d()
                               : bessel_yn(n, x);
}
SMWAVE_BOTH double cyl_bessel_i0(double x)
{
    using namespace smwave_math;
    double a = size(x), z, p;

    if (a < 8.0) {
        z = mul(a, a);
        return poly(z, 0x1.0000000000000p+0, 0x1.0000000000000p-2, 0x1.0000000000000p-6,
                    0x1.c71c71c71c71cp-12, 0x1.c71c71c71c71dp-18, 0x1.23456789abcd7p-24,
                    0x1.02e85c0898d45p-31, 0x1.522a43f64d60dp-39, 0x1.522a43f7653a9p-47,
                    0x1.0b31326f76baep-55, 0x1.56018bc577feep-64, 0x1.69ca4f66d9283p-73,
                    0x1.419c72e96f648p-82, 0x1.e6bc8df0439dap-92,
                    0x1.4128715034acbp-101, 0x1.4d697000239b6p-111,
                    0x1.017c839b8e255p-120);
    }
    a = least(a, 720.0);
    z = quotient(1.0, a);
    p = poly(mad(z, 16.0, -1.0), 0x1.9bd428ad249a5p-2, 0x1.b87969bb93b75p-9,
             0x1.1daa72b5e650bp-13, 0x1.75e5ee71ede44p-17, 0x1.8e513a1d60b66p-20,
             0x1.3f49a6bcba943p-22, 0x1.7d0f757ed78adp-24, 0x1.51ced7d1195e0p-25,
             0x1.7224b1cc6c4a9p-26, 0x1.03896c1f3a44bp-27, -0x1.ce76943408d06p-28,
             -0x1.cc90e96009017p-27, -0x1.77cc87635cacep-28, 0x1.0317b32da1edbp-27,
             0x1.047449b4b2f94p-27, -0x1.df145893681e9p-29, -0x1.a941091ac956bp-28,
             0x1.9bb9cac8f718bp-30, 0x1.0ab5ec07a98d4p-28, -0x1.31c5cfeaff839p-31,
             -0x1.e8fdbbfb236e8p-30, 0x1.429ffb7bbe455p-33, 0x1.1ce182b5fdbbbp-31,
             -0x1.5208d8c9dbcfep-36, -0x1.36e5a5c3c3d80p-34);
    p = times_exp(a, mul(p, root(z)));
    return x != x ? x : p;
}
SMWAVE_BOTH double cyl_bessel_i1(double x)
{
    using namespace smwave_math;
    double a = size(x), z, p;

    if (a < 8.0) {
        z = mul(a, a);
        p = poly(z, 0x1.0000000000000p-1, 0x1.0000000000000p-4, 0x1.5555555555555p-9,
                 0x1.c71c71c71c71cp-15, 0x1.6c16c16c16c13p-21, 0x1.845c8a0ce528dp-28,
                 0x1.27e4fb77860eap-35, 0x1.522a43f7199f4p-43, 0x1.2c9758c33d4e5p-51,
                 0x1.ab81ee23652a1p-60, 0x1.f1763694aa71fp-69, 0x1.e26a49ee2b651p-78,
                 0x1.8b7bac77bda4cp-87, 0x1.18faa56b857a1p-96, 0x1.38aa93dd9257fp-106,
                 0x1.01882ab437fcbp-115);
        return mul(x, p);
    }
    a = least(a, 720.0);
    z = quotient(1.0, a);
    p = poly(mad(z, 16.0, -1.0), 0x1.8ebe783a84030p-2, -0x1.3f796198ee628p-7,
             -0x1.cbc54df1ece74p-13, -0x1.f89c23066d3c5p-17, -0x1.ec8e101746783p-20,
             -0x1.76137e68bd4c0p-22, -0x1.ad8db6dfec9eep-24, -0x1.727a73c47d3bep-25,
             -0x1.9180f868ad316p-26, -0x1.21895897992f7p-27, 0x1.cd818889c3fabp-28,
             0x1.e20e700755ba3p-27, 0x1.9f203331c1f99p-28, -0x1.0630a926bf962p-27,
             -0x1.1465c8af30794p-27, 0x1.d43352eb454e2p-29, 0x1.bdc8da48bbae8p-28,
             -0x1.858a0e4b4b82cp-30, -0x1.16297641d8ff3p-28, 0x1.1aeb03afea8bbp-31,
             0x1.fce71057c5aa0p-30, -0x1.2725046c934d1p-33, -0x1.2839cc6d55c01p-31,
             0x1.33dfc4e944812p-36, 0x1.432bc60185593p-34);
    p = times_exp(a, mul(p, root(z)));
    return x != x ? x : with_sign(p, x);
}

SMWAVE_DEVICE float j0f(float x)
{
    return (float)j0((double)x);
}
SMWAVE_DEVICE float j1f(float x)
{
    return (float)j1((double)x);
}
SMWAVE_DEVICE float y0f(float x)
{
    return (float)y0((double)x);
}
SMWAVE_DEVICE float y1f(float x)
{
    return (float)y1((double)x);
}
SMWAVE_DEVICE float jnf(int n, float x)
{
    return (float)jn(n, (double)x);
}
SMWAVE_DEVICE float ynf(int n, float x)
{
    return (float)yn(n, (double)x);
}
SMWAVE_BOTH float cyl_bessel_i0f(float x)
{
    return (float)cyl_bessel_i0((double)x);
}
SMWAVE_BOTH float cyl_bessel_i1f(float x)
{
    return (float)cyl_bessel_i1((double)x);
}

#endif
