#include "../internal/levels.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "../internal/rows_avx2.h"
#include "../internal/gradient_avx2.h"

static void gradient_8x8_avx2(const uint8_t *src, ptrdiff_t stride, vfx_gradient_sums *out)
{
    vfx_gradients g = vfx_gradients_8x8(src, stride);
    __m256i xx = _mm256_setzero_si256(), xy = xx, yy = xx, x = xx, y = xx, ones = _mm256_set1_epi16(1);
    for (int i = 0; i < 4; i++) {
        xx = _mm256_add_epi32(xx, _mm256_madd_epi16(g.x[i], g.x[i]));
        xy = _mm256_add_epi32(xy, _mm256_madd_epi16(g.x[i], g.y[i]));
        yy = _mm256_add_epi32(yy, _mm256_madd_epi16(g.y[i], g.y[i]));
        x = _mm256_add_epi16(x, g.x[i]);
        y = _mm256_add_epi16(y, g.y[i]);
    }
    _mm_storeu_si128((__m128i *)out, vfx_sum8_x4(xx, xy, yy, _mm256_madd_epi16(x, ones)));
    out->y = vfx_sum8(_mm256_madd_epi16(y, ones));
}

void vfx_gradient_init_avx2(vfx_kernel_table *t) { t->gradient_8x8 = gradient_8x8_avx2; }
#pragma clang attribute pop
#endif
