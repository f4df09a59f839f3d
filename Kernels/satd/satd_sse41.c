#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#include "../x86/rows_sse41.h"

static inline void butterfly(__m128i *p, __m128i *q)
{
    __m128i sum = _mm_add_epi16(*p, *q), difference = _mm_sub_epi16(*p, *q);
    *p = sum;
    *q = difference;
}

// One horizontal stage: sums and differences of columns j and j + 4, both rows interleaved. Three stages make the whole
// transform; the order of the coefficients does not matter, since they are summed.
static inline void butterfly_columns(__m128i *p, __m128i *q)
{
    __m128i lo = _mm_unpacklo_epi16(*p, *q), hi = _mm_unpackhi_epi16(*p, *q);
    *p = _mm_add_epi16(lo, hi);
    *q = _mm_sub_epi16(lo, hi);
}

uint32_t vfx_satd_8x8_sse41(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    __m128i m[8], sum = _mm_setzero_si128();
    for (int i = 0; i < 8; i++) m[i] = vfx_difference_128(vfx_row8_128(a + i * as), vfx_row8_128(b + i * bs));
    for (int i = 0; i < 8; i += 2) butterfly(&m[i], &m[i + 1]);
    for (int i = 0; i < 8; i += 4) {
        butterfly(&m[i], &m[i + 2]);
        butterfly(&m[i + 1], &m[i + 3]);
    }
    for (int stage = 0; stage < 3; stage++)
        for (int i = 0; i < 4; i++) butterfly_columns(&m[i], &m[i + 4]);
    // Rows i and i + 4 are now in the lower and upper halves of the same two registers. The last stage combines the
    // halves. Its results are only summed: |p + q| + |p − q| = 2·max(|p|, |q|).
    for (int i = 0; i < 4; i++) {
        __m128i p = _mm_abs_epi16(_mm_unpacklo_epi64(m[i], m[i + 4]));
        __m128i q = _mm_abs_epi16(_mm_unpackhi_epi64(m[i], m[i + 4]));
        sum = _mm_add_epi16(sum, _mm_max_epi16(p, q));
    }
    return (2 * (uint32_t)vfx_sum4(_mm_madd_epi16(sum, _mm_set1_epi16(1))) + 2) >> 2;
}

// Rows 0 and 1 at p, four samples each.
static inline __m128i two_rows(const uint8_t *p, ptrdiff_t stride)
{
    int32_t v[2];
    __builtin_memcpy(v, p, 4);
    __builtin_memcpy(v + 1, p + stride, 4);
    return _mm_insert_epi32(_mm_cvtsi32_si128(v[0]), v[1], 1);
}

uint32_t vfx_satd_4x4_sse41(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    // Differences of rows 0 and 1, and of rows 2 and 3.
    __m128i p = vfx_difference_128(two_rows(a, as), two_rows(b, bs));
    __m128i q = vfx_difference_128(two_rows(a + 2 * as, as), two_rows(b + 2 * bs, bs));
    __m128i s = _mm_add_epi16(p, q), d = _mm_sub_epi16(p, q);
    // Rows 0 ± 2 against rows 1 ± 3.
    p = _mm_unpacklo_epi64(s, d);
    q = _mm_unpackhi_epi64(s, d);
    s = _mm_add_epi16(p, q);
    d = _mm_sub_epi16(p, q);
    // Horizontally: one stage on pairs of columns, then the last stage as a maximum.
    p = _mm_hadd_epi16(s, d);
    q = _mm_hsub_epi16(s, d);
    __m128i even = _mm_blend_epi16(p, _mm_slli_epi32(q, 16), 0xaa);
    __m128i odd = _mm_blend_epi16(_mm_srli_epi32(p, 16), q, 0xaa);
    __m128i m = _mm_max_epi16(_mm_abs_epi16(even), _mm_abs_epi16(odd));
    m = _mm_madd_epi16(m, _mm_set1_epi16(1));
    m = _mm_add_epi32(m, _mm_shuffle_epi32(m, 0x4e));
    m = _mm_add_epi32(m, _mm_shuffle_epi32(m, 0xb1));
    return (2 * (uint32_t)_mm_cvtsi128_si32(m) + 1) >> 1;
}
#pragma clang attribute pop
#endif
