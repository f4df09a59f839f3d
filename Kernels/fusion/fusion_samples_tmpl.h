// Compiled once per sample type and instruction set, with PIXEL and NAME(x).
static inline void NAME(fusion_differences)(int32_t *dst, const PIXEL *a, const PIXEL *b, int count, int down)
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

void NAME(fusion_blend_row)(void *dst_, const void *const *rows, const uint16_t *const *weights, int count)
{
    PIXEL *dst = dst_;
    const PIXEL *p0 = rows[0], *p1 = rows[1], *p2 = rows[2], *p3 = rows[3];
    const uint16_t *w0 = weights[0], *w1 = weights[1], *w2 = weights[2], *w3 = weights[3];
    for (int i = 0; i < count; i++) {
        const uint32_t sum = (uint32_t)p0[i] * w0[i] + (uint32_t)p1[i] * w1[i] + (uint32_t)p2[i] * w2[i]
                             + (uint32_t)p3[i] * w3[i];
        dst[i] = (PIXEL)((sum + 8192) >> 14);
    }
}

void NAME(fusion_count_row)(uint8_t *dst, const void *a_, const void *b_, int count, int step, int limit)
{
    const PIXEL *a = a_, *b = b_;
    for (int x = 0; x < count; x += step) {
        const int n = count - x < step ? count - x : step;
        PIXEL differing = 0;
        for (int i = x; i < x + n; i++) {
            const PIXEL low = a[i] < b[i] ? a[i] : b[i], high = a[i] < b[i] ? b[i] : a[i];
            differing = (PIXEL)(differing + ((PIXEL)(high - low) > (PIXEL)limit));
        }
        dst[x / step] = (uint8_t)differing;
    }
}
#undef PIXEL
#undef NAME
