#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#define NAME(x) vfx_##x##_avx2
#define VEC __m256i
#define LANES 8
#define VECTORS 2
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define ZERO() _mm256_setzero_si256()
#define SET1_32(v) _mm256_set1_epi32(v)
#define SET1_16(v) _mm256_set1_epi16(v)
#define ACCUMULATE(acc, p, k) _mm256_add_epi32(acc, _mm256_madd_epi16(p, k))
#define ADD_32(a, b) _mm256_add_epi32(a, b)
#define SRA_32(v, n) _mm256_sra_epi32(v, n)
#define PACKS_32(a, b) _mm256_packs_epi32(a, b)
#define PACKUS_32(a, b) _mm256_packus_epi32(a, b)
#define ADD_16(a, b) _mm256_add_epi16(a, b)
#define MAX_16(a, b) _mm256_max_epi16(a, b)
#define MIN_16(a, b) _mm256_min_epi16(a, b)
#define MINU_16(a, b) _mm256_min_epu16(a, b)
#define MULHRS_16(a, b) _mm256_mulhrs_epi16(a, b)
// In each 128-bit lane, interleaves values 0…3 with 4…7.
#define INTERLEAVE_HALVES(v) _mm256_unpacklo_epi16(v, _mm256_srli_si256(v, 8))
#define SLOPES(even, odd) \
    _mm256_broadcastsi128_si256(_mm_unpacklo_epi64(_mm_set1_epi16(even), _mm_set1_epi16(odd)))
#define STORE_BYTES(p, a, b) \
    _mm256_storeu_si256((__m256i *)(p), _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xd8))
#define SUB_32(a, b) _mm256_sub_epi32(a, b)
#define SUB_16(a, b) _mm256_sub_epi16(a, b)
#define HALVE_32(v) _mm256_srai_epi32(v, 1)
#define OR(a, b) _mm256_or_si256(a, b)
#define FIRST_32(v, count) \
    _mm256_and_si256(v, _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)))
#define ANY_SIGN_16(v) (((unsigned)_mm256_movemask_epi8(v) & 0xaaaaaaaa) != 0)
#include "superres_x86.h"
#pragma clang attribute pop
#endif
