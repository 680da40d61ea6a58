#!/usr/bin/env python3
"""The coefficients of the math headers: coefficients.py [NAME ...] prints those of the
polynomials named, or of all, with the largest relative error of each.

Two ways. FITTED are minimax polynomials whose coefficients are floats or doubles from
the start: Debian's sollya finds them (fpminimax). INTERPOLATED go through Chebyshev's
nodes and are rounded afterwards: mpmath knows functions that sollya does not.
"""
import subprocess
import sys

from mpmath import (arg, besseli, besselj, bessely, cos, diff, erfinv, exp, findroot,
                    gamma, log, loggamma, mp, mpf, nint, pi, polyval, psi, sqrt)

mp.prec = 220


def every(first, last, step=1):
    return list(range(first, last + 1, step))


def scaled_erfcx(k):
    """(1 + 2 a) erfcx(a) as a function of x = (a - k) / (a + k)."""
    a = f"({k}*(1+x)/(1-x))"
    return f"((1+2*{a})*exp({a}^2)*erfc({a}))"


# name: function, powers of x, the part that is given, range, format of coefficients
FITTED = {
    "sinf": ("sin(x)", [3, 5, 7], "x", "[1e-8;0.79]", "SG"),
    "cosf": ("cos(x)", [4, 6, 8], "1-x^2/2", "[1e-8;0.79]", "SG"),
    "tanf": ("tan(x)", every(3, 13, 2), "x", "[1e-8;0.79]", "SG"),
    "logf": ("log1p(x)", every(3, 10), "x-x^2/2", "[-0.3334;0.3334]", "SG"),
    "log2f": ("log2(1+x)", every(2, 10), "x/log(2)", "[-0.3334;0.3334]", "SG"),
    "log10f": ("log10(1+x)", every(2, 10), "x/log(10)", "[-0.3334;0.3334]", "SG"),
    "expm1f": ("expm1(x)", every(2, 7), "x", "[-0.3467;0.3467]", "SG"),
    "atanf": ("atan(x)", every(3, 17, 2), "x", "[1e-8;1]", "SG"),
    "asinf": ("asin(x)", every(3, 11, 2), "x", "[1e-8;0.5625]", "SG"),
    "sinhf": ("sinh(x)", every(3, 9, 2), "x", "[1e-8;1]", "SG"),
    "tanhf": ("tanh(x)", every(3, 11, 2), "x", "[1e-8;0.56]", "SG"),
    "erff": ("erf(x)", every(1, 13, 2), "0", "[1e-8;1]", "SG"),
    "powf": ("2*atanh(x/2)/log(2)", every(3, 11, 2), "x/log(2)", "[1e-8;0.41]", "SG"),
    "erfcxf": (scaled_erfcx(2), every(0, 10), "0", "[-1;0.7]", "SG"),
    "sin": ("sin(x)", every(3, 13, 2), "x", "[1e-12;0.7855]", "D"),
    "cos": ("cos(x)", every(4, 14, 2), "1-x^2/2", "[1e-12;0.7855]", "D"),
    "tan": ("tan(x)", every(3, 31, 2), "x", "[1e-12;0.7855]", "D"),
    "exp": ("exp(x)", every(2, 11), "1+x", "[-0.34658;0.34658]", "D"),
    "exp2": ("2^x", every(1, 11), "1", "[-0.5001;0.5001]", "D"),
    "expm1": ("expm1(x)", every(3, 12), "x+x^2/2", "[-0.34658;0.34658]", "D"),
    "log": ("2*atanh(x)", every(3, 15, 2), "2*x", "[1e-12;0.1716]", "D"),
    "pow": ("2*atanh(x)", every(5, 19, 2), "2*x+2/3*x^3", "[1e-12;0.1716]", "D"),
    "atan": ("atan(x)", every(3, 39, 2), "x", "[1e-12;1]", "D"),
    "asin": ("asin(x)", every(3, 27, 2), "x", "[1e-12;0.5]", "D"),
    "sinh": ("sinh(x)", every(3, 15, 2), "x", "[1e-12;1]", "D"),
    "tanh": ("tanh(x)", every(3, 27, 2), "x", "[1e-12;0.56]", "D"),
    "erf": ("erf(x)", every(1, 23, 2), "0", "[1e-12;1]", "D"),
    "erfcx": (scaled_erfcx(4), every(0, 22), "0", "[-1;0.76]", "D"),
}

# log2(erfc(x)) for erff beyond 1, weighted with erfc(x): what counts is 1 - 2^that.
WEIGHTED = {"log2_erfcf": ("log2(erfc(x))*erfc(x)", 6, "[1;4]", "erfc(x)")}


def sollya(script):
    r = subprocess.run(["sollya"], input=script, capture_output=True, text=True, check=True)
    for line in r.stdout.splitlines():
        if line.startswith("C ") or line.startswith("error"):
            print("   ", line)


def fit(name):
    f, powers, given, where, form = FITTED[name]
    forms = ",".join([form] * len(powers))
    print(name)
    sollya(f"""prec=400; display=hexadecimal!;
m=[|{','.join(map(str, powers))}|];
p=fpminimax({f},m,[|{forms}|],{where},relative,floating,{given});
for i from 0 to length(m)-1 do {{ print("C", m[i], round(coeff(p,m[i]),{form},RN)); }};
display=decimal!; print("error", dirtyinfnorm(p/({f})-1,{where}));
quit;
""")


def fit_weighted(name):
    f, degree, where, weight = WEIGHTED[name]
    forms = ",".join(["SG"] * (degree + 1))
    print(name)
    sollya(f"""prec=200; display=hexadecimal!;
p=roundcoefficients(remez({f},{degree},{where},{weight}),[|{forms}|]);
for i from 0 to {degree} do {{ print("C", i, coeff(p,i)); }};
quit;
""")


def interpolated(f, low, high, n):
    """Coefficients of the polynomial of n terms through Chebyshev's nodes."""
    xs = [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * i + 1) / (2 * n))
          for i in range(n)]
    c = [f(x) for x in xs]
    for j in range(1, n):
        for i in range(n - 1, j - 1, -1):
            c[i] = (c[i] - c[i - 1]) / (xs[i] - xs[i - j])
    p = [mpf(0)] * n
    for k in range(n - 1, -1, -1):
        p = [(p[i - 1] if i > 0 else 0) - xs[k] * p[i] for i in range(n)]
        p[0] += c[k]
    return p


def error(f, p, low, high, points=200):
    xs = [low + (high - low) * (mpf(i) + mpf(1) / 3) / points for i in range(points)]
    return max(abs(polyval(p[::-1], x) / f(x) - 1) for x in xs)


def interpolate(name):
    f, low, high, terms = INTERPOLATED[name]
    low, high = mpf(low), mpf(high)
    p = interpolated(f, low, high, terms)
    print(name)
    for i, c in enumerate(p):
        print("    C", i, float(c).hex())
    e = error(f, [mpf(float(c)) for c in p], low, high)
    print("    error 2^%.1f" % float(log(e, 2)))


def about_zero(f, guess):
    """f / (x - zero) as a function of the distance from the zero."""
    z = findroot(f, mpf(guess))
    return lambda t: f(z + t) / t if abs(t) > mpf(10)**-25 else diff(f, z), z


def amplitude(n):
    def f(w):
        x = 1 / sqrt(w)
        return sqrt(pi * x / 2 * (besselj(n, x)**2 + bessely(n, x)**2))
    return f


def phase(n):
    def f(w):
        x = 1 / sqrt(w)
        q = arg(besselj(n, x) + 1j * bessely(n, x)) - (x - pi * (2 * n + 1) / 4)
        return (q - 2 * pi * nint(q / (2 * pi))) * x
    return f


def over(f, t, limit):
    return f / t if abs(t) > mpf(10)**-25 else limit


TINY = mpf(10)**-7
# name: function of the polynomial's variable, range, number of terms
INTERPOLATED = {
    "erfinv": (lambda z: erfinv(sqrt(z)) / sqrt(z), TINY, 0.25, 16),
    "lgamma_1": (lambda t: over(loggamma(1 + t), t, psi(0, 1)), -0.3, 0.5, 23),
    "lgamma_2": (lambda t: over(loggamma(2 + t), t, psi(0, 2)), -0.5, 1, 22),
    "stirling": (lambda z: (loggamma(1 / sqrt(z)) - (1 / sqrt(z) - mpf(0.5))
                            * log(1 / sqrt(z)) + 1 / sqrt(z) - log(2 * pi) / 2)
                 / sqrt(z), 1e-4, 1 / 64, 10),
    "tgamma": (lambda t: gamma(t + mpf(1.5)), -0.5, 0.5, 23),
    "i0_small": (lambda z: besseli(0, sqrt(z)), TINY, 64, 17),
    "i1_small": (lambda z: besseli(1, sqrt(z)) / sqrt(z), TINY, 64, 16),
    "i0_large": (lambda u: besseli(0, 16 / (u + 1)) * exp(-16 / (u + 1))
                 * sqrt(16 / (u + 1)), -1 + 1e-5, 1, 25),
    "i1_large": (lambda u: besseli(1, 16 / (u + 1)) * exp(-16 / (u + 1))
                 * sqrt(16 / (u + 1)), -1 + 1e-5, 1, 25),
    "amplitude0": (amplitude(0), TINY, 1 / 64, 13),
    "amplitude1": (amplitude(1), TINY, 1 / 64, 13),
    "phase0": (phase(0), TINY, 1 / 64, 15),
    "phase1": (phase(1), TINY, 1 / 64, 15),
    "j0_near": (lambda z: besselj(0, sqrt(z)), TINY, 4, 11),
    "j1_near": (lambda z: besselj(1, sqrt(z)) / sqrt(z), TINY, 6.25, 11),
    "y0_near": (lambda z: bessely(0, sqrt(z)) - 2 / pi * log(sqrt(z))
                * besselj(0, sqrt(z)), TINY, 0.36, 8),
    "y1_near": (lambda z: (bessely(1, sqrt(z)) - 2 / pi * (log(sqrt(z))
                * besselj(1, sqrt(z)) - 1 / sqrt(z))) / sqrt(z), TINY, 0.64, 8),
}
# Pieces about a zero: function, order, guess of the zero, range of x, terms.
for name, f, n, z, low, high, terms in (
        ("j0_2", besselj, 0, 2.4, 2, 4, 16), ("j0_4", besselj, 0, 5.5, 4, 7, 18),
        ("j0_7", besselj, 0, 8.65, 7, 9, 15), ("j1_2", besselj, 1, 3.83, 2.5, 5.3, 16),
        ("j1_5", besselj, 1, 7.01, 5.3, 9, 18), ("y0_0", bessely, 0, 0.89, 0.6, 1.4, 24),
        ("y0_2", bessely, 0, 3.957, 2.8, 5.4, 20), ("y0_5", bessely, 0, 7.08, 5.4, 9, 18),
        ("y1_1", bessely, 1, 2.197, 1.6, 3.2, 22), ("y1_4", bessely, 1, 5.43, 4.4, 6.6, 17),
        ("y1_6", bessely, 1, 8.6, 6.6, 9, 16)):
    g, zero = about_zero(lambda x, f=f, n=n: f(n, x), z)
    INTERPOLATED[name] = (g, low - zero, high - zero, terms)
# Pieces without one, about a point in their middle.
for name, n, low, high, middle, terms in (("y0_1", 0, 1.4, 2.8, 2.125, 22),
                                          ("y1_0", 1, 0.8, 1.6, 1.1875, 23),
                                          ("y1_3", 1, 3.2, 4.4, 3.8125, 16)):
    INTERPOLATED[name] = (lambda t, n=n, m=middle: bessely(n, m + t), low - middle,
                          high - middle, terms)

if __name__ == "__main__":
    for wanted in sys.argv[1:] or [*FITTED, *WEIGHTED, *INTERPOLATED]:
        if wanted in FITTED:
            fit(wanted)
        elif wanted in WEIGHTED:
            fit_weighted(wanted)
        elif wanted in INTERPOLATED:
            interpolate(wanted)
        else:
            sys.exit(f"no polynomial is called '{wanted}'")
