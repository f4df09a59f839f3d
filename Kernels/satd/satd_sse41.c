#include "../internal/levels.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#include "../internal/rows_sse41.h"

static inline void butterfly(__m128i *p, __m128i *q)
{
    __m128i sum = _mm_add_epi16(*p, *q), difference = _mm_sub_epi16(*p, *q);
    *p = sum;
    *q = difference;
}

// One stage along the rows: sums and differences of columns j and j + 4, both rows interleaved. Three of these give the
// whole transform; the order of its coefficients does not matter to a sum.
static inline void butterfly_columns(__m128i *p, __m128i *q)
{
    __m128i lo = _mm_unpacklo_epi16(*p, *q), hi = _mm_unpackhi_epi16(*p, *q);
    *p = _mm_add_epi16(lo, hi);
    *q = _mm_sub_epi16(lo, hi);
}

static uint32_t satd_8x8_sse41(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
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
    // The last stage only feeds a sum: |p + q| + |p − q| = 2·max(|p|, |q|). The three above kept rows i and i + 4 in the
    // same two registers, half of each row in either, so that stage is left between the halves' neighbours.
    for (int i = 0; i < 4; i++) {
        __m128i p = _mm_abs_epi16(_mm_unpacklo_epi64(m[i], m[i + 4])), q = _mm_abs_epi16(_mm_unpackhi_epi64(m[i], m[i + 4]));
        sum = _mm_add_epi16(sum, _mm_max_epi16(p, q));
    }
    return (2 * (uint32_t)vfx_sum4(_mm_madd_epi16(sum, _mm_set1_epi16(1))) + 2) >> 2;
}

static inline __m128i row4(const uint8_t *p)
{
    int32_t v;
    __builtin_memcpy(&v, p, 4);
    return _mm_cvtsi32_si128(v);
}

static uint32_t satd_4x4_sse41(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    const __m128i minus = _mm_set1_epi16((short)0xff01);
    // Differences of two rows per register: (0, 1), (2, 3).
    __m128i a01 = _mm_unpacklo_epi32(row4(a), row4(a + as)), a23 = _mm_unpacklo_epi32(row4(a + 2 * as), row4(a + 3 * as));
    __m128i b01 = _mm_unpacklo_epi32(row4(b), row4(b + bs)), b23 = _mm_unpacklo_epi32(row4(b + 2 * bs), row4(b + 3 * bs));
    __m128i p = _mm_maddubs_epi16(_mm_unpacklo_epi8(a01, b01), minus), q = _mm_maddubs_epi16(_mm_unpacklo_epi8(a23, b23), minus);
    __m128i s = _mm_add_epi16(p, q), d = _mm_sub_epi16(p, q);
    // Rows 0 + 2 and 1 + 3 (and differences) against each other.
    p = _mm_unpacklo_epi64(s, d);
    q = _mm_unpackhi_epi64(s, d);
    s = _mm_add_epi16(p, q);
    d = _mm_sub_epi16(p, q);
    // Columns: pairs first, then the last stage as a maximum.
    p = _mm_hadd_epi16(s, d);
    q = _mm_hsub_epi16(s, d);
    __m128i even = _mm_blend_epi16(p, _mm_slli_epi32(q, 16), 0xaa), odd = _mm_blend_epi16(_mm_srli_epi32(p, 16), q, 0xaa);
    __m128i m = _mm_max_epi16(_mm_abs_epi16(even), _mm_abs_epi16(odd));
    m = _mm_madd_epi16(m, _mm_set1_epi16(1));
    m = _mm_add_epi32(m, _mm_shuffle_epi32(m, 0x4e));
    m = _mm_add_epi32(m, _mm_shuffle_epi32(m, 0xb1));
    return (2 * (uint32_t)_mm_cvtsi128_si32(m) + 1) >> 1;
}

void vfx_satd_init_sse41(vfx_kernel_table *t)
{
    t->satd_4x4 = satd_4x4_sse41;
    t->satd_8x8 = satd_8x8_sse41;
}
#pragma clang attribute pop
#endif
