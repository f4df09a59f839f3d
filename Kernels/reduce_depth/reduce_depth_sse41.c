#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)

void vfx_reduce_depth_sse41(uint8_t *dst, const uint16_t *src, int width, int shift)
{
    const int half = shift ? 1 << (shift - 1) : 0;
    const __m128i count = _mm_cvtsi32_si128(shift), add = _mm_set1_epi16((short)half), most = _mm_set1_epi16(255);
    int x = 0;
    // A saturated sum is at least 255 after the shift, as the exact sum is, so the result is the same.
    for (; x + 16 <= width; x += 16) {
        __m128i a = _mm_adds_epu16(_mm_loadu_si128((const __m128i *)(src + x)), add);
        __m128i b = _mm_adds_epu16(_mm_loadu_si128((const __m128i *)(src + x + 8)), add);
        a = _mm_min_epu16(_mm_srl_epi16(a, count), most);
        b = _mm_min_epu16(_mm_srl_epi16(b, count), most);
        _mm_storeu_si128((__m128i *)(dst + x), _mm_packus_epi16(a, b));
    }
    for (; x < width; x++) {
        int v = (src[x] + half) >> shift;
        dst[x] = (uint8_t)(v > 255 ? 255 : v);
    }
}
#pragma clang attribute pop
#endif
