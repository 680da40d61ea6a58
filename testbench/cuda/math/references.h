/* references.h - true values that MPFR has no function for. */

void rec_sqrt(mpfr_ptr r, mpfr_ptr x)
{
    mpfr_rec_sqrt(r, x, RN);
    if (mpfr_zero_p(x)) {
        mpfr_set_inf(r,
                     mpfr_signbit(x) ? -1 : 1); /* as CUDA, not as IEEE 754's rSqrt */
    }
}

/* More digits for steps where the operands have them to spare. */
struct Wide {
    mpfr_t v;
    explicit Wide(mpfr_prec_t bits = 300)
    {
        mpfr_init2(v, bits);
    }
    ~Wide()
    {
        mpfr_clear(v);
    }
    operator mpfr_ptr()
    {
        return v;
    }
};

/* e^(x x) erfc(x); beyond 1000 by its asymptotic series, to 120 bits */
void erfcx(mpfr_ptr r, mpfr_ptr x, mpfr_ptr t)
{
    if (mpfr_number_p(x) && mpfr_cmp_ui(x, 1000) > 0) {
        Wide square, term;
        mpfr_sqr(square, x, RN);
        mpfr_mul_ui(square, square, 2, RN);
        mpfr_const_pi(t, RN);
        mpfr_sqrt(t, t, RN);
        mpfr_mul(t, t, x, RN);
        mpfr_ui_div(term, 1, t, RN);
        mpfr_set(r, term, RN);
        for (int k = 1; k < 9; k++) {
            mpfr_mul_si(term, term, 1 - 2 * k, RN);
            mpfr_div(term, term, square, RN);
            mpfr_add(r, r, term, RN);
        }
        return;
    }
    if (mpfr_inf_p(x)) {
        mpfr_sgn(x) > 0 ? mpfr_set_zero(r, 1) : mpfr_set_inf(r, 1);
        return;
    }
    Wide square;
    mpfr_sqr(square, x, RN);
    mpfr_exp(t, square, RN);
    mpfr_erfc(r, x, RN);
    mpfr_mul(r, r, t, RN);
}

void normcdf(mpfr_ptr r, mpfr_ptr x, mpfr_ptr t)
{
    mpfr_set_ui(t, 2, RN);
    mpfr_sqrt(t, t, RN);
    mpfr_div(t, x, t, RN);
    mpfr_neg(t, t, RN);
    mpfr_erfc(r, t, RN);
    mpfr_div_2ui(r, r, 1, RN);
}

/* erfc(r) = q for 0 < q < 1, by Newton's method on the logarithm */
void inverse_erfc(mpfr_ptr r, mpfr_ptr q)
{
    Wide e(200), d(200), y(200), f(200);
    mpfr_log(f, q, RN);
    mpfr_neg(y, f, RN);
    mpfr_sqrt(y, y, RN);
    if (mpfr_cmp_d(q, 0.3) > 0) {
        mpfr_ui_sub(y, 1, q, RN);
    }
    if (mpfr_cmp_d(q, 1e-300) > 0) { /* a nearer start; the steps below decide */
        mpfr_set_d(y, device::erfcinv(mpfr_get_d(q, RN)), RN);
    }
    if (mpfr_zero_p(y)) {
        mpfr_set_d(y, 1e-20, RN);
    }
    for (int i = 0; i < 60; i++) {
        mpfr_erfc(e, y, RN);
        mpfr_sqr(d, y, RN);
        mpfr_neg(d, d, RN);
        mpfr_exp(d, d, RN);
        mpfr_div(d, d, e, RN); /* -sqrt(pi)/2 times the derivative of log(erfc) */
        mpfr_log(e, e, RN);
        mpfr_sub(e, e, f, RN);
        mpfr_div(e, e, d, RN);
        mpfr_const_pi(d, RN);
        mpfr_sqrt(d, d, RN);
        mpfr_mul(e, e, d, RN);
        mpfr_div_2ui(e, e, 1, RN);
        mpfr_add(y, y, e, RN);
        if (mpfr_zero_p(e) || mpfr_get_exp(e) < mpfr_get_exp(y) - 110) {
            break;
        }
    }
    mpfr_set(r, y, RN);
}
void erfcinv(mpfr_ptr r, mpfr_ptr x)
{
    if (mpfr_nan_p(x) || mpfr_cmp_ui(x, 2) > 0 || mpfr_sgn(x) < 0) {
        mpfr_set_nan(r);
    } else if (mpfr_zero_p(x) || mpfr_cmp_ui(x, 2) == 0) {
        mpfr_set_inf(r, mpfr_zero_p(x) ? 1 : -1);
    } else if (mpfr_cmp_ui(x, 1) == 0) {
        mpfr_set_zero(r, 1);
    } else if (mpfr_cmp_ui(x, 1) < 0) {
        inverse_erfc(r, x);
    } else {
        Wide q(1200);
        mpfr_ui_sub(q, 2, x, RN);
        inverse_erfc(r, q);
        mpfr_neg(r, r, RN);
    }
}
void erfinv(mpfr_ptr r, mpfr_ptr x)
{
    Wide q(1200);
    if (mpfr_zero_p(x)) {
        mpfr_set(r, x, RN);
    } else if (mpfr_number_p(x) &&
               mpfr_get_exp(x) < -40) { /* x sqrt(pi) / 2 (1 + tiny) */
        Wide c(200);
        mpfr_const_pi(q, RN);
        mpfr_sqrt(q, q, RN);
        mpfr_div_2ui(q, q, 1, RN);
        mpfr_mul(q, q, x, RN);
        mpfr_sqr(c, q, RN);
        mpfr_div_ui(c, c, 3, RN);
        mpfr_mul(c, c, q, RN);
        mpfr_add(r, q, c, RN);
    } else {
        mpfr_ui_sub(q, 1, x, RN);
        erfcinv(r, q);
    }
}
void normcdfinv(mpfr_ptr r, mpfr_ptr x)
{
    Wide t(140);
    mpfr_mul_2ui(t, x, 1, RN);
    erfcinv(r, t);
    mpfr_set_ui(t, 2, RN);
    mpfr_sqrt(t, t, RN);
    mpfr_mul(r, r, t, RN);
    mpfr_neg(r, r, RN);
}

int sign; /* of mpfr_lgamma, which nobody asks for */

/* The power series, all of whose terms are positive; infinite from 1000 on. */
void bessel_i(mpfr_ptr r, mpfr_ptr x, int order)
{
    if (!mpfr_number_p(x) || mpfr_cmp_d(x, 1000) > 0 || mpfr_cmp_d(x, -1000) < 0) {
        mpfr_set(r, x, RN);
        if (!mpfr_nan_p(x)) {
            mpfr_set_inf(r, order == 1 ? mpfr_sgn(x) : 1);
        }
        return;
    }
    Wide half, square, term;
    mpfr_div_2ui(half, x, 1, RN);
    mpfr_sqr(square, half, RN);
    order == 0 ? mpfr_set_ui(term, 1, RN) : mpfr_set(term, half, RN);
    mpfr_set(r, term, RN);
    for (unsigned long k = 1; k < 5000; k++) {
        mpfr_mul(term, term, square, RN);
        mpfr_div_ui(term, term, k * (k + (unsigned long)order), RN);
        mpfr_add(r, r, term, RN);
        if (mpfr_zero_p(term) || mpfr_get_exp(term) < mpfr_get_exp(r) - 150) {
            break;
        }
    }
}

void norm(mpfr_ptr r, mpfr_ptr t, mpfr_ptr x, mpfr_ptr y, mpfr_ptr z, mpfr_ptr w, int n,
          bool inverse)
{
    mpfr_hypot(t, x, y, RN);
    mpfr_hypot(r, t, z, RN);
    if (n == 4) {
        mpfr_hypot(t, r, w, RN);
        mpfr_set(r, t, RN);
    }
    if (inverse) {
        mpfr_ui_div(r, 1, r, RN);
    }
}

void odd_order(mpfr_ptr r, long n, mpfr_ptr x)
{
    mpfr_jn(r, n, x, RN);
    if (mpfr_inf_p(x)) {
        mpfr_set_zero(r, mpfr_sgn(x)); /* j1(-inf) is -0 to CUDA */
    }
}

/* The operand as so many digits have it, kept in as many as before. */
void digits(mpfr_ptr x, mpfr_prec_t n)
{
    mpfr_prec_t before = mpfr_get_prec(x);
    mpfr_prec_round(x, n, RN);
    mpfr_prec_round(x, before, RN);
}
