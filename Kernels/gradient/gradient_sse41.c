#include "../internal/levels.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#include "../internal/rows_sse41.h"

static void gradient_8x8_sse41(const uint8_t *src, ptrdiff_t stride, vfx_gradient_sums *out)
{
    const __m128i ones = _mm_set1_epi16(1);
    __m128i xx = _mm_setzero_si128(), xy = xx, yy = xx, x = xx, y = xx;
    for (int i = 0; i < 8; i++, src += stride) {
        __m128i gx = vfx_difference_128(vfx_row8_128(src + 1), vfx_row8_128(src - 1));
        __m128i gy = vfx_difference_128(vfx_row8_128(src + stride), vfx_row8_128(src - stride));
        xx = _mm_add_epi32(xx, _mm_madd_epi16(gx, gx));
        xy = _mm_add_epi32(xy, _mm_madd_epi16(gx, gy));
        yy = _mm_add_epi32(yy, _mm_madd_epi16(gy, gy));
        x = _mm_add_epi16(x, gx);
        y = _mm_add_epi16(y, gy);
    }
    out->xx = vfx_sum4(xx);
    out->xy = vfx_sum4(xy);
    out->yy = vfx_sum4(yy);
    out->x = vfx_sum4(_mm_madd_epi16(x, ones));
    out->y = vfx_sum4(_mm_madd_epi16(y, ones));
}

void vfx_gradient_init_sse41(vfx_kernel_table *t) { t->gradient_8x8 = gradient_8x8_sse41; }
#pragma clang attribute pop
#endif
