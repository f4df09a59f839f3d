#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)

// 8 averages from 16 samples of two rows, in 16 bits.
static inline __m128i average8(const uint8_t *upper, const uint8_t *lower)
{
    const __m128i ones = _mm_set1_epi8(1), two = _mm_set1_epi16(2);
    __m128i sum = _mm_add_epi16(_mm_maddubs_epi16(_mm_loadu_si128((const __m128i *)upper), ones),
                                _mm_maddubs_epi16(_mm_loadu_si128((const __m128i *)lower), ones));
    return _mm_srli_epi16(_mm_add_epi16(sum, two), 2);
}

void vfx_downsample_sse41(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                          int height)
{
    for (int y = 0; y < height; y++, dst += dst_stride, src += 2 * src_stride) {
        const uint8_t *next = src + src_stride;
        int x = 0;
        for (; x + 16 <= width; x += 16)
            _mm_storeu_si128((__m128i *)(dst + x), _mm_packus_epi16(average8(src + 2 * x, next + 2 * x),
                                                                    average8(src + 2 * x + 16, next + 2 * x + 16)));
        for (; x < width; x++)
            dst[x] = (uint8_t)((src[2 * x] + src[2 * x + 1] + next[2 * x] + next[2 * x + 1] + 2) >> 2);
    }
}
#pragma clang attribute pop
#endif
