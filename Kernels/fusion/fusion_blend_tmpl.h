// Compiled once per instruction set and depth, with OUT (the type of the result), EXTRA (the bits that the samples have
// more than the result) and NAME(x).
void NAME(fusion_blend_row)(void *dst_, const void *const *rows, const uint16_t *const *weights, int count)
{
    OUT *dst = dst_;
    const uint16_t *p0 = rows[0], *p1 = rows[1], *p2 = rows[2], *p3 = rows[3];
    const uint16_t *w0 = weights[0], *w1 = weights[1], *w2 = weights[2], *w3 = weights[3];
    for (int i = 0; i < count; i++) {
        const uint32_t sum = (uint32_t)p0[i] * w0[i] + (uint32_t)p1[i] * w1[i] + (uint32_t)p2[i] * w2[i]
                             + (uint32_t)p3[i] * w3[i];
        dst[i] = (OUT)((sum + (8192 << EXTRA)) >> (14 + EXTRA));
    }
}
#undef OUT
#undef EXTRA
#undef NAME
