#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

// The sums are at most 255·256 + 128, which fits into unsigned 16 bits.
static inline __m256i blend16(__m256i a, __m256i b, const uint16_t *w)
{
    __m256i wb = _mm256_loadu_si256((const __m256i *)w), wa = _mm256_sub_epi16(_mm256_set1_epi16(256), wb);
    __m256i sum = _mm256_add_epi16(_mm256_mullo_epi16(a, wa), _mm256_mullo_epi16(b, wb));
    return _mm256_srli_epi16(_mm256_add_epi16(sum, _mm256_set1_epi16(128)), 8);
}

void vfx_blend_row_8_avx2(void *dst_, const void *a_, const void *b_, const uint16_t *w, int count)
{
    uint8_t *dst = dst_;
    const uint8_t *a = a_, *b = b_;
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        __m256i wa = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(a + i)));
        __m256i wb = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(b + i)));
        __m256i v = blend16(wa, wb, w + i);
        __m128i out = _mm_packus_epi16(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
        _mm_storeu_si128((__m128i *)(dst + i), out);
    }
    for (; i < count; i++) dst[i] = (uint8_t)((a[i] * (256 - w[i]) + b[i] * w[i] + 128) >> 8);
}

void vfx_blend_row_12_to_8_avx2(void *dst_, const void *a_, const void *b_, const uint16_t *w, int count)
{
    uint8_t *dst = dst_;
    const uint16_t *a = a_, *b = b_;
    const __m256i whole = _mm256_set1_epi16(256), half = _mm256_set1_epi32(2048);
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        __m256i va = _mm256_loadu_si256((const __m256i *)(a + i)), vb = _mm256_loadu_si256((const __m256i *)(b + i));
        __m256i wb = _mm256_loadu_si256((const __m256i *)(w + i)), wa = _mm256_sub_epi16(whole, wb);
        __m256i lo = _mm256_madd_epi16(_mm256_unpacklo_epi16(va, vb), _mm256_unpacklo_epi16(wa, wb));
        __m256i hi = _mm256_madd_epi16(_mm256_unpackhi_epi16(va, vb), _mm256_unpackhi_epi16(wa, wb));
        lo = _mm256_srli_epi32(_mm256_add_epi32(lo, half), 12);
        hi = _mm256_srli_epi32(_mm256_add_epi32(hi, half), 12);
        __m256i v = _mm256_packs_epi32(lo, hi);
        __m128i out = _mm_packus_epi16(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
        _mm_storeu_si128((__m128i *)(dst + i), out);
    }
    for (; i < count; i++) dst[i] = (uint8_t)((a[i] * (256 - w[i]) + b[i] * w[i] + 2048) >> 12);
}

void vfx_blend_row_16_avx2(void *dst_, const void *a_, const void *b_, const uint16_t *w, int count)
{
    uint16_t *dst = dst_;
    const uint16_t *a = a_, *b = b_;
    // Subtracting 32768 allows signed multiplication. The weights add up to 256, so the result is also 32768 too low.
    const __m256i bias = _mm256_set1_epi16((short)0x8000), whole = _mm256_set1_epi16(256);
    const __m256i half = _mm256_set1_epi32(128);
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        __m256i va = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(a + i)), bias);
        __m256i vb = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(b + i)), bias);
        __m256i wb = _mm256_loadu_si256((const __m256i *)(w + i)), wa = _mm256_sub_epi16(whole, wb);
        __m256i lo = _mm256_madd_epi16(_mm256_unpacklo_epi16(va, vb), _mm256_unpacklo_epi16(wa, wb));
        __m256i hi = _mm256_madd_epi16(_mm256_unpackhi_epi16(va, vb), _mm256_unpackhi_epi16(wa, wb));
        lo = _mm256_srai_epi32(_mm256_add_epi32(lo, half), 8);
        hi = _mm256_srai_epi32(_mm256_add_epi32(hi, half), 8);
        _mm256_storeu_si256((__m256i *)(dst + i), _mm256_xor_si256(_mm256_packs_epi32(lo, hi), bias));
    }
    for (; i < count; i++) dst[i] = (uint16_t)((a[i] * (256 - w[i]) + b[i] * w[i] + 128) >> 8);
}
#pragma clang attribute pop
#endif
