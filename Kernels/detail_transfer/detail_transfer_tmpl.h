// Included once per level: LEVEL(x). Plain C that the compiler makes vectors of; integers, and single precision without
// contraction, so that all levels give the same bits.

static void LEVEL(detail_transfer_weight_row)(uint8_t *restrict dst, const uint8_t *error, ptrdiff_t error_stride, const uint8_t *luma,
                                       ptrdiff_t luma_stride, int width, const vfx_detail_transfer_trust *trust, int32_t *scratch)
{
#pragma STDC FP_CONTRACT OFF
    int32_t *restrict sum = scratch + 2, *restrict square = sum + width + 4, *restrict miss = square + width + 4;
    for (int x = -2; x < width + 2; x++) {
        const uint8_t *p = luma + x;
        const int a = p[-2 * luma_stride], b = p[-luma_stride], c = p[0], d = p[luma_stride], e = p[2 * luma_stride];
        sum[x] = a + b + c + d + e;
        square[x] = a * a + b * b + c * c + d * d + e * e;
    }
    for (int x = -1; x < width + 1; x++)
        miss[x] = error[x - error_stride] + error[x] + error[x + error_stride];
    const float most = trust->most, scale = trust->scale;
    for (int x = 0; x < width; x++) {
        const int s = sum[x - 2] + sum[x - 1] + sum[x] + sum[x + 1] + sum[x + 2];
        const int q = square[x - 2] + square[x - 1] + square[x] + square[x + 1] + square[x + 2];
        const int m = miss[x - 1] + miss[x] + miss[x + 1];
        const float variance = (float)(25 * q - s * s) * (1.0f / 625.0f) + 2.0f;
        const float missed = ((float)m * (1.0f / 9.0f) + 0.3f) * scale;
        const float r2 = missed * missed / variance;
        dst[x] = (uint8_t)(int)(most / (1.0f + r2 * r2) + 0.5f);
    }
}

static void LEVEL(detail_transfer_difference_row)(uint8_t *dst, const uint8_t *a, const uint8_t *b, int count)
{
    for (int x = 0; x < count; x++) dst[x] = a[x] > b[x] ? (uint8_t)(a[x] - b[x]) : (uint8_t)(b[x] - a[x]);
}

static void LEVEL(detail_transfer_spread_row)(int16_t *restrict dst, const int16_t *restrict src, const int32_t *map, int count,
                                       int scale)
{
    if (!map) {
        for (int i = 0; i < (count + 1) / 2; i++) {
            const int v = (src[i] * scale + 8192) >> 14;
            const int16_t w = (int16_t)(v < -32768 ? -32768 : v > 32767 ? 32767 : v);
            dst[2 * i] = w;
            dst[2 * i + 1] = w;
        }
        return;
    }
    for (int x = 0; x < count; x++) {
        const int v = (src[map[x]] * scale + 8192) >> 14;
        dst[x] = (int16_t)(v < -32768 ? -32768 : v > 32767 ? 32767 : v);
    }
}

#define DETAIL(PIXEL, bits)                                                                                                     \
    static void LEVEL(detail_transfer_extract_row_##bits)(int32_t *restrict detail, int32_t *restrict sums, const void *moved_, \
                                                  const void *here_, const uint8_t *restrict weight, const int32_t *map,        \
                                                  int count)                                                                    \
    {                                                                                                                           \
        const PIXEL *restrict moved = moved_, *restrict here = here_;                                                           \
        if (!map) {                                                                                                             \
            const int pairs = count / 2;                                                                                        \
            for (int i = 0; i < pairs; i++) {                                                                                   \
                const int w = weight[i];                                                                                        \
                const int a = w * ((int)moved[2 * i] - (int)here[2 * i]);                                                       \
                const int b = w * ((int)moved[2 * i + 1] - (int)here[2 * i + 1]);                                               \
                detail[2 * i] = a;                                                                                              \
                detail[2 * i + 1] = b;                                                                                          \
                sums[i] += a + b;                                                                                               \
            }                                                                                                                   \
            return;                                                                                                             \
        }                                                                                                                       \
        for (int x = 0; x < count; x++) {                                                                                       \
            const int a = weight[map[x]] * ((int)moved[x] - (int)here[x]);                                                      \
            detail[x] = a;                                                                                                      \
            sums[map[x]] += a;                                                                                                  \
        }                                                                                                                       \
    }                                                                                                                           \
                                                                                                                                \
    static void LEVEL(detail_transfer_merge_row_##bits)(void *dst_, const void *here_, const int32_t *restrict detail,          \
                                                 const int32_t *restrict mean, const vfx_detail_transfer_place *places,         \
                                                 int count, int maximum)                                                        \
    {                                                                                                                           \
        PIXEL *restrict dst = dst_;                                                                                             \
        const PIXEL *restrict here = here_;                                                                                     \
        if (!places) {                                                                                                          \
            const int pairs = count / 2;                                                                                        \
            for (int i = 0; i < pairs; i++) {                                                                                   \
                const int m = mean[i] * 3;                                                                                      \
                const int a = here[2 * i] + ((detail[2 * i] - ((m + mean[i - 1] + 2) >> 2) + 128) >> 8);                        \
                const int b = here[2 * i + 1] + ((detail[2 * i + 1] - ((m + mean[i + 1] + 2) >> 2) + 128) >> 8);                \
                dst[2 * i] = (PIXEL)(a < 0 ? 0 : a > maximum ? maximum : a);                                                    \
                dst[2 * i + 1] = (PIXEL)(b < 0 ? 0 : b > maximum ? maximum : b);                                                \
            }                                                                                                                   \
            return;                                                                                                             \
        }                                                                                                                       \
        for (int x = 0; x < count; x++) {                                                                                       \
            const int32_t *m = mean + places[x].first;                                                                          \
            const int w = places[x].weight, low = (m[0] * (64 - w) + m[1] * w + 32) >> 6;                                       \
            const int a = here[x] + ((detail[x] - low + 128) >> 8);                                                             \
            dst[x] = (PIXEL)(a < 0 ? 0 : a > maximum ? maximum : a);                                                            \
        }                                                                                                                       \
    }                                                                                                                           \
    struct LEVEL(vfx_unused_detail_transfer_##bits)

DETAIL(uint8_t, 8);
DETAIL(uint16_t, 16);
#undef DETAIL

static void LEVEL(detail_transfer_init)(vfx_kernel_table *t)
{
    t->detail_transfer_weight_row = LEVEL(detail_transfer_weight_row);
    t->detail_transfer_difference_row = LEVEL(detail_transfer_difference_row);
    t->detail_transfer_spread_row = LEVEL(detail_transfer_spread_row);
    t->detail_transfer_extract_row_8 = LEVEL(detail_transfer_extract_row_8);
    t->detail_transfer_extract_row_16 = LEVEL(detail_transfer_extract_row_16);
    t->detail_transfer_merge_row_8 = LEVEL(detail_transfer_merge_row_8);
    t->detail_transfer_merge_row_16 = LEVEL(detail_transfer_merge_row_16);
}
