#include "../internal/levels.h"

static void gradient_8x8_c(const uint8_t *src, ptrdiff_t stride, vfx_gradient_sums *out)
{
    vfx_gradient_sums s = {0, 0, 0, 0, 0};
    for (int y = 0; y < 8; y++, src += stride)
        for (int x = 0; x < 8; x++) {
            int gx = src[x + 1] - src[x - 1], gy = src[x + stride] - src[x - stride];
            s.xx += gx * gx;
            s.xy += gx * gy;
            s.yy += gy * gy;
            s.x += gx;
            s.y += gy;
        }
    *out = s;
}

void vfx_gradient_init_c(vfx_kernel_table *t) { t->gradient_8x8 = gradient_8x8_c; }
