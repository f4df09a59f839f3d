#include "../arm/arm.h"
#if defined(__aarch64__)
#include <arm_neon.h>
#include <string.h>

// The sums of four outputs at 16 positions stay in 16 registers during the loop over all sources. A load that separates
// the two values of the pairs lets the multiplications take their weight from a lane.
enum { OUTPUTS = 4, VECTORS = 4, PLACES = 4 * VECTORS };

typedef struct sums4 { int32x4_t of[OUTPUTS][VECTORS]; } sums4;

#define EACH_SUM                      \
    for (int o = 0; o < OUTPUTS; o++) \
        for (int v = 0; v < VECTORS; v++)

// Adds the products of one of the two values at 16 positions with its weight for output `o`.
#define ADD(o, values, lane)                                                                    \
    do {                                                                                        \
        sums.of[o][0] = vmlal_laneq_s16(sums.of[o][0], vget_low_s16(a.values), weights, lane);  \
        sums.of[o][1] = vmlal_high_laneq_s16(sums.of[o][1], a.values, weights, lane);           \
        sums.of[o][2] = vmlal_laneq_s16(sums.of[o][2], vget_low_s16(b.values), weights, lane);  \
        sums.of[o][3] = vmlal_high_laneq_s16(sums.of[o][3], b.values, weights, lane);           \
    } while (0)

static inline sums4 add_products(sums4 sums, const int32_t *const *src, const int16_t *w, int count, ptrdiff_t x)
{
    for (int s = 0; s < count; s++, w += 8) {
        const int16_t *pairs = (const int16_t *)(src[s] + x);
        const int16x8x2_t a = vld2q_s16(pairs), b = vld2q_s16(pairs + 16);
        const int16x8_t weights = vld1q_s16(w);
        ADD(0, val[0], 0);
        ADD(1, val[0], 2);
        ADD(2, val[0], 4);
        ADD(3, val[0], 6);
        ADD(0, val[1], 1);
        ADD(1, val[1], 3);
        ADD(2, val[1], 5);
        ADD(3, val[1], 7);
    }
    return sums;
}

// Computes the sums of four outputs for one row, plus `extra`.
static inline sums4 row_sums(const int32_t *const *src, const vfx_superres_layer *layer, int block, ptrdiff_t x,
                             int32_t extra)
{
    sums4 sums;
    EACH_SUM sums.of[o][v] = vdupq_n_s32(layer->bias[OUTPUTS * block + o] + extra);
    return add_products(sums, src, layer->weights + (ptrdiff_t)block * layer->sources * 8, layer->sources, x);
}

// Computes the sums of four outputs for two rows.
static inline void winograd_sums(sums4 *upper, sums4 *lower, const int32_t *const *src,
                                 const vfx_superres_winograd_layer *winograd, int block, ptrdiff_t x)
{
    const int n = winograd->sources;
    const int16_t *w = winograd->weights + (ptrdiff_t)block * n * 32;
    sums4 zero;
    EACH_SUM zero.of[o][v] = vdupq_n_s32(0);
    const sums4 even = add_products(zero, src + n, w + 8 * n, n, x);
    const sums4 odd = add_products(zero, src + 2 * n, w + 16 * n, n, x);
    sums4 sums[2];
    EACH_SUM {
        const int32x4_t bias = vdupq_n_s32(winograd->layer->bias[OUTPUTS * block + o]);
        sums[0].of[o][v] = vsraq_n_s32(bias, vaddq_s32(even.of[o][v], odd.of[o][v]), 1);
        sums[1].of[o][v] = vsraq_n_s32(bias, vsubq_s32(even.of[o][v], odd.of[o][v]), 1);
    }
    *upper = add_products(sums[0], src, w, n, x);
    *lower = add_products(sums[1], src + 3 * n, w + 24 * n, n, x);
}

// The largest and smallest features at each of 16 positions.
typedef struct limits { int16x8_t most[2], least[2]; } limits;

static inline limits no_limits(void)
{
    const int16x8_t zero = vdupq_n_s16(0);
    return (limits){{zero, zero}, {zero, zero}};
}

// Whether the features of the first `count` positions fit into the input transform.
static inline int fit(const limits *l, ptrdiff_t count)
{
    static const int16_t places[PLACES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const int16x8_t left = vdupq_n_s16((int16_t)(count < PLACES ? count : PLACES));
    int16x8_t wide = vdupq_n_s16(0);
    for (int v = 0; v < 2; v++) {
        // The highest two bits of a number that fits are equal.
        const int16x8_t most = veorq_s16(l->most[v], vshlq_n_s16(l->most[v], 1));
        const int16x8_t least = veorq_s16(l->least[v], vshlq_n_s16(l->least[v], 1));
        const uint16x8_t counts = vcltq_s16(vld1q_s16(places + 8 * v), left);
        wide = vorrq_s16(wide, vandq_s16(vorrq_s16(most, least), vreinterpretq_s16_u16(counts)));
    }
    return vminvq_s16(wide) >= 0;
}

// Rounds the sums of an output at eight positions to features and applies the slope. The doubled product has no room
// for −32768·−32768, but slopes are above −32768.
static inline int16x8_t activate(const int32x4_t *sums, int32x4_t shift, int16_t slope)
{
    const int16x4_t low = vqmovn_s32(vrshlq_s32(sums[0], shift));
    const int16x8_t f = vqmovn_high_s32(low, vrshlq_s32(sums[1], shift)), zero = vdupq_n_s16(0);
    return vaddq_s16(vmaxq_s16(f, zero), vqrdmulhq_n_s16(vminq_s16(f, zero), slope));
}

// Writes four channels.
static inline void store_features(int32_t *const *dst, const sums4 *sums, const vfx_superres_layer *layer, int block,
                                  ptrdiff_t x, limits *seen)
{
    const int32x4_t shift = vdupq_n_s32(-layer->shift);
    const int16_t *slopes = layer->slopes + OUTPUTS * block;
    for (int p = 0; p < 2; p++) {
        int16_t *out = (int16_t *)(dst[2 * block + p] + x);
        for (int v = 0; v < 2; v++) {
            const int16x8x2_t f = {{activate(sums->of[2 * p] + 2 * v, shift, slopes[2 * p]),
                                    activate(sums->of[2 * p + 1] + 2 * v, shift, slopes[2 * p + 1])}};
            vst2q_s16(out + 16 * v, f);
            seen->most[v] = vmaxq_s16(seen->most[v], vmaxq_s16(f.val[0], f.val[1]));
            seen->least[v] = vminq_s16(seen->least[v], vminq_s16(f.val[0], f.val[1]));
        }
    }
}

int vfx_superres_features_neon(int32_t *const *dst, const int32_t *const *src, const vfx_superres_layer *layer,
                               int count)
{
    int fits = 1;
    for (ptrdiff_t x = 0; x < count; x += PLACES) {
        limits seen = no_limits();
        for (int block = 0; OUTPUTS * block < layer->outputs; block++) {
            const sums4 sums = row_sums(src, layer, block, x, 0);
            store_features(dst, &sums, layer, block, x, &seen);
        }
        fits &= fit(&seen, count - x);
    }
    return fits;
}

int vfx_superres_features_winograd_neon(int32_t *const *upper, int32_t *const *lower, const int32_t *const *src,
                                        const vfx_superres_winograd_layer *winograd, int count)
{
    const vfx_superres_layer *layer = winograd->layer;
    int fits = 3;
    for (ptrdiff_t x = 0; x < count; x += PLACES) {
        limits seen[2] = {no_limits(), no_limits()};
        for (int block = 0; OUTPUTS * block < layer->outputs; block++) {
            sums4 above, below;
            winograd_sums(&above, &below, src, winograd, block, x);
            store_features(upper, &above, layer, block, x, &seen[0]);
            store_features(lower, &below, layer, block, x, &seen[1]);
        }
        fits &= fit(&seen[0], count - x) | fit(&seen[1], count - x) << 1;
    }
    return fits;
}

static inline int16x8x4_t sums_of(int16x8x4_t a, int16x8x4_t b)
{
    for (int v = 0; v < 4; v++) a.val[v] = vaddq_s16(a.val[v], b.val[v]);
    return a;
}

static inline int16x8x4_t differences_of(int16x8x4_t a, int16x8x4_t b)
{
    for (int v = 0; v < 4; v++) a.val[v] = vsubq_s16(a.val[v], b.val[v]);
    return a;
}

void vfx_superres_input_transform_neon(int32_t *dst, ptrdiff_t dst_pitch, const int32_t *const *src,
                                       ptrdiff_t src_pitch, int pairs, int count)
{
    const ptrdiff_t next = 2 * pairs * dst_pitch;
    for (int p = 0; p < pairs; p++) {
        const int16_t *s[4];
        for (int k = 0; k < 4; k++) s[k] = (const int16_t *)(src[k] + p * src_pitch);
        int16_t *out = (int16_t *)(dst + p * dst_pitch);
        for (ptrdiff_t i = 0; i < 2 * count; i += 32) {
            const int16x8x4_t a = vld1q_s16_x4(s[0] + i), b = vld1q_s16_x4(s[1] + i);
            const int16x8x4_t c = vld1q_s16_x4(s[2] + i), d = vld1q_s16_x4(s[3] + i);
            vst1q_s16_x4(out + i, differences_of(a, c));
            vst1q_s16_x4(out + next + i, sums_of(b, c));
            vst1q_s16_x4(out + 2 * next + i, differences_of(c, b));
            vst1q_s16_x4(out + 3 * next + i, differences_of(b, d));
        }
    }
}

// Samples of an output at eight positions, limited to 0…65535.
static inline uint16x8_t samples(const int32x4_t *sums, int32x4_t shift)
{
    return vqmovun_high_s32(vqmovun_s32(vrshlq_s32(sums[0], shift)), vrshlq_s32(sums[1], shift));
}

static inline void store_8(void *dst, const int32x4_t *left, const int32x4_t *right, int32x4_t shift)
{
    const uint8x16x2_t both = {{
        vqmovn_high_u16(vqmovn_u16(samples(left, shift)), samples(left + 2, shift)),
        vqmovn_high_u16(vqmovn_u16(samples(right, shift)), samples(right + 2, shift)),
    }};
    vst2q_u8(dst, both);
}

static inline void store_16(void *dst, const int32x4_t *left, const int32x4_t *right, int32x4_t shift,
                            uint16x8_t maximum)
{
    for (int v = 0; v < 2; v++) {
        const uint16x8x2_t both = {{vminq_u16(samples(left + 2 * v, shift), maximum),
                                    vminq_u16(samples(right + 2 * v, shift), maximum)}};
        vst2q_u16((uint16_t *)dst + 16 * v, both);
    }
}

static inline void output(void *upper, void *lower, const int32_t *const *src, const vfx_superres_layer *layer,
                          int count, int depth, size_t bytes)
{
    const int32x4_t shift = vdupq_n_s32(-(layer->shift + 16 - depth));
    const uint16x8_t maximum = vdupq_n_u16((uint16_t)((1 << depth) - 1));
    for (int x = 0; x < count; x += PLACES) {
        uint16_t rest[2 * PLACES];
        const int left = count - x < PLACES ? count - x : PLACES;
        const sums4 sums = row_sums(src, layer, 0, x, 1 << (layer->shift + 15));
        for (int row = 0; row < 2; row++) {
            uint8_t *dst = (uint8_t *)(row ? lower : upper) + (size_t)(2 * x) * bytes;
            void *to = left == PLACES ? dst : (uint8_t *)rest;
            if (bytes == 1) store_8(to, sums.of[2 * row], sums.of[2 * row + 1], shift);
            else store_16(to, sums.of[2 * row], sums.of[2 * row + 1], shift, maximum);
            if (left < PLACES) memcpy(dst, rest, (size_t)(2 * left) * bytes);
        }
    }
}

void vfx_superres_output_8_neon(void *upper, void *lower, const int32_t *const *src, const vfx_superres_layer *layer,
                                int count, int depth)
{
    output(upper, lower, src, layer, count, depth, 1);
}

void vfx_superres_output_16_neon(void *upper, void *lower, const int32_t *const *src, const vfx_superres_layer *layer,
                                 int count, int depth)
{
    output(upper, lower, src, layer, count, depth, 2);
}
#endif
