#include "../internal/levels.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "../internal/rows_avx2.h"
#include "../internal/gradient_avx2.h"

// Bilinear samples in 1/16, two rows per register: (0, 2), (1, 3), (4, 6), (5, 7).
//
// With h the rows blended horizontally (5 more bits) and d the difference to the next row, the sample is
// (32·h + d·fy + 32) >> 6 = (h + 1 + ⌊d·fy / 32⌋) >> 1, which fits 16 bits: 2d·(fy << 10) >> 16 is that quotient.
static inline void sample16(const uint8_t *p, ptrdiff_t stride, int fx, int fy, __m256i out[4])
{
    const __m256i wx = _mm256_set1_epi16((short)(fx << 8 | (32 - fx))), wy = _mm256_set1_epi16((short)(fy << 10));
    __m256i h[4], next[4];
    for (int i = 0; i < 2; i++) {
        const uint8_t *q = p + 4 * i * stride;
        __m256i b0 = vfx_rows4(q, stride), b1 = vfx_rows4(q + 1, stride);
        h[2 * i] = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(b0, b1), wx);
        h[2 * i + 1] = _mm256_maddubs_epi16(_mm256_unpackhi_epi8(b0, b1), wx);
    }
    p += 8 * stride;
    __m256i last = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(vfx_row8(p), vfx_row8(p + 1)), wx);
    next[0] = h[1];
    next[1] = _mm256_permute2x128_si256(h[0], h[2], 0x21);
    next[2] = h[3];
    next[3] = _mm256_permute2x128_si256(h[2], last, 0x21);
    for (int i = 0; i < 4; i++) {
        __m256i d = _mm256_sub_epi16(next[i], h[i]);
        __m256i t = _mm256_mulhi_epi16(_mm256_add_epi16(d, d), wy);
        out[i] = _mm256_avg_epu16(_mm256_add_epi16(h[i], t), _mm256_setzero_si256());
    }
}

static void patch_8x8_avx2(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, int fx, int fy,
                           vfx_patch_sums *out)
{
    const __m256i zero = _mm256_setzero_si256(), ones = _mm256_set1_epi16(1);
    __m256i s[4];
    sample16(b, bs, fx, fy, s);
    vfx_gradients g = vfx_gradients_8x8(a, as);
    __m256i dx = zero, dy = zero, sum = zero, absolute = zero;
    for (int i = 0; i < 2; i++) {
        __m256i rows = vfx_rows4(a + 4 * i * as, as);
        __m256i even = _mm256_srli_epi16(_mm256_unpacklo_epi8(zero, rows), 4);
        __m256i odd = _mm256_srli_epi16(_mm256_unpackhi_epi8(zero, rows), 4);
        s[2 * i] = _mm256_sub_epi16(s[2 * i], even);
        s[2 * i + 1] = _mm256_sub_epi16(s[2 * i + 1], odd);
    }
    for (int i = 0; i < 4; i++) {
        dx = _mm256_add_epi32(dx, _mm256_madd_epi16(s[i], g.x[i]));
        dy = _mm256_add_epi32(dy, _mm256_madd_epi16(s[i], g.y[i]));
        sum = _mm256_add_epi16(sum, s[i]);
        absolute = _mm256_add_epi16(absolute, _mm256_abs_epi16(s[i]));
    }
    sum = _mm256_madd_epi16(sum, ones);
    absolute = _mm256_madd_epi16(absolute, ones);
    _mm_storeu_si128((__m128i *)out, vfx_sum8_x4(dx, dy, sum, absolute));
}

static uint32_t sad_subpixel_8x8_avx2(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, const int f[4])
{
    __m256i p[4], q[4], sum = _mm256_setzero_si256();
    sample16(a, as, f[0], f[1], p);
    sample16(b, bs, f[2], f[3], q);
    for (int i = 0; i < 4; i++) sum = _mm256_add_epi16(sum, _mm256_abs_epi16(_mm256_sub_epi16(p[i], q[i])));
    return (uint32_t)vfx_sum8(_mm256_madd_epi16(sum, _mm256_set1_epi16(1)));
}

void vfx_patch_init_avx2(vfx_kernel_table *t)
{
    t->patch_8x8 = patch_8x8_avx2;
    t->sad_subpixel_8x8 = sad_subpixel_8x8_avx2;
}
#pragma clang attribute pop
#endif
