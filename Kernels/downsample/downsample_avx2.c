#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

// 16 averages from 32 samples of two rows, in 16 bits.
static inline __m256i average16(const uint8_t *upper, const uint8_t *lower)
{
    const __m256i ones = _mm256_set1_epi8(1), two = _mm256_set1_epi16(2);
    __m256i sum = _mm256_add_epi16(_mm256_maddubs_epi16(_mm256_loadu_si256((const __m256i *)upper), ones),
                                   _mm256_maddubs_epi16(_mm256_loadu_si256((const __m256i *)lower), ones));
    return _mm256_srli_epi16(_mm256_add_epi16(sum, two), 2);
}

void vfx_downsample_avx2(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                         int height)
{
    for (int y = 0; y < height; y++, dst += dst_stride, src += 2 * src_stride) {
        const uint8_t *next = src + src_stride;
        int x = 0;
        for (; x + 32 <= width; x += 32) {
            const uint8_t *p = src + 2 * x, *q = next + 2 * x;
            __m256i v = _mm256_packus_epi16(average16(p, q), average16(p + 32, q + 32));
            _mm256_storeu_si256((__m256i *)(dst + x), _mm256_permute4x64_epi64(v, 0xd8));
        }
        for (; x + 16 <= width; x += 16) {
            __m256i v = average16(src + 2 * x, next + 2 * x);
            __m128i out = _mm_packus_epi16(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
            _mm_storeu_si128((__m128i *)(dst + x), out);
        }
        for (; x < width; x++)
            dst[x] = (uint8_t)((src[2 * x] + src[2 * x + 1] + next[2 * x] + next[2 * x + 1] + 2) >> 2);
    }
}
#pragma clang attribute pop
#endif
