#include "../internal/versions.h"
#include "../internal/bilinear.h"
#include <stdlib.h>

static uint32_t sad_subpixel(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, const int f[4])
{
    uint32_t sum = 0;
    for (int y = 0; y < 8; y++, a += as, b += bs)
        for (int x = 0; x < 8; x++)
            sum += (uint32_t)abs(vfx_bilinear(a + x, as, f[0], f[1]) - vfx_bilinear(b + x, bs, f[2], f[3]));
    return sum;
}

#define NAME(x) vfx_##x##_c
#include "bilateral_match_tmpl.h"
