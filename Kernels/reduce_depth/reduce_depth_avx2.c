#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

void vfx_reduce_depth_avx2(uint8_t *dst, const uint16_t *src, int width, int shift)
{
    const int half = shift ? 1 << (shift - 1) : 0;
    const __m128i count = _mm_cvtsi32_si128(shift);
    const __m256i add = _mm256_set1_epi16((short)half), most = _mm256_set1_epi16(255);
    int x = 0;
    // A saturated sum is at least 255 after the shift, as the exact sum is, so the result is the same.
    for (; x + 32 <= width; x += 32) {
        __m256i a = _mm256_adds_epu16(_mm256_loadu_si256((const __m256i *)(src + x)), add);
        __m256i b = _mm256_adds_epu16(_mm256_loadu_si256((const __m256i *)(src + x + 16)), add);
        a = _mm256_min_epu16(_mm256_srl_epi16(a, count), most);
        b = _mm256_min_epu16(_mm256_srl_epi16(b, count), most);
        _mm256_storeu_si256((__m256i *)(dst + x), _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xd8));
    }
    for (; x < width; x++) {
        int v = (src[x] + half) >> shift;
        dst[x] = (uint8_t)(v > 255 ? 255 : v);
    }
}
#pragma clang attribute pop
#endif
