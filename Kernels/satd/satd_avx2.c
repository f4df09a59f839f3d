#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "../x86/rows_avx2.h"

static inline void butterfly(__m256i *p, __m256i *q)
{
    __m256i sum = _mm256_add_epi16(*p, *q), difference = _mm256_sub_epi16(*p, *q);
    *p = sum;
    *q = difference;
}

// One horizontal stage: sums and differences of columns j and j + 4 of each lane, both rows interleaved. Three stages
// make the whole transform; the order of the coefficients does not matter, since they are summed.
static inline void butterfly_columns(__m256i *p, __m256i *q)
{
    __m256i lo = _mm256_unpacklo_epi16(*p, *q), hi = _mm256_unpackhi_epi16(*p, *q);
    *p = _mm256_add_epi16(lo, hi);
    *q = _mm256_sub_epi16(lo, hi);
}

// The last stage, between the two lanes of each register. Its results are only summed: |p + q| + |p − q| = 2·max(|p|,
// |q|).
static inline __m256i last_butterfly(__m256i x, __m256i y)
{
    __m256i p = _mm256_permute2x128_si256(x, y, 0x20), q = _mm256_permute2x128_si256(x, y, 0x31);
    return _mm256_max_epi16(_mm256_abs_epi16(p), _mm256_abs_epi16(q));
}

uint32_t vfx_satd_8x8_avx2(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    const __m256i minus = _mm256_set1_epi16((short)0xff01), ones = _mm256_set1_epi16(1);
    // Two rows per register: (0, 2), (1, 3), (4, 6), (5, 7).
    __m256i m[4];
    for (int i = 0; i < 2; i++, a += 4 * as, b += 4 * bs) {
        __m256i ra = vfx_rows4(a, as), rb = vfx_rows4(b, bs);
        m[2 * i] = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(ra, rb), minus);
        m[2 * i + 1] = _mm256_maddubs_epi16(_mm256_unpackhi_epi8(ra, rb), minus);
    }
    butterfly(&m[0], &m[1]);
    butterfly(&m[2], &m[3]);
    butterfly(&m[0], &m[2]);
    butterfly(&m[1], &m[3]);
    for (int stage = 0; stage < 3; stage++) {
        butterfly_columns(&m[0], &m[1]);
        butterfly_columns(&m[2], &m[3]);
    }
    __m256i s = _mm256_add_epi16(last_butterfly(m[0], m[1]), last_butterfly(m[2], m[3]));
    return (2 * (uint32_t)vfx_sum8(_mm256_madd_epi16(s, ones)) + 2) >> 2;
}
#pragma clang attribute pop
#endif
