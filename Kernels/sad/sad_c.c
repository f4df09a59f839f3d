#include "../internal/versions.h"
#include <stdlib.h>

static inline uint32_t sad(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, int size)
{
    uint32_t sum = 0;
    for (int y = 0; y < size; y++, a += as, b += bs)
        for (int x = 0; x < size; x++) sum += (uint32_t)abs(a[x] - b[x]);
    return sum;
}

uint32_t vfx_sad_4x4_c(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    return sad(a, as, b, bs, 4);
}

uint32_t vfx_sad_8x8_c(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    return sad(a, as, b, bs, 8);
}

uint32_t vfx_sad_16x16_c(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    return sad(a, as, b, bs, 16);
}

void vfx_sad_8x8_x4_c(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, const ptrdiff_t offsets[4],
                      uint32_t sums[4])
{
    for (int i = 0; i < 4; i++) sums[i] = sad(a, as, b + offsets[i], bs, 8);
}

void vfx_sad_16x16_x4_c(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, const ptrdiff_t offsets[4],
                        uint32_t sums[4])
{
    for (int i = 0; i < 4; i++) sums[i] = sad(a, as, b + offsets[i], bs, 16);
}
