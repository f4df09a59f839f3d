// Compiled once per level, with NAME(x). Plain C that the compiler vectorises; integers, and single precision without
// contraction, so that all levels produce the same bits.
#include "detail_transfer_tuning.h"

void NAME(detail_transfer_weight_row)(uint8_t *restrict dst, const uint8_t *error, ptrdiff_t error_stride,
                                      const uint8_t *luma, ptrdiff_t luma_stride, int width,
                                      const vfx_detail_transfer_trust *trust, int32_t *scratch)
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
        const float variance = (float)(25 * q - s * s) * (1.0f / 625.0f) + DETAIL_TRANSFER_VARIANCE_FLOOR;
        const float missed = ((float)m * (1.0f / 9.0f) + DETAIL_TRANSFER_MISMATCH_FLOOR) * scale;
        const float r2 = missed * missed / variance;
        dst[x] = (uint8_t)(int)(most / (1.0f + r2 * r2) + 0.5f);
    }
}

void NAME(detail_transfer_difference_row)(uint8_t *dst, const uint8_t *a, const uint8_t *b, int count)
{
    for (int x = 0; x < count; x++) dst[x] = a[x] > b[x] ? (uint8_t)(a[x] - b[x]) : (uint8_t)(b[x] - a[x]);
}

void NAME(detail_transfer_spread_row)(int16_t *restrict dst, const int16_t *restrict src, const int32_t *map, int count,
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
#undef NAME
