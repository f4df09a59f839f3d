#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "../x86/rows_avx2.h"
#include "../x86/vector_field_avx2.h"
#pragma STDC FP_CONTRACT OFF

// Eight judged cells; the last two are masks.
typedef struct judged { __m256i weight, share, trust, one_side, unexplained; } judged;

static inline __m256i is_seen(const vfx_visibility *s, __m256i x, __m256i y)
{
    const __m256i least = _mm256_set1_epi32(-65);
    const __m256i most_x = _mm256_set1_epi32(128 * s->columns - 63), most_y = _mm256_set1_epi32(128 * s->rows - 63);
    return _mm256_and_si256(_mm256_and_si256(_mm256_cmpgt_epi32(x, least), _mm256_cmpgt_epi32(y, least)),
                            _mm256_and_si256(_mm256_cmpgt_epi32(most_x, x), _mm256_cmpgt_epi32(most_y, y)));
}

static inline __m256 trust(const vfx_visibility *s, __m256i seen, __m256i ex, __m256i ey, __m256 matched)
{
    const __m256 one = _mm256_set1_ps(1), x = _mm256_cvtepi32_ps(ex), y = _mm256_cvtepi32_ps(ey);
    const __m256 square = _mm256_add_ps(_mm256_mul_ps(x, x), _mm256_mul_ps(y, y));
    const __m256 q = _mm256_add_ps(one, _mm256_mul_ps(square, _mm256_set1_ps(1 / s->agreement)));
    const __m256 trusted = _mm256_add_ps(_mm256_div_ps(one, _mm256_mul_ps(q, q)), matched);
    return _mm256_blendv_ps(_mm256_set1_ps(s->unseen_trust), trusted, _mm256_castsi256_ps(seen));
}

// 256·part / (part + rest), rounded.
static inline __m256i share_of(__m256 part, __m256 rest)
{
    const __m256 share = _mm256_div_ps(_mm256_mul_ps(_mm256_set1_ps(256), part), _mm256_add_ps(rest, part));
    return _mm256_cvttps_epi32(_mm256_add_ps(share, _mm256_set1_ps(0.5f)));
}

static inline judged judge8(const vfx_visibility *s, int x, int y, vfx_vectors8 vectors, __m256i difference)
{
    const __m256i lanes = _mm256_setr_epi32(0, 64, 128, 192, 256, 320, 384, 448), t = _mm256_set1_epi32(s->t);
    const __m256i vx = _mm256_srai_epi32(vectors.x, s->vector_shift), vy = _mm256_srai_epi32(vectors.y, s->vector_shift);
    const __m256i cx = _mm256_add_epi32(_mm256_set1_epi32(64 * x - 32), lanes), cy = _mm256_set1_epi32(64 * y - 32);
    const __m256i ax = _mm256_sub_epi32(cx, _mm256_srai_epi32(_mm256_mullo_epi32(vx, t), 10));
    const __m256i ay = _mm256_sub_epi32(cy, _mm256_srai_epi32(_mm256_mullo_epi32(vy, t), 10));
    const __m256i bx = _mm256_add_epi32(ax, vx), by = _mm256_add_epi32(ay, vy);
    const vfx_vectors8 a = vfx_sample_field8(s->forward, s->columns, s->rows, ax, ay);
    const vfx_vectors8 b = vfx_sample_field8(s->backward, s->columns, s->rows, bx, by);

    const __m256 one = _mm256_set1_ps(1), least = _mm256_set1_ps(s->least_trust), f = _mm256_cvtepi32_ps(difference);
    const __m256 d = _mm256_mul_ps(_mm256_mul_ps(f, f), _mm256_set1_ps(1 / s->half_difference));
    const __m256i seen_a = is_seen(s, ax, ay), seen_b = is_seen(s, bx, by), seen = _mm256_and_si256(seen_a, seen_b);
    const __m256 match = _mm256_div_ps(_mm256_set1_ps(s->matched_trust), _mm256_add_ps(one, _mm256_mul_ps(d, d)));
    const __m256 matched = _mm256_blendv_ps(least, _mm256_add_ps(least, match), _mm256_castsi256_ps(seen));
    const __m256 trust_a = trust(s, seen_a, _mm256_sub_epi32(a.x, vx), _mm256_sub_epi32(a.y, vy), matched);
    const __m256 trust_b = trust(s, seen_b, _mm256_add_epi32(b.x, vx), _mm256_add_epi32(b.y, vy), matched);

    const float phase = (float)s->t / 1024;
    const __m256 w0 = _mm256_mul_ps(trust_a, _mm256_set1_ps(1 - phase)), w1 = _mm256_mul_ps(trust_b, _mm256_set1_ps(phase));
    const __m256 most = _mm256_max_ps(trust_a, trust_b);
    const __m256 scaled = _mm256_min_ps(_mm256_mul_ps(_mm256_set1_ps(s->trust_scale), most), _mm256_set1_ps(255));
    const __m256i weight = share_of(w1, w0);
    const __m256i one_side = _mm256_or_si256(_mm256_cmpgt_epi32(_mm256_set1_epi32(s->first_only), weight),
                                             _mm256_cmpgt_epi32(weight, _mm256_set1_epi32(s->second_only)));
    const __m256i differs = _mm256_cmpgt_epi32(difference, _mm256_set1_epi32(s->unexplained_difference));
    const __m256i doubtful = _mm256_castps_si256(_mm256_cmp_ps(most, _mm256_set1_ps(s->unexplained_trust), _CMP_LT_OQ));
    const __m256i unmatched = _mm256_or_si256(differs, _mm256_xor_si256(seen, _mm256_set1_epi32(-1)));
    return (judged){weight, share_of(trust_b, trust_a), _mm256_cvttps_epi32(scaled), one_side,
                    _mm256_and_si256(unmatched, doubtful)};
}

// Eight lanes as 16-bit values.
static inline __m128i narrowed(__m256i v)
{
    return _mm_packs_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
}

vfx_visibility_counts vfx_visibility_row_avx2(const vfx_visibility *s, int y, const vfx_motion_vector *vectors,
                                              const int32_t *differences, int count, const vfx_visibility_row *row)
{
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    int16_t *const outputs[5] = {row->vx, row->vy, row->weight, row->share, row->trust};
    __m256i one_side = _mm256_setzero_si256(), unexplained = one_side;
    for (int x = 0; x < count; x += 8) {
        const int left = count - x;
        const __m256i valid = _mm256_cmpgt_epi32(_mm256_set1_epi32(left), lanes);
        const vfx_vectors8 v = vfx_widen_vectors8(_mm256_maskload_epi32((const int *)(vectors + x), valid));
        const judged cells = judge8(s, x, y, v, _mm256_maskload_epi32(differences + x, valid));
        one_side = _mm256_sub_epi32(one_side, _mm256_and_si256(cells.one_side, valid));
        unexplained = _mm256_sub_epi32(unexplained, _mm256_and_si256(cells.unexplained, valid));
        const __m128i values[5] = {narrowed(v.x), narrowed(v.y), narrowed(cells.weight), narrowed(cells.share),
                                   narrowed(cells.trust)};
        for (int i = 0; i < 5; i++)
            if (left >= 8)
                _mm_storeu_si128((__m128i *)(outputs[i] + x), values[i]);
            else
                __builtin_memcpy(outputs[i] + x, values + i, (size_t)left * sizeof(int16_t));
    }
    return (vfx_visibility_counts){vfx_sum8(one_side), vfx_sum8(unexplained)};
}
#pragma clang attribute pop
#endif
