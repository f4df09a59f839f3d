// Compiled once per instruction set, with NAME(x). Single precision without contraction, so that every level and
// architecture produces the same bits.
#pragma STDC FP_CONTRACT OFF

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
        const float e0 = vfx_power(d0) * ((float)(256 - first) * early), e1 = vfx_power(d1) * ((float)first * late);
        const float e2 = vfx_power(d2) * ((float)(256 - second) * early), e3 = vfx_power(d3) * ((float)second * late);
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

static inline void NAME(fusion_differences)(int32_t *dst, const uint16_t *a, const uint16_t *b, int count, int down)
{
    for (int x = 0; x < count; x++) {
        const int left = (a[2 * x] - b[2 * x]) * 64 >> down, right = (a[2 * x + 1] - b[2 * x + 1]) * 64 >> down;
        dst[x] = (int32_t)((uint32_t)(left & 0xffff) | (uint32_t)right << 16);
    }
}

static inline void NAME(fusion_values)(int32_t *dst, const int16_t *a, const int16_t *b, int count)
{
    for (int x = 0; x < count; x++)
        dst[x] = (int32_t)((uint32_t)((a[x] - 128) * 16 & 0xffff) | (uint32_t)((b[x] - 128) * 16) << 16);
}

void NAME(fusion_input_row)(int32_t *const *dst, const void *const *upper, const void *const *lower,
                            const vfx_fusion_cells *cells, int count, int depth)
{
    static const int compared[4][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}};
    for (int k = 0; k < 4; k++) {
        NAME(fusion_differences)(dst[2 * k], upper[compared[k][0]], upper[compared[k][1]], count, depth - 8);
        NAME(fusion_differences)(dst[2 * k + 1], lower[compared[k][0]], lower[compared[k][1]], count, depth - 8);
    }
    NAME(fusion_values)(dst[8], cells->share[0], cells->trust[0], count);
    NAME(fusion_values)(dst[9], cells->share[1], cells->trust[1], count);
    const uint32_t phase = (uint32_t)((cells->phase - 512) * 4) << 16;
    for (int x = 0; x < count; x++)
        dst[10][x] = (int32_t)((uint32_t)((cells->distance[x] - 128) * 16 & 0xffff) | phase);
}

void NAME(fusion_count_row)(uint8_t *dst, const void *a_, const void *b_, int count, int step, int limit)
{
    const uint16_t *a = a_, *b = b_;
    for (int x = 0; x < count; x += step) {
        const int n = count - x < step ? count - x : step;
        uint16_t differing = 0;
        for (int i = x; i < x + n; i++) {
            const uint16_t low = a[i] < b[i] ? a[i] : b[i], high = a[i] < b[i] ? b[i] : a[i];
            differing = (uint16_t)(differing + ((uint16_t)(high - low) > (uint16_t)limit));
        }
        dst[x / step] = (uint8_t)differing;
    }
}
