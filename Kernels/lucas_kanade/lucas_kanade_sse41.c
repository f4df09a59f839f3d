#include "../internal/versions.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#include "../internal/rows_sse41.h"
#include "../internal/bilinear_sse41.h"

void vfx_lk_structure_tensor_8x8_sse41(const uint8_t *src, ptrdiff_t stride, vfx_lk_structure_tensor *out)
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

void vfx_lk_residual_8x8_sse41(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, int fx, int fy,
                               vfx_lk_residual *out)
{
    const __m128i wx = vfx_bilinear_x_128(fx), wy = vfx_bilinear_y_128(fy), ones = _mm_set1_epi16(1);
    __m128i dx = _mm_setzero_si128(), dy = dx, sum = dx, absolute = dx, h = vfx_bilinear_row_128(b, wx);
    for (int y = 0; y < 8; y++, a += as) {
        b += bs;
        __m128i next = vfx_bilinear_row_128(b, wx);
        __m128i e = _mm_sub_epi16(vfx_bilinear_rows_128(h, next, wy), _mm_slli_epi16(_mm_cvtepu8_epi16(vfx_row8_128(a)), 4));
        dx = _mm_add_epi32(dx, _mm_madd_epi16(e, vfx_difference_128(vfx_row8_128(a + 1), vfx_row8_128(a - 1))));
        dy = _mm_add_epi32(dy, _mm_madd_epi16(e, vfx_difference_128(vfx_row8_128(a + as), vfx_row8_128(a - as))));
        sum = _mm_add_epi32(sum, _mm_madd_epi16(e, ones));
        absolute = _mm_add_epi32(absolute, _mm_madd_epi16(_mm_abs_epi16(e), ones));
        h = next;
    }
    out->dx = vfx_sum4(dx);
    out->dy = vfx_sum4(dy);
    out->d = vfx_sum4(sum);
    out->abs = vfx_sum4(absolute);
}

#pragma clang attribute pop
#endif
