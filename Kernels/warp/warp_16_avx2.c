#include "../x86/x86.h"
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "warp_avx2.h"

// Samples are reduced by 32768 to allow signed multiplication. The 16 weights (products of the taps) add up to 4096, so
// the filtered value is exactly 32768 too low.

static inline __m256i four_samples(const uint16_t *p)
{
    int64_t v;
    memcpy(&v, p, 8);
    __m256i all = _mm256_set1_epi64x(v);
    __asm__("" : "+x"(all)); // forces a broadcast and a blend: insertions would compete for the only shuffle port
    return all;
}

// One row of four samples at each of four positions.
static inline __m256i gather_row(const uint16_t *row, const int32_t o[4])
{
    __m256i a = _mm256_blend_epi32(four_samples(row + o[0]), four_samples(row + o[1]), 0x0c);
    __m256i b = _mm256_blend_epi32(four_samples(row + o[2]), four_samples(row + o[3]), 0xc0);
    return _mm256_xor_si256(_mm256_blend_epi32(a, b, 0xf0), _mm256_set1_epi16((short)0x8000));
}

// Two partial sums for each of four positions.
static inline __m256i filter4(const uint16_t *corner, ptrdiff_t stride, const int32_t o[4], __m128i h_taps,
                              __m128i v_taps)
{
    const __m256i h = _mm256_cvtepi8_epi16(h_taps), v = _mm256_cvtepi8_epi16(v_taps);
    const __m256i first = _mm256_setr_epi8(0, 1, 0, 1, 0, 1, 0, 1, 8, 9, 8, 9, 8, 9, 8, 9,
                                           0, 1, 0, 1, 0, 1, 0, 1, 8, 9, 8, 9, 8, 9, 8, 9);
    __m256i sum = _mm256_setzero_si256();
    for (int r = 0; r < 4; r++, corner += stride) {
        __m256i vr = _mm256_shuffle_epi8(v, _mm256_add_epi8(first, _mm256_set1_epi8((char)(2 * r))));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(gather_row(corner, o), _mm256_mullo_epi16(h, vr)));
    }
    return sum;
}

static inline __m256i finish(__m256i sum, __m256i maximum)
{
    sum = _mm256_srai_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(2048)), 12);
    sum = _mm256_add_epi32(sum, _mm256_set1_epi32(32768));
    return _mm256_min_epi32(_mm256_max_epi32(sum, _mm256_setzero_si256()), maximum);
}

static inline __m128i warp8_planned(const uint16_t *corner, ptrdiff_t stride, const warp_plan *plan, int part,
                                    __m256i maximum)
{
    const int32_t *o = plan->offset + 8 * part;
    const __m256i h = plan->h[part], v = plan->v[part];
    __m256i a = filter4(corner, stride, o, _mm256_castsi256_si128(h), _mm256_castsi256_si128(v));
    __m256i b = filter4(corner, stride, o + 4, _mm256_extracti128_si256(h, 1), _mm256_extracti128_si256(v, 1));
    __m256i out = finish(_mm256_permute4x64_epi64(_mm256_hadd_epi32(a, b), 0xd8), maximum);
    return _mm_packus_epi32(_mm256_castsi256_si128(out), _mm256_extracti128_si256(out, 1));
}

typedef struct even_taps {
    __m256i left[4], right[4]; // for each row, weights of the first two and of the last two columns
} even_taps;

static inline even_taps even_taps_at(int px, int py)
{
    const int8_t *h = vfx_cubic_taps[px & 31], *v = vfx_cubic_taps[py & 31];
    even_taps t;
    for (int r = 0; r < 4; r++) {
        t.left[r] = _mm256_set1_epi32((uint16_t)(h[0] * v[r]) | (int)((unsigned)(h[1] * v[r]) << 16));
        t.right[r] = _mm256_set1_epi32((uint16_t)(h[2] * v[r]) | (int)((unsigned)(h[3] * v[r]) << 16));
    }
    return t;
}

static inline __m256i biased(const uint16_t *p)
{
    return _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)p), _mm256_set1_epi16((short)0x8000));
}

// Sixteen output samples whose 4×4 source samples begin at p, p + 1, …; reads 19 samples of four rows.
static inline __m256i warp16_even(const uint16_t *p, ptrdiff_t stride, const even_taps *t, __m256i maximum)
{
    __m256i lo = _mm256_setzero_si256(), hi = lo;
    for (int r = 0; r < 4; r++, p += stride) {
        __m256i a = biased(p), b = biased(p + 1), c = biased(p + 2), d = biased(p + 3);
        lo = _mm256_add_epi32(lo, _mm256_add_epi32(_mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), t->left[r]),
                                                   _mm256_madd_epi16(_mm256_unpacklo_epi16(c, d), t->right[r])));
        hi = _mm256_add_epi32(hi, _mm256_add_epi32(_mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), t->left[r]),
                                                   _mm256_madd_epi16(_mm256_unpackhi_epi16(c, d), t->right[r])));
    }
    return _mm256_packus_epi32(finish(lo, maximum), finish(hi, maximum));
}

// Output samples 0 … n − 1 of a run whose source positions are contiguous and inside the plane, n ≥ 16.
static void warp_run16(uint16_t *dst, const vfx_warp_source *src, int px, int py, int n, int maximum)
{
    const __m256i most32 = _mm256_set1_epi32(maximum), most16 = _mm256_set1_epi16((short)maximum);
    const ptrdiff_t stride = src->stride;
    const uint16_t *p = (const uint16_t *)src->origin + (py >> 5) * stride + (px >> 5);
    const int copies = ((px | py) & 31) == 0;
    const even_taps t = even_taps_at(px, py);
    for (int i = 0;;) {
        __m256i v = copies ? _mm256_min_epu16(_mm256_loadu_si256((const __m256i *)(p + i)), most16)
                           : warp16_even(p + i - 1 - stride, stride, &t, most32);
        _mm256_storeu_si256((__m256i *)(dst + i), v);
        i += 16;
        if (i >= n) return;
        if (i > n - 16) i = n - 16;
    }
}

// The number of samples to warp individually, a multiple of 8: up to 64, or up to where a run may begin. count ≥ 8.
static inline int uneven_part(const int16_t *vx, const int16_t *vy, int count)
{
    int n = 8;
    while (n < 64 && n + 8 <= count && (n + 16 > count || vx[n] != vx[n + 15] || vy[n] != vy[n + 15])) n += 8;
    return n;
}

void vfx_warp_row_16_avx2(void *dst_, const vfx_warp_source *src, int x0, int y, int count, const int16_t *vx,
                          const int16_t *vy, int scale, int maximum)
{
    if (count < 8) {
        // Positions are clamped, so eight samples can always be read.
        int16_t x[8] = {0}, z[8] = {0};
        uint16_t out[8];
        memcpy(x, vx, (size_t)count * sizeof *x);
        memcpy(z, vy, (size_t)count * sizeof *z);
        vfx_warp_row_16_avx2(out, src, x0, y, 8, x, z, scale, maximum);
        memcpy(dst_, out, (size_t)count * sizeof *out);
        return;
    }
    uint16_t *dst = dst_;
    const warp_row row = start_row(src, x0, y, scale);
    const __m256i most = _mm256_set1_epi32(maximum);
    const ptrdiff_t stride = src->stride;
    const uint16_t *corner = (const uint16_t *)src->origin - 1 - stride;
    for (int i = 0;;) {
        int n, run = uniform_run(src, x0 + i, y, count - i, vx + i, vy + i, scale);
        if (run >= 16) {
            n = run;
            warp_run16(dst + i, src, position_of(x0 + i, vx[i], scale), position_of(y, vy[i], scale), run, maximum);
        } else {
            warp_plan plan;
            n = uneven_part(vx + i, vy + i, count - i);
            plan_warp(&plan, &row, i, n, vx, vy);
            for (int j = 0; j < n / 8; j++)
                _mm_storeu_si128((__m128i *)(dst + i + 8 * j), warp8_planned(corner, stride, &plan, j, most));
        }
        i += n;
        if (i >= count) return;
        if (i > count - 8) i = count - 8;
    }
}
#pragma clang attribute pop
#endif
