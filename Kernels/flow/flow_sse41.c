#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#include "../x86/rows_sse41.h"
#include "../x86/bilinear_sse41.h"
#include "flow_cells.h"

static inline __m128i load(const int16_t *p) { return _mm_loadu_si128((const __m128i *)p); }

// Sums of the four lanes of each argument.
static inline __m128i sum4_x4(__m128i a, __m128i b, __m128i c, __m128i d)
{
    return _mm_hadd_epi32(_mm_hadd_epi32(a, b), _mm_hadd_epi32(c, d));
}

void vfx_flow_prepare_row_sse41(const vfx_flow_tiles *tiles, int columns, float *equations, float *brightness,
                                float *support)
{
    const ptrdiff_t plane = 8 * (columns + 1);
    const __m128i ones = _mm_set1_epi16(1);
    for (int x = 0; x < columns; x++) {
        const int16_t *halves[4] = {tiles->upper + 8 * x, tiles->upper + 3 * plane + 8 * x, tiles->lower + 8 * x,
                                    tiles->lower + 3 * plane + 8 * x};
        __m128i xx = _mm_setzero_si128(), xy = xx, yy = xx, sum_x = xx, sum_y = xx;
        for (int i = 0; i < 8; i++) {
            const int16_t *half = halves[i >> 1] + 8 * (i & 1);
            const __m128i gx = load(half), gy = load(half + plane);
            xx = _mm_add_epi32(xx, _mm_madd_epi16(gx, gx));
            xy = _mm_add_epi32(xy, _mm_madd_epi16(gx, gy));
            yy = _mm_add_epi32(yy, _mm_madd_epi16(gy, gy));
            sum_x = _mm_add_epi16(sum_x, gx);
            sum_y = _mm_add_epi16(sum_y, gy);
        }
        float sums[4];
        _mm_storeu_ps(sums, _mm_cvtepi32_ps(sum4_x4(xx, xy, yy, _mm_madd_epi16(sum_x, ones))));
        for (int i = 0; i < 4; i++) equations[i * columns + x] = sums[i];
        equations[4 * columns + x] = (float)vfx_sum4(_mm_madd_epi16(sum_y, ones));
    }
    vfx_flow_brightness(tiles, brightness, columns);
    vfx_flow_normalise(equations, support, columns);
}

static inline __m128i residual(const int16_t *const halves[4], ptrdiff_t plane, vfx_flow_counterpart b, ptrdiff_t stride)
{
    const __m128i ones = _mm_set1_epi16(1), wx = vfx_bilinear_x_128(b.fx), wy = vfx_bilinear_y_128(b.fy);
    const uint8_t *p = b.first;
    __m128i dx = _mm_setzero_si128(), dy = dx, sum = dx, absolute = dx, above = vfx_bilinear_row_128(p, wx);
    for (int i = 0; i < 4; i++, p += 2 * stride) {
        const __m128i middle = vfx_bilinear_row_128(p + stride, wx), below = vfx_bilinear_row_128(p + 2 * stride, wx);
        const __m128i upper = vfx_bilinear_rows_128(above, middle, wy), lower = vfx_bilinear_rows_128(middle, below, wy);
        above = below;
        // In the order of tiles.
        const __m128i samples[2] = {_mm_unpacklo_epi64(upper, lower), _mm_unpackhi_epi64(upper, lower)};
        for (int k = 0; k < 2; k++) {
            const int16_t *tile = halves[i] + 8 * k;
            const __m128i e = _mm_sub_epi16(samples[k], load(tile + 2 * plane));
            dx = _mm_add_epi32(dx, _mm_madd_epi16(e, load(tile)));
            dy = _mm_add_epi32(dy, _mm_madd_epi16(e, load(tile + plane)));
            sum = _mm_add_epi32(sum, _mm_madd_epi16(e, ones));
            absolute = _mm_add_epi32(absolute, _mm_madd_epi16(_mm_abs_epi16(e), ones));
        }
    }
    return sum4_x4(dx, dy, sum, absolute);
}

void vfx_flow_measure_row_sse41(const vfx_flow_tiles *tiles, const vfx_warp_source *target, int y, int columns,
                                const float *vx, const float *vy, vfx_flow_residual *residuals, float *sampled)
{
    const ptrdiff_t plane = 8 * (columns + 1);
    vfx_flow_positions(target, y, columns, vx, vy, sampled);
    for (int x = 0; x < columns; x++) {
        const int16_t *halves[4] = {tiles->upper + 8 * x, tiles->upper + 3 * plane + 8 * x, tiles->lower + 8 * x,
                                    tiles->lower + 3 * plane + 8 * x};
        const vfx_flow_counterpart b = vfx_flow_counterpart_of(target, x, y, sampled, columns);
        _mm_storeu_si128((__m128i *)(residuals + x), residual(halves, plane, b, target->stride));
    }
}
#pragma clang attribute pop
#endif
