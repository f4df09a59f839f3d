// The layers for one vector width. Include after defining VEC, LANES (32-bit values per vector), V(op) and the macros
// below; four outputs at two vectors of places stay in registers while all sources pass by.
#include <string.h>

static inline VEC broadcast_pair(const int16_t *w)
{
    int32_t both;
    memcpy(&both, w, 4);
    return SET1_32(both);
}

static inline void sums(VEC acc[4][2], const int32_t *const *src, const vfx_doubler_layer *layer, int block, ptrdiff_t x)
{
    const int16_t *w = layer->weights + (ptrdiff_t)block * layer->sources * 8;
    VEC a0 = SET1_32(layer->bias[4 * block]), b0 = SET1_32(layer->bias[4 * block + 1]);
    VEC c0 = SET1_32(layer->bias[4 * block + 2]), d0 = SET1_32(layer->bias[4 * block + 3]);
    VEC a1 = a0, b1 = b0, c1 = c0, d1 = d0;
    for (int s = 0, n = layer->sources; s < n; s++, w += 8) {
        const VEC p = LOAD(src[s] + x), q = LOAD(src[s] + x + LANES);
        VEC k = broadcast_pair(w);
        a0 = ACCUMULATE(a0, p, k);
        a1 = ACCUMULATE(a1, q, k);
        k = broadcast_pair(w + 2);
        b0 = ACCUMULATE(b0, p, k);
        b1 = ACCUMULATE(b1, q, k);
        k = broadcast_pair(w + 4);
        c0 = ACCUMULATE(c0, p, k);
        c1 = ACCUMULATE(c1, q, k);
        k = broadcast_pair(w + 6);
        d0 = ACCUMULATE(d0, p, k);
        d1 = ACCUMULATE(d1, q, k);
    }
    acc[0][0] = a0, acc[1][0] = b0, acc[2][0] = c0, acc[3][0] = d0;
    acc[0][1] = a1, acc[1][1] = b1, acc[2][1] = c1, acc[3][1] = d1;
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
    for (ptrdiff_t x = 0; x < count; x += 2 * LANES)
        for (int block = 0; 4 * block < layer->outputs; block++) {
            VEC acc[4][2];
            sums(acc, src, layer, block, x);
            for (int p = 0; p < 2; p++) {
                const int16_t *slope = layer->slopes + 4 * block + 2 * p;
                const VEC bend = SLOPES(slope[0], slope[1]);
                int32_t *out = dst[2 * block + p] + x;
                STORE(out, activate(acc[2 * p][0], acc[2 * p + 1][0], half, shift, bend));
                STORE(out + LANES, activate(acc[2 * p][1], acc[2 * p + 1][1], half, shift, bend));
            }
        }
}

// Left and right samples of LANES places side by side, 16 bits.
static inline VEC samples(VEC left, VEC right, VEC half, __m128i shift, VEC maximum)
{
    const VEC both = PACKUS_32(SRA_32(ADD_32(left, half), shift), SRA_32(ADD_32(right, half), shift));
    return INTERLEAVE_HALVES(MINU_16(both, maximum));
}

static inline void output(void *upper, void *lower, const int32_t *const *src, const vfx_doubler_layer *layer, int count,
                          int depth, int wide)
{
    const int s = layer->shift + 16 - depth;
    const VEC half = SET1_32((1 << (layer->shift + 15)) + (1 << (s - 1)));
    const VEC maximum = SET1_16((short)((1 << depth) - 1));
    const __m128i shift = _mm_cvtsi32_si128(s);
    for (int x = 0; x < count; x += 2 * LANES) {
        VEC acc[4][2];
        uint16_t rest[4 * LANES];
        const int left = 2 * (count - x) < 4 * LANES ? 2 * (count - x) : 4 * LANES;
        sums(acc, src, layer, 0, x);
        for (int row = 0; row < 2; row++) {
            const VEC a = samples(acc[2 * row][0], acc[2 * row + 1][0], half, shift, maximum);
            const VEC b = samples(acc[2 * row][1], acc[2 * row + 1][1], half, shift, maximum);
            uint8_t *dst = (uint8_t *)(row ? lower : upper) + (ptrdiff_t)2 * x * (wide ? 2 : 1);
            void *to = left == 4 * LANES ? (void *)dst : rest;
            if (wide) {
                STORE(to, a);
                STORE((uint16_t *)to + 2 * LANES, b);
            } else {
                STORE_BYTES(to, a, b);
            }
            if (to == rest) memcpy(dst, rest, (size_t)left * (wide ? 2 : 1));
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
