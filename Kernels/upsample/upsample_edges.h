#ifndef VFX_UPSAMPLE_EDGES_H
#define VFX_UPSAMPLE_EDGES_H
#include <stdint.h>

// The arguments of vfx_upsample_edges_row_fn.
typedef struct upsample_edges {
    int16_t *vx, *vy;
    int count;
    const int16_t *cells_x, *cells_y;
    int columns, side_log2, shift_x, shift_y;
} upsample_edges;

static inline int16_t scaled_cell(int16_t cell, int shift)
{
    if (shift > 0) return (int16_t)((cell + (1 << (shift - 1))) >> shift);
    const int v = cell * (1 << -shift);
    return (int16_t)(v > 32767 ? 32767 : v < -32768 ? -32768 : v);
}

// Sets the half of a cell that begins at `start` to the vector of the cell.
static inline void set_half(const upsample_edges *row, int start, int cell)
{
    const int half = (1 << row->side_log2) / 2, end = start + half < row->count ? start + half : row->count;
    const int16_t x = scaled_cell(row->cells_x[cell], row->shift_x), y = scaled_cell(row->cells_y[cell], row->shift_y);
    for (int i = start; i < end; i++) {
        row->vx[i] = x;
        row->vy[i] = y;
    }
}

// Sets the samples on both sides of the left side of cell c.
static inline void keep_edge(const upsample_edges *row, int c)
{
    const int side = 1 << row->side_log2;
    if (c > 0) set_half(row, c * side - side / 2, c - 1);
    if (c < row->columns) set_half(row, c * side, c);
}
#endif
