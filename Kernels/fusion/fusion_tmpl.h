// Compiled once per instruction set, with NAME(x). Single precision without contraction, so that every level and
// architecture produces the same bits.
#pragma STDC FP_CONTRACT OFF

// Samples that are smoothed at once.
#define SMOOTHED 64

static inline void NAME(fusion_smooth)(uint16_t *restrict dst, const uint16_t *const *rows, ptrdiff_t at, int count,
                                       const int radius)
{
    uint32_t columns[SMOOTHED + 8];
    const int wide = count + 2 * radius, shift = radius == 2 ? 6 : 8;
    const uint16_t *first = rows[0] + at, *last = rows[2 * radius] + at;
    for (int x = 0; x < wide; x++) {
        uint32_t sum = 0;
        for (int y = 1; y < 2 * radius; y++) sum += rows[y][at + x];
        columns[x] = 2 * sum + first[x] + last[x];
    }
    for (int x = 0; x < count; x++) {
        uint32_t sum = 0;
        for (int k = 1; k < 2 * radius; k++) sum += columns[x + k];
        dst[x] = (uint16_t)((2 * sum + columns[x] + columns[x + 2 * radius] + (1u << (shift - 1))) >> shift);
    }
}

void NAME(fusion_smooth_row)(uint16_t *dst, const uint16_t *const *rows, int count, int radius)
{
    for (int x = 0; x < count; x += SMOOTHED) {
        const int n = count - x < SMOOTHED ? count - x : SMOOTHED;
        if (radius == 2) NAME(fusion_smooth)(dst + x, rows, x, n, 2);
        else NAME(fusion_smooth)(dst + x, rows, x, n, 4);
    }
}
#undef SMOOTHED

static inline int NAME(fusion_larger)(int a, int b) { return a > b ? a : b; }

// 2^(score / 1024)·prior, relative to the largest score.
static inline float NAME(fusion_product)(int score, int largest, float prior)
{
    return vfx_power(NAME(fusion_larger)(score - largest, -16384)) * prior;
}

void NAME(fusion_weights_row)(uint16_t *const *weights, const int16_t *const *scores, const int16_t *const *share, int phase,
                              int count)
{
    const int16_t *l0 = scores[0], *l1 = scores[1], *l2 = scores[2], *l3 = scores[3], *l4 = scores[4];
    const int16_t *l5 = scores[5], *l6 = scores[6], *l7 = scores[7], *s = share[0], *u = share[1], *trust = share[2];
    uint16_t *w0 = weights[0], *w1 = weights[1], *w2 = weights[2], *w3 = weights[3];
    uint16_t *w4 = weights[4], *w5 = weights[5], *w6 = weights[6], *w7 = weights[7];
    const float late = (float)phase, early = (float)(1024 - phase), both = early * late * (1.0f / 65536);
    for (int x = 0; x < count; x++) {
        const int top0 = NAME(fusion_larger)(l0[x], l1[x]), top2 = NAME(fusion_larger)(l2[x], l3[x]);
        const int top4 = NAME(fusion_larger)(l4[x], l5[x]), top6 = NAME(fusion_larger)(l6[x], l7[x]);
        const int top = NAME(fusion_larger)(NAME(fusion_larger)(top0, top2), NAME(fusion_larger)(top4, top6));
        const int first = s[x] < 1 ? 1 : s[x] > 255 ? 255 : s[x], second = u[x] < 1 ? 1 : u[x] > 255 ? 255 : u[x];
        const float prior0 = (float)(256 - first) * early, prior1 = (float)first * late;
        const float prior2 = (float)(256 - second) * early, prior3 = (float)second * late;
        const float doubt = (float)(256 - trust[x]), smooth = both * (doubt * doubt);
        const float e0 = NAME(fusion_product)(l0[x], top, prior0), e1 = NAME(fusion_product)(l1[x], top, prior1);
        const float e2 = NAME(fusion_product)(l2[x], top, prior2), e3 = NAME(fusion_product)(l3[x], top, prior3);
        const float e4 = NAME(fusion_product)(l4[x], top, smooth), e5 = NAME(fusion_product)(l5[x], top, smooth);
        const float e6 = NAME(fusion_product)(l6[x], top, smooth), e7 = NAME(fusion_product)(l7[x], top, smooth);
        const float unit = 16384.0f / (((e0 + e1) + (e2 + e3)) + ((e4 + e5) + (e6 + e7))) * 0.99999f;
        const int v1 = (int)(e1 * unit), v2 = (int)(e2 * unit), v3 = (int)(e3 * unit), v4 = (int)(e4 * unit);
        const int v5 = (int)(e5 * unit), v6 = (int)(e6 * unit), v7 = (int)(e7 * unit);
        w0[x] = (uint16_t)(16384 - v1 - v2 - v3 - v4 - v5 - v6 - v7);
        w1[x] = (uint16_t)v1;
        w2[x] = (uint16_t)v2;
        w3[x] = (uint16_t)v3;
        w4[x] = (uint16_t)v4;
        w5[x] = (uint16_t)v5;
        w6[x] = (uint16_t)v6;
        w7[x] = (uint16_t)v7;
    }
}

void NAME(fusion_halve_weights_row)(uint16_t *const *weights, const uint16_t *const *upper, const uint16_t *const *lower,
                                    int count)
{
    uint16_t *rest = weights[0];
    for (int x = 0; x < count; x++) rest[x] = 16384;
    for (int k = 1; k < VFX_FUSION_PREDICTIONS; k++) {
        const uint16_t *a = upper[k], *b = lower[k];
        uint16_t *w = weights[k];
        for (int x = 0; x < count; x++) {
            w[x] = (uint16_t)((a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1]) >> 2);
            rest[x] = (uint16_t)(rest[x] - w[x]);
        }
    }
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
    static const int compared[6][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 4}, {1, 5}};
    for (int k = 0; k < 6; k++) {
        NAME(fusion_differences)(dst[2 * k], upper[compared[k][0]], upper[compared[k][1]], count, depth - 8);
        NAME(fusion_differences)(dst[2 * k + 1], lower[compared[k][0]], lower[compared[k][1]], count, depth - 8);
    }
    NAME(fusion_values)(dst[12], cells->share[0], cells->trust[0], count);
    NAME(fusion_values)(dst[13], cells->share[1], cells->trust[1], count);
    const uint32_t phase = (uint32_t)((cells->phase - 512) * 4) << 16;
    for (int x = 0; x < count; x++)
        dst[14][x] = (int32_t)((uint32_t)((cells->distance[x] - 128) * 16 & 0xffff) | phase);
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
