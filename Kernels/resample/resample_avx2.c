#include "../x86/x86.h"
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

// Loads sixteen samples, scales them to 14 bits (unless they have more) and subtracts half the range.
static inline __m256i signed_8(const void *row, int x, __m128i up, __m256i half)
{
    __m256i v = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)((const uint8_t *)row + x)));
    return _mm256_sub_epi16(_mm256_sll_epi16(v, up), half);
}

static inline __m256i signed_16(const void *row, int x, __m128i up, __m256i half)
{
    __m256i v = _mm256_loadu_si256((const __m256i *)((const uint16_t *)row + x));
    return _mm256_sub_epi16(_mm256_sll_epi16(v, up), half);
}

static inline __m256i pair_of(const int16_t *weights)
{
    int32_t both;
    memcpy(&both, weights, 4);
    return _mm256_set1_epi32(both);
}

// Filters fewer samples than fit into a register, one by one.
#define FEW(PIXEL, bits_)                                                                                                 \
    static void few_##bits_(int16_t *dst, const void *const *rows, const int16_t *weights, int taps, int count, int bits) \
    {                                                                                                                     \
        const int up = bits < 14 ? 14 - bits : 0, half = 1 << (bits + up - 1);                                            \
        for (int x = 0; x < count; x++) {                                                                                 \
            int32_t sum = 8192;                                                                                           \
            for (int k = 0; k < taps; k++) sum += weights[k] * ((((const PIXEL *)rows[k])[x] << up) - half);              \
            sum >>= 14;                                                                                                   \
            dst[x] = (int16_t)(sum < -32768 ? -32768 : sum > 32767 ? 32767 : sum);                                        \
        }                                                                                                                 \
    }

FEW(uint8_t, 8)
FEW(uint16_t, 16)

#define COLUMN(bits_)                                                                                                  \
    static inline void sixteen_##bits_(int16_t *dst, const void *const *rows, const int16_t *weights, int taps, int x, \
                                       __m128i up, __m256i half)                                                       \
    {                                                                                                                  \
        __m256i low = _mm256_set1_epi32(8192), high = low;                                                             \
        for (int k = 0; k < taps; k += 2) {                                                                            \
            const __m256i w = pair_of(weights + k);                                                                    \
            __m256i a = signed_##bits_(rows[k], x, up, half), b = signed_##bits_(rows[k + 1], x, up, half);            \
            low = _mm256_add_epi32(low, _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), w));                            \
            high = _mm256_add_epi32(high, _mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), w));                          \
        }                                                                                                              \
        low = _mm256_srai_epi32(low, 14);                                                                              \
        high = _mm256_srai_epi32(high, 14);                                                                            \
        _mm256_storeu_si256((__m256i *)dst, _mm256_packs_epi32(low, high));                                            \
    }                                                                                                                  \
                                                                                                                       \
    void vfx_resample_column_##bits_##_avx2(int16_t *dst, const void *const *rows, const int16_t *weights, int taps,   \
                                            int count, int bits)                                                       \
    {                                                                                                                  \
        if (count < 16) {                                                                                              \
            few_##bits_(dst, rows, weights, taps, count, bits);                                                        \
            return;                                                                                                    \
        }                                                                                                              \
        const int free = bits < 14 ? 14 - bits : 0;                                                                    \
        const __m128i up = _mm_cvtsi32_si128(free);                                                                    \
        const __m256i half = _mm256_set1_epi16((short)(1 << (bits + free - 1)));                                       \
        for (int x = 0;;) {                                                                                            \
            sixteen_##bits_(dst + x, rows, weights, taps, x, up, half);                                                \
            x += 16;                                                                                                   \
            if (x >= count) return;                                                                                    \
            if (x > count - 16) x = count - 16;                                                                        \
        }                                                                                                              \
    }

COLUMN(8)
COLUMN(16)

static inline __m256i products(const int16_t *a, const int16_t *b, const int16_t *wa, const int16_t *wb, int taps)
{
    __m256i sum = _mm256_setzero_si256();
    for (int k = 0; k < taps; k += 8) {
        __m256i s = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(a + k))),
                                            _mm_loadu_si128((const __m128i *)(b + k)), 1);
        __m256i w = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(wa + k))),
                                            _mm_loadu_si128((const __m128i *)(wb + k)), 1);
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(s, w));
    }
    return sum;
}

// Eight outputs. The halves of each register belong to outputs i and i + 4, so that the horizontal additions put the
// sums in order.
static inline __m256i eight_sums(const int16_t *src, const int32_t *starts, const int16_t *weights, int taps)
{
    __m256i p[4];
    for (int i = 0; i < 4; i++)
        p[i] = products(src + starts[i], src + starts[i + 4], weights + i * taps, weights + (i + 4) * taps, taps);
    return _mm256_hadd_epi32(_mm256_hadd_epi32(p[0], p[1]), _mm256_hadd_epi32(p[2], p[3]));
}

static inline void row(void *dst, const int16_t *src, const int32_t *starts, const int16_t *weights, int taps, int count,
                       int bits, int wide)
{
    const int up = bits < 14 ? 14 - bits : 0;
    const __m256i round = _mm256_set1_epi32((1 << (bits + up - 1)) * 16384 + (1 << (13 + up)));
    const __m128i shift = _mm_cvtsi32_si128(14 + up);
    const __m128i maximum = _mm_set1_epi16((short)((1 << bits) - 1));
    for (int x = 0; x < count; x += 8) {
        __m256i sum = _mm256_add_epi32(eight_sums(src, starts + x, weights + (ptrdiff_t)x * taps, taps), round);
        sum = _mm256_sra_epi32(sum, shift);
        __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
        words = _mm_min_epu16(words, maximum);
        if (!wide) words = _mm_packus_epi16(words, words);
        uint8_t *to = (uint8_t *)dst + (wide ? 2 : 1) * (ptrdiff_t)x;
        if (x + 8 > count) {
            uint8_t all[16];
            _mm_storeu_si128((__m128i *)all, words);
            memcpy(to, all, (size_t)(count - x) * (wide ? 2 : 1));
        } else if (wide) {
            _mm_storeu_si128((__m128i *)to, words);
        } else {
            _mm_storel_epi64((__m128i *)to, words);
        }
    }
}

void vfx_resample_row_8_avx2(void *dst, const int16_t *src, const int32_t *starts, const int16_t *weights, int taps,
                             int count, int bits)
{
    if (taps == 8)
        row(dst, src, starts, weights, 8, count, bits, 0);
    else
        row(dst, src, starts, weights, taps, count, bits, 0);
}

void vfx_resample_row_16_avx2(void *dst, const int16_t *src, const int32_t *starts, const int16_t *weights, int taps,
                              int count, int bits)
{
    if (taps == 8)
        row(dst, src, starts, weights, 8, count, bits, 1);
    else
        row(dst, src, starts, weights, taps, count, bits, 1);
}
#pragma clang attribute pop
#endif
