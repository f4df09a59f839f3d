// Include after the target pragma and rows_sse41.h.

// One row, horizontally interpolated, with 5 more bits.
static inline __m128i vfx_bilinear_row_128(const uint8_t *p, __m128i wx)
{
    return _mm_maddubs_epi16(_mm_unpacklo_epi8(vfx_row8_128(p), vfx_row8_128(p + 1)), wx);
}

// Bilinear samples in 1/16 grey level between two rows from vfx_bilinear_row_128; bilinear_avx2.h explains why 16 bits
// are enough.
static inline __m128i vfx_bilinear_rows_128(__m128i h, __m128i next, __m128i wy)
{
    __m128i d = _mm_sub_epi16(next, h), t = _mm_mulhi_epi16(_mm_add_epi16(d, d), wy);
    return _mm_avg_epu16(_mm_add_epi16(h, t), _mm_setzero_si128());
}

static inline __m128i vfx_bilinear_x_128(int fx) { return _mm_set1_epi16((short)(fx << 8 | (32 - fx))); }
static inline __m128i vfx_bilinear_y_128(int fy) { return _mm_set1_epi16((short)(fy << 10)); }
