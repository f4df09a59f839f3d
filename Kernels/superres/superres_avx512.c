#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni"))), apply_to = function)

#define NAME(x) vfx_##x##_avx512
#define VEC __m512i
#define LANES 16
#define VECTORS 4
#define LOAD(p) _mm512_loadu_si512(p)
#define STORE(p, v) _mm512_storeu_si512(p, v)
#define ZERO() _mm512_setzero_si512()
#define SET1_32(v) _mm512_set1_epi32(v)
#define SET1_16(v) _mm512_set1_epi16(v)
#define ACCUMULATE(acc, p, k) _mm512_dpwssd_epi32(acc, p, k)
#define ADD_32(a, b) _mm512_add_epi32(a, b)
#define SRA_32(v, n) _mm512_sra_epi32(v, n)
#define PACKS_32(a, b) _mm512_packs_epi32(a, b)
#define PACKUS_32(a, b) _mm512_packus_epi32(a, b)
#define ADD_16(a, b) _mm512_add_epi16(a, b)
#define MAX_16(a, b) _mm512_max_epi16(a, b)
#define MIN_16(a, b) _mm512_min_epi16(a, b)
#define MINU_16(a, b) _mm512_min_epu16(a, b)
#define MULHRS_16(a, b) _mm512_mulhrs_epi16(a, b)
#define INTERLEAVE_HALVES(v) _mm512_unpacklo_epi16(v, _mm512_bsrli_epi128(v, 8))
#define SLOPES(even, odd) \
    _mm512_broadcast_i32x4(_mm_unpacklo_epi64(_mm_set1_epi16(even), _mm_set1_epi16(odd)))
#define STORE_BYTES(p, a, b)                                      \
    _mm256_storeu_si256((__m256i *)(p), _mm512_cvtepi16_epi8(a)), \
        _mm256_storeu_si256((__m256i *)(p) + 1, _mm512_cvtepi16_epi8(b))
#define SUB_32(a, b) _mm512_sub_epi32(a, b)
#define SUB_16(a, b) _mm512_sub_epi16(a, b)
#define HALVE_32(v) _mm512_srai_epi32(v, 1)
#define OR(a, b) _mm512_or_si512(a, b)
#define FIRST_32(v, count)                                \
    _mm512_maskz_mov_epi32(                               \
        _mm512_cmpgt_epi32_mask(_mm512_set1_epi32(count), \
                                _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)), v)
#define ANY_SIGN_16(v) (_mm512_movepi16_mask(v) != 0)
#include "superres_x86.h"
#pragma clang attribute pop
#endif
