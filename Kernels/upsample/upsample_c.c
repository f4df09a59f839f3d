#include "upsample_edges.h"
#include "upsample_single.h"
#include "../internal/versions.h"

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

void vfx_upsample_edges_row_c(int16_t *vx, int16_t *vy, int count, const int16_t *cells_x, const int16_t *cells_y,
                              const uint8_t *edges, int columns, int side_log2, int shift_x, int shift_y)
{
    const upsample_edges row = {vx, vy, count, cells_x, cells_y, columns, side_log2, shift_x, shift_y};
    for (int c = 0; c <= columns; c++) {
        if (edges[c] != 0) keep_edge(&row, c);
    }
}
