#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "vector_median_rows.h"
#include "../x86/vector_field_avx2.h"

static inline __m256i load(const vfx_motion_vector *p) { return _mm256_loadu_si256((const __m256i *)p); }

// Eight cells; the rows begin one cell before the first.
static inline __m256i filter8(const vfx_vector_median *f, rows3 rows)
{
    __m256i v[9], allies = _mm256_setzero_si256();
    for (int i = 0; i < 9; i++) v[i] = load(rows.row[i / 3] + i % 3);
    for (int i = 0; i < 9; i++)
        allies = _mm256_sub_epi32(allies, _mm256_cmpgt_epi32(_mm256_set1_epi32(f->agreement + 1), vfx_distance8(v[i], v[4])));
    const __m256i few = _mm256_cmpgt_epi32(_mm256_set1_epi32(f->few_allies + 1), allies);
    if (_mm256_testz_si256(few, few)) return v[4];

    __m256i totals[9];
    for (int i = 0; i < 9; i++) totals[i] = _mm256_setzero_si256();
    for (int i = 0; i < 8; i++)
        for (int j = i + 1; j < 9; j++) {
            const __m256i d = _mm256_min_epi32(vfx_distance8(v[i], v[j]), _mm256_set1_epi32(f->maximum_distance));
            totals[i] = _mm256_add_epi32(totals[i], d);
            totals[j] = _mm256_add_epi32(totals[j], d);
        }
    __m256i best = v[0], least = totals[0];
    for (int i = 1; i < 9; i++) {
        best = _mm256_blendv_epi8(best, v[i], _mm256_cmpgt_epi32(least, totals[i]));
        least = _mm256_min_epi32(least, totals[i]);
    }
    return _mm256_blendv_epi8(v[4], best, few);
}

int vfx_vector_median_row_avx2(const vfx_vector_median *f, int y, vfx_motion_vector *out, int32_t *changed)
{
    const rows3 rows = rows_around(f, y);
    int count = 0;
    for (int x = 0; x < f->columns; x += 8) {
        const int cells = f->columns - x < 8 ? f->columns - x : 8;
        vfx_motion_vector edge[3][10], result[8];
        rows3 around = {{rows.row[0] + x - 1, rows.row[1] + x - 1, rows.row[2] + x - 1}};
        if (x == 0 || x + 9 > f->columns)
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 10; j++) edge[i][j] = rows.row[i][column_of(f, x + j - 1)];
                around.row[i] = edge[i];
            }
        const __m256i filtered = filter8(f, around), own = load(around.row[1] + 1);
        const __m256i kept = _mm256_cmpeq_epi32(filtered, own);
        _mm256_storeu_si256((__m256i *)result, filtered);
        __builtin_memcpy(out + x, result, (size_t)cells * sizeof *result);
        uint32_t left = ~(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(kept)) & ((1u << cells) - 1);
        for (; left; left &= left - 1) changed[count++] = x + __builtin_ctz(left);
    }
    return count;
}
#pragma clang attribute pop
#endif
