// Include after the target pragma and rows_avx2.h.

// Bilinear samples in 1/16 grey level, two rows per register: (0, 2), (1, 3), (4, 6), (5, 7).
//
// With h a horizontally interpolated row (5 more bits) and d its difference from the next row, the sample is
// (32·h + d·fy + 32) >> 6 = (h + 1 + ⌊d·fy / 32⌋) >> 1, which fits into 16 bits: (2d·(fy << 10)) >> 16 is ⌊d·fy / 32⌋.
static inline void vfx_bilinear_8x8(const uint8_t *p, ptrdiff_t stride, int fx, int fy, __m256i out[4])
{
    const __m256i wx = _mm256_set1_epi16((short)(fx << 8 | (32 - fx))), wy = _mm256_set1_epi16((short)(fy << 10));
    __m256i h[4], next[4];
    for (int i = 0; i < 2; i++) {
        const uint8_t *q = p + 4 * i * stride;
        __m256i b0 = vfx_rows4(q, stride), b1 = vfx_rows4(q + 1, stride);
        h[2 * i] = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(b0, b1), wx);
        h[2 * i + 1] = _mm256_maddubs_epi16(_mm256_unpackhi_epi8(b0, b1), wx);
    }
    p += 8 * stride;
    __m256i last = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(vfx_row8(p), vfx_row8(p + 1)), wx);
    next[0] = h[1];
    next[1] = _mm256_permute2x128_si256(h[0], h[2], 0x21);
    next[2] = h[3];
    next[3] = _mm256_permute2x128_si256(h[2], last, 0x21);
    for (int i = 0; i < 4; i++) {
        __m256i d = _mm256_sub_epi16(next[i], h[i]);
        __m256i t = _mm256_mulhi_epi16(_mm256_add_epi16(d, d), wy);
        out[i] = _mm256_avg_epu16(_mm256_add_epi16(h[i], t), _mm256_setzero_si256());
    }
}
