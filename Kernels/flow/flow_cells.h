// The parts of preparing and measuring that the C and the SIMD versions share; the compiler vectorises them for the
// including file's instruction set. See flow_tmpl.h about floats.
#include "flow_tuning.h"
#pragma STDC FP_CONTRACT OFF

// Completes equations that contain the exact sums of a patch's slopes and their products, and computes the support.
static inline void vfx_flow_normalise(float *restrict equations, float *restrict support, int columns)
{
    float *xx = equations, *xy = xx + columns, *yy = xy + columns;
    const float *sum_x = yy + columns, *sum_y = sum_x + columns;
    for (int x = 0; x < columns; x++) {
        const float sx = sum_x[x], sy = sum_y[x];
        // The slopes are doubled, so their products are four times too large.
        const float a = (xx[x] - sx * sx * (1.0f / 64)) * 0.25f, b = (xy[x] - sx * sy * (1.0f / 64)) * 0.25f;
        const float c = (yy[x] - sy * sy * (1.0f / 64)) * 0.25f;
        const float half = (a - c) * 0.5f;
        // The elementwise function is the instruction, without errno.
        const float smaller = (a + c) * 0.5f - __builtin_elementwise_sqrt(half * half + b * b);
        xx[x] = a;
        xy[x] = b;
        yy[x] = c;
        support[x] = (smaller > 0 ? smaller / (smaller + FLOW_TEXTURE) : 0) + FLOW_SUPPORT_MINIMUM;
    }
}

// brightness of the cells: the samples at the inner corners of the four tiles.
static inline void vfx_flow_brightness(const vfx_flow_tiles *tiles, float *restrict brightness, int columns)
{
    const int plane = 8 * (columns + 1);
    // 16·sample of the lower row of the upper tiles and the upper row of the lower tiles.
    const int16_t *upper = tiles->upper + 5 * plane + 4, *lower = tiles->lower + 2 * plane;
    for (int x = 0; x < columns; x++) {
        const int16_t *u = upper + 8 * x, *l = lower + 8 * x;
        brightness[x] = (float)((u[3] + u[8] + l[3] + l[8]) >> 4) * 0.25f;
    }
}

static inline float vfx_flow_beyond(float start, float size)
{
    return (start < 0 ? -start : 0) + (start + 8 > size ? start + 8 - size : 0);
}

static inline float vfx_flow_limited(float v, float low, float high) { return v < low ? low : v > high ? high : v; }

// The motion at which the patches of a row are sampled.
static inline void vfx_flow_positions(const vfx_warp_source *target, int y, int columns, const float *restrict vx,
                                      const float *restrict vy, float *restrict sampled)
{
    const float reach = (float)target->margin, width = (float)target->width, height = (float)target->height;
    const float py = (float)(y * 4 - 2);
    for (int x = 0; x < columns; x++) {
        const float px = (float)(x * 4 - 2);
        const float wx = vfx_flow_limited(vx[x], -reach - px, width + reach - 8 - px);
        const float wy = vfx_flow_limited(vy[x], -reach - py, height + reach - 8 - py);
        // The offset makes the number positive, so that truncation rounds towards minus infinity.
        const int qx = (int)(wx * 32 + 65536.5f) - 65536, qy = (int)(wy * 32 + 65536.5f) - 65536;
        const float outside = (vfx_flow_beyond(px + wx, width) + vfx_flow_beyond(py + wy, height)) * (1.0f / FLOW_OUTSIDE);
        sampled[x] = (float)qx * (1.0f / 32);
        sampled[columns + x] = (float)qy * (1.0f / 32);
        sampled[2 * columns + x] = outside < 1 ? 1 - outside : 0;
    }
}

// The counterpart of the patch of cell x: its first sample and the fraction, in 1/32 sample.
typedef struct vfx_flow_counterpart { const uint8_t *first; int fx, fy; } vfx_flow_counterpart;

static inline vfx_flow_counterpart vfx_flow_counterpart_of(const vfx_warp_source *target, int x, int y, const float *sampled,
                                                           int columns)
{
    const int qx = (int)(sampled[x] * 32), qy = (int)(sampled[columns + x] * 32);
    return (vfx_flow_counterpart){(const uint8_t *)target->origin + (y * 4 - 2 + (qy >> 5)) * target->stride + x * 4 - 2 + (qx >> 5),
                                  qx & 31, qy & 31};
}
