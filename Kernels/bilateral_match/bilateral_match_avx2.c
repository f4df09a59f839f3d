#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "../x86/rows_avx2.h"
#include "../x86/bilinear_avx2.h"
#include "../x86/vector_field_avx2.h"

// The blocks of eight cells in one plane.
typedef struct blocks8 {
    __m256i offset, fx, fy; // from the origin in samples; in 1/32 sample
    __m256i outside;        // in 1/32 sample
} blocks8;

static inline __m256i limited(__m256i v, int size, int margin)
{
    return _mm256_min_epi32(_mm256_max_epi32(v, _mm256_set1_epi32(-32 * margin)), _mm256_set1_epi32(32 * (size - 8 + margin)));
}

static inline __m256i overhang(__m256i v, int size)
{
    const __m256i zero = _mm256_setzero_si256(), after = _mm256_add_epi32(v, _mm256_set1_epi32(256 - 32 * size));
    return _mm256_add_epi32(_mm256_max_epi32(_mm256_sub_epi32(zero, v), zero), _mm256_max_epi32(after, zero));
}

static inline blocks8 blocks_at(const vfx_warp_source *plane, __m256i x, __m256i y)
{
    const __m256i mask = _mm256_set1_epi32(31);
    const __m256i px = limited(x, plane->width, plane->margin), py = limited(y, plane->height, plane->margin);
    const __m256i rows = _mm256_mullo_epi32(_mm256_srai_epi32(py, 5), _mm256_set1_epi32((int)plane->stride));
    return (blocks8){_mm256_add_epi32(rows, _mm256_srai_epi32(px, 5)), _mm256_and_si256(px, mask), _mm256_and_si256(py, mask),
                     _mm256_add_epi32(overhang(x, plane->width), overhang(y, plane->height))};
}

// The share `t` / 1024 of eight components.
static inline __m256i part(__m256i v, int t)
{
    return _mm256_srai_epi32(_mm256_add_epi32(_mm256_mullo_epi32(v, _mm256_set1_epi32(t)), _mm256_set1_epi32(512)), 10);
}

static inline void store(int32_t *p, __m256i v) { _mm256_storeu_si256((__m256i *)p, v); }

static inline int32_t sad_subpixel(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, int afx, int afy, int bfx,
                                   int bfy)
{
    __m256i p[4], q[4], sum = _mm256_setzero_si256();
    vfx_bilinear_8x8(a, as, afx, afy, p);
    vfx_bilinear_8x8(b, bs, bfx, bfy, q);
    for (int i = 0; i < 4; i++) sum = _mm256_add_epi16(sum, _mm256_abs_epi16(_mm256_sub_epi16(p[i], q[i])));
    return vfx_sum8(_mm256_madd_epi16(sum, _mm256_set1_epi16(1)));
}

// Eight differences from SADs of 64 samples.
static inline __m256i blended(const vfx_bilateral_match *m, __m256i sums, __m256i outside)
{
    const __m256i ramp = _mm256_set1_epi32(1 << m->ramp_log2), inside = _mm256_srli_epi32(sums, 6);
    const __m256i beyond = _mm256_sub_epi32(outside, _mm256_set1_epi32(m->free_overhang));
    const __m256i share = _mm256_min_epi32(_mm256_max_epi32(beyond, _mm256_setzero_si256()), ramp);
    const __m256i weighted = _mm256_add_epi32(_mm256_mullo_epi32(inside, _mm256_sub_epi32(ramp, share)),
                                              _mm256_mullo_epi32(_mm256_set1_epi32(m->outside_difference), share));
    return _mm256_srai_epi32(weighted, m->ramp_log2);
}

// Up to eight cells.
static inline __m256i match8(const vfx_bilateral_match *m, int y, __m256i x, vfx_vectors8 v, int count)
{
    const __m256i centre = _mm256_slli_epi32(_mm256_add_epi32(_mm256_slli_epi32(x, 1), _mm256_set1_epi32(1)), m->cell_log2 - 1);
    const __m256i px = _mm256_slli_epi32(_mm256_sub_epi32(centre, _mm256_set1_epi32(4)), 5);
    const __m256i py = _mm256_set1_epi32(32 * (((2 * y + 1) << (m->cell_log2 - 1)) - 4));
    const blocks8 a = blocks_at(&m->a, _mm256_sub_epi32(px, part(v.x, m->t)), _mm256_sub_epi32(py, part(v.y, m->t)));
    const int rest = 1024 - m->t;
    const blocks8 b = blocks_at(&m->b, _mm256_add_epi32(px, part(v.x, rest)), _mm256_add_epi32(py, part(v.y, rest)));
    int32_t at_a[8], at_b[8], afx[8], afy[8], bfx[8], bfy[8], sums[8];
    store(at_a, a.offset);
    store(at_b, b.offset);
    store(afx, a.fx);
    store(afy, a.fy);
    store(bfx, b.fx);
    store(bfy, b.fy);
    store(sums, _mm256_setzero_si256());
    for (int i = 0; i < count; i++) {
        const uint8_t *p = (const uint8_t *)m->a.origin + at_a[i], *q = (const uint8_t *)m->b.origin + at_b[i];
        // Cells at rest are frequent.
        if ((afx[i] | afy[i] | bfx[i] | bfy[i]) == 0)
            sums[i] = (int32_t)(16 * vfx_sad_8x8_avx2(p, m->a.stride, q, m->b.stride));
        else
            sums[i] = sad_subpixel(p, m->a.stride, q, m->b.stride, afx[i], afy[i], bfx[i], bfy[i]);
    }
    return blended(m, _mm256_loadu_si256((const __m256i *)sums), _mm256_max_epi32(a.outside, b.outside));
}

void vfx_bilateral_match_row_avx2(const vfx_bilateral_match *m, int y, const vfx_matched_cell *cells, int count,
                                  int32_t *differences)
{
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (int i = 0; i < count; i += 8) {
        const int left = count - i;
        const int32_t *p = (const int32_t *)(cells + i);
        const __m256i words = _mm256_set1_epi32(2 * left);
        const __m256i low = _mm256_maskload_epi32(p, _mm256_cmpgt_epi32(words, lanes));
        const __m256i high = left > 4 ? _mm256_maskload_epi32(p + 8, _mm256_cmpgt_epi32(_mm256_sub_epi32(words, _mm256_set1_epi32(8)), lanes)) : _mm256_setzero_si256();
        // Columns and vectors alternate.
        const __m256 even = _mm256_shuffle_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), 0x88);
        const __m256 odd = _mm256_shuffle_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), 0xdd);
        const __m256i x = _mm256_permute4x64_epi64(_mm256_castps_si256(even), 0xd8);
        const __m256i v = _mm256_permute4x64_epi64(_mm256_castps_si256(odd), 0xd8);
        const __m256i found = match8(m, y, x, vfx_widen_vectors8(v), left < 8 ? left : 8);
        _mm256_maskstore_epi32(differences + i, _mm256_cmpgt_epi32(_mm256_set1_epi32(left), lanes), found);
    }
}
#pragma clang attribute pop
#endif
