// Eight-sample rows in 128-bit registers. Include after the target pragma.
static inline __m128i vfx_row8_128(const uint8_t *p) { return _mm_loadl_epi64((const __m128i *)p); }

/// Rows 0 and 1 at p, eight samples each.
static inline __m128i vfx_rows2_128(const uint8_t *p, ptrdiff_t stride)
{
    return _mm_unpacklo_epi64(vfx_row8_128(p), vfx_row8_128(p + stride));
}

/// a − b for eight samples, in 16 bits.
static inline __m128i vfx_difference_128(__m128i a, __m128i b)
{
    return _mm_maddubs_epi16(_mm_unpacklo_epi8(a, b), _mm_set1_epi16((short)0xff01));
}

/// Sum of the four 32-bit lanes.
static inline int32_t vfx_sum4(__m128i v)
{
    v = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(v, _mm_shuffle_epi32(v, 0xb1)));
}
