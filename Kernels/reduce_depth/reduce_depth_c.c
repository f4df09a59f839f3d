#include "../internal/levels.h"

static void reduce_depth_c(uint8_t *dst, const uint16_t *src, int width, int shift)
{
    int half = shift ? 1 << (shift - 1) : 0;
    for (int x = 0; x < width; x++) {
        int v = (src[x] + half) >> shift;
        dst[x] = (uint8_t)(v > 255 ? 255 : v);
    }
}

void vfx_reduce_depth_init_c(vfx_kernel_table *t) { t->reduce_depth = reduce_depth_c; }
