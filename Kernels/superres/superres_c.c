#include "../internal/versions.h"

static inline uint32_t products(const int32_t *const *src, const int16_t *w, int count, int x)
{
    uint32_t sum = 0;
    for (int s = 0; s < count; s++, w += 8) {
        const uint32_t pair = (uint32_t)src[s][x];
        sum += (uint32_t)((int16_t)(pair & 0xffff) * w[0]) + (uint32_t)((int16_t)(pair >> 16) * w[1]);
    }
    return sum;
}

static inline int32_t layer_sum(const int32_t *const *src, const vfx_superres_layer *layer, int output, int x)
{
    const int16_t *w = layer->weights + (ptrdiff_t)(output / 4) * layer->sources * 8 + output % 4 * 2;
    return (int32_t)((uint32_t)layer->bias[output] + products(src, w, layer->sources, x));
}

static inline void winograd_sums(int32_t sums[2], const int32_t *const *src, const vfx_superres_winograd_layer *winograd,
                                 int output, int x)
{
    const int n = winograd->sources;
    const int16_t *w = winograd->weights + (ptrdiff_t)(output / 4) * n * 32 + output % 4 * 2;
    const uint32_t bias = (uint32_t)winograd->layer->bias[output];
    const uint32_t even = products(src + n, w + 8 * n, n, x), odd = products(src + 2 * n, w + 16 * n, n, x);
    sums[0] = (int32_t)(bias + (uint32_t)((int32_t)(even + odd) >> 1) + products(src, w, n, x));
    sums[1] = (int32_t)(bias + (uint32_t)((int32_t)(even - odd) >> 1) + products(src + 3 * n, w + 24 * n, n, x));
}

static inline uint32_t feature(int32_t sum, int shift, int slope)
{
    int32_t f = (sum + (1 << (shift - 1))) >> shift;
    f = f < INT16_MIN ? INT16_MIN : f > INT16_MAX ? INT16_MAX : f;
    return (uint16_t)(f < 0 ? (f * slope + 16384) >> 15 : f);
}

static inline int fits_transform(uint32_t feature) { return (uint16_t)(feature + 0x4000) < 0x8000; }

int vfx_superres_features_c(int32_t *const *dst, const int32_t *const *src, const vfx_superres_layer *layer, int count)
{
    int fits = 1;
    for (int o = 0; o < layer->outputs; o += 2)
        for (int x = 0; x < count; x++) {
            const uint32_t a = feature(layer_sum(src, layer, o, x), layer->shift, layer->slopes[o]);
            const uint32_t b = feature(layer_sum(src, layer, o + 1, x), layer->shift, layer->slopes[o + 1]);
            dst[o / 2][x] = (int32_t)(a | b << 16);
            fits &= fits_transform(a) & fits_transform(b);
        }
    return fits;
}

int vfx_superres_features_winograd_c(int32_t *const *upper, int32_t *const *lower, const int32_t *const *src,
                                     const vfx_superres_winograd_layer *winograd, int count)
{
    const vfx_superres_layer *layer = winograd->layer;
    int fits[2] = {1, 1};
    for (int o = 0; o < layer->outputs; o += 2)
        for (int x = 0; x < count; x++) {
            int32_t even[2], odd[2];
            winograd_sums(even, src, winograd, o, x);
            winograd_sums(odd, src, winograd, o + 1, x);
            for (int row = 0; row < 2; row++) {
                const uint32_t a = feature(even[row], layer->shift, layer->slopes[o]);
                const uint32_t b = feature(odd[row], layer->shift, layer->slopes[o + 1]);
                (row ? lower : upper)[o / 2][x] = (int32_t)(a | b << 16);
                fits[row] &= fits_transform(a) & fits_transform(b);
            }
        }
    return fits[0] | fits[1] << 1;
}

static inline uint32_t halves(uint32_t low, uint32_t high) { return (low & 0xffff) | high << 16; }
static inline uint32_t sum_of(uint32_t a, uint32_t b) { return halves(a + b, (a >> 16) + (b >> 16)); }
static inline uint32_t difference_of(uint32_t a, uint32_t b) { return halves(a - b, (a >> 16) - (b >> 16)); }

void vfx_superres_input_transform_c(int32_t *dst, ptrdiff_t dst_pitch, const int32_t *const *src, ptrdiff_t src_pitch,
                                    int pairs, int count)
{
    for (int p = 0; p < pairs; p++)
        for (int x = 0; x < count; x++) {
            uint32_t s[4];
            for (int k = 0; k < 4; k++) s[k] = (uint32_t)src[k][p * src_pitch + x];
            dst[p * dst_pitch + x] = (int32_t)difference_of(s[0], s[2]);
            dst[(pairs + p) * dst_pitch + x] = (int32_t)sum_of(s[1], s[2]);
            dst[(2 * pairs + p) * dst_pitch + x] = (int32_t)difference_of(s[2], s[1]);
            dst[(3 * pairs + p) * dst_pitch + x] = (int32_t)difference_of(s[1], s[3]);
        }
}

static inline int output_sample(int32_t sum, int shift, int depth)
{
    const int s = shift + 16 - depth, maximum = (1 << depth) - 1;
    const int v = (sum + (1 << (shift + 15)) + (1 << (s - 1))) >> s;
    return v < 0 ? 0 : v > maximum ? maximum : v;
}

#define DEFINE_OUTPUT(bits, sample)                                                                           \
    void vfx_superres_output_##bits##_c(void *upper, void *lower, const int32_t *const *src,                  \
                                        const vfx_superres_layer *layer, int count, int depth)                \
    {                                                                                                         \
        for (int o = 0; o < 4; o++) {                                                                         \
            sample *dst = o < 2 ? upper : lower;                                                              \
            for (int x = 0; x < count; x++)                                                                   \
                dst[2 * x + o % 2] = (sample)output_sample(layer_sum(src, layer, o, x), layer->shift, depth); \
        }                                                                                                     \
    }
DEFINE_OUTPUT(8, uint8_t)
DEFINE_OUTPUT(16, uint16_t)

// Flipping the highest bit of a 16-bit sample subtracts half the range, which makes it signed.
#define DEFINE_PAIRS(name, sample)                                                                     \
    void name(int32_t *dst, const void *row, int width, int first, int count, int depth)               \
    {                                                                                                  \
        const sample *src = row;                                                                       \
        const int up = 16 - depth;                                                                     \
        int i = 0;                                                                                     \
        const uint32_t left = ((uint32_t)src[0] << up ^ 0x8000u) & 0xffff;                             \
        const uint32_t right = ((uint32_t)src[width - 1] << up ^ 0x8000u) & 0xffff;                    \
        for (; i < count && first + i < 0; i++) dst[i] = (int32_t)(left | left << 16);                 \
        const int inner = width - 1 - first < count ? width - 1 - first : count;                       \
        for (; i < inner; i++) {                                                                       \
            const uint32_t a = (uint32_t)src[first + i] << up, b = (uint32_t)src[first + i + 1] << up; \
            dst[i] = (int32_t)(((a & 0xffff) | b << 16) ^ 0x80008000u);                                \
        }                                                                                              \
        for (; i < count; i++) dst[i] = (int32_t)(right | right << 16);                                \
    }
DEFINE_PAIRS(vfx_superres_pairs_8_c, uint8_t)
DEFINE_PAIRS(vfx_superres_pairs_16_c, uint16_t)
