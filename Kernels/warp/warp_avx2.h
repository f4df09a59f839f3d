// Code shared by the 8-bit and 16-bit AVX2 versions. Include after the target pragma.

/// Eight clamped source positions, in 1/32 sample.
typedef struct positions {
    __m256i x, y;
} positions;

typedef struct warp_row {
    __m256i x, y, scale, near, right, bottom, stride;
} warp_row;

static inline warp_row start_row(const vfx_warp_source *src, int x0, int y, int scale)
{
    warp_row r;
    const __m256i step = _mm256_setr_epi32(0, 32, 64, 96, 128, 160, 192, 224);
    r.x = _mm256_add_epi32(_mm256_set1_epi32(x0 * 32), step);
    r.y = _mm256_set1_epi32(y * 32);
    r.scale = _mm256_set1_epi32(scale);
    r.near = _mm256_set1_epi32(-src->margin * 32);
    r.right = _mm256_set1_epi32((src->width - 1 + src->margin) * 32);
    r.bottom = _mm256_set1_epi32((src->height - 1 + src->margin) * 32);
    r.stride = _mm256_set1_epi32((int)src->stride);
    return r;
}

static inline __m256i scaled(const int16_t *v, __m256i scale)
{
    __m256i wide = _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)v));
    return _mm256_srai_epi32(_mm256_add_epi32(_mm256_mullo_epi32(wide, scale), _mm256_set1_epi32(8192)), 14);
}

/// Source positions of output samples i … i + 7 of the row.
static inline positions positions_at(const warp_row *r, int i, const int16_t *vx, const int16_t *vy)
{
    positions p;
    p.x = _mm256_add_epi32(_mm256_add_epi32(r->x, _mm256_set1_epi32(32 * i)), scaled(vx, r->scale));
    p.y = _mm256_add_epi32(r->y, scaled(vy, r->scale));
    p.x = _mm256_min_epi32(_mm256_max_epi32(p.x, r->near), r->right);
    p.y = _mm256_min_epi32(_mm256_max_epi32(p.y, r->near), r->bottom);
    return p;
}

/// Offsets, in samples from sample (−1, −1), of the top left one of the 4×4 samples around each position.
static inline __m256i offsets_of(positions p, __m256i stride)
{
    return _mm256_add_epi32(_mm256_mullo_epi32(_mm256_srai_epi32(p.y, 5), stride), _mm256_srai_epi32(p.x, 5));
}

/// The four taps for each position, one byte each.
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

/// Returns how many vectors at the start of the row are equal; fewer than 16 vectors at the end are not examined.
static inline int equal_vectors(const int16_t *vx, const int16_t *vy, int count)
{
    const __m256i x = _mm256_set1_epi16(vx[0]), y = _mm256_set1_epi16(vy[0]);
    for (int i = 0; i + 16 <= count; i += 16) {
        __m256i same = _mm256_and_si256(_mm256_cmpeq_epi16(_mm256_loadu_si256((const __m256i *)(vx + i)), x),
                                        _mm256_cmpeq_epi16(_mm256_loadu_si256((const __m256i *)(vy + i)), y));
        unsigned mask = (unsigned)_mm256_movemask_epi8(same);
        if (mask != 0xffffffffu) return i + (__builtin_ctz(~mask) >> 1);
    }
    return count & ~15;
}

static inline int position_of(int at, int v, int scale) { return at * 32 + ((v * scale + 8192) >> 14); }

/// Returns the length of the run of samples, starting with the first, that have the same vector and source positions
/// inside the plane and its margin; 0 if the run is shorter than 16.
static inline int uniform_run(const vfx_warp_source *src, int x, int y, int count, const int16_t *vx, const int16_t *vy,
                              int scale)
{
    if (count < 16 || vx[0] != vx[15] || vy[0] != vy[15]) return 0;
    const int near = -src->margin * 32, px = position_of(x, *vx, scale), py = position_of(y, *vy, scale);
    if (px < near || py < near || py > (src->height - 1 + src->margin) * 32) return 0;
    const int room = (((src->width - 1 + src->margin) * 32 - px) >> 5) + 1, most = count < room ? count : room;
    return most < 16 ? 0 : equal_vectors(vx, vy, most);
}

/// Source offsets and taps of up to 64 output samples. They are computed before any sample is loaded, so that the long
/// latency from vectors to offsets does not delay the loads.
typedef struct warp_plan {
    int32_t offset[64];
    __m256i h[8], v[8]; // for eight samples each, four taps of one byte
} warp_plan;

/// Plans output samples i … i + n − 1, n a multiple of 8 up to 64.
static inline void plan_warp(warp_plan *plan, const warp_row *r, int i, int n, const int16_t *vx, const int16_t *vy)
{
    for (int j = 0; j < n; j += 8) {
        positions p = positions_at(r, i + j, vx + i + j, vy + i + j);
        _mm256_storeu_si256((__m256i *)(plan->offset + j), offsets_of(p, r->stride));
        plan->h[j / 8] = taps_of(p.x);
        plan->v[j / 8] = taps_of(p.y);
    }
}
