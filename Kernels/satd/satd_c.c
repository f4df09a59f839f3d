#include "../internal/versions.h"
#include <stdlib.h>

// SATD of two n×n blocks, as vfx_satd.h specifies it.
static inline uint32_t satd(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, int n)
{
    int m[8][8];
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) m[y][x] = a[y * as + x] - b[y * bs + x];
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < n; i++)
            for (int step = 1; step < n; step *= 2)
                for (int j = 0; j < n; j++)
                    if (!(j & step)) {
                        int *p = pass ? &m[j][i] : &m[i][j], *q = pass ? &m[j + step][i] : &m[i][j + step];
                        int s = *p + *q, d = *p - *q;
                        *p = s;
                        *q = d;
                    }
    uint32_t sum = 0;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) sum += (uint32_t)abs(m[y][x]);
    return n == 4 ? (sum + 1) >> 1 : (sum + 2) >> 2;
}

uint32_t vfx_satd_4x4_c(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    return satd(a, as, b, bs, 4);
}

uint32_t vfx_satd_8x8_c(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    return satd(a, as, b, bs, 8);
}
