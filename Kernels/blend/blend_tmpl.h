// Compiled once per kernel, with PIXEL, OUT (the type of the result), EXTRA (the bits that the samples have more than the
// result) and NAME(x).
void NAME(blend_row)(void *dst_, const void *a_, const void *b_, const uint16_t *w, int count)
{
    OUT *dst = dst_;
    const PIXEL *a = a_, *b = b_;
    for (int i = 0; i < count; i++)
        dst[i] = (OUT)((a[i] * (256 - w[i]) + b[i] * w[i] + (128 << EXTRA)) >> (8 + EXTRA));
}
#undef PIXEL
#undef OUT
#undef EXTRA
#undef NAME
