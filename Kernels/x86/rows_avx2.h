// Eight-sample rows in 256-bit registers. Include after the target pragma. A broadcast from memory costs only a load,
// and a blend runs on any vector port, so rows are combined without a shuffle. The empty asm keeps the compiler from
// turning broadcasts and blends back into shuffles.
static inline __m256i vfx_row8(const uint8_t *p)
{
    int64_t v;
    __builtin_memcpy(&v, p, 8);
    __m256i row = _mm256_set1_epi64x(v);
    __asm__("" : "+x"(row));
    return row;
}

static inline __m256i vfx_join4(__m256i r0, __m256i r1, __m256i r2, __m256i r3)
{
    return _mm256_blend_epi32(_mm256_blend_epi32(r0, r1, 0x0c), _mm256_blend_epi32(r2, r3, 0xc0), 0xf0);
}

/// Rows 0…3 at p, eight samples each.
static inline __m256i vfx_rows4(const uint8_t *p, ptrdiff_t stride)
{
    return vfx_join4(vfx_row8(p), vfx_row8(p + stride), vfx_row8(p + 2 * stride), vfx_row8(p + 3 * stride));
}

/// Sum of the eight 32-bit lanes.
static inline int32_t vfx_sum8(__m256i v)
{
    __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
    return _mm_cvtsi128_si32(s);
}

/// Sums of the eight 32-bit lanes of each argument.
static inline __m128i vfx_sum8_x4(__m256i a, __m256i b, __m256i c, __m256i d)
{
    __m256i s = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
    return _mm_add_epi32(_mm256_castsi256_si128(s), _mm256_extracti128_si256(s, 1));
}
