#include "../internal/levels.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#include "../internal/rows_sse41.h"

// One row blended horizontally, 5 more bits.
static inline __m128i horizontal(const uint8_t *p, __m128i wx)
{
    return _mm_maddubs_epi16(_mm_unpacklo_epi8(vfx_row8_128(p), vfx_row8_128(p + 1)), wx);
}

// Bilinear samples in 1/16 between two such rows; patch_avx2.c says why 16 bits are enough.
static inline __m128i vertical(__m128i h, __m128i next, __m128i wy)
{
    __m128i d = _mm_sub_epi16(next, h), t = _mm_mulhi_epi16(_mm_add_epi16(d, d), wy);
    return _mm_avg_epu16(_mm_add_epi16(h, t), _mm_setzero_si128());
}

static inline __m128i weights_x(int fx) { return _mm_set1_epi16((short)(fx << 8 | (32 - fx))); }
static inline __m128i weights_y(int fy) { return _mm_set1_epi16((short)(fy << 10)); }

static void patch_8x8_sse41(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, int fx, int fy,
                            vfx_patch_sums *out)
{
    const __m128i wx = weights_x(fx), wy = weights_y(fy), ones = _mm_set1_epi16(1);
    __m128i dx = _mm_setzero_si128(), dy = dx, sum = dx, absolute = dx, h = horizontal(b, wx);
    for (int y = 0; y < 8; y++, a += as) {
        b += bs;
        __m128i next = horizontal(b, wx);
        __m128i e = _mm_sub_epi16(vertical(h, next, wy), _mm_slli_epi16(_mm_cvtepu8_epi16(vfx_row8_128(a)), 4));
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

static uint32_t sad_subpixel_8x8_sse41(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, const int f[4])
{
    const __m128i ax = weights_x(f[0]), ay = weights_y(f[1]), bx = weights_x(f[2]), by = weights_y(f[3]);
    __m128i sum = _mm_setzero_si128(), ha = horizontal(a, ax), hb = horizontal(b, bx);
    for (int y = 0; y < 8; y++) {
        __m128i na = horizontal(a += as, ax), nb = horizontal(b += bs, bx);
        __m128i e = _mm_abs_epi16(_mm_sub_epi16(vertical(ha, na, ay), vertical(hb, nb, by)));
        sum = _mm_add_epi32(sum, _mm_madd_epi16(e, _mm_set1_epi16(1)));
        ha = na;
        hb = nb;
    }
    return (uint32_t)vfx_sum4(sum);
}

void vfx_patch_init_sse41(vfx_kernel_table *t)
{
    t->patch_8x8 = patch_8x8_sse41;
    t->sad_subpixel_8x8 = sad_subpixel_8x8_sse41;
}
#pragma clang attribute pop
#endif
