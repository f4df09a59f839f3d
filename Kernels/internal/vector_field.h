#ifndef VFX_VECTOR_FIELD_H
#define VFX_VECTOR_FIELD_H
#include "../include/vfx_block_search.h"
#include <stdlib.h>

typedef struct vfx_wide_vector { int x, y; } vfx_wide_vector;

static inline int vfx_distance(vfx_motion_vector a, vfx_motion_vector b) { return abs(a.x - b.x) + abs(a.y - b.y); }

// The vector of a field without gaps between rows, at a position in 1/128 cell from the centre of its first cell. It is
// linear between centres, clamped outside, exact, and rounded once: (sum + 8192) >> 14.
static inline vfx_wide_vector vfx_sample_field(const vfx_motion_vector *field, int columns, int rows, int x, int y)
{
    const int last_x = (columns - 1) * 128, last_y = (rows - 1) * 128;
    const int px = x < 0 ? 0 : x > last_x ? last_x : x, py = y < 0 ? 0 : y > last_y ? last_y : y;
    const int fx = px & 127, fy = py & 127;
    const int left = px >> 7, right = left + 1 < columns ? left + 1 : left;
    const int above = (py >> 7) * columns, below = (py >> 7) + 1 < rows ? above + columns : above;
    const vfx_motion_vector p00 = field[above + left], p10 = field[above + right];
    const vfx_motion_vector p01 = field[below + left], p11 = field[below + right];
    const int top_x = p00.x * (128 - fx) + p10.x * fx, bottom_x = p01.x * (128 - fx) + p11.x * fx;
    const int top_y = p00.y * (128 - fx) + p10.y * fx, bottom_y = p01.y * (128 - fx) + p11.y * fx;
    return (vfx_wide_vector){(top_x * (128 - fy) + bottom_x * fy + 8192) >> 14,
                             (top_y * (128 - fy) + bottom_y * fy + 8192) >> 14};
}
#endif
