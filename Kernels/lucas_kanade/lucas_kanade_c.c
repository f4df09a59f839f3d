#include "../internal/versions.h"
#include "../internal/bilinear.h"
#include <stdlib.h>

void vfx_lk_structure_tensor_8x8_c(const uint8_t *src, ptrdiff_t stride, vfx_lk_structure_tensor *out)
{
    vfx_lk_structure_tensor s = {0, 0, 0, 0, 0};
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

void vfx_lk_residual_8x8_c(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, int fx, int fy,
                           vfx_lk_residual *out)
{
    vfx_lk_residual s = {0, 0, 0, 0};
    for (int y = 0; y < 8; y++, a += as, b += bs)
        for (int x = 0; x < 8; x++) {
            int e = vfx_bilinear(b + x, bs, fx, fy) - 16 * a[x];
            s.dx += e * (a[x + 1] - a[x - 1]);
            s.dy += e * (a[x + as] - a[x - as]);
            s.d += e;
            s.abs += abs(e);
        }
    *out = s;
}
