#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#include "../x86/rows_sse41.h"

static inline __m128i row16(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)p); }

static inline uint32_t sum2(__m128i v)
{
    return (uint32_t)_mm_cvtsi128_si32(_mm_add_epi32(v, _mm_shuffle_epi32(v, 0x4e)));
}

static inline __m128i block4(const uint8_t *p, ptrdiff_t stride)
{
    int32_t v[4];
    for (int i = 0; i < 4; i++) __builtin_memcpy(v + i, p + i * stride, 4);
    return _mm_insert_epi32(_mm_insert_epi32(_mm_insert_epi32(_mm_cvtsi32_si128(v[0]), v[1], 1), v[2], 2), v[3], 3);
}

uint32_t vfx_sad_4x4_sse41(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    return sum2(_mm_sad_epu8(block4(a, as), block4(b, bs)));
}

uint32_t vfx_sad_8x8_sse41(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    __m128i sum = _mm_setzero_si128();
    for (int y = 0; y < 8; y += 2, a += 2 * as, b += 2 * bs)
        sum = _mm_add_epi32(sum, _mm_sad_epu8(vfx_rows2_128(a, as), vfx_rows2_128(b, bs)));
    return sum2(sum);
}

uint32_t vfx_sad_16x16_sse41(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    __m128i sum = _mm_setzero_si128();
    for (int y = 0; y < 16; y++, a += as, b += bs) sum = _mm_add_epi32(sum, _mm_sad_epu8(row16(a), row16(b)));
    return sum2(sum);
}

void vfx_sad_8x8_x4_sse41(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, const ptrdiff_t offsets[4],
                          uint32_t sums[4])
{
    __m128i s[4] = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
    for (int y = 0; y < 8; y += 2, a += 2 * as, b += 2 * bs) {
        __m128i rows = vfx_rows2_128(a, as);
        for (int i = 0; i < 4; i++) s[i] = _mm_add_epi32(s[i], _mm_sad_epu8(rows, vfx_rows2_128(b + offsets[i], bs)));
    }
    for (int i = 0; i < 4; i++) sums[i] = sum2(s[i]);
}

void vfx_sad_16x16_x4_sse41(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs,
                            const ptrdiff_t offsets[4], uint32_t sums[4])
{
    __m128i s[4] = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
    for (int y = 0; y < 16; y++, a += as, b += bs) {
        __m128i row = row16(a);
        for (int i = 0; i < 4; i++) s[i] = _mm_add_epi32(s[i], _mm_sad_epu8(row, row16(b + offsets[i])));
    }
    for (int i = 0; i < 4; i++) sums[i] = sum2(s[i]);
}
#pragma clang attribute pop
#endif
