#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "occlusion_fill_smooth.h"

int vfx_fill_find_row_avx2(const vfx_motion_vector *vectors, const uint16_t *errors, int y, int columns, int limit_x,
                           int limit_y, int tolerance, vfx_fill_hole *holes, int32_t *distance)
{
    const __m256i lanes = _mm256_setr_epi32(64, 192, 320, 448, 576, 704, 832, 960), minus = _mm256_set1_epi32(-1);
    const __m256i unreached = _mm256_set1_epi32(VFX_FILL_UNREACHED), most = _mm256_set1_epi32(tolerance);
    const __m256i width = _mm256_set1_epi32(limit_x), height = _mm256_set1_epi32(limit_y);
    const __m256i centre_y = _mm256_set1_epi32(128 * y + 64);
    int count = 0, x = 0;
    for (; x + 8 <= columns; x += 8) {
        const __m256i v = _mm256_loadu_si256((const __m256i *)(vectors + x));
        const __m256i error = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(errors + x)));
        const __m256i centre_x = _mm256_add_epi32(_mm256_set1_epi32(128 * x), lanes);
        const __m256i end_x = _mm256_add_epi32(centre_x, _mm256_srai_epi32(_mm256_slli_epi32(v, 16), 16));
        const __m256i end_y = _mm256_add_epi32(centre_y, _mm256_srai_epi32(v, 16));
        const __m256i inside = _mm256_and_si256(
            _mm256_and_si256(_mm256_cmpgt_epi32(end_x, minus), _mm256_cmpgt_epi32(end_y, minus)),
            _mm256_and_si256(_mm256_cmpgt_epi32(width, end_x), _mm256_cmpgt_epi32(height, end_y)));
        const __m256i kept = _mm256_andnot_si256(_mm256_cmpgt_epi32(error, most), inside);
        _mm256_storeu_si256((__m256i *)(distance + x), _mm256_andnot_si256(kept, unreached));
        uint32_t left = ~(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(kept)) & 0xff;
        for (; left; left &= left - 1) {
            const int column = x + __builtin_ctz(left);
            holes[count++] = (vfx_fill_hole){y * columns + column, (y + 1) * (columns + 2) + column + 1};
        }
    }
    for (; x < columns; x++) {
        const int end_x = 128 * x + 64 + vectors[x].x, end_y = 128 * y + 64 + vectors[x].y;
        const int kept = end_x >= 0 && end_y >= 0 && end_x < limit_x && end_y < limit_y && errors[x] <= tolerance;
        distance[x] = kept ? 0 : VFX_FILL_UNREACHED;
        if (!kept) holes[count++] = (vfx_fill_hole){y * columns + x, (y + 1) * (columns + 2) + x + 1};
    }
    return count;
}

static inline __m128i load(const void *p) { return _mm_loadu_si128(p); }

// The eight neighbours in one register: of the row above, three; of the hole's row, the one before and the one behind it;
// of the row below, three. `above` and `middle` begin one cell before the hole, `below` two.
static inline __m256i around(__m128i above, __m128i middle, __m128i below)
{
    return _mm256_set_m128i(_mm_blend_epi32(below, _mm_shuffle_epi32(middle, 2), 1),
                            _mm_blend_epi32(above, _mm_shuffle_epi32(middle, 0), 8));
}

static inline __m128i bytes4(const uint8_t *p) { return _mm_cvtepu8_epi32(_mm_loadu_si32(p)); }

// factor·half / (half + v), rounded down.
static inline __m256i falling(int factor, int half, __m256i v)
{
    const __m256 sum = _mm256_cvtepi32_ps(_mm256_add_epi32(v, _mm256_set1_epi32(half)));
    return _mm256_cvttps_epi32(_mm256_div_ps(_mm256_set1_ps((float)(factor * half)), sum));
}

// The mean of a hole that has eight neighbours within the field.
static inline vfx_motion_vector mean8(const vfx_fill_field *f, vfx_fill_hole hole, int half_brightness, int half_motion)
{
    const vfx_motion_vector *p = f->vectors + hole.at;
    const uint8_t *b = f->brightness + hole.bordered;
    const int32_t *d = f->distance + hole.bordered;
    const ptrdiff_t row = f->columns, bordered = row + 2;
    const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi16(1);
    const __m256i v = around(load(p - row - 1), load(p - 1), load(p + row - 2));
    const __m256i brightness = around(bytes4(b - bordered - 1), bytes4(b - 1), bytes4(b + bordered - 2));
    const __m256i distance = around(load(d - bordered - 1), load(d - 1), load(d + bordered - 2));
    const __m256i like = falling(1024, half_brightness, _mm256_abs_epi32(_mm256_sub_epi32(brightness, _mm256_set1_epi32(*b))));
    // Saturation makes distances wrong only above the limit.
    const __m256i own = _mm256_castps_si256(_mm256_broadcast_ss((const float *)p));
    __m256i apart = _mm256_subs_epi16(v, own);
    apart = _mm256_madd_epi16(_mm256_max_epi16(apart, _mm256_subs_epi16(zero, apart)), one);
    const __m256i agreement = falling(256, half_motion, _mm256_min_epi32(apart, _mm256_set1_epi32(1023)));
    __m256i weight = _mm256_srli_epi32(_mm256_madd_epi16(like, agreement), 8);
    weight = _mm256_andnot_si256(_mm256_cmpeq_epi32(distance, _mm256_set1_epi32(VFX_FILL_UNREACHED)), weight);
    const __m256i x = _mm256_madd_epi16(v, weight), y = _mm256_madd_epi16(v, _mm256_slli_epi32(weight, 16));
    const __m256i sums = _mm256_hadd_epi32(_mm256_hadd_epi32(x, y), _mm256_hadd_epi32(weight, weight));
    // Sums of x, y, and twice the weight.
    const __m128i all = _mm_add_epi32(_mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1)),
                                      _mm_setr_epi32(p->x * 1024, p->y * 1024, 1024, 1024));
    // Exact: double precision tells quotients of 32-bit integers apart.
    const __m128i quotient = _mm_cvttpd_epi32(_mm_div_pd(_mm_cvtepi32_pd(all), _mm_cvtepi32_pd(_mm_shuffle_epi32(all, 0xee))));
    vfx_motion_vector mean;
    _mm_storeu_si32(&mean, _mm_packs_epi32(quotient, quotient));
    return mean;
}

void vfx_fill_smooth_avx2(const vfx_fill_field *f, const vfx_fill_hole *holes, int count, int half_brightness,
                          int half_motion, vfx_motion_vector *means)
{
    for (int i = 0; i < count; i++) {
        const vfx_fill_hole hole = holes[i];
        const int y = (hole.bordered - hole.at - f->columns - 3) / 2, x = hole.at - y * f->columns;
        const int has_all = x > 0 && y > 0 && x + 1 < f->columns && y + 1 < f->rows;
        means[i] = has_all ? mean8(f, hole, half_brightness, half_motion)
                           : vfx_fill_mean(f, hole, half_brightness, half_motion);
    }
}
#pragma clang attribute pop
#endif
