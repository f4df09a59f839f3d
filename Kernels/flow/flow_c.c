#include "../internal/versions.h"
#include "../internal/vector_field.h"
#include "flow_cells.h"

#define NAME(x) vfx_##x##_c
#include "flow_tmpl.h"

void vfx_flow_tiles_row_c(const uint8_t *restrict src, ptrdiff_t stride, int tiles, int16_t *restrict out)
{
    for (int tile = 0; tile < tiles; tile++)
        for (int y = 0; y < 4; y++) {
            const uint8_t *p = src + y * stride + 4 * tile;
            int16_t *to = out + 24 * tiles * (y >> 1) + 8 * tile + 4 * (y & 1);
            for (int x = 0; x < 4; x++) {
                to[x] = (int16_t)(p[x + 1] - p[x - 1]);
                to[8 * tiles + x] = (int16_t)(p[x + stride] - p[x - stride]);
                to[16 * tiles + x] = (int16_t)(16 * p[x]);
            }
        }
}

// The two rows of a patch that are in planes of tiles at `half`, 0…3: 16 values each of gx, gy and 16·sample.
static inline const int16_t *half_patch(const vfx_flow_tiles *tiles, int plane, int x, int half)
{
    return (half < 2 ? tiles->upper : tiles->lower) + 3 * plane * (half & 1) + 8 * x;
}

void vfx_flow_prepare_row_c(const vfx_flow_tiles *tiles, int columns, float *equations, float *brightness, float *support)
{
    const int plane = 8 * (columns + 1);
    for (int x = 0; x < columns; x++) {
        int sums[5] = {0, 0, 0, 0, 0};
        for (int half = 0; half < 4; half++) {
            const int16_t *gx = half_patch(tiles, plane, x, half), *gy = gx + plane;
            for (int i = 0; i < 16; i++) {
                sums[0] += gx[i] * gx[i];
                sums[1] += gx[i] * gy[i];
                sums[2] += gy[i] * gy[i];
                sums[3] += gx[i];
                sums[4] += gy[i];
            }
        }
        for (int i = 0; i < 5; i++) equations[i * columns + x] = (float)sums[i];
    }
    vfx_flow_brightness(tiles, brightness, columns);
    vfx_flow_normalise(equations, support, columns);
}

void vfx_flow_measure_row_c(const vfx_flow_tiles *tiles, const vfx_warp_source *target, int y, int columns, const float *vx,
                            const float *vy, vfx_flow_residual *residuals, float *sampled)
{
    const int plane = 8 * (columns + 1);
    vfx_flow_positions(target, y, columns, vx, vy, sampled);
    for (int x = 0; x < columns; x++) {
        const vfx_flow_counterpart b = vfx_flow_counterpart_of(target, x, y, sampled, columns);
        // Rows of the counterpart, horizontally interpolated.
        int16_t h[9][8], e[64];
        for (int r = 0; r < 9; r++) {
            const uint8_t *p = b.first + r * target->stride;
            for (int c = 0; c < 8; c++) h[r][c] = (int16_t)((32 - b.fx) * p[c] + b.fx * p[c + 1]);
        }
        // In the order of tiles.
        for (int i = 0; i < 16; i++) {
            const int16_t *row = &h[2 * (i >> 2) + (i & 1)][i & 2 ? 4 : 0];
            for (int c = 0; c < 4; c++)
                e[16 * (i >> 2) + 8 * (i >> 1 & 1) + 4 * (i & 1) + c]
                    = (int16_t)(((32 - b.fy) * row[c] + b.fy * row[c + 8] + 32) >> 6);
        }
        vfx_flow_residual sums = {0, 0, 0, 0};
        for (int half = 0; half < 4; half++) {
            const int16_t *gx = half_patch(tiles, plane, x, half), *gy = gx + plane, *a = gy + plane;
            for (int i = 0; i < 16; i++) {
                const int16_t d = (int16_t)(e[16 * half + i] - a[i]);
                sums.dx += d * gx[i];
                sums.dy += d * gy[i];
                sums.d += d;
                sums.abs += d < 0 ? -d : d;
            }
        }
        residuals[x] = sums;
    }
}

void vfx_flow_consistency_row_c(const vfx_motion_vector *vectors, const vfx_motion_vector *back, int columns, int rows,
                                int y, uint16_t *errors)
{
    for (int x = 0; x < columns; x++) {
        const int vx = vectors[x].x, vy = vectors[x].y;
        const vfx_wide_vector there = vfx_sample_field(back, columns, rows, x * 128 + vx, y * 128 + vy);
        const double ex = vx + there.x, ey = vy + there.y;
        // The sum of squares is exact; the elementwise function is the instruction, without errno.
        const double error = __builtin_elementwise_sqrt(ex * ex + ey * ey);
        errors[x] = (uint16_t)(int)(error > 65535 ? 65535 : error);
    }
}
