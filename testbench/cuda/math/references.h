/* references.h - true values that MPFR has no function for. */

void rec_sqrt(mpfr_ptr r, mpfr_ptr x)
{
    mpfr_rec_sqrt(r, x, RN);
    if (mpfr_zero_p(x)) {
        mpfr_set_inf(r, mpfr_signbit(x) ? -1 : 1); /* as CUDA, not as IEEE 754's rSqrt */
    }
}
