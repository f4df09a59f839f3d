#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "splat_cells.h"

// The four cells of a vector are the lanes of a register: upper left and right, lower left and right.

// Whether all four cells are in the rows and columns.
static inline int is_inside(const vfx_splat *s, landing l)
{
    return (unsigned)l.x < (unsigned)(s->columns - 1) && l.y >= s->first_row && l.y + 1 < s->last_row;
}

static inline int is_outside(const vfx_splat *s, landing l)
{
    return l.x < -1 || l.x >= s->columns || l.y + 1 < s->first_row || l.y >= s->last_row;
}

static inline __m128i coverage_of(landing l)
{
    const __m128i right = _mm_setr_epi32(0, -1, 0, -1), below = _mm_setr_epi32(0, 0, -1, -1), whole = _mm_set1_epi32(128);
    const __m128i fx = _mm_set1_epi32(l.fx), fy = _mm_set1_epi32(l.fy);
    return _mm_madd_epi16(_mm_blendv_epi8(_mm_sub_epi32(whole, fx), fx, right),
                          _mm_blendv_epi8(_mm_sub_epi32(whole, fy), fy, below));
}

static inline __m128i load_cells(const void *upper, const void *lower)
{
    return _mm_unpacklo_epi64(_mm_loadl_epi64(upper), _mm_loadl_epi64(lower));
}

static inline __m128i in_all_lanes(vfx_motion_vector v)
{
    return _mm_set1_epi32((int)((uint32_t)(uint16_t)v.y << 16 | (uint16_t)v.x));
}

static inline void add(vfx_splat_sum *sum, __m128i weight, __m128i terms)
{
    const __m128i before = _mm_loadu_si128((const __m128i *)sum);
    _mm_storeu_si128((__m128i *)sum, _mm_add_epi32(before, _mm_madd_epi16(weight, terms)));
}

void vfx_splat_mean_row_avx2(const vfx_splat *s, int y)
{
    const __m128i agreement = _mm_set1_epi32(s->agreement), none = _mm_set1_epi32(-1), zero = _mm_setzero_si128();
    for (int x = 0, from = y * s->columns; x < s->columns; x++, from++) {
        const landing l = landing_of(s, s->vectors[from], x, y);
        if (is_outside(s, l)) continue;
        const vfx_motion_vector v = arriving(s, s->vectors[from]);
        if (!is_inside(s, l)) {
            add_to_cells(s, l, v, divisor(s, from));
            continue;
        }
        const int at = l.y * s->columns + l.x;
        const __m128i owner = load_cells(s->owner + at, s->owner + at + s->columns);
        // Saturation makes distances wrong only far above the limit.
        __m128i apart = _mm_subs_epi16(owner, in_all_lanes(v));
        apart = _mm_madd_epi16(_mm_max_epi16(apart, _mm_subs_epi16(zero, apart)), _mm_set1_epi16(1));
        const __m128i rank = load_cells(s->rank + at, s->rank + at + s->columns);
        const __m128i apart_or_unowned = _mm_or_si128(_mm_cmpgt_epi32(apart, agreement), _mm_cmpeq_epi32(rank, none));
        // Exact: a quotient that is not whole is further from a whole number than single precision rounds.
        __m128i weight = _mm_cvttps_epi32(_mm_div_ps(_mm_cvtepi32_ps(coverage_of(l)), _mm_set1_ps((float)divisor(s, from))));
        weight = _mm_andnot_si128(apart_or_unowned, weight);
        const __m128i terms = _mm_setr_epi32(1, (uint16_t)v.x, (uint16_t)v.y, 0);
        vfx_splat_sum *upper = s->sums + at, *lower = upper + s->columns;
        add(upper, _mm_shuffle_epi32(weight, 0x00), terms);
        add(upper + 1, _mm_shuffle_epi32(weight, 0x55), terms);
        add(lower, _mm_shuffle_epi32(weight, 0xaa), terms);
        add(lower + 1, _mm_shuffle_epi32(weight, 0xff), terms);
    }
}
#pragma clang attribute pop
#endif
