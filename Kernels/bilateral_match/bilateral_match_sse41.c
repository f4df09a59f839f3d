#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#include "../x86/rows_sse41.h"
#include "../x86/bilinear_sse41.h"

static inline uint32_t sad_subpixel(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, const int f[4])
{
    const __m128i ax = vfx_bilinear_x_128(f[0]), ay = vfx_bilinear_y_128(f[1]);
    const __m128i bx = vfx_bilinear_x_128(f[2]), by = vfx_bilinear_y_128(f[3]);
    __m128i sum = _mm_setzero_si128(), ha = vfx_bilinear_row_128(a, ax), hb = vfx_bilinear_row_128(b, bx);
    for (int y = 0; y < 8; y++) {
        __m128i na = vfx_bilinear_row_128(a += as, ax), nb = vfx_bilinear_row_128(b += bs, bx);
        __m128i e = _mm_abs_epi16(_mm_sub_epi16(vfx_bilinear_rows_128(ha, na, ay), vfx_bilinear_rows_128(hb, nb, by)));
        sum = _mm_add_epi32(sum, _mm_madd_epi16(e, _mm_set1_epi16(1)));
        ha = na;
        hb = nb;
    }
    return (uint32_t)vfx_sum4(sum);
}

#define NAME(x) vfx_##x##_sse41
#include "bilateral_match_tmpl.h"
#pragma clang attribute pop
#endif
