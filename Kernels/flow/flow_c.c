#include "../internal/levels.h"
#include <math.h>

#define NAME(x) x##_c
#include "flow_tmpl.h"

static void flow_prepare_row_c(const uint8_t *src, ptrdiff_t stride, int columns, vfx_gradient_fn *gradient, vfx_flow_equation *equations,
                               float *brightness, float *support)
{
    for (int x = 0; x < columns; x++, src += 4) {
        vfx_gradient_sums s;
        gradient(src - 2 - 2 * stride, stride, &s);
        const float sx = (float)s.x, sy = (float)s.y;
        // Kernel slopes are doubled, so squares are four times too large.
        const float xx = ((float)s.xx - sx * sx * (1.0f / 64)) * 0.25f, xy = ((float)s.xy - sx * sy * (1.0f / 64)) * 0.25f;
        const float yy = ((float)s.yy - sy * sy * (1.0f / 64)) * 0.25f;
        const float half = (xx - yy) * 0.5f, smaller = (xx + yy) * 0.5f - sqrtf(half * half + xy * xy);
        equations[x] = (vfx_flow_equation){xx, xy, yy, sx, sy};
        brightness[x] = (float)(src[1 + stride] + src[2 + stride] + src[1 + 2 * stride] + src[2 + 2 * stride]) * 0.25f;
        support[x] = (smaller > 0 ? smaller / (smaller + 200.0f) : 0) + 0.02f;
    }
}

static inline float beyond(float start, float size) { return (start < 0 ? -start : 0) + (start + 8 > size ? start + 8 - size : 0); }

static inline float limited(float v, float low, float high) { return v < low ? low : v > high ? high : v; }

static void flow_measure_row_c(const uint8_t *src, ptrdiff_t src_stride, const vfx_warp_source *target, int y, int columns,
                               const float *vx, const float *vy, vfx_patch_fn *patch, vfx_flow_patch *out)
{
    const float reach = (float)target->margin;
    const float py = (float)(y * 4 - 2);
    for (int x = 0; x < columns; x++) {
        const float px = (float)(x * 4 - 2);
        const float wx = limited(vx[x], -reach - px, (float)target->width + reach - 8 - px);
        const float wy = limited(vy[x], -reach - py, (float)target->height + reach - 8 - py);
        const int qx = (int)floorf(wx * 32 + 0.5f), qy = (int)floorf(wy * 32 + 0.5f);
        vfx_patch_sums s;
        patch(src + x * 4 - 2 - 2 * src_stride, src_stride,
              (const uint8_t *)target->origin + (y * 4 - 2 + (qy >> 5)) * target->stride + x * 4 - 2 + (qx >> 5), target->stride, qx & 31,
              qy & 31, &s);
        const float outside = (beyond(px + wx, (float)target->width) + beyond(py + wy, (float)target->height)) * 0.25f;
        out[x] = (vfx_flow_patch){(float)s.dx, (float)s.dy, (float)s.d, (float)s.abs, (float)qx * (1.0f / 32), (float)qy * (1.0f / 32),
                                  outside < 1 ? 1 - outside : 0};
    }
}

void vfx_flow_init_c(vfx_kernel_table *t)
{
    t->flow_average_row = flow_average_row_c;
    t->flow_solve_row = flow_solve_row_c;
    t->flow_prepare_row = flow_prepare_row_c;
    t->flow_measure_row = flow_measure_row_c;
}
