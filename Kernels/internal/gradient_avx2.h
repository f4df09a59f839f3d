// Central differences of an 8×8 patch. Include after the target pragma and rows_avx2.h.

/// Two rows per register: (0, 2), (1, 3), (4, 6), (5, 7).
typedef struct vfx_gradients {
    __m256i x[4], y[4];
} vfx_gradients;

static inline vfx_gradients vfx_gradients_8x8(const uint8_t *src, ptrdiff_t stride)
{
    const __m256i minus = _mm256_set1_epi16((short)0xff01);
    vfx_gradients g;
    __m256i row[10];
    for (int i = 0; i < 10; i++) row[i] = vfx_row8(src + (i - 1) * stride);
    for (int i = 0; i < 2; i++) {
        const uint8_t *p = src + 4 * i * stride;
        __m256i left = vfx_rows4(p - 1, stride), right = vfx_rows4(p + 1, stride);
        const __m256i *r = row + 4 * i;
        __m256i above = vfx_join4(r[0], r[1], r[2], r[3]), below = vfx_join4(r[2], r[3], r[4], r[5]);
        g.x[2 * i] = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(right, left), minus);
        g.x[2 * i + 1] = _mm256_maddubs_epi16(_mm256_unpackhi_epi8(right, left), minus);
        g.y[2 * i] = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(below, above), minus);
        g.y[2 * i + 1] = _mm256_maddubs_epi16(_mm256_unpackhi_epi8(below, above), minus);
    }
    return g;
}
