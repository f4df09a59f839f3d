#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

// mulhrs takes twice the scale. Twice 2^14 does not fit into 16 bits, and twice −2^14 times −32768 wraps, but the
// shares of these two scales are v and −v: saturating addition and subtraction are exact, although −v may need 17 bits.
typedef enum share { SCALED, WHOLE, NEGATED } share;

static inline __attribute__((always_inline)) void displace(int16_t *dst, const int16_t *v_, const int16_t *offset_,
                                                           int count, int scale, share share)
{
    const __m256i twice = _mm256_set1_epi16((short)(2 * scale));
    for (int i = 0;;) {
        const __m256i v = _mm256_loadu_si256((const __m256i *)(v_ + i));
        const __m256i offset = _mm256_loadu_si256((const __m256i *)(offset_ + i));
        const __m256i at = share == WHOLE     ? _mm256_adds_epi16(offset, v)
                           : share == NEGATED ? _mm256_subs_epi16(offset, v)
                                              : _mm256_adds_epi16(offset, _mm256_mulhrs_epi16(v, twice));
        _mm256_storeu_si256((__m256i *)(dst + i), at);
        i += 16;
        if (i >= count) return;
        if (i > count - 16) i = count - 16;
    }
}

void vfx_displace_row_avx2(int16_t *dst, const int16_t *v, const int16_t *offset, int count, int scale)
{
    if (count < 16) vfx_displace_row_c(dst, v, offset, count, scale);
    else if (scale == 16384) displace(dst, v, offset, count, scale, WHOLE);
    else if (scale == -16384) displace(dst, v, offset, count, scale, NEGATED);
    else displace(dst, v, offset, count, scale, SCALED);
}
#pragma clang attribute pop
#endif
