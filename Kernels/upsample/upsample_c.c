#include "upsample_single.h"
#include "../internal/versions.h"
#include <string.h>

void vfx_upsample_row_c(int16_t *dst, int count, const int16_t *a, const int16_t *b, int weight_b, int columns,
                        int side_log2, int shift, int16_t *scratch)
{
    const int side = 1 << side_log2, half = side / 2, down = side_log2 + 1 + shift, round = 1 << (down - 1);
    for (int c = 0; c < columns; c++) scratch[c] = (int16_t)((a[c] * (256 - weight_b) + b[c] * weight_b + 128) >> 8);
    if (side_log2 == 0) {
        upsample_single(dst, count, scratch, columns, shift);
        return;
    }
    for (int x = 0; x < count; x++) {
        // The sample is between the centres of cells right − 1 and right, or before the first or after the last centre.
        int right = (x + half) >> side_log2, k = (x + half) & (side - 1);
        int r0 = scratch[right > 0 ? (right - 1 < columns ? right - 1 : columns - 1) : 0];
        int r1 = scratch[right < columns ? right : columns - 1];
        int v = (r0 * (2 * side - 2 * k - 1) + r1 * (2 * k + 1) + round) >> down;
        dst[x] = (int16_t)(v > 32767 ? 32767 : v < -32768 ? -32768 : v);
    }
}

static inline int16_t scaled(int16_t cell, int shift)
{
    if (shift > 0) return (int16_t)((cell + (1 << (shift - 1))) >> shift);
    const int v = cell * (1 << -shift);
    return (int16_t)(v > 32767 ? 32767 : v < -32768 ? -32768 : v);
}

static inline void fill(int16_t *dst, int16_t value, int n)
{
    for (int i = 0; i < n; i++) dst[i] = value;
}

// Sets samples start … start + half − 1 as far as they lie inside the row.
static inline void set_half(int16_t *vx, int16_t *vy, int start, int half, int count, int16_t x, int16_t y)
{
    if (half == 4 && start + 4 <= count) { // constant sizes compile to single stores
        fill(vx + start, x, 4);
        fill(vy + start, y, 4);
    } else if (half == 2 && start + 2 <= count) {
        fill(vx + start, x, 2);
        fill(vy + start, y, 2);
    } else {
        const int n = half < count - start ? half : count - start;
        fill(vx + start, x, n);
        fill(vy + start, y, n);
    }
}

void vfx_upsample_edges_row_c(int16_t *vx, int16_t *vy, int count, const int16_t *cells_x, const int16_t *cells_y,
                              const uint8_t *edges, int columns, int side_log2, int shift_x, int shift_y)
{
    const int side = 1 << side_log2, half = side / 2;
    for (int c = 0; c <= columns; c++) {
        while (c + 8 <= columns) { // edges are rare: skip eight cells at a time
            uint64_t eight;
            memcpy(&eight, edges + c, sizeof eight);
            if (eight != 0) break;
            c += 8;
        }
        if (edges[c] == 0) continue;
        if (c > 0)
            set_half(vx, vy, c * side - half, half, count, scaled(cells_x[c - 1], shift_x), scaled(cells_y[c - 1], shift_y));
        if (c < columns)
            set_half(vx, vy, c * side, half, count, scaled(cells_x[c], shift_x), scaled(cells_y[c], shift_y));
    }
}
