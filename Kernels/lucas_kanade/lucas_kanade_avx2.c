#include "../internal/versions.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "../internal/rows_avx2.h"
#include "../internal/bilinear_avx2.h"

// Central differences of an 8×8 patch, two rows per register: (0, 2), (1, 3), (4, 6), (5, 7).
typedef struct gradients {
    __m256i x[4], y[4];
} gradients;

static inline gradients gradients_8x8(const uint8_t *src, ptrdiff_t stride)
{
    const __m256i minus = _mm256_set1_epi16((short)0xff01);
    gradients g;
    __m256i row[10];
    for (int i = 0; i < 10; i++) row[i] = vfx_row8(src + (i - 1) * stride);
    for (int i = 0; i < 2; i++) {
        const uint8_t *p = src + 4 * i * stride;
        __m256i left = vfx_rows4(p - 1, stride), right = vfx_rows4(p + 1, stride);
        const __m256i *r = row + 4 * i;
        __m256i above = vfx_join4(r[0], r[1], r[2], r[3]), below = vfx_join4(r[2], r[3], r[4], r[5]);
        g.x[2 * i] = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(right, left), minus);
        g.x[2 * i + 1] = _mm256_maddubs_epi16(_mm256_unpackhi_epi8(right, left), minus);
        g.y[2 * i] = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(below, above), minus);
        g.y[2 * i + 1] = _mm256_maddubs_epi16(_mm256_unpackhi_epi8(below, above), minus);
    }
    return g;
}

void vfx_lk_structure_tensor_8x8_avx2(const uint8_t *src, ptrdiff_t stride, vfx_lk_structure_tensor *out)
{
    gradients g = gradients_8x8(src, stride);
    __m256i xx = _mm256_setzero_si256(), xy = xx, yy = xx, x = xx, y = xx, ones = _mm256_set1_epi16(1);
    for (int i = 0; i < 4; i++) {
        xx = _mm256_add_epi32(xx, _mm256_madd_epi16(g.x[i], g.x[i]));
        xy = _mm256_add_epi32(xy, _mm256_madd_epi16(g.x[i], g.y[i]));
        yy = _mm256_add_epi32(yy, _mm256_madd_epi16(g.y[i], g.y[i]));
        x = _mm256_add_epi16(x, g.x[i]);
        y = _mm256_add_epi16(y, g.y[i]);
    }
    _mm_storeu_si128((__m128i *)out, vfx_sum8_x4(xx, xy, yy, _mm256_madd_epi16(x, ones)));
    out->y = vfx_sum8(_mm256_madd_epi16(y, ones));
}

void vfx_lk_residual_8x8_avx2(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, int fx, int fy,
                              vfx_lk_residual *out)
{
    const __m256i zero = _mm256_setzero_si256(), ones = _mm256_set1_epi16(1);
    __m256i s[4];
    vfx_bilinear_8x8(b, bs, fx, fy, s);
    gradients g = gradients_8x8(a, as);
    __m256i dx = zero, dy = zero, sum = zero, absolute = zero;
    for (int i = 0; i < 2; i++) {
        __m256i rows = vfx_rows4(a + 4 * i * as, as);
        __m256i even = _mm256_srli_epi16(_mm256_unpacklo_epi8(zero, rows), 4);
        __m256i odd = _mm256_srli_epi16(_mm256_unpackhi_epi8(zero, rows), 4);
        s[2 * i] = _mm256_sub_epi16(s[2 * i], even);
        s[2 * i + 1] = _mm256_sub_epi16(s[2 * i + 1], odd);
    }
    for (int i = 0; i < 4; i++) {
        dx = _mm256_add_epi32(dx, _mm256_madd_epi16(s[i], g.x[i]));
        dy = _mm256_add_epi32(dy, _mm256_madd_epi16(s[i], g.y[i]));
        sum = _mm256_add_epi16(sum, s[i]);
        absolute = _mm256_add_epi16(absolute, _mm256_abs_epi16(s[i]));
    }
    sum = _mm256_madd_epi16(sum, ones);
    absolute = _mm256_madd_epi16(absolute, ones);
    _mm_storeu_si128((__m128i *)out, vfx_sum8_x4(dx, dy, sum, absolute));
}

#pragma clang attribute pop
#endif
