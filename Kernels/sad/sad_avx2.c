#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "../x86/rows_avx2.h"

static inline __m256i rows2(const uint8_t *p, ptrdiff_t stride)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)p)),
                                   _mm_loadu_si128((const __m128i *)(p + stride)), 1);
}

static inline uint32_t sum4(__m256i v)
{
    __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    return (uint32_t)_mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e)));
}

// Reduces and stores four sums, each of which is spread over the low halves of four 64-bit lanes.
static inline void store4(uint32_t sums[4], __m256i s0, __m256i s1, __m256i s2, __m256i s3)
{
    __m256i a = _mm256_or_si256(s0, _mm256_slli_epi64(s1, 32)), b = _mm256_or_si256(s2, _mm256_slli_epi64(s3, 32));
    __m256i s = _mm256_add_epi32(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    __m128i t = _mm_add_epi32(_mm256_castsi256_si128(s), _mm256_extracti128_si256(s, 1));
    _mm_storeu_si128((__m128i *)sums, t);
}

static inline __m128i row4(const uint8_t *p)
{
    int32_t v;
    __builtin_memcpy(&v, p, 4);
    __m128i row = _mm_set1_epi32(v);
    __asm__("" : "+x"(row));
    return row;
}

static inline __m128i block4(const uint8_t *p, ptrdiff_t stride)
{
    return _mm_blend_epi32(_mm_blend_epi32(row4(p), row4(p + stride), 2),
                           _mm_blend_epi32(row4(p + 2 * stride), row4(p + 3 * stride), 8), 12);
}

uint32_t vfx_sad_4x4_avx2(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    __m128i s = _mm_sad_epu8(block4(a, as), block4(b, bs));
    return (uint32_t)_mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e)));
}

static inline __m256i sad8(__m256i a0, __m256i a1, const uint8_t *b, ptrdiff_t bs)
{
    return _mm256_add_epi32(_mm256_sad_epu8(a0, vfx_rows4(b, bs)), _mm256_sad_epu8(a1, vfx_rows4(b + 4 * bs, bs)));
}

uint32_t vfx_sad_8x8_avx2(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    return sum4(sad8(vfx_rows4(a, as), vfx_rows4(a + 4 * as, as), b, bs));
}

void vfx_sad_8x8_x4_avx2(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, const ptrdiff_t offsets[4],
                         uint32_t sums[4])
{
    __m256i a0 = vfx_rows4(a, as), a1 = vfx_rows4(a + 4 * as, as);
    store4(sums, sad8(a0, a1, b + offsets[0], bs), sad8(a0, a1, b + offsets[1], bs), sad8(a0, a1, b + offsets[2], bs),
           sad8(a0, a1, b + offsets[3], bs));
}

uint32_t vfx_sad_16x16_avx2(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    __m256i sum = _mm256_setzero_si256();
    for (int y = 0; y < 16; y += 2, a += 2 * as, b += 2 * bs)
        sum = _mm256_add_epi32(sum, _mm256_sad_epu8(rows2(a, as), rows2(b, bs)));
    return sum4(sum);
}

void vfx_sad_16x16_x4_avx2(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs,
                           const ptrdiff_t offsets[4], uint32_t sums[4])
{
    __m256i s0 = _mm256_setzero_si256(), s1 = s0, s2 = s0, s3 = s0;
    for (int y = 0; y < 16; y += 2, a += 2 * as, b += 2 * bs) {
        __m256i rows = rows2(a, as);
        s0 = _mm256_add_epi32(s0, _mm256_sad_epu8(rows, rows2(b + offsets[0], bs)));
        s1 = _mm256_add_epi32(s1, _mm256_sad_epu8(rows, rows2(b + offsets[1], bs)));
        s2 = _mm256_add_epi32(s2, _mm256_sad_epu8(rows, rows2(b + offsets[2], bs)));
        s3 = _mm256_add_epi32(s3, _mm256_sad_epu8(rows, rows2(b + offsets[3], bs)));
    }
    store4(sums, s0, s1, s2, s3);
}
#pragma clang attribute pop
#endif
