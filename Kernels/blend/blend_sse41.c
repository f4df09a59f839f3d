#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)

// The sums are at most 255·256 + 128, which fits into unsigned 16 bits.
static inline __m128i blend8(__m128i a, __m128i b, const uint16_t *w)
{
    __m128i wb = _mm_loadu_si128((const __m128i *)w), wa = _mm_sub_epi16(_mm_set1_epi16(256), wb);
    __m128i sum = _mm_add_epi16(_mm_mullo_epi16(a, wa), _mm_mullo_epi16(b, wb));
    return _mm_srli_epi16(_mm_add_epi16(sum, _mm_set1_epi16(128)), 8);
}

void vfx_blend_row_8_sse41(void *dst_, const void *a_, const void *b_, const uint16_t *w, int count)
{
    uint8_t *dst = dst_;
    const uint8_t *a = a_, *b = b_;
    const __m128i zero = _mm_setzero_si128();
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        __m128i va = _mm_loadu_si128((const __m128i *)(a + i)), vb = _mm_loadu_si128((const __m128i *)(b + i));
        __m128i lo = blend8(_mm_unpacklo_epi8(va, zero), _mm_unpacklo_epi8(vb, zero), w + i);
        __m128i hi = blend8(_mm_unpackhi_epi8(va, zero), _mm_unpackhi_epi8(vb, zero), w + i + 8);
        _mm_storeu_si128((__m128i *)(dst + i), _mm_packus_epi16(lo, hi));
    }
    for (; i < count; i++) dst[i] = (uint8_t)((a[i] * (256 - w[i]) + b[i] * w[i] + 128) >> 8);
}

void vfx_blend_row_12_to_8_sse41(void *dst_, const void *a_, const void *b_, const uint16_t *w, int count)
{
    uint8_t *dst = dst_;
    const uint16_t *a = a_, *b = b_;
    const __m128i whole = _mm_set1_epi16(256), half = _mm_set1_epi32(2048);
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        __m128i va = _mm_loadu_si128((const __m128i *)(a + i)), vb = _mm_loadu_si128((const __m128i *)(b + i));
        __m128i wb = _mm_loadu_si128((const __m128i *)(w + i)), wa = _mm_sub_epi16(whole, wb);
        __m128i lo = _mm_madd_epi16(_mm_unpacklo_epi16(va, vb), _mm_unpacklo_epi16(wa, wb));
        __m128i hi = _mm_madd_epi16(_mm_unpackhi_epi16(va, vb), _mm_unpackhi_epi16(wa, wb));
        lo = _mm_srli_epi32(_mm_add_epi32(lo, half), 12);
        hi = _mm_srli_epi32(_mm_add_epi32(hi, half), 12);
        const __m128i words = _mm_packs_epi32(lo, hi);
        _mm_storel_epi64((__m128i *)(dst + i), _mm_packus_epi16(words, words));
    }
    for (; i < count; i++) dst[i] = (uint8_t)((a[i] * (256 - w[i]) + b[i] * w[i] + 2048) >> 12);
}

void vfx_blend_row_16_sse41(void *dst_, const void *a_, const void *b_, const uint16_t *w, int count)
{
    uint16_t *dst = dst_;
    const uint16_t *a = a_, *b = b_;
    // Subtracting 32768 allows signed multiplication. The weights add up to 256, so the result is also 32768 too low.
    const __m128i bias = _mm_set1_epi16((short)0x8000), whole = _mm_set1_epi16(256), half = _mm_set1_epi32(128);
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        __m128i va = _mm_xor_si128(_mm_loadu_si128((const __m128i *)(a + i)), bias);
        __m128i vb = _mm_xor_si128(_mm_loadu_si128((const __m128i *)(b + i)), bias);
        __m128i wb = _mm_loadu_si128((const __m128i *)(w + i)), wa = _mm_sub_epi16(whole, wb);
        __m128i lo = _mm_madd_epi16(_mm_unpacklo_epi16(va, vb), _mm_unpacklo_epi16(wa, wb));
        __m128i hi = _mm_madd_epi16(_mm_unpackhi_epi16(va, vb), _mm_unpackhi_epi16(wa, wb));
        lo = _mm_srai_epi32(_mm_add_epi32(lo, half), 8);
        hi = _mm_srai_epi32(_mm_add_epi32(hi, half), 8);
        _mm_storeu_si128((__m128i *)(dst + i), _mm_xor_si128(_mm_packs_epi32(lo, hi), bias));
    }
    for (; i < count; i++) dst[i] = (uint16_t)((a[i] * (256 - w[i]) + b[i] * w[i] + 128) >> 8);
}
#pragma clang attribute pop
#endif
