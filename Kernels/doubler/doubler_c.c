#include "../internal/levels.h"

static inline int32_t layer_sum(const int32_t *const *src, const vfx_doubler_layer *layer, int output, int x)
{
    const int16_t *w = layer->weights + (ptrdiff_t)(output / 4) * layer->sources * 8 + output % 4 * 2;
    int32_t sum = layer->bias[output];
    for (int s = 0; s < layer->sources; s++, w += 8) {
        const uint32_t pair = (uint32_t)src[s][x];
        sum += (int16_t)(pair & 0xffff) * w[0] + (int16_t)(pair >> 16) * w[1];
    }
    return sum;
}

static inline uint32_t feature(int32_t sum, int shift, int slope)
{
    int32_t f = (sum + (1 << (shift - 1))) >> shift;
    f = f < INT16_MIN ? INT16_MIN : f > INT16_MAX ? INT16_MAX : f;
    return (uint16_t)(f < 0 ? (f * slope + 16384) >> 15 : f);
}

static void doubler_features_c(int32_t *const *dst, const int32_t *const *src, const vfx_doubler_layer *layer, int count)
{
    for (int o = 0; o < layer->outputs; o += 2)
        for (int x = 0; x < count; x++)
            dst[o / 2][x] =
                (int32_t)(feature(layer_sum(src, layer, o, x), layer->shift, layer->slopes[o])
                          | feature(layer_sum(src, layer, o + 1, x), layer->shift, layer->slopes[o + 1]) << 16);
}

static inline int output_sample(int32_t sum, int shift, int depth)
{
    const int s = shift + 16 - depth, maximum = (1 << depth) - 1;
    const int v = (sum + (1 << (shift + 15)) + (1 << (s - 1))) >> s;
    return v < 0 ? 0 : v > maximum ? maximum : v;
}

static void doubler_output_8_c(void *upper, void *lower, const int32_t *const *src, const vfx_doubler_layer *layer,
                               int count, int depth)
{
    for (int o = 0; o < 4; o++) {
        uint8_t *dst = o < 2 ? upper : lower;
        for (int x = 0; x < count; x++)
            dst[2 * x + o % 2] = (uint8_t)output_sample(layer_sum(src, layer, o, x), layer->shift, depth);
    }
}

static void doubler_output_16_c(void *upper, void *lower, const int32_t *const *src, const vfx_doubler_layer *layer,
                                int count, int depth)
{
    for (int o = 0; o < 4; o++) {
        uint16_t *dst = o < 2 ? upper : lower;
        for (int x = 0; x < count; x++)
            dst[2 * x + o % 2] = (uint16_t)output_sample(layer_sum(src, layer, o, x), layer->shift, depth);
    }
}

// Sample i of the row of pairs as an unsigned value of 16 bits less half.
#define DEFINE_PAIRS(name, sample)                                                                                     \
    static void name(int32_t *dst, const void *row, int width, int first, int count, int depth)                       \
    {                                                                                                                  \
        const sample *src = row;                                                                                       \
        const int up = 16 - depth;                                                                                     \
        int i = 0;                                                                                                     \
        const uint32_t left = ((uint32_t)src[0] << up ^ 0x8000u) & 0xffff;                                             \
        const uint32_t right = ((uint32_t)src[width - 1] << up ^ 0x8000u) & 0xffff;                                    \
        for (; i < count && first + i < 0; i++) dst[i] = (int32_t)(left | left << 16);                                 \
        const int inner = width - 1 - first < count ? width - 1 - first : count;                                       \
        for (; i < inner; i++) {                                                                                       \
            const uint32_t a = (uint32_t)src[first + i] << up, b = (uint32_t)src[first + i + 1] << up;                 \
            dst[i] = (int32_t)(((a & 0xffff) | b << 16) ^ 0x80008000u);                                                \
        }                                                                                                              \
        for (; i < count; i++) dst[i] = (int32_t)(right | right << 16);                                                \
    }
DEFINE_PAIRS(doubler_pairs_8_c, uint8_t)
DEFINE_PAIRS(doubler_pairs_16_c, uint16_t)

void vfx_doubler_init_c(vfx_kernel_table *t)
{
    t->doubler_features = doubler_features_c;
    t->doubler_output_8 = doubler_output_8_c;
    t->doubler_output_16 = doubler_output_16_c;
    t->doubler_pairs_8 = doubler_pairs_8_c;
    t->doubler_pairs_16 = doubler_pairs_16_c;
}
