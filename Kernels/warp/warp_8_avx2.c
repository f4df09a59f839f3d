#include "../internal/versions.h"
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "warp_avx2.h"

static inline __m256i four_bytes(const uint8_t *p)
{
    int32_t v;
    memcpy(&v, p, 4);
    __m256i all = _mm256_set1_epi32(v);
    __asm__("" : "+x"(all)); // forces a broadcast and a blend: insertions would compete for the only shuffle port
    return all;
}

// One row of four samples at each of eight positions.
static inline __m256i gather_row(const uint8_t *row, const int32_t o[8])
{
    __m256i a = _mm256_blend_epi32(four_bytes(row + o[0]), four_bytes(row + o[1]), 0x02);
    __m256i b = _mm256_blend_epi32(four_bytes(row + o[2]), four_bytes(row + o[3]), 0x08);
    __m256i c = _mm256_blend_epi32(four_bytes(row + o[4]), four_bytes(row + o[5]), 0x20);
    __m256i d = _mm256_blend_epi32(four_bytes(row + o[6]), four_bytes(row + o[7]), 0x80);
    return _mm256_blend_epi32(_mm256_blend_epi32(a, b, 0x0c), _mm256_blend_epi32(c, d, 0xc0), 0xf0);
}

// Horizontal sums. Their magnitude is at most 84·255, which fits into 16 bits, so two rows share a register.
static inline __m256i filter_rows(__m256i upper, __m256i lower, __m256i taps)
{
    const __m256i ones = _mm256_set1_epi16(1);
    __m256i u = _mm256_madd_epi16(_mm256_maddubs_epi16(upper, taps), ones);
    __m256i l = _mm256_madd_epi16(_mm256_maddubs_epi16(lower, taps), ones);
    return _mm256_blend_epi16(u, _mm256_slli_epi32(l, 16), 0xaa);
}

// Two bytes of each 32-bit lane as signed 16-bit numbers.
static inline __m256i two_taps(__m256i taps, int which)
{
    const __m256i first = _mm256_setr_epi8(-1, 0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13,
                                           -1, 0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13);
    if (which == 0) return _mm256_srai_epi16(_mm256_shuffle_epi8(taps, first), 8);
    return _mm256_srai_epi16(_mm256_shuffle_epi8(_mm256_srli_epi32(taps, 16), first), 8);
}

// (sum + 2048) >> 12, clamped.
static inline __m128i finish8(__m256i sum, __m128i maximum)
{
    sum = _mm256_srai_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(2048)), 12);
    __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    return _mm_min_epu8(_mm_packus_epi16(words, words), maximum);
}

static inline __m128i warp8_planned(const uint8_t *corner, ptrdiff_t stride, const warp_plan *plan, int part,
                                    __m128i maximum)
{
    const int32_t *o = plan->offset + 8 * part;
    const __m256i h = plan->h[part], v = plan->v[part];
    __m256i r01 = filter_rows(gather_row(corner, o), gather_row(corner + stride, o), h);
    __m256i r23 = filter_rows(gather_row(corner + 2 * stride, o), gather_row(corner + 3 * stride, o), h);
    __m256i sum = _mm256_add_epi32(_mm256_madd_epi16(r01, two_taps(v, 0)), _mm256_madd_epi16(r23, two_taps(v, 1)));
    return finish8(sum, maximum);
}

// Taps for contiguous source positions, which all have the same fraction.
typedef struct even_taps {
    __m256i h01, h23, v01, v23;
} even_taps;

static inline even_taps even_taps_at(int px, int py)
{
    const int8_t *h = vfx_cubic_taps[px & 31], *v = vfx_cubic_taps[py & 31];
    even_taps t;
    t.h01 = _mm256_set1_epi16((short)((uint8_t)h[0] | h[1] * 256));
    t.h23 = _mm256_set1_epi16((short)((uint8_t)h[2] | h[3] * 256));
    t.v01 = _mm256_set1_epi32((uint16_t)v[0] | (int)((unsigned)v[1] << 16));
    t.v23 = _mm256_set1_epi32((uint16_t)v[2] | (int)((unsigned)v[3] << 16));
    return t;
}

// Sixteen output samples whose 4×4 source samples begin at p, p + 1, …; reads 19 samples of four rows.
static inline __m128i warp16_even(const uint8_t *p, ptrdiff_t stride, const even_taps *t, __m128i maximum)
{
    const __m256i first = _mm256_setr_epi8(0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8,
                                           5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13);
    const __m256i second = _mm256_add_epi8(first, _mm256_set1_epi8(2));
    __m256i row[4];
    for (int r = 0; r < 4; r++, p += stride) {
        __m256i s = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)p)),
                                            _mm_loadu_si128((const __m128i *)(p + 3)), 1);
        row[r] = _mm256_add_epi16(_mm256_maddubs_epi16(_mm256_shuffle_epi8(s, first), t->h01),
                                  _mm256_maddubs_epi16(_mm256_shuffle_epi8(s, second), t->h23));
    }
    __m256i lo = _mm256_add_epi32(_mm256_madd_epi16(_mm256_unpacklo_epi16(row[0], row[1]), t->v01),
                                  _mm256_madd_epi16(_mm256_unpacklo_epi16(row[2], row[3]), t->v23));
    __m256i hi = _mm256_add_epi32(_mm256_madd_epi16(_mm256_unpackhi_epi16(row[0], row[1]), t->v01),
                                  _mm256_madd_epi16(_mm256_unpackhi_epi16(row[2], row[3]), t->v23));
    const __m256i half = _mm256_set1_epi32(2048);
    __m256i words = _mm256_packs_epi32(_mm256_srai_epi32(_mm256_add_epi32(lo, half), 12),
                                       _mm256_srai_epi32(_mm256_add_epi32(hi, half), 12));
    __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    return _mm_min_epu8(bytes, maximum);
}

// Output samples 0 … n − 1 of a run whose source positions are contiguous and inside the plane, n ≥ 16.
static void warp_run8(uint8_t *dst, const vfx_warp_source *src, int px, int py, int n, int maximum)
{
    const __m128i most = _mm_set1_epi8((char)maximum);
    const uint8_t *p = (const uint8_t *)src->origin + (py >> 5) * src->stride + (px >> 5);
    const int copies = ((px | py) & 31) == 0;
    const even_taps t = even_taps_at(px, py);
    const uint8_t *corner = p - 1 - src->stride;
    for (int i = 0;;) {
        __m128i v = copies ? _mm_min_epu8(_mm_loadu_si128((const __m128i *)(p + i)), most)
                           : warp16_even(corner + i, src->stride, &t, most);
        _mm_storeu_si128((__m128i *)(dst + i), v);
        i += 16;
        if (i >= n) return;
        if (i > n - 16) i = n - 16;
    }
}

void vfx_warp_row_8_avx2(void *dst_, const vfx_warp_source *src, int x0, int y, int count, const int16_t *vx,
                         const int16_t *vy, int scale, int maximum)
{
    if (count < 8) {
        // Positions are clamped, so eight samples can always be read.
        int16_t x[8] = {0}, z[8] = {0};
        uint8_t out[8];
        memcpy(x, vx, (size_t)count * sizeof *x);
        memcpy(z, vy, (size_t)count * sizeof *z);
        vfx_warp_row_8_avx2(out, src, x0, y, 8, x, z, scale, maximum);
        memcpy(dst_, out, (size_t)count);
        return;
    }
    uint8_t *dst = dst_;
    const warp_row row = start_row(src, x0, y, scale);
    const __m128i most = _mm_set1_epi8((char)maximum);
    const ptrdiff_t stride = src->stride;
    const uint8_t *corner = (const uint8_t *)src->origin - 1 - stride;
    for (int i = 0;;) {
        int n, run = even_run(src, x0 + i, y, count - i, vx + i, vy + i, scale);
        if (run >= 16) {
            n = run;
            warp_run8(dst + i, src, place_of(x0 + i, vx[i], scale), place_of(y, vy[i], scale), run, maximum);
        } else {
            warp_plan plan;
            n = uneven_part(vx + i, vy + i, count - i);
            plan_warp(&plan, &row, i, n, vx, vy);
            for (int j = 0; j < n / 8; j++)
                _mm_storel_epi64((__m128i *)(dst + i + 8 * j), warp8_planned(corner, stride, &plan, j, most));
        }
        i += n;
        if (i >= count) return;
        if (i > count - 8) i = count - 8;
    }
}
#pragma clang attribute pop
#endif
