#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "../x86/vector_field_avx2.h"

// The weighted sums of eight pairs of vectors.
static inline vfx_vectors8 weighted(__m256i a, __m256i b, int weight_a, int weight_b)
{
    return vfx_interpolate_in_row8(a, b, _mm256_set1_epi32(weight_b << 16 | weight_a));
}

static inline __m256i mean(__m256i near, __m256i far, int scale)
{
    const __m256i sum = _mm256_mullo_epi32(_mm256_add_epi32(near, far), _mm256_set1_epi32(scale));
    return _mm256_srai_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(8)), 4);
}

// Eight small cells from five cells, which begin at the one left of the first.
static inline __m256i subdivide8(const vfx_subdivision *f, const vfx_motion_vector *near, const vfx_motion_vector *far,
                                 __m256i *rough)
{
    const __m256i first = _mm256_setr_epi32(1, 1, 2, 2, 3, 3, 4, 4), second = _mm256_setr_epi32(0, 2, 1, 3, 2, 4, 3, 5);
    const __m256i row = _mm256_loadu_si256((const __m256i *)near), next = _mm256_loadu_si256((const __m256i *)far);
    const __m256i own = _mm256_permutevar8x32_epi32(row, first), side = _mm256_permutevar8x32_epi32(row, second);
    const __m256i behind = _mm256_permutevar8x32_epi32(next, first), corner = _mm256_permutevar8x32_epi32(next, second);
    const __m256i spread = _mm256_max_epi32(_mm256_max_epi32(vfx_distance8(own, side), vfx_distance8(own, behind)), vfx_distance8(own, corner));
    *rough = _mm256_cmpgt_epi32(_mm256_mullo_epi32(spread, _mm256_set1_epi32(f->scale)), _mm256_set1_epi32(f->smooth_distance));
    const vfx_vectors8 upper = weighted(own, side, 9, 3), lower = weighted(behind, corner, 3, 1);
    const __m256i x = mean(upper.x, lower.x, f->scale), y = mean(upper.y, lower.y, f->scale);
    // Components above 32767 are limited further, so it does not matter that packing saturates.
    const __m256i most = _mm256_set1_epi16(32256), least = _mm256_set1_epi16(-32256);
    const __m256i packed = _mm256_packs_epi32(x, y);
    const __m256i limited = _mm256_max_epi16(_mm256_min_epi16(packed, most), least);
    return _mm256_unpacklo_epi16(limited, _mm256_unpackhi_epi64(limited, limited));
}

int vfx_subdivide_row_avx2(const vfx_subdivision *f, int y, int count, vfx_motion_vector *out, int32_t *differences,
                           int32_t *rough)
{
    const int next = (y >> 1) + (y & 1 ? 1 : -1), last = f->columns - 1;
    const vfx_motion_vector *near = f->vectors + (intptr_t)(y >> 1) * f->columns;
    const vfx_motion_vector *far = f->vectors + (intptr_t)(next < 0 ? 0 : next < f->rows ? next : f->rows - 1) * f->columns;
    const int32_t *known = f->differences + (intptr_t)(y >> 1) * f->columns;
    int found = 0;
    for (int x = 0; x < count; x += 8) {
        const int cells = count - x < 8 ? count - x : 8, from = (x >> 1) - 1;
        vfx_motion_vector edges[2][8], result[8];
        const vfx_motion_vector *rows[2] = {near + from, far + from};
        if (from < 0 || from + 8 > f->columns)
            for (int i = 0; i < 8; i++) {
                const int at = from + i < 0 ? 0 : from + i < last ? from + i : last;
                edges[0][i] = near[at];
                edges[1][i] = far[at];
                rows[0] = edges[0];
                rows[1] = edges[1];
            }
        __m256i is_rough;
        _mm256_storeu_si256((__m256i *)result, subdivide8(f, rows[0], rows[1], &is_rough));
        __builtin_memcpy(out + x, result, (size_t)cells * sizeof *result);
        for (int i = 0; i < cells; i++) differences[x + i] = known[(x + i) >> 1];
        uint32_t left = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(is_rough)) & ((1u << cells) - 1);
        for (; left; left &= left - 1) rough[found++] = x + __builtin_ctz(left);
    }
    return found;
}
#pragma clang attribute pop
#endif
