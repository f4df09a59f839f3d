// The layers, written once for any vector width. Include after defining NAME(x), VEC, LANES (32-bit values per vector),
// VECTORS and an intrinsic for each operation, as superres_sse41.c does. The sums of four outputs at VECTORS vectors of
// positions stay in registers during the loop over all sources.
#include <string.h>

#define PLACES (VECTORS * LANES)
#define EACH_SUM                \
    for (int o = 0; o < 4; o++) \
        for (int v = 0; v < VECTORS; v++)

static inline VEC broadcast_pair(const int16_t *w)
{
    int32_t both;
    memcpy(&both, w, 4);
    return SET1_32(both);
}

// Adds the products of `count` sources to the sums of four outputs.
static inline void add_products(VEC sums[4][VECTORS], const int32_t *const *src, const int16_t *w, int count, ptrdiff_t x)
{
    VEC sum[4][VECTORS], p[VECTORS];
    EACH_SUM sum[o][v] = sums[o][v];
    for (int s = 0; s < count; s++, w += 8) {
        for (int v = 0; v < VECTORS; v++) p[v] = LOAD(src[s] + x + v * LANES);
        for (int o = 0; o < 4; o++) {
            const VEC k = broadcast_pair(w + 2 * o);
            for (int v = 0; v < VECTORS; v++) sum[o][v] = ACCUMULATE(sum[o][v], p[v], k);
        }
    }
    EACH_SUM sums[o][v] = sum[o][v];
}

// Computes the sums of four outputs for one row.
static inline void row_sums(VEC sums[4][VECTORS], const int32_t *const *src, const vfx_superres_layer *layer, int block,
                            ptrdiff_t x)
{
    EACH_SUM sums[o][v] = SET1_32(layer->bias[4 * block + o]);
    add_products(sums, src, layer->weights + (ptrdiff_t)block * layer->sources * 8, layer->sources, x);
}

// Computes the sums of four outputs for two rows.
static inline void winograd_sums(VEC upper[4][VECTORS], VEC lower[4][VECTORS], const int32_t *const *src,
                                 const vfx_superres_winograd_layer *winograd, int block, ptrdiff_t x)
{
    const int n = winograd->sources;
    const int16_t *w = winograd->weights + (ptrdiff_t)block * n * 32;
    VEC even[4][VECTORS], odd[4][VECTORS];
    EACH_SUM even[o][v] = odd[o][v] = ZERO();
    add_products(even, src + n, w + 8 * n, n, x);
    add_products(odd, src + 2 * n, w + 16 * n, n, x);
    EACH_SUM {
        const VEC bias = SET1_32(winograd->layer->bias[4 * block + o]);
        upper[o][v] = ADD_32(bias, HALVE_32(ADD_32(even[o][v], odd[o][v])));
        lower[o][v] = ADD_32(bias, HALVE_32(SUB_32(even[o][v], odd[o][v])));
    }
    add_products(upper, src, w, n, x);
    add_products(lower, src + 3 * n, w + 24 * n, n, x);
}

// Activates two channels at LANES positions: rounds and saturates the sums, applies the slopes, and interleaves the
// channels.
static inline VEC activate(VEC even, VEC odd, VEC half, __m128i shift, VEC slope)
{
    const VEC f = PACKS_32(SRA_32(ADD_32(even, half), shift), SRA_32(ADD_32(odd, half), shift));
    const VEC bent = ADD_16(MAX_16(f, ZERO()), MULHRS_16(MIN_16(f, ZERO()), slope));
    return INTERLEAVE_HALVES(bent);
}

// Writes four channels. In the result, sign bits are set where one of the first `count` values does not fit into the
// input transform.
static inline VEC store_features(int32_t *const *dst, VEC sums[4][VECTORS], const vfx_superres_layer *layer, int block,
                                 ptrdiff_t x, int count)
{
    const VEC half = SET1_32(1 << (layer->shift - 1));
    const __m128i shift = _mm_cvtsi32_si128(layer->shift);
    VEC wide = ZERO();
    for (int p = 0; p < 2; p++) {
        const int16_t *slope = layer->slopes + 4 * block + 2 * p;
        const VEC bend = SLOPES(slope[0], slope[1]);
        int32_t *out = dst[2 * block + p] + x;
        for (int v = 0; v < VECTORS; v++) {
            const VEC f = activate(sums[2 * p][v], sums[2 * p + 1][v], half, shift, bend);
            STORE(out + v * LANES, f);
            wide = OR(wide, FIRST_32(ADD_16(f, SET1_16(0x4000)), count - (int)x - v * LANES));
        }
    }
    return wide;
}

int NAME(superres_features)(int32_t *const *dst, const int32_t *const *src, const vfx_superres_layer *layer, int count)
{
    VEC wide = ZERO();
    for (ptrdiff_t x = 0; x < count; x += PLACES)
        for (int block = 0; 4 * block < layer->outputs; block++) {
            VEC sums[4][VECTORS];
            row_sums(sums, src, layer, block, x);
            wide = OR(wide, store_features(dst, sums, layer, block, x, count));
        }
    return !ANY_SIGN_16(wide);
}

int NAME(superres_features_winograd)(int32_t *const *upper, int32_t *const *lower, const int32_t *const *src,
                                     const vfx_superres_winograd_layer *winograd, int count)
{
    const vfx_superres_layer *layer = winograd->layer;
    VEC wide[2] = {ZERO(), ZERO()};
    for (ptrdiff_t x = 0; x < count; x += PLACES)
        for (int block = 0; 4 * block < layer->outputs; block++) {
            VEC above[4][VECTORS], below[4][VECTORS];
            winograd_sums(above, below, src, winograd, block, x);
            wide[0] = OR(wide[0], store_features(upper, above, layer, block, x, count));
            wide[1] = OR(wide[1], store_features(lower, below, layer, block, x, count));
        }
    return !ANY_SIGN_16(wide[0]) | !ANY_SIGN_16(wide[1]) << 1;
}

void NAME(superres_input_transform)(int32_t *dst, ptrdiff_t dst_pitch, const int32_t *const *src, ptrdiff_t src_pitch,
                                    int pairs, int count)
{
    const ptrdiff_t next = pairs * dst_pitch;
    for (int p = 0; p < pairs; p++) {
        const ptrdiff_t at = p * src_pitch;
        int32_t *out = dst + p * dst_pitch;
        for (int x = 0; x < count; x += LANES, out += LANES) {
            const VEC a = LOAD(src[0] + at + x), b = LOAD(src[1] + at + x);
            const VEC c = LOAD(src[2] + at + x), d = LOAD(src[3] + at + x);
            STORE(out, SUB_16(a, c));
            STORE(out + next, ADD_16(b, c));
            STORE(out + 2 * next, SUB_16(c, b));
            STORE(out + 3 * next, SUB_16(b, d));
        }
    }
}

// Interleaves the left and right output samples of LANES positions, 16 bits each.
static inline VEC samples(VEC left, VEC right, VEC half, __m128i shift, VEC maximum)
{
    const VEC both = PACKUS_32(SRA_32(ADD_32(left, half), shift), SRA_32(ADD_32(right, half), shift));
    return INTERLEAVE_HALVES(MINU_16(both, maximum));
}

static inline void output(void *upper, void *lower, const int32_t *const *src, const vfx_superres_layer *layer, int count,
                          int depth, int wide)
{
    const int s = layer->shift + 16 - depth;
    const VEC half = SET1_32((1 << (layer->shift + 15)) + (1 << (s - 1)));
    const VEC maximum = SET1_16((short)((1 << depth) - 1));
    const __m128i shift = _mm_cvtsi32_si128(s);
    for (int x = 0; x < count; x += PLACES) {
        VEC sums[4][VECTORS];
        uint16_t rest[2 * PLACES];
        const int left = count - x < PLACES ? count - x : PLACES;
        row_sums(sums, src, layer, 0, x);
        for (int row = 0; row < 2; row++) {
            uint8_t *dst = (uint8_t *)(row ? lower : upper) + (ptrdiff_t)2 * x * (wide ? 2 : 1);
            uint8_t *to = left == PLACES ? dst : (uint8_t *)rest;
            for (int v = 0; v < VECTORS; v += 2) {
                const VEC a = samples(sums[2 * row][v], sums[2 * row + 1][v], half, shift, maximum);
                const VEC b = samples(sums[2 * row][v + 1], sums[2 * row + 1][v + 1], half, shift, maximum);
                if (wide) {
                    STORE(to + 4 * v * LANES, a);
                    STORE(to + 4 * (v + 1) * LANES, b);
                } else {
                    STORE_BYTES(to + 2 * v * LANES, a, b);
                }
            }
            if (left < PLACES) memcpy(dst, rest, (size_t)(2 * left) * (wide ? 2 : 1));
        }
    }
}

void NAME(superres_output_8)(void *upper, void *lower, const int32_t *const *src, const vfx_superres_layer *layer,
                             int count, int depth)
{
    output(upper, lower, src, layer, count, depth, 0);
}

void NAME(superres_output_16)(void *upper, void *lower, const int32_t *const *src, const vfx_superres_layer *layer,
                              int count, int depth)
{
    output(upper, lower, src, layer, count, depth, 1);
}
