#include "../internal/versions.h"

void vfx_reduce_depth_c(uint8_t *dst, const uint16_t *src, int width, int shift)
{
    int half = shift ? 1 << (shift - 1) : 0;
    for (int x = 0; x < width; x++) {
        int v = (src[x] + half) >> shift;
        dst[x] = (uint8_t)(v > 255 ? 255 : v);
    }
}
