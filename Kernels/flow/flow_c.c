#include "../internal/versions.h"
#include <math.h>

#define NAME(x) vfx_##x##_c
#include "flow_tmpl.h"

void vfx_flow_prepare_row_c(const uint8_t *src, ptrdiff_t stride, int columns,
                            vfx_lk_structure_tensor_fn *structure_tensor, vfx_flow_equation *equations, float *brightness,
                            float *support)
{
    for (int x = 0; x < columns; x++, src += 4) {
        vfx_lk_structure_tensor s;
        structure_tensor(src - 2 - 2 * stride, stride, &s);
        const float sx = (float)s.x, sy = (float)s.y;
        // The gradients of vfx_lk_structure_tensor are doubled, so their products are four times too large.
        const float xx = ((float)s.xx - sx * sx * (1.0f / 64)) * 0.25f, xy = ((float)s.xy - sx * sy * (1.0f / 64)) * 0.25f;
        const float yy = ((float)s.yy - sy * sy * (1.0f / 64)) * 0.25f;
        const float half = (xx - yy) * 0.5f, smaller = (xx + yy) * 0.5f - sqrtf(half * half + xy * xy);
        equations[x] = (vfx_flow_equation){xx, xy, yy, sx, sy};
        brightness[x] = (float)(src[1 + stride] + src[2 + stride] + src[1 + 2 * stride] + src[2 + 2 * stride]) * 0.25f;
        support[x] = (smaller > 0 ? smaller / (smaller + FLOW_TEXTURE) : 0) + FLOW_SUPPORT_MINIMUM;
    }
}
