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

void vfx_flow_init_c(vfx_kernel_table *t)
{
    t->flow_average_row = flow_average_row_c;
    t->flow_solve_row = flow_solve_row_c;
    t->flow_prepare_row = flow_prepare_row_c;
    t->flow_measure_row = flow_measure_row_c;
}
