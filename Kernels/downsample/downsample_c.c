#include "../internal/versions.h"

void vfx_downsample_c(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                      int height)
{
    for (int y = 0; y < height; y++, dst += dst_stride, src += 2 * src_stride) {
        const uint8_t *next = src + src_stride;
        for (int x = 0; x < width; x++)
            dst[x] = (uint8_t)((src[2 * x] + src[2 * x + 1] + next[2 * x] + next[2 * x + 1] + 2) >> 2);
    }
}
