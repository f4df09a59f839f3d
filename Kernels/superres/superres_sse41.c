#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)

#define NAME(x) vfx_##x##_sse41
#define VEC __m128i
#define LANES 4
#define VECTORS 2
#define LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define STORE(p, v) _mm_storeu_si128((__m128i *)(p), v)
#define ZERO() _mm_setzero_si128()
#define SET1_32(v) _mm_set1_epi32(v)
#define SET1_16(v) _mm_set1_epi16(v)
#define ACCUMULATE(acc, p, k) _mm_add_epi32(acc, _mm_madd_epi16(p, k))
#define ADD_32(a, b) _mm_add_epi32(a, b)
#define SRA_32(v, n) _mm_sra_epi32(v, n)
#define PACKS_32(a, b) _mm_packs_epi32(a, b)
#define PACKUS_32(a, b) _mm_packus_epi32(a, b)
#define ADD_16(a, b) _mm_add_epi16(a, b)
#define MAX_16(a, b) _mm_max_epi16(a, b)
#define MIN_16(a, b) _mm_min_epi16(a, b)
#define MINU_16(a, b) _mm_min_epu16(a, b)
#define MULHRS_16(a, b) _mm_mulhrs_epi16(a, b)
#define INTERLEAVE_HALVES(v) _mm_unpacklo_epi16(v, _mm_srli_si128(v, 8))
#define SLOPES(even, odd) _mm_unpacklo_epi64(_mm_set1_epi16(even), _mm_set1_epi16(odd))
#define STORE_BYTES(p, a, b) _mm_storeu_si128((__m128i *)(p), _mm_packus_epi16(a, b))
#define SUB_32(a, b) _mm_sub_epi32(a, b)
#define SUB_16(a, b) _mm_sub_epi16(a, b)
#define HALVE_32(v) _mm_srai_epi32(v, 1)
#define OR(a, b) _mm_or_si128(a, b)
#define FIRST_32(v, count) _mm_and_si128(v, _mm_cmpgt_epi32(_mm_set1_epi32(count), _mm_setr_epi32(0, 1, 2, 3)))
#define ANY_SIGN_16(v) ((_mm_movemask_epi8(v) & 0xaaaa) != 0)
#include "superres_x86.h"
#pragma clang attribute pop
#endif
