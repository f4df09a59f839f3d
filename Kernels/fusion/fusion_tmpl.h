// Compiled once per instruction set, with NAME(x).
#include <string.h>

// 2^(d / 1024) for −16384 ≤ d ≤ 0: a cubic polynomial for the fraction, within 0.02 %, and the whole part as exponent.
static inline float NAME(power)(int d)
{
    const int whole = d >> 10;
    const float f = (float)(d & 1023) * (1.0f / 1024);
    const float m = 1.0f + f * (0.6951786f + f * (0.2276357f + f * 0.0771857f));
    uint32_t bits;
    memcpy(&bits, &m, 4);
    bits += (uint32_t)whole << 23;
    float result;
    memcpy(&result, &bits, 4);
    return result;
}

void NAME(fusion_weights_row)(uint16_t *const *weights, const int16_t *const *scores, const int16_t *const *share, int phase,
                              int count)
{
    const int16_t *l0 = scores[0], *l1 = scores[1], *l2 = scores[2], *l3 = scores[3], *s = share[0], *u = share[1];
    uint16_t *w0 = weights[0], *w1 = weights[1], *w2 = weights[2], *w3 = weights[3];
    const float late = (float)phase, early = (float)(1024 - phase);
    for (int x = 0; x < count; x++) {
        const int top0 = l0[x] > l1[x] ? l0[x] : l1[x], top1 = l2[x] > l3[x] ? l2[x] : l3[x];
        const int top = (top0 > top1 ? top0 : top1) - 16384;
        const int d0 = (l0[x] > top ? l0[x] : top) - top - 16384, d1 = (l1[x] > top ? l1[x] : top) - top - 16384;
        const int d2 = (l2[x] > top ? l2[x] : top) - top - 16384, d3 = (l3[x] > top ? l3[x] : top) - top - 16384;
        const int first = s[x] < 1 ? 1 : s[x] > 255 ? 255 : s[x], second = u[x] < 1 ? 1 : u[x] > 255 ? 255 : u[x];
        const float e0 = NAME(power)(d0) * ((float)(256 - first) * early), e1 = NAME(power)(d1) * ((float)first * late);
        const float e2 = NAME(power)(d2) * ((float)(256 - second) * early), e3 = NAME(power)(d3) * ((float)second * late);
        const float unit = 16384.0f / ((e0 + e1) + (e2 + e3)) * 0.99999f;
        const int v1 = (int)(e1 * unit), v2 = (int)(e2 * unit), v3 = (int)(e3 * unit);
        w0[x] = (uint16_t)(16384 - v1 - v2 - v3);
        w1[x] = (uint16_t)v1;
        w2[x] = (uint16_t)v2;
        w3[x] = (uint16_t)v3;
    }
}

void NAME(fusion_halve_weights_row)(uint16_t *const *weights, const uint16_t *const *upper, const uint16_t *const *lower,
                                    int count)
{
    for (int k = 1; k < 4; k++) {
        const uint16_t *a = upper[k], *b = lower[k];
        uint16_t *w = weights[k];
        for (int x = 0; x < count; x++)
            w[x] = (uint16_t)((a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1]) >> 2);
    }
    for (int x = 0; x < count; x++) weights[0][x] = (uint16_t)(16384 - weights[1][x] - weights[2][x] - weights[3][x]);
}
