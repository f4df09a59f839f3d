// Compiled once per instruction set and depth, with OUT (the type of the result), EXTRA (the bits that the samples have
// more than the result) and NAME(x).
void NAME(fusion_blend_row)(void *dst_, const void *const *rows, const uint16_t *const *weights, int count)
{
    OUT *dst = dst_;
    const uint16_t *p0 = rows[0], *p1 = rows[1], *p2 = rows[2], *p3 = rows[3];
    const uint16_t *p4 = rows[4], *p5 = rows[5], *p6 = rows[6], *p7 = rows[7];
    const uint16_t *w0 = weights[0], *w1 = weights[1], *w2 = weights[2], *w3 = weights[3];
    const uint16_t *w4 = weights[4], *w5 = weights[5], *w6 = weights[6], *w7 = weights[7];
    for (int i = 0; i < count; i++) {
        const uint32_t sharp = (uint32_t)p0[i] * w0[i] + (uint32_t)p1[i] * w1[i] + (uint32_t)p2[i] * w2[i]
                               + (uint32_t)p3[i] * w3[i];
        const uint32_t smooth = (uint32_t)p4[i] * w4[i] + (uint32_t)p5[i] * w5[i] + (uint32_t)p6[i] * w6[i]
                                + (uint32_t)p7[i] * w7[i];
        dst[i] = (OUT)((sharp + smooth + (8192 << EXTRA)) >> (14 + EXTRA));
    }
}
#undef OUT
#undef EXTRA
#undef NAME
