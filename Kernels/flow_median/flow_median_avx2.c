#include "../x86/x86.h"
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "../x86/vector_field_avx2.h"
#include "flow_median_cells.h"

static inline __m256i vectors_at(const rows5 *g, int place)
{
    return _mm256_loadu_si256((const __m256i *)(g->vectors[place / SIDE] + place % SIDE));
}

static inline __m256i bytes_at(const uint8_t *const rows[SIDE], int place)
{
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(rows[place / SIDE] + place % SIDE)));
}

// The least or greatest values of five columns each, of eight columns from the first one and of eight from the fifth.
static inline __m256i least_of(__m256i left, __m256i right)
{
    const __m256i second = _mm256_alignr_epi8(right, left, 4), third = _mm256_alignr_epi8(right, left, 8);
    const __m256i fourth = _mm256_alignr_epi8(right, left, 12);
    return _mm256_min_epi16(_mm256_min_epi16(_mm256_min_epi16(left, right), third), _mm256_min_epi16(second, fourth));
}

static inline __m256i most_of(__m256i left, __m256i right)
{
    const __m256i second = _mm256_alignr_epi8(right, left, 4), third = _mm256_alignr_epi8(right, left, 8);
    const __m256i fourth = _mm256_alignr_epi8(right, left, 12);
    return _mm256_max_epi16(_mm256_max_epi16(_mm256_max_epi16(left, right), third), _mm256_max_epi16(second, fourth));
}

// Which cells may not be smooth, one bit each. The distance is at most that of the farthest values of both components,
// which are found with fewer instructions than distances.
static inline uint32_t possibly_rough(const vfx_flow_median *f, const rows5 *g)
{
    const __m256i own = vectors_at(g, NEIGHBOURHOOD / 2);
    __m256i left_least = vectors_at(g, 0), right_least = vectors_at(g, 4);
    __m256i left_most = left_least, right_most = right_least;
#pragma clang loop unroll(full)
    for (int r = 1; r < SIDE; r++) {
        const __m256i left = vectors_at(g, SIDE * r), right = vectors_at(g, SIDE * r + 4);
        left_least = _mm256_min_epi16(left_least, left);
        right_least = _mm256_min_epi16(right_least, right);
        left_most = _mm256_max_epi16(left_most, left);
        right_most = _mm256_max_epi16(right_most, right);
    }
    const __m256i least = least_of(left_least, right_least), most = most_of(left_most, right_most);
    const __m256i apart = _mm256_max_epi16(_mm256_subs_epi16(most, own), _mm256_subs_epi16(own, least));
    const __m256i bound = _mm256_madd_epi16(apart, _mm256_set1_epi16(1));
    const __m256i rough = _mm256_cmpgt_epi32(bound, _mm256_set1_epi32(f->smooth_distance));
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(rough));
}

static inline __m256i rough_cells(const vfx_flow_median *f, const rows5 *g)
{
    const __m256i own = vectors_at(g, NEIGHBOURHOOD / 2);
    __m256i farthest = _mm256_setzero_si256();
#pragma clang loop unroll(full)
    for (int i = 0; i < NEIGHBOURHOOD; i++) farthest = _mm256_max_epi32(farthest, vfx_distance8(vectors_at(g, i), own));
    return _mm256_cmpgt_epi32(farthest, _mm256_set1_epi32(f->smooth_distance));
}

#define KEYS __m256i
#define LEAST(a, b) _mm256_min_epi32(a, b)
#define MOST(a, b) _mm256_max_epi32(a, b)
#include "flow_median_sort_tmpl.h"

// The medians, in the upper halves, of keys: values in the upper halves, and weights, which fit into 16 bits, in the
// lower ones. The order of equal values does not matter. `half` is half the sum of the weights, rounded up.
static __m256i medians(__m256i keys[NEIGHBOURHOOD], __m256i half)
{
    sort(keys);
    __m256i median = keys[0], sum = _mm256_setzero_si256();
#pragma clang loop unroll(full)
    for (int i = 1; i < NEIGHBOURHOOD; i++) {
        sum = _mm256_add_epi32(sum, _mm256_and_si256(keys[i - 1], _mm256_set1_epi32(0xffff)));
        median = _mm256_blendv_epi8(median, keys[i], _mm256_cmpgt_epi32(half, sum));
    }
    return median;
}

// `table` is that of the weights by brightness, of which three bytes more are readable.
static __m256i filter(const vfx_flow_median *f, const rows5 *g, const uint8_t *table)
{
    const __m256i own = vectors_at(g, NEIGHBOURHOOD / 2), rough = rough_cells(f, g);
    if (_mm256_testz_si256(rough, rough)) return own;
    const __m256i brightness = bytes_at(g->brightness, NEIGHBOURHOOD / 2);
    const __m256i byte = _mm256_set1_epi32(255), one = _mm256_set1_epi32(1);
    __m256i across[NEIGHBOURHOOD], down[NEIGHBOURHOOD], total = one;
#pragma clang loop unroll(full)
    for (int i = 0; i < NEIGHBOURHOOD; i++) {
        const __m256i apart = _mm256_abs_epi32(_mm256_sub_epi32(bytes_at(g->brightness, i), brightness));
        const __m256i similar = _mm256_and_si256(_mm256_i32gather_epi32((const int *)table, apart, 1), byte);
        const __m256i trust = bytes_at(g->trust, i), place = _mm256_set1_epi32(f->place_weight[i] << 8);
        // Both products fit into 16 bits. Cells without trust are outside and have no weight.
        const __m256i product = _mm256_mulhi_epu16(_mm256_mullo_epi16(trust, similar), place);
        const __m256i weight = _mm256_add_epi32(product, _mm256_min_epi16(trust, one));
        const __m256i v = vectors_at(g, i);
        total = _mm256_add_epi32(total, weight);
        across[i] = _mm256_blend_epi16(weight, _mm256_slli_epi32(v, 16), 0xaa);
        down[i] = _mm256_blend_epi16(weight, v, 0xaa);
    }
    const __m256i half = _mm256_srli_epi32(total, 1);
    __m256i x, y;
    if (_mm256_movemask_ps(_mm256_castsi256_ps(rough)) < 16) {
        // Four cells, as beside an edge between two smooth motions: their components share registers.
#pragma clang loop unroll(full)
        for (int i = 0; i < NEIGHBOURHOOD; i++) across[i] = _mm256_permute2x128_si256(across[i], down[i], 0x20);
        x = medians(across, _mm256_permute2x128_si256(half, half, 0));
        y = _mm256_permute2x128_si256(x, x, 0x11);
    } else {
        x = medians(across, half);
        y = medians(down, half);
    }
    const __m256i median = _mm256_blend_epi16(_mm256_srli_epi32(x, 16), y, 0xaa);
    return _mm256_blendv_epi8(own, median, rough);
}

void vfx_flow_median_row_avx2(const vfx_flow_median *f, int y, vfx_motion_vector *dst)
{
    uint8_t table[256 + 3] = {0};
    memcpy(table, f->brightness_weight, 256);
    const rows5 rows = rows_around(f, y);
    for (int x = 0; x < f->columns;) {
        // Most groups are smooth. The last group is no inner one.
        for (; is_inner(f, x); x += GROUP) {
            const rows5 g = inner_rows(&rows, x);
            if (possibly_rough(f, &g)) break;
            _mm256_storeu_si256((__m256i *)(dst + x), vectors_at(&g, NEIGHBOURHOOD / 2));
        }
        const int cells = f->columns - x < GROUP ? f->columns - x : GROUP;
        copied_rows copies;
        const rows5 g = is_inner(f, x) ? inner_rows(&rows, x) : edge_rows(f, &rows, x, &copies);
        const uint32_t rough = possibly_rough(f, &g) | 1u << cells;
        // A group whose first cell is rough contains more of a row of rough cells.
        const __m256i v = rough & 1 ? filter(f, &g, table) : vectors_at(&g, NEIGHBOURHOOD / 2);
        if (cells == GROUP) {
            _mm256_storeu_si256((__m256i *)(dst + x), v);
        } else {
            vfx_motion_vector result[GROUP];
            _mm256_storeu_si256((__m256i *)result, v);
            memcpy(dst + x, result, (size_t)cells * sizeof *result);
        }
        x += rough & 1 ? cells : __builtin_ctz(rough);
    }
}
#pragma clang attribute pop
#endif
