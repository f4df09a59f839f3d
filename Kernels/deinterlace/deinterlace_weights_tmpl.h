// Compiled once per instruction set, with NAME(x). Single precision without contraction, so that every level and
// architecture produces the same bits.
#pragma STDC FP_CONTRACT OFF

static inline int NAME(below)(int score, int top) { return score - top < -16384 ? -16384 : score - top; }

void NAME(deinterlace_weights_row)(uint16_t *const *weights, const int16_t *const *scores, int count)
{
    const int16_t *s0 = scores[0], *s1 = scores[1], *s2 = scores[2], *s3 = scores[3], *s4 = scores[4], *s5 = scores[5];
    uint16_t *w0 = weights[0], *w1 = weights[1], *w2 = weights[2], *w3 = weights[3], *w4 = weights[4], *w5 = weights[5];
    for (int x = 0; x < count; x++) {
        const int a = s0[x] > s1[x] ? s0[x] : s1[x], b = s2[x] > s3[x] ? s2[x] : s3[x], c = s4[x] > s5[x] ? s4[x] : s5[x];
        const int ab = a > b ? a : b, top = ab > c ? ab : c;
        const float e0 = vfx_power(NAME(below)(s0[x], top)), e1 = vfx_power(NAME(below)(s1[x], top));
        const float e2 = vfx_power(NAME(below)(s2[x], top)), e3 = vfx_power(NAME(below)(s3[x], top));
        const float e4 = vfx_power(NAME(below)(s4[x], top)), e5 = vfx_power(NAME(below)(s5[x], top));
        const float unit = 16384.0f / (((e0 + e1) + (e2 + e3)) + (e4 + e5)) * 0.99999f;
        const int v1 = (int)(e1 * unit), v2 = (int)(e2 * unit), v3 = (int)(e3 * unit), v4 = (int)(e4 * unit);
        const int v5 = (int)(e5 * unit);
        w0[x] = (uint16_t)(16384 - v1 - v2 - v3 - v4 - v5);
        w1[x] = (uint16_t)v1;
        w2[x] = (uint16_t)v2;
        w3[x] = (uint16_t)v3;
        w4[x] = (uint16_t)v4;
        w5[x] = (uint16_t)v5;
    }
}

void NAME(deinterlace_largest_row)(uint16_t *largest, const int32_t *const *pairs, int rows, int count,
                                   int step)
{
    for (int x = 0; x < count; x += step) {
        const int values = 2 * (count - x < step ? count - x : step);
        int most = 0;
        for (int k = 0; k < rows; k++) {
            const int16_t *v = (const int16_t *)(const void *)(pairs[k] + x);
            for (int i = 0; i < values; i++) {
                const int size = v[i] < 0 ? -v[i] : v[i];
                most = size > most ? size : most;
            }
        }
        *largest++ = (uint16_t)most;
    }
}

void NAME(deinterlace_still_row)(uint8_t *still, const uint8_t *const *marks, uint8_t *scratch, int count)
{
    const uint8_t *a = marks[0] - 2, *b = marks[1] - 2, *c = marks[2] - 2;
    for (int x = 0; x < count + 4; x++) scratch[x] = a[x] & b[x] & c[x];
    for (int x = 0; x < count; x++)
        still[x] = scratch[x] & scratch[x + 1] & scratch[x + 2] & scratch[x + 3] & scratch[x + 4];
}
