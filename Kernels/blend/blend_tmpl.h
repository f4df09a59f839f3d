// Compiled once per sample type, with PIXEL and NAME(x).
void NAME(blend_row)(void *dst_, const void *a_, const void *b_, const uint16_t *w, int count)
{
    PIXEL *dst = dst_;
    const PIXEL *a = a_, *b = b_;
    for (int i = 0; i < count; i++) dst[i] = (PIXEL)((a[i] * (256 - w[i]) + b[i] * w[i] + 128) >> 8);
}
#undef PIXEL
#undef NAME
