#include "upsample_edges.h"
#include "upsample_single.h"
#include "../x86/x86.h"
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

// Blends two rows of cells into one.
static void blend_cells(int16_t *dst, const int16_t *a, const int16_t *b, int weight_b, int columns)
{
    // 256 − w and w are interleaved, as the samples of the two rows will be.
    const __m256i w = _mm256_set1_epi32((256 - weight_b) | weight_b << 16), half = _mm256_set1_epi32(128);
    int c = 0;
    for (; c + 16 <= columns; c += 16) {
        __m256i ra = _mm256_loadu_si256((const __m256i *)(a + c)), rb = _mm256_loadu_si256((const __m256i *)(b + c));
        __m256i lo = _mm256_madd_epi16(_mm256_unpacklo_epi16(ra, rb), w);
        __m256i hi = _mm256_madd_epi16(_mm256_unpackhi_epi16(ra, rb), w);
        lo = _mm256_srai_epi32(_mm256_add_epi32(lo, half), 8);
        hi = _mm256_srai_epi32(_mm256_add_epi32(hi, half), 8);
        _mm256_storeu_si256((__m256i *)(dst + c), _mm256_packs_epi32(lo, hi));
    }
    for (; c < columns; c++) dst[c] = (int16_t)((a[c] * (256 - weight_b) + b[c] * weight_b + 128) >> 8);
}

// Loads eight cells from `first` on; cells outside the row are replaced by the nearest one inside.
static inline __m128i cells_at(const int16_t *cells, int first, int columns)
{
    if (first >= 0 && first + 8 <= columns) return _mm_loadu_si128((const __m128i *)(cells + first));
    int16_t v[8];
    for (int i = 0; i < 8; i++) {
        int c = first + i;
        v[i] = cells[c < 0 ? 0 : c < columns ? c : columns - 1];
    }
    return _mm_loadu_si128((const __m128i *)v);
}

// For samples x … x + 3 and x + step … x + step + 3: the weights of the cells on both sides, and the shuffle indices that
// select these cells from those that begin left of sample x.
static inline void phase_at(int x, int step, int first, int side_log2, __m256i *weights, __m256i *bytes)
{
    const int side = 1 << side_log2;
    const __m256i pair = _mm256_set1_epi32(0x03020100);
    const __m256i spread = _mm256_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12,
                                            0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    __m256i at = _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, step, step + 1, step + 2, step + 3),
                                  _mm256_set1_epi32(x + side / 2));
    __m256i w1 = _mm256_and_si256(at, _mm256_set1_epi32(side - 1));
    w1 = _mm256_add_epi32(_mm256_add_epi32(w1, w1), _mm256_set1_epi32(1));
    *weights = _mm256_or_si256(_mm256_sub_epi32(_mm256_set1_epi32(2 * side), w1), _mm256_slli_epi32(w1, 16));
    __m256i cell = _mm256_srl_epi32(at, _mm_cvtsi32_si128(side_log2));
    cell = _mm256_sub_epi32(cell, _mm256_set1_epi32(first));
    *bytes = _mm256_add_epi8(_mm256_shuffle_epi8(_mm256_add_epi32(cell, cell), spread), pair);
}

static inline __m256i interpolated(__m256i cells, __m256i weights, __m256i bytes, __m256i round, __m128i down)
{
    __m256i sum = _mm256_madd_epi16(_mm256_shuffle_epi8(cells, bytes), weights);
    return _mm256_sra_epi32(_mm256_add_epi32(sum, round), down);
}

// Samples x to `count`, eight at a time. Cells are at least two samples wide.
static void upsample_by_eight(int16_t *dst, int x, int count, const int16_t *cells, int columns, int side_log2, int down)
{
    const int side = 1 << side_log2;
    const __m256i round = _mm256_set1_epi32(1 << (down - 1));
    const __m128i final = _mm_cvtsi32_si128(down);
    for (; x < count; x += 8) {
        const int first = (x + side / 2) >> side_log2;
        __m256i weights, bytes, from = _mm256_broadcastsi128_si256(cells_at(cells, first - 1, columns));
        phase_at(x, 4, first, side_log2, &weights, &bytes);
        __m256i v = interpolated(from, weights, bytes, round, final);
        __m128i out = _mm_packs_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
        if (x + 8 <= count) {
            _mm_storeu_si128((__m128i *)(dst + x), out);
        } else {
            int16_t rest[8];
            _mm_storeu_si128((__m128i *)rest, out);
            memcpy(dst + x, rest, (size_t)(count - x) * sizeof *dst);
        }
    }
}

void vfx_upsample_row_avx2(int16_t *dst, int count, const int16_t *a, const int16_t *b, int weight_b, int columns,
                           int side_log2, int shift, int16_t *scratch)
{
    blend_cells(scratch, a, b, weight_b, columns);
    if (side_log2 == 0) {
        upsample_single(dst, count, scratch, columns, shift);
        return;
    }
    const int side = 1 << side_log2, half = side / 2, down = side_log2 + 1 + shift;
    int x = 0;
    if (side >= 4) {
        // Sixteen samples read from at most six cells. Their weights and shuffle indices repeat every 2^side_log2 samples.
        // Packing puts the lower halves of its operands first, so each holds samples 0 and 8 or 4 and 12 of the sixteen.
        const int phases = side > 16 ? side / 16 : 1;
        __m256i weights[4][2], bytes[4][2];
        for (int i = 0; i < phases; i++) {
            for (int k = 0; k < 2; k++)
                phase_at(16 * i + 4 * k, 8, (16 * i + half) >> side_log2, side_log2, &weights[i][k], &bytes[i][k]);
        }
        const __m256i round = _mm256_set1_epi32(1 << (down - 1));
        const __m128i final = _mm_cvtsi32_si128(down);
        for (int phase = 0; x + 16 <= count; x += 16, phase = (phase + 1) & (phases - 1)) {
            __m256i cells = _mm256_broadcastsi128_si256(cells_at(scratch, ((x + half) >> side_log2) - 1, columns));
            __m256i even = interpolated(cells, weights[phase][0], bytes[phase][0], round, final);
            __m256i odd = interpolated(cells, weights[phase][1], bytes[phase][1], round, final);
            _mm256_storeu_si256((__m256i *)(dst + x), _mm256_packs_epi32(even, odd));
        }
    }
    upsample_by_eight(dst, x, count, scratch, columns, side_log2, down);
}

// Eight cells, scaled.
static inline __m128i scaled_cells(const int16_t *cells, int shift)
{
    __m256i wide = _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)cells));
    if (shift > 0) {
        wide = _mm256_add_epi32(wide, _mm256_set1_epi32(1 << (shift - 1)));
        wide = _mm256_sra_epi32(wide, _mm_cvtsi32_si128(shift));
    } else {
        wide = _mm256_sll_epi32(wide, _mm_cvtsi32_si128(-shift));
    }
    return _mm_packs_epi32(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
}

// Replaces the samples between the centres of two adjacent cells where the mask says so. `halves` spreads two cells to
// the samples. Eight samples if cells are eight wide, four if they are four wide.
static inline void replace(int16_t *dst, const int16_t *two, __m128i halves, __m128i mask, int are_eight)
{
    int32_t both;
    memcpy(&both, two, sizeof both);
    const __m128i own = _mm_shuffle_epi8(_mm_cvtsi32_si128(both), halves);
    if (are_eight) {
        const __m128i old = _mm_loadu_si128((const __m128i *)dst);
        _mm_storeu_si128((__m128i *)dst, _mm_blendv_epi8(old, own, mask));
    } else {
        const __m128i old = _mm_loadl_epi64((const __m128i *)dst);
        _mm_storel_epi64((__m128i *)dst, _mm_blendv_epi8(old, own, mask));
    }
}

// Edges are irregular, so a branch for each of them would often be mispredicted: wherever one of eight is an edge, all
// eight are blended.
void vfx_upsample_edges_row_avx2(int16_t *vx, int16_t *vy, int count, const int16_t *cells_x, const int16_t *cells_y,
                                 const uint8_t *edges, int columns, int side_log2, int shift_x, int shift_y)
{
    const upsample_edges row = {vx, vy, count, cells_x, cells_y, columns, side_log2, shift_x, shift_y};
    const int side = 1 << side_log2, are_eight = side == 8;
    const __m128i halves = are_eight ? _mm_setr_epi8(0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3)
                                     : _mm_setr_epi8(0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3);
    int c = 0;
    while (c <= columns) {
        uint64_t eight = 0;
        if (c + 8 <= columns + 1) memcpy(&eight, edges + c, sizeof eight);
        // Boundaries c … c + 7 need cells c − 1 … c + 7; the first and the last have a cell on one side only.
        const int is_inside = c > 0 && c + 8 <= columns && (c + 8) * side <= count && (are_eight || side == 4);
        if (c + 8 <= columns + 1 && eight == 0) {
            c += 8;
        } else if (is_inside) {
            int16_t x[9], y[9];
            x[0] = scaled_cell(cells_x[c - 1], shift_x);
            y[0] = scaled_cell(cells_y[c - 1], shift_y);
            _mm_storeu_si128((__m128i *)(x + 1), scaled_cells(cells_x + c, shift_x));
            _mm_storeu_si128((__m128i *)(y + 1), scaled_cells(cells_y + c, shift_y));
            for (int i = 0; i < 8; i++) {
                const __m128i mask = _mm_set1_epi8(edges[c + i] != 0 ? -1 : 0);
                const int start = (c + i) * side - side / 2;
                replace(vx + start, x + i, halves, mask, are_eight);
                replace(vy + start, y + i, halves, mask, are_eight);
            }
            c += 8;
        } else {
            const int end = c + 8 <= columns + 1 ? c + 8 : columns + 1;
            for (; c < end; c++) {
                if (edges[c] != 0) keep_edge(&row, c);
            }
        }
    }
}
#pragma clang attribute pop
#endif
