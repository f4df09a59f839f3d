#include "../x86/x86.h"
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

// The output: 8-bit samples, or with `wide` 16-bit ones with four more bits.
typedef struct output {
    __m256i maximum; // in every byte, or 16-bit lane
    int wide;
} output;

static inline output output_of(int wide, int maximum)
{
    return (output){wide ? _mm256_set1_epi16((short)maximum) : _mm256_set1_epi8((char)maximum), wide};
}

// Sums of products in the precision of the output, rounded.
static inline __m256i rounded(__m256i sums, int wide)
{
    return wide ? _mm256_srai_epi32(_mm256_add_epi32(sums, _mm256_set1_epi32(128)), 8)
                : _mm256_srai_epi32(_mm256_add_epi32(sums, _mm256_set1_epi32(2048)), 12);
}

static inline __m256i limited_words(__m256i words, const output *out)
{
    return _mm256_min_epi16(_mm256_max_epi16(words, _mm256_setzero_si256()), out->maximum);
}

static inline void store8(uint8_t *dst, __m256i sums, const output *out)
{
    const __m256i all = rounded(sums, out->wide);
    const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    if (out->wide) {
        _mm_storeu_si128((__m128i *)dst, _mm256_castsi256_si128(limited_words(_mm256_castsi128_si256(words), out)));
    } else {
        const __m128i bytes = _mm_packus_epi16(words, words);
        _mm_storel_epi64((__m128i *)dst, _mm_min_epu8(bytes, _mm256_castsi256_si128(out->maximum)));
    }
}

// `lo` has samples 0 to 3 and 8 to 11, `hi` the others.
static inline void store16(uint8_t *dst, __m256i lo, __m256i hi, const output *out)
{
    const __m256i words = _mm256_packs_epi32(rounded(lo, out->wide), rounded(hi, out->wide));
    if (out->wide) {
        _mm256_storeu_si256((__m256i *)dst, limited_words(words, out));
    } else {
        const __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
        _mm_storeu_si128((__m128i *)dst, _mm_min_epu8(bytes, _mm256_castsi256_si128(out->maximum)));
    }
}

static inline void copy16(uint8_t *dst, const uint8_t *p, const output *out)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)p);
    if (out->wide)
        _mm256_storeu_si256((__m256i *)dst, limited_words(_mm256_slli_epi16(_mm256_cvtepu8_epi16(bytes), 4), out));
    else
        _mm_storeu_si128((__m128i *)dst, _mm_min_epu8(bytes, _mm256_castsi256_si128(out->maximum)));
}

static inline __m256i warp8_planned(const uint8_t *corner, ptrdiff_t stride, const warp_plan *plan, int part)
{
    const int32_t *o = plan->offset + 8 * part;
    const __m256i h = plan->h[part], v = plan->v[part];
    __m256i r01 = filter_rows(gather_row(corner, o), gather_row(corner + stride, o), h);
    __m256i r23 = filter_rows(gather_row(corner + 2 * stride, o), gather_row(corner + 3 * stride, o), h);
    return _mm256_add_epi32(_mm256_madd_epi16(r01, two_taps(v, 0)), _mm256_madd_epi16(r23, two_taps(v, 1)));
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
static inline void warp16_even(uint8_t *dst, const uint8_t *p, ptrdiff_t stride, const even_taps *t, const output *out)
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
    store16(dst, lo, hi, out);
}

// Output samples 0 … n − 1 of a run whose source positions are contiguous and inside the plane, n ≥ 16.
static inline void warp_run8(uint8_t *dst, const vfx_warp_source *src, int px, int py, int n, const output *out)
{
    const uint8_t *p = (const uint8_t *)src->origin + (py >> 5) * src->stride + (px >> 5);
    const int copies = ((px | py) & 31) == 0;
    const even_taps t = even_taps_at(px, py);
    const uint8_t *corner = p - 1 - src->stride;
    for (int i = 0;;) {
        if (copies) copy16(dst + (i << out->wide), p + i, out);
        else warp16_even(dst + (i << out->wide), corner + i, src->stride, &t, out);
        i += 16;
        if (i >= n) return;
        if (i > n - 16) i = n - 16;
    }
}

// vfx_cubic_taps by tap: tap k of fractions 0 … 15 and of 16 … 31, each in both halves of a register.
typedef struct tap_tables {
    __m256i low[4], high[4];
} tap_tables;

static inline void transpose_taps(const int8_t (*taps)[4], __m256i by_tap[4])
{
    const __m128i by_four = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m128i a = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)taps), by_four);
    __m128i b = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(taps + 4)), by_four);
    __m128i c = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(taps + 8)), by_four);
    __m128i d = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(taps + 12)), by_four);
    __m128i ab01 = _mm_unpacklo_epi32(a, b), ab23 = _mm_unpackhi_epi32(a, b);
    __m128i cd01 = _mm_unpacklo_epi32(c, d), cd23 = _mm_unpackhi_epi32(c, d);
    by_tap[0] = _mm256_broadcastsi128_si256(_mm_unpacklo_epi64(ab01, cd01));
    by_tap[1] = _mm256_broadcastsi128_si256(_mm_unpackhi_epi64(ab01, cd01));
    by_tap[2] = _mm256_broadcastsi128_si256(_mm_unpacklo_epi64(ab23, cd23));
    by_tap[3] = _mm256_broadcastsi128_si256(_mm_unpackhi_epi64(ab23, cd23));
}

static inline tap_tables tap_tables_of_taps(void)
{
    tap_tables t;
    transpose_taps(vfx_cubic_taps, t.low);
    transpose_taps(vfx_cubic_taps + 16, t.high);
    return t;
}

// Tap `tap` of 32 fractions, one in each byte. Each table gives 0 for the fractions of the other one: their indices have
// the highest bit set.
static inline __m256i look_up(const tap_tables *t, int tap, __m256i fractions)
{
    __m256i low = _mm256_add_epi8(fractions, _mm256_set1_epi8(0x70)), high = _mm256_sub_epi8(fractions, _mm256_set1_epi8(16));
    return _mm256_or_si256(_mm256_shuffle_epi8(t->low[tap], low), _mm256_shuffle_epi8(t->high[tap], high));
}

typedef struct narrow_row {
    tap_tables taps;
    int is_unscaled; // the scale is 16384, of which twice does not fit into 16 bits
    __m256i scale; // twice the scale, for mulhrs
    // A window of 13 columns and 2 rows of positions may start up to `columns` to the right of and `rows` below position
    // (near, near): then no position is clamped, and 16 samples of each source row can be read.
    int near;
    unsigned columns, rows;
} narrow_row;

// Whether windows fit at all, and twice the scale is above −32768, whose product with a vector of −32768 mulhrs wraps.
static inline int allows_narrow(const vfx_warp_source *src, int scale)
{
    return scale > -16384 && scale <= 16384 && src->width + 2 * src->margin >= 14 && src->height + 2 * src->margin >= 3;
}

static inline narrow_row start_narrow_row(const vfx_warp_source *src, int scale)
{
    return (narrow_row){tap_tables_of_taps(), scale == 16384, _mm256_set1_epi16((short)(2 * scale)), -src->margin,
                        (unsigned)(src->width + 2 * src->margin - 14), (unsigned)(src->height + 2 * src->margin - 3)};
}

// Horizontal sums of sixteen output samples, eight from each half: `pairs` and `next` select samples 0, 1 and 2, 3 of the
// four that each reads.
static inline __m256i narrow_sums(const uint8_t *p, const uint8_t *q, __m256i pairs, __m256i next, __m256i h01,
                                  __m256i h23)
{
    __m256i s = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)p)),
                                        _mm_loadu_si128((const __m128i *)q), 1);
    return _mm256_add_epi16(_mm256_maddubs_epi16(_mm256_shuffle_epi8(s, pairs), h01),
                            _mm256_maddubs_epi16(_mm256_shuffle_epi8(s, next), h23));
}

// Sixteen output samples with vectors of their own, if each eight of them read from thirteen columns, and from four or
// five rows: most motion is smooth, and loading a row at once is much cheaper than sample by sample. Returns whether they
// did.
static inline int warp16_narrow(uint8_t *dst, const uint8_t *corner, ptrdiff_t stride, const narrow_row *row, int x,
                                int y, const int16_t *vx, const int16_t *vy, const output *out)
{
    const __m256i lane = _mm256_setr_epi16(2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5, 6, 7, 8, 9);
    const __m256i first = _mm256_set1_epi16(0x0100);
    __m256i dx = _mm256_loadu_si256((const __m256i *)vx), dy = _mm256_loadu_si256((const __m256i *)vy);
    if (!row->is_unscaled) {
        dx = _mm256_mulhrs_epi16(dx, row->scale);
        dy = _mm256_mulhrs_epi16(dy, row->scale);
    }
    const __m256i whole_x = _mm256_srai_epi16(dx, 5), whole_y = _mm256_srai_epi16(dy, 5);
    const __m256i first_x = _mm256_shuffle_epi8(whole_x, first);
    // Where smooth motion crosses a whole row, it does so in one direction.
    const __m256i first_y = _mm256_min_epi16(_mm256_shuffle_epi8(whole_y, first),
                                             _mm256_shuffle_epi8(whole_y, _mm256_set1_epi16(0x0f0e)));
    const __m256i column = _mm256_add_epi16(_mm256_sub_epi16(whole_x, first_x), lane);
    const __m256i lower = _mm256_sub_epi16(whole_y, first_y);
    const __m256i apart = _mm256_or_si256(_mm256_subs_epu16(lower, _mm256_set1_epi16(1)),
                                          _mm256_subs_epu16(column, _mm256_set1_epi16(12)));
    if (!_mm256_testz_si256(apart, apart)) return 0;
    const int x0 = x - 2 + (int16_t)_mm256_extract_epi16(first_x, 0), y0 = y + (int16_t)_mm256_extract_epi16(first_y, 0);
    const int x1 = x + 6 + (int16_t)_mm256_extract_epi16(first_x, 8), y1 = y + (int16_t)_mm256_extract_epi16(first_y, 8);
    if ((unsigned)(x0 - row->near) > row->columns || (unsigned)(x1 - row->near) > row->columns) return 0;
    if ((unsigned)(y0 - row->near) > row->rows || (unsigned)(y1 - row->near) > row->rows) return 0;

    // The taps of both directions are looked up at once: the horizontal ones are in the lower bytes.
    const __m256i fractions = _mm256_or_si256(_mm256_and_si256(dx, _mm256_set1_epi16(31)),
                                              _mm256_slli_epi16(_mm256_and_si256(dy, _mm256_set1_epi16(31)), 8));
    const __m256i lower_bytes = _mm256_set1_epi16(0xff);
    __m256i taps[4];
    for (int k = 0; k < 4; k++) taps[k] = look_up(&row->taps, k, fractions);
    const __m256i h01 = _mm256_or_si256(_mm256_and_si256(taps[0], lower_bytes), _mm256_slli_epi16(taps[1], 8));
    const __m256i h23 = _mm256_or_si256(_mm256_and_si256(taps[2], lower_bytes), _mm256_slli_epi16(taps[3], 8));
    const __m256i pairs = _mm256_add_epi8(_mm256_mullo_epi16(column, _mm256_set1_epi16(0x0101)), first);
    const __m256i next = _mm256_add_epi8(pairs, _mm256_set1_epi8(2));
    const uint8_t *p = corner + y0 * stride + x0, *q = corner + y1 * stride + x1;
    __m256i sums[4];
    for (int r = 0; r < 4; r++) sums[r] = narrow_sums(p + r * stride, q + r * stride, pairs, next, h01, h23);
    if (!_mm256_testz_si256(lower, lower)) {
        const __m256i below = _mm256_sub_epi16(_mm256_setzero_si256(), lower);
        const __m256i last = narrow_sums(p + 4 * stride, q + 4 * stride, pairs, next, h01, h23);
        for (int r = 0; r < 4; r++) sums[r] = _mm256_blendv_epi8(sums[r], r < 3 ? sums[r + 1] : last, below);
    }
    const __m256i v0 = _mm256_srai_epi16(taps[0], 8), v1 = _mm256_srai_epi16(taps[1], 8);
    const __m256i v2 = _mm256_srai_epi16(taps[2], 8), v3 = _mm256_srai_epi16(taps[3], 8);
    __m256i lo = _mm256_add_epi32(
        _mm256_madd_epi16(_mm256_unpacklo_epi16(sums[0], sums[1]), _mm256_unpacklo_epi16(v0, v1)),
        _mm256_madd_epi16(_mm256_unpacklo_epi16(sums[2], sums[3]), _mm256_unpacklo_epi16(v2, v3)));
    __m256i hi = _mm256_add_epi32(
        _mm256_madd_epi16(_mm256_unpackhi_epi16(sums[0], sums[1]), _mm256_unpackhi_epi16(v0, v1)),
        _mm256_madd_epi16(_mm256_unpackhi_epi16(sums[2], sums[3]), _mm256_unpackhi_epi16(v2, v3)));
    store16(dst, lo, hi, out);
    return 1;
}

// Warps 8 or 16 output samples one by one.
static inline void warp_samples8(uint8_t *dst, const uint8_t *corner, ptrdiff_t stride, const warp_row *row, int i, int n,
                                 const int16_t *vx, const int16_t *vy, const output *out)
{
    warp_plan plan;
    plan_warp(&plan, row, i, n, vx, vy);
    for (int j = 0; j < n / 8; j++)
        store8(dst + ((i + 8 * j) << out->wide), warp8_planned(corner, stride, &plan, j), out);
}

// A row of at least eight samples.
static inline __attribute__((always_inline)) void warp_long_row(uint8_t *dst, const vfx_warp_source *src, int x0,
                                                                int y, int count, const int16_t *vx, const int16_t *vy,
                                                                int scale, const output *out)
{
    const warp_row row = start_row(src, x0, y, scale);
    const ptrdiff_t stride = src->stride;
    const uint8_t *corner = (const uint8_t *)src->origin - 1 - stride;
    const narrow_row narrow = start_narrow_row(src, scale);
    const int may_be_narrow = allows_narrow(src, scale);
    for (int i = 0;;) {
        uint8_t *to = dst + (i << out->wide);
        int n, run = uniform_run(src, x0 + i, y, count - i, vx + i, vy + i, scale);
        if (run >= 16) {
            n = run;
            warp_run8(to, src, position_of(x0 + i, vx[i], scale), position_of(y, vy[i], scale), run, out);
        } else if (may_be_narrow && count - i >= 16
                   && warp16_narrow(to, corner, stride, &narrow, x0 + i, y, vx + i, vy + i, out)) {
            n = 16;
        } else {
            n = count - i >= 16 ? 16 : 8;
            warp_samples8(dst, corner, stride, &row, i, n, vx, vy, out);
        }
        i += n;
        if (i >= count) return;
        if (i > count - 8) i = count - 8;
    }
}

// A row of less than eight samples. Positions are clamped, so eight can always be read.
static inline void warp_short_row(uint8_t *dst, const vfx_warp_source *src, int x0, int y, int count, const int16_t *vx,
                                  const int16_t *vy, int scale, const output *out)
{
    int16_t x[8] = {0}, z[8] = {0};
    uint8_t samples[16];
    memcpy(x, vx, (size_t)count * sizeof *x);
    memcpy(z, vy, (size_t)count * sizeof *z);
    const warp_row row = start_row(src, x0, y, scale);
    warp_samples8(samples, (const uint8_t *)src->origin - 1 - src->stride, src->stride, &row, 0, 8, x, z, out);
    memcpy(dst, samples, (size_t)count << out->wide);
}

void vfx_warp_row_8_avx2(void *dst, const vfx_warp_source *src, int x0, int y, int count, const int16_t *vx,
                         const int16_t *vy, int scale, int maximum)
{
    const output out = output_of(0, maximum);
    if (count < 8) warp_short_row(dst, src, x0, y, count, vx, vy, scale, &out);
    else warp_long_row(dst, src, x0, y, count, vx, vy, scale, &out);
}

void vfx_warp_row_8_to_12_avx2(void *dst, const vfx_warp_source *src, int x0, int y, int count, const int16_t *vx,
                               const int16_t *vy, int scale, int maximum)
{
    const output out = output_of(1, maximum);
    if (count < 8) warp_short_row(dst, src, x0, y, count, vx, vy, scale, &out);
    else warp_long_row(dst, src, x0, y, count, vx, vy, scale, &out);
}
#pragma clang attribute pop
#endif
