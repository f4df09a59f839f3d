#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "../x86/rows_avx2.h"
#include "../x86/vector_field_avx2.h"
#include "flow_cells.h"

static inline __m256i load(const int16_t *p) { return _mm256_loadu_si256((const __m256i *)p); }

// Stores 16 values of an upper and a lower row as four tiles.
static inline void store_tiles(int16_t *out, __m256i upper, __m256i lower)
{
    const __m256i even = _mm256_unpacklo_epi64(upper, lower), odd = _mm256_unpackhi_epi64(upper, lower);
    _mm256_storeu_si256((__m256i *)out, _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256((__m256i *)(out + 16), _mm256_permute2x128_si256(even, odd, 0x31));
}

static inline __m256i words16(const uint8_t *p) { return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)p)); }

// One half of four tiles: two rows of 16 samples.
static inline void four_tiles(const uint8_t *p, ptrdiff_t stride, int16_t *out, ptrdiff_t plane)
{
    const uint8_t *q = p + stride;
    const __m256i upper = words16(p), lower = words16(q);
    store_tiles(out, _mm256_sub_epi16(words16(p + 1), words16(p - 1)), _mm256_sub_epi16(words16(q + 1), words16(q - 1)));
    store_tiles(out + plane, _mm256_sub_epi16(lower, words16(p - stride)), _mm256_sub_epi16(words16(q + stride), upper));
    store_tiles(out + 2 * plane, _mm256_slli_epi16(upper, 4), _mm256_slli_epi16(lower, 4));
}

void vfx_flow_tiles_row_avx2(const uint8_t *src, ptrdiff_t stride, int tiles, int16_t *out)
{
    if (tiles < 4) {
        vfx_flow_tiles_row_c(src, stride, tiles, out);
        return;
    }
    const ptrdiff_t plane = 8 * tiles;
    for (int half = 0; half < 2; half++, src += 2 * stride, out += 3 * plane)
        for (int tile = 0; tile < tiles; tile += 4) {
            // The last four tiles may overlap those before.
            const int first = tile < tiles - 4 ? tile : tiles - 4;
            four_tiles(src + 4 * first, stride, out + 8 * first, plane);
        }
}

void vfx_flow_prepare_row_avx2(const vfx_flow_tiles *tiles, int columns, float *equations, float *brightness,
                               float *support)
{
    const ptrdiff_t plane = 8 * (columns + 1);
    const __m256i ones = _mm256_set1_epi16(1);
    for (int x = 0; x < columns; x++) {
        const int16_t *halves[4] = {tiles->upper + 8 * x, tiles->upper + 3 * plane + 8 * x, tiles->lower + 8 * x,
                                    tiles->lower + 3 * plane + 8 * x};
        __m256i xx = _mm256_setzero_si256(), xy = xx, yy = xx, sum_x = xx, sum_y = xx;
        for (int i = 0; i < 4; i++) {
            const __m256i gx = load(halves[i]), gy = load(halves[i] + plane);
            xx = _mm256_add_epi32(xx, _mm256_madd_epi16(gx, gx));
            xy = _mm256_add_epi32(xy, _mm256_madd_epi16(gx, gy));
            yy = _mm256_add_epi32(yy, _mm256_madd_epi16(gy, gy));
            sum_x = _mm256_add_epi16(sum_x, gx);
            sum_y = _mm256_add_epi16(sum_y, gy);
        }
        const __m128 sums = _mm_cvtepi32_ps(vfx_sum8_x4(xx, xy, yy, _mm256_madd_epi16(sum_x, ones)));
        _mm_store_ss(equations + x, sums);
        _mm_store_ss(equations + columns + x, _mm_movehdup_ps(sums));
        _mm_store_ss(equations + 2 * columns + x, _mm_movehl_ps(sums, sums));
        _mm_store_ss(equations + 3 * columns + x, _mm_permute_ps(sums, 0xff));
        equations[4 * columns + x] = (float)vfx_sum8(_mm256_madd_epi16(sum_y, ones));
    }
    vfx_flow_brightness(tiles, brightness, columns);
    vfx_flow_normalise(equations, support, columns);
}

// Samples 0…8 of two rows as pairs of neighbours, in the order of tiles: four pairs of the upper row and four of the
// lower row, then the next four of each.
static inline __m256i pairs(const uint8_t *upper, const uint8_t *lower)
{
    const __m256i first = _mm256_setr_epi8(0, 1, 1, 2, 2, 3, 3, 4, -1, -1, -1, -1, -1, -1, -1, -1,
                                           4, 5, 5, 6, 6, 7, 7, 8, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m256i second = _mm256_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, 0, 1, 1, 2, 2, 3, 3, 4,
                                            -1, -1, -1, -1, -1, -1, -1, -1, 4, 5, 5, 6, 6, 7, 7, 8);
    const __m256i u = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)upper));
    const __m256i l = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)lower));
    return _mm256_or_si256(_mm256_shuffle_epi8(u, first), _mm256_shuffle_epi8(l, second));
}

static inline __m128i residual(const int16_t *upper, const int16_t *lower, ptrdiff_t plane, vfx_flow_counterpart b,
                               ptrdiff_t stride)
{
    const __m256i ones = _mm256_set1_epi16(1), zero = _mm256_setzero_si256();
    const __m256i wx = _mm256_set1_epi16((short)(b.fx << 8 | (32 - b.fx))), wy = _mm256_set1_epi16((short)(b.fy << 10));
    const int16_t *halves[4] = {upper, upper + 3 * plane, lower, lower + 3 * plane};
    // Hides where the pointer comes from: the compiler would compute each row's address by a multiplication.
    const uint8_t *p = b.first;
    __asm__("" : "+r"(p));
    __m256i rows[5];
    for (int i = 0; i < 4; i++, p += 2 * stride) rows[i] = _mm256_maddubs_epi16(pairs(p, p + stride), wx);
    rows[4] = _mm256_maddubs_epi16(pairs(p, p), wx);
    __m256i dx = zero, dy = zero, sum = zero, absolute = zero;
    for (int i = 0; i < 4; i++) {
        // Rows 2i + 1 and 2i + 2. x86/bilinear_avx2.h explains the arithmetic.
        const __m256i below = _mm256_alignr_epi8(rows[i + 1], rows[i], 8);
        const __m256i d = _mm256_sub_epi16(below, rows[i]);
        const __m256i t = _mm256_mulhi_epi16(_mm256_add_epi16(d, d), wy);
        const __m256i e = _mm256_sub_epi16(_mm256_avg_epu16(_mm256_add_epi16(rows[i], t), zero), load(halves[i] + 2 * plane));
        dx = _mm256_add_epi32(dx, _mm256_madd_epi16(e, load(halves[i])));
        dy = _mm256_add_epi32(dy, _mm256_madd_epi16(e, load(halves[i] + plane)));
        sum = _mm256_add_epi16(sum, e);
        absolute = _mm256_add_epi16(absolute, _mm256_abs_epi16(e));
    }
    return vfx_sum8_x4(dx, dy, _mm256_madd_epi16(sum, ones), _mm256_madd_epi16(absolute, ones));
}

void vfx_flow_measure_row_avx2(const vfx_flow_tiles *tiles, const vfx_warp_source *target, int y, int columns,
                               const float *vx, const float *vy, vfx_flow_residual *residuals, float *sampled)
{
    const ptrdiff_t plane = 8 * (columns + 1);
    vfx_flow_positions(target, y, columns, vx, vy, sampled);
    for (int x = 0; x < columns; x++) {
        const vfx_flow_counterpart b = vfx_flow_counterpart_of(target, x, y, sampled, columns);
        const __m128i sums = residual(tiles->upper + 8 * x, tiles->lower + 8 * x, plane, b, target->stride);
        _mm_storeu_si128((__m128i *)(residuals + x), sums);
    }
}

static inline __m128i length(__m128i x, __m128i y)
{
    const __m256d dx = _mm256_cvtepi32_pd(x), dy = _mm256_cvtepi32_pd(y);
    return _mm256_cvttpd_epi32(_mm256_sqrt_pd(_mm256_add_pd(_mm256_mul_pd(dx, dx), _mm256_mul_pd(dy, dy))));
}

static inline __m128i errors8(__m256i vectors, const vfx_motion_vector *back, int columns, int rows, int x, int y)
{
    const __m256i lanes = _mm256_setr_epi32(0, 128, 256, 384, 512, 640, 768, 896);
    const vfx_vectors8 v = vfx_widen_vectors8(vectors);
    const __m256i at_x = _mm256_add_epi32(_mm256_add_epi32(_mm256_set1_epi32(x * 128), lanes), v.x);
    const __m256i at_y = _mm256_add_epi32(_mm256_set1_epi32(y * 128), v.y);
    const vfx_vectors8 there = vfx_sample_field8(back, columns, rows, at_x, at_y);
    const __m256i ex = _mm256_add_epi32(v.x, there.x), ey = _mm256_add_epi32(v.y, there.y);
    // packus limits to 65535.
    return _mm_packus_epi32(length(_mm256_castsi256_si128(ex), _mm256_castsi256_si128(ey)),
                            length(_mm256_extracti128_si256(ex, 1), _mm256_extracti128_si256(ey, 1)));
}

void vfx_flow_consistency_row_avx2(const vfx_motion_vector *vectors, const vfx_motion_vector *back, int columns, int rows,
                                   int y, uint16_t *errors)
{
    int x = 0;
    for (; x + 8 <= columns; x += 8) {
        const __m256i v = _mm256_loadu_si256((const __m256i *)(vectors + x));
        _mm_storeu_si128((__m128i *)(errors + x), errors8(v, back, columns, rows, x, y));
    }
    if (x == columns) return;
    vfx_motion_vector rest[8] = {{0, 0}};
    uint16_t found[8];
    for (int i = x; i < columns; i++) rest[i - x] = vectors[i];
    const __m256i v = _mm256_loadu_si256((const __m256i *)rest);
    _mm_storeu_si128((__m128i *)found, errors8(v, back, columns, rows, x, y));
    for (int i = x; i < columns; i++) errors[i] = found[i - x];
}
#pragma clang attribute pop
#endif
