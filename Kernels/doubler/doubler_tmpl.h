// The layers for one vector width. Include after defining VEC, LANES (32-bit values per vector), V(op) and the macros
// below; four outputs at two vectors of places stay in registers while all sources pass by.
#include <string.h>

static inline VEC broadcast_pair(const int16_t *w)
{
    int32_t both;
    memcpy(&both, w, 4);
    return SET1_32(both);
}

// Sums of four outputs at VECTORS vectors of places.
static inline void sums(VEC acc[4][VECTORS], const int32_t *const *src, const vfx_doubler_layer *layer, int block,
                        ptrdiff_t x)
{
    const int16_t *w = layer->weights + (ptrdiff_t)block * layer->sources * 8;
    VEC sum[4][VECTORS], p[VECTORS];
    for (int o = 0; o < 4; o++)
        for (int v = 0; v < VECTORS; v++) sum[o][v] = SET1_32(layer->bias[4 * block + o]);
    for (int s = 0, n = layer->sources; s < n; s++, w += 8) {
        for (int v = 0; v < VECTORS; v++) p[v] = LOAD(src[s] + x + v * LANES);
        for (int o = 0; o < 4; o++) {
            const VEC k = broadcast_pair(w + 2 * o);
            for (int v = 0; v < VECTORS; v++) sum[o][v] = ACCUMULATE(sum[o][v], p[v], k);
        }
    }
    for (int o = 0; o < 4; o++)
        for (int v = 0; v < VECTORS; v++) acc[o][v] = sum[o][v];
}

// Two channels of LANES places: rounded, saturated, bent at zero, side by side.
static inline VEC activate(VEC even, VEC odd, VEC half, __m128i shift, VEC slope)
{
    const VEC f = PACKS_32(SRA_32(ADD_32(even, half), shift), SRA_32(ADD_32(odd, half), shift));
    const VEC bent = ADD_16(MAX_16(f, ZERO()), MULHRS_16(MIN_16(f, ZERO()), slope));
    return INTERLEAVE_HALVES(bent);
}

static void features(int32_t *const *dst, const int32_t *const *src, const vfx_doubler_layer *layer, int count)
{
    const VEC half = SET1_32(1 << (layer->shift - 1));
    const __m128i shift = _mm_cvtsi32_si128(layer->shift);
    for (ptrdiff_t x = 0; x < count; x += VECTORS * LANES)
        for (int block = 0; 4 * block < layer->outputs; block++) {
            VEC acc[4][VECTORS];
            sums(acc, src, layer, block, x);
            for (int p = 0; p < 2; p++) {
                const int16_t *slope = layer->slopes + 4 * block + 2 * p;
                const VEC bend = SLOPES(slope[0], slope[1]);
                int32_t *out = dst[2 * block + p] + x;
                for (int v = 0; v < VECTORS; v++)
                    STORE(out + v * LANES, activate(acc[2 * p][v], acc[2 * p + 1][v], half, shift, bend));
            }
        }
}

// Left and right samples of LANES places side by side, 16 bits.
static inline VEC samples(VEC left, VEC right, VEC half, __m128i shift, VEC maximum)
{
    const VEC both = PACKUS_32(SRA_32(ADD_32(left, half), shift), SRA_32(ADD_32(right, half), shift));
    return INTERLEAVE_HALVES(MINU_16(both, maximum));
}

#define SAMPLES (2 * VECTORS * LANES)

static inline void output(void *upper, void *lower, const int32_t *const *src, const vfx_doubler_layer *layer, int count,
                          int depth, int wide)
{
    const int s = layer->shift + 16 - depth;
    const VEC half = SET1_32((1 << (layer->shift + 15)) + (1 << (s - 1)));
    const VEC maximum = SET1_16((short)((1 << depth) - 1));
    const __m128i shift = _mm_cvtsi32_si128(s);
    for (int x = 0; x < count; x += VECTORS * LANES) {
        VEC acc[4][VECTORS];
        uint16_t rest[SAMPLES];
        const int left = 2 * (count - x) < SAMPLES ? 2 * (count - x) : SAMPLES;
        sums(acc, src, layer, 0, x);
        for (int row = 0; row < 2; row++) {
            uint8_t *dst = (uint8_t *)(row ? lower : upper) + (ptrdiff_t)2 * x * (wide ? 2 : 1);
            uint8_t *to = left == SAMPLES ? dst : (uint8_t *)rest;
            for (int v = 0; v < VECTORS; v += 2) {
                const VEC a = samples(acc[2 * row][v], acc[2 * row + 1][v], half, shift, maximum);
                const VEC b = samples(acc[2 * row][v + 1], acc[2 * row + 1][v + 1], half, shift, maximum);
                if (wide) {
                    STORE(to + 4 * v * LANES, a);
                    STORE(to + 4 * (v + 1) * LANES, b);
                } else {
                    STORE_BYTES(to + 2 * v * LANES, a, b);
                }
            }
            if (left < SAMPLES) memcpy(dst, rest, (size_t)left * (wide ? 2 : 1));
        }
    }
}

static void output_8(void *upper, void *lower, const int32_t *const *src, const vfx_doubler_layer *layer, int count,
                     int depth)
{
    output(upper, lower, src, layer, count, depth, 0);
}

static void output_16(void *upper, void *lower, const int32_t *const *src, const vfx_doubler_layer *layer, int count,
                      int depth)
{
    output(upper, lower, src, layer, count, depth, 1);
}
