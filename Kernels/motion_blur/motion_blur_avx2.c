#include "../x86/x86.h"
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

// Samples p[0…7] and p[step…step + 7], interleaved as signed 16-bit numbers.
static inline __m256i pairs_8(const uint8_t *p, ptrdiff_t step)
{
    __m128i a = _mm_loadl_epi64((const __m128i *)p), b = _mm_loadl_epi64((const __m128i *)(p + step));
    return _mm256_cvtepu8_epi16(_mm_unpacklo_epi8(a, b));
}

// Samples p[0…7] and p[step…step + 7], interleaved and reduced by 32768, so that they are signed; pairs 0…3 are in the
// lower half of the register, 4…7 in the upper.
static inline __m256i pairs_16(const uint16_t *p, ptrdiff_t step)
{
    const __m256i half = _mm256_set1_epi16((short)0x8000);
    __m128i a = _mm_loadu_si128((const __m128i *)p), b = _mm_loadu_si128((const __m128i *)(p + step));
    __m256i both = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_unpacklo_epi16(a, b)), _mm_unpackhi_epi16(a, b), 1);
    return _mm256_xor_si256(both, half);
}

static inline __m256i weights_of(const vfx_motion_blur_tap *t)
{
    int32_t both;
    memcpy(&both, &t->weight, 4);
    return _mm256_set1_epi32(both);
}

static inline void store_8(uint8_t *dst, __m256i sum, int width, int maximum)
{
    sum = _mm256_srai_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(8192)), 14);
    __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    __m128i bytes = _mm_min_epu8(_mm_packus_epi16(words, words), _mm_set1_epi8((char)maximum));
    if (width == 8) {
        _mm_storel_epi64((__m128i *)dst, bytes);
    } else {
        uint8_t all[8];
        _mm_storel_epi64((__m128i *)all, bytes);
        memcpy(dst, all, (size_t)width);
    }
}

static inline void store_16(uint16_t *dst, __m256i sum, int width, int maximum)
{
    // The weights add up to 16384, so the sum is exactly 32768 too low after the shift.
    sum = _mm256_srai_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(8192)), 14);
    sum = _mm256_add_epi32(sum, _mm256_set1_epi32(32768));
    __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    words = _mm_min_epu16(words, _mm_set1_epi16((short)maximum));
    if (width == 8) {
        _mm_storeu_si128((__m128i *)dst, words);
    } else {
        uint16_t all[8];
        _mm_storeu_si128((__m128i *)all, words);
        memcpy(dst, all, (size_t)width * 2);
    }
}

#define ROWS(n, PIXEL, bits)                                                                                            \
    static inline void rows_##n##_##bits(PIXEL *dst, ptrdiff_t dst_stride, int width, const void *const sources[3],     \
                                         ptrdiff_t first, ptrdiff_t stride, const vfx_motion_blur_tap *taps, int count, \
                                         int maximum)                                                                   \
    {                                                                                                                   \
        __m256i sum[n];                                                                                                 \
        for (int r = 0; r < n; r++) sum[r] = _mm256_setzero_si256();                                                    \
        for (int i = 0; i < count; i++) {                                                                               \
            const PIXEL *p = (const PIXEL *)sources[taps[i].source] + taps[i].offset + first;                           \
            const ptrdiff_t step = taps[i].step;                                                                        \
            const __m256i w = weights_of(taps + i);                                                                     \
            _Pragma("clang loop unroll(full)") for (int r = 0; r < n; r++)                                              \
                sum[r] = _mm256_add_epi32(sum[r], _mm256_madd_epi16(pairs_##bits(p + r * stride, step), w));            \
        }                                                                                                               \
        for (int r = 0; r < n; r++) store_##bits(dst + r * dst_stride, sum[r], width, maximum);                         \
    }

ROWS(8, uint8_t, 8)
ROWS(4, uint8_t, 8)
ROWS(1, uint8_t, 8)
ROWS(8, uint16_t, 16)
ROWS(4, uint16_t, 16)
ROWS(1, uint16_t, 16)

#define BLOCK(PIXEL, bits)                                                                                                    \
    void vfx_motion_blur_block_##bits##_avx2(void *dst_, ptrdiff_t dst_stride, int width, int height,                         \
                                             const void *const sources[3], ptrdiff_t stride, const vfx_motion_blur_tap *taps, \
                                             int count, int maximum)                                                          \
    {                                                                                                                         \
        PIXEL *dst = dst_;                                                                                                    \
        int y = 0;                                                                                                            \
        for (; y + 8 <= height; y += 8)                                                                                       \
            rows_8_##bits(dst + y * dst_stride, dst_stride, width, sources, y * stride, stride, taps, count, maximum);        \
        for (; y + 4 <= height; y += 4)                                                                                       \
            rows_4_##bits(dst + y * dst_stride, dst_stride, width, sources, y * stride, stride, taps, count, maximum);        \
        for (; y < height; y++)                                                                                               \
            rows_1_##bits(dst + y * dst_stride, dst_stride, width, sources, y * stride, stride, taps, count, maximum);        \
    }

BLOCK(uint8_t, 8)
BLOCK(uint16_t, 16)
#pragma clang attribute pop
#endif
