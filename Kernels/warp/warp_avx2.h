// What both sample sizes of the AVX2 warp share. Include after the target pragma.

/// Eight places in the source: 1/32 pixel, clamped.
typedef struct places {
    __m256i x, y;
} places;

typedef struct warp_row {
    __m256i x, scale, left, right, y, top, bottom;
} warp_row;

static inline warp_row start_row(const vfx_warp_source *src, int x0, int y, int scale)
{
    warp_row r;
    const __m256i step = _mm256_setr_epi32(0, 32, 64, 96, 128, 160, 192, 224);
    r.x = _mm256_add_epi32(_mm256_set1_epi32(x0 * 32), step);
    r.y = _mm256_set1_epi32(y * 32);
    r.scale = _mm256_set1_epi32(scale);
    r.left = _mm256_set1_epi32(-src->margin * 32);
    r.top = r.left;
    r.right = _mm256_set1_epi32((src->width - 1 + src->margin) * 32);
    r.bottom = _mm256_set1_epi32((src->height - 1 + src->margin) * 32);
    return r;
}

static inline __m256i scaled(const int16_t *v, __m256i scale)
{
    __m256i wide = _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)v));
    return _mm256_srai_epi32(_mm256_add_epi32(_mm256_mullo_epi32(wide, scale), _mm256_set1_epi32(8192)), 14);
}

/// Places of pixels i … i + 7 of the row.
static inline places places_at(const warp_row *r, int i, const int16_t *vx, const int16_t *vy)
{
    places p;
    p.x = _mm256_add_epi32(_mm256_add_epi32(r->x, _mm256_set1_epi32(32 * i)), scaled(vx, r->scale));
    p.y = _mm256_add_epi32(r->y, scaled(vy, r->scale));
    p.x = _mm256_min_epi32(_mm256_max_epi32(p.x, r->left), r->right);
    p.y = _mm256_min_epi32(_mm256_max_epi32(p.y, r->top), r->bottom);
    return p;
}

/// Whether the eight places lie side by side with the same fraction.
static inline int in_step(places p)
{
    const __m256i step = _mm256_setr_epi32(0, 32, 64, 96, 128, 160, 192, 224), first = _mm256_setzero_si256();
    __m256i x = _mm256_sub_epi32(p.x, step);
    __m256i same = _mm256_and_si256(_mm256_cmpeq_epi32(x, _mm256_permutevar8x32_epi32(x, first)),
                                    _mm256_cmpeq_epi32(p.y, _mm256_permutevar8x32_epi32(p.y, first)));
    return _mm256_movemask_epi8(same) == -1;
}

/// Offsets in samples of the top left of the 4×4 samples around each place.
static inline void store_offsets(ptrdiff_t offset[8], places p, ptrdiff_t stride)
{
    // 32 × 32 → 64 bits: a plane may span more than 2^31 samples.
    __m256i x = _mm256_srai_epi32(p.x, 5), y = _mm256_srai_epi32(p.y, 5), s = _mm256_set1_epi64x(stride);
    __m256i even = _mm256_mul_epi32(y, s), odd = _mm256_mul_epi32(_mm256_srli_epi64(y, 32), s);
    __m256i xe = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(x)), xo = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(x, 1));
    __m256i lo = _mm256_unpacklo_epi64(even, odd), hi = _mm256_unpackhi_epi64(even, odd);
    _mm256_storeu_si256((__m256i *)offset, _mm256_add_epi64(_mm256_permute2x128_si256(lo, hi, 0x20), xe));
    _mm256_storeu_si256((__m256i *)(offset + 4), _mm256_add_epi64(_mm256_permute2x128_si256(lo, hi, 0x31), xo));
}

/// The four taps of each place, one byte each.
static inline __m256i taps_of(__m256i place)
{
    const __m256i *table = (const __m256i *)vfx_cubic_taps;
    __m256i low = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(table), place);
    __m256i second = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(table + 1), place);
    __m256i third = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(table + 2), place);
    __m256i high = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(table + 3), place);
    __m256 eight = _mm256_castsi256_ps(_mm256_slli_epi32(place, 28));
    __m256 sixteen = _mm256_castsi256_ps(_mm256_slli_epi32(place, 27));
    __m256 lower = _mm256_blendv_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(second), eight);
    __m256 upper = _mm256_blendv_ps(_mm256_castsi256_ps(third), _mm256_castsi256_ps(high), eight);
    return _mm256_castps_si256(_mm256_blendv_ps(lower, upper, sixteen));
}
