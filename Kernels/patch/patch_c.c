#include "../internal/levels.h"
#include <stdlib.h>

// 16 times the bilinear sample, rounded.
static inline int sample16(const uint8_t *p, ptrdiff_t stride, int fx, int fy)
{
    return ((32 - fx) * (32 - fy) * p[0] + fx * (32 - fy) * p[1] + (32 - fx) * fy * p[stride] + fx * fy * p[stride + 1] + 32) >> 6;
}

static void patch_8x8_c(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, int fx, int fy, vfx_patch_sums *out)
{
    vfx_patch_sums s = {0, 0, 0, 0};
    for (int y = 0; y < 8; y++, a += as, b += bs)
        for (int x = 0; x < 8; x++) {
            int e = sample16(b + x, bs, fx, fy) - 16 * a[x];
            s.dx += e * (a[x + 1] - a[x - 1]);
            s.dy += e * (a[x + as] - a[x - as]);
            s.d += e;
            s.abs += abs(e);
        }
    *out = s;
}

static uint32_t sad_subpixel_8x8_c(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, const int f[4])
{
    uint32_t sum = 0;
    for (int y = 0; y < 8; y++, a += as, b += bs)
        for (int x = 0; x < 8; x++)
            sum += (uint32_t)abs(sample16(a + x, as, f[0], f[1]) - sample16(b + x, bs, f[2], f[3]));
    return sum;
}

void vfx_patch_init_c(vfx_kernel_table *t)
{
    t->patch_8x8 = patch_8x8_c;
    t->sad_subpixel_8x8 = sad_subpixel_8x8_c;
}
