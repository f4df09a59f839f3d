#include <stdlib.h>

// The mean of one hole, anywhere in the field; see vfx_fill_smooth_fn. Quotients of integers below 2^24 that are not whole
// are further from whole numbers than single precision rounds, so truncation is exact.
static inline vfx_motion_vector vfx_fill_mean(const vfx_fill_field *f, vfx_fill_hole hole, int half_brightness, int half_motion)
{
    const vfx_motion_vector own = f->vectors[hole.at];
    const uint8_t *brightness = f->brightness + hole.bordered;
    int total = 1024, sum_x = own.x * 1024, sum_y = own.y * 1024;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const int bordered = dy * (f->columns + 2) + dx;
            if (bordered == 0 || f->distance[hole.bordered + bordered] == VFX_FILL_UNREACHED) continue;
            const vfx_motion_vector v = f->vectors[hole.at + dy * f->columns + dx];
            const int apart = abs(v.x - own.x) + abs(v.y - own.y);
            const int unlike = half_brightness + abs(brightness[bordered] - brightness[0]);
            const int like = (int)((float)(1024 * half_brightness) / (float)unlike);
            const int agreement = (int)((float)(256 * half_motion) / (float)(half_motion + (apart < 1023 ? apart : 1023)));
            const int weight = (like * agreement) >> 8;
            total += weight;
            sum_x += v.x * weight;
            sum_y += v.y * weight;
        }
    return (vfx_motion_vector){(int16_t)(sum_x / total), (int16_t)(sum_y / total)};
}
