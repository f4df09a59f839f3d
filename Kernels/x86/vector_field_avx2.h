// Eight vectors in a register. Include after the target pragma.

/// The components of eight vectors, one of each in a lane.
typedef struct vfx_vectors8 { __m256i x, y; } vfx_vectors8;

static inline vfx_vectors8 vfx_widen_vectors8(__m256i v)
{
    return (vfx_vectors8){_mm256_srai_epi32(_mm256_slli_epi32(v, 16), 16), _mm256_srai_epi32(v, 16)};
}

// Distances of eight pairs of vectors. Saturation makes them wrong only far above the limits that they are
// compared with.
static inline __m256i vfx_distance8(__m256i a, __m256i b)
{
    const __m256i apart = _mm256_subs_epi16(a, b);
    return _mm256_madd_epi16(_mm256_max_epi16(apart, _mm256_subs_epi16(_mm256_setzero_si256(), apart)), _mm256_set1_epi16(1));
}

// Vectors on the left and right of eight positions, interpolated in the row: pairs of 16-bit weights are 128 − f and f.
static inline vfx_vectors8 vfx_interpolate_in_row8(__m256i left, __m256i right, __m256i weights)
{
    return (vfx_vectors8){
        _mm256_madd_epi16(_mm256_blend_epi16(left, _mm256_slli_epi32(right, 16), 0xaa), weights),
        _mm256_madd_epi16(_mm256_blend_epi16(_mm256_srli_epi32(left, 16), right, 0xaa), weights),
    };
}

static inline __m256i vfx_interpolate_in_column8(__m256i above, __m256i below, __m256i f)
{
    const __m256i weighted = _mm256_add_epi32(_mm256_mullo_epi32(above, _mm256_sub_epi32(_mm256_set1_epi32(128), f)),
                                              _mm256_mullo_epi32(below, f));
    return _mm256_srai_epi32(_mm256_add_epi32(weighted, _mm256_set1_epi32(8192)), 14);
}

// vfx_sample_field at eight positions.
static inline vfx_vectors8 vfx_sample_field8(const vfx_motion_vector *field, int columns, int rows, __m256i x, __m256i y)
{
    const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi32(1), mask = _mm256_set1_epi32(127);
    const __m256i last_column = _mm256_set1_epi32(columns - 1), last_row = _mm256_set1_epi32(rows - 1);
    const __m256i px = _mm256_min_epi32(_mm256_max_epi32(x, zero), _mm256_slli_epi32(last_column, 7));
    const __m256i py = _mm256_min_epi32(_mm256_max_epi32(y, zero), _mm256_slli_epi32(last_row, 7));
    const __m256i left = _mm256_srli_epi32(px, 7), right = _mm256_min_epi32(_mm256_add_epi32(left, one), last_column);
    const __m256i row = _mm256_srli_epi32(py, 7), next = _mm256_min_epi32(_mm256_add_epi32(row, one), last_row);
    const __m256i above = _mm256_mullo_epi32(row, _mm256_set1_epi32(columns));
    const __m256i below = _mm256_mullo_epi32(next, _mm256_set1_epi32(columns));
    const int *cells = (const int *)field;
    const __m256i p00 = _mm256_i32gather_epi32(cells, _mm256_add_epi32(above, left), 4);
    const __m256i p10 = _mm256_i32gather_epi32(cells, _mm256_add_epi32(above, right), 4);
    const __m256i p01 = _mm256_i32gather_epi32(cells, _mm256_add_epi32(below, left), 4);
    const __m256i p11 = _mm256_i32gather_epi32(cells, _mm256_add_epi32(below, right), 4);
    const __m256i fx = _mm256_and_si256(px, mask), fy = _mm256_and_si256(py, mask);
    const __m256i weights = _mm256_or_si256(_mm256_sub_epi32(_mm256_set1_epi32(128), fx), _mm256_slli_epi32(fx, 16));
    const vfx_vectors8 top = vfx_interpolate_in_row8(p00, p10, weights), bottom = vfx_interpolate_in_row8(p01, p11, weights);
    return (vfx_vectors8){vfx_interpolate_in_column8(top.x, bottom.x, fy), vfx_interpolate_in_column8(top.y, bottom.y, fy)};
}
