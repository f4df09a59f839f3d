#include "../internal/versions.h"
#include "occlusion_fill_smooth.h"

int vfx_fill_find_row_c(const vfx_motion_vector *vectors, const uint16_t *errors, int y, int columns, int limit_x,
                        int limit_y, int tolerance, vfx_fill_hole *holes, int32_t *distance)
{
    int count = 0;
    for (int x = 0; x < columns; x++) {
        const int end_x = 128 * x + 64 + vectors[x].x, end_y = 128 * y + 64 + vectors[x].y;
        const int kept = end_x >= 0 && end_y >= 0 && end_x < limit_x && end_y < limit_y && errors[x] <= tolerance;
        distance[x] = kept ? 0 : VFX_FILL_UNREACHED;
        if (!kept) holes[count++] = (vfx_fill_hole){y * columns + x, (y + 1) * (columns + 2) + x + 1};
    }
    return count;
}

void vfx_fill_sweep_c(const vfx_fill_field *f, const vfx_fill_hole *holes, int count, int step, int straight, int diagonal)
{
    const int row = step * f->columns, row_bordered = step * (f->columns + 2);
    const int offsets[4] = {step, row, row + step, row - step};
    const int bordered[4] = {step, row_bordered, row_bordered + step, row_bordered - step};
    for (int i = 0; i < count; i++) {
        const vfx_fill_hole hole = holes[step < 0 ? i : count - 1 - i];
        int32_t *distance = f->distance + hole.bordered;
        const uint8_t *brightness = f->brightness + hole.bordered;
        int best = distance[0], from = 0;
#pragma clang loop unroll(full)
        for (int n = 0; n < 4; n++) {
            // The path through a neighbour that has not been reached is longer than any.
            const int length = (1 + abs(brightness[0] - brightness[bordered[n]])) * (n < 2 ? straight : diagonal);
            const int path = distance[bordered[n]] + length;
            from = path < best ? offsets[n] : from;
            best = path < best ? path : best;
        }
        distance[0] = best;
        f->vectors[hole.at] = f->vectors[hole.at + from];
    }
}

void vfx_fill_smooth_c(const vfx_fill_field *f, const vfx_fill_hole *holes, int count, int half_brightness, int half_motion,
                       vfx_motion_vector *means)
{
    for (int i = 0; i < count; i++) means[i] = vfx_fill_mean(f, holes[i], half_brightness, half_motion);
}
