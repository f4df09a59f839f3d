// Compiled once per level, with NAME(x). Cells do not depend on each other within a loop, so the compiler can vectorise
// it for each level. IEEE operations in the written order without contraction produce the same bits on every level.
#include "flow_tuning.h"
#pragma STDC FP_CONTRACT OFF

void NAME(flow_average_row)(const vfx_flow_row *restrict r, float *restrict mean_x, float *restrict mean_y, int columns)
{
    for (int x = 0; x < columns; x++) {
        const float vx = r->vx[x], vy = r->vy[x], brightness = r->brightness[x];
        // The worse a cell matches, the less it keeps its own motion.
        const float own = r->difference[x];
        const float stiffness = r->support[x] * FLOW_STIFFNESS / (1.0f + own * own * (1.0f / (FLOW_MATCH * FLOW_MATCH)));
        float total = stiffness, sum_x = vx * stiffness, sum_y = vy * stiffness;
#pragma clang loop unroll(full)
        for (int n = 0; n < 8; n++) {
            static const int dx[8] = {-1, 0, 1, -1, 1, -1, 0, 1}, dy[8] = {-1, -1, -1, 0, 0, 1, 1, 1};
            const ptrdiff_t i = x + dx[n] + dy[n] * r->stride;
            const float nx = r->vx[i], ny = r->vy[i];
            const float b = r->brightness[i] - brightness, ex = nx - vx, ey = ny - vy, d = r->difference[i];
            const float unlike = 1.0f + b * b * (1.0f / (FLOW_BRIGHTNESS * FLOW_BRIGHTNESS)) + (ex * ex + ey * ey) * stiffness
                + d * d * (1.0f / (FLOW_MATCH * FLOW_MATCH));
            const float w = r->support[i] / (unlike * unlike);
            total += w;
            sum_x += nx * w;
            sum_y += ny * w;
        }
        mean_x[x] = sum_x / total;
        mean_y[x] = sum_y / total;
    }
}

void NAME(flow_solve_row)(const vfx_flow_residual *restrict p, const vfx_flow_equation *restrict e,
                          const float *restrict mean_x, const float *restrict mean_y, float *restrict vx,
                          float *restrict vy, float *restrict difference, int columns, float pull)
{
    for (int x = 0; x < columns; x++) {
        const float d = p[x].abs * (1.0f / 1024);
        const float trust = p[x].inside / (1.0f + d * d * (1.0f / (FLOW_TRUST * FLOW_TRUST)));
        const float bx = (p[x].dx - p[x].d * e[x].x * (1.0f / 64)) * (1.0f / 32);
        const float by = (p[x].dy - p[x].d * e[x].y * (1.0f / 64)) * (1.0f / 32);
        const float a = e[x].xx * trust + pull, b = e[x].xy * trust, c = e[x].yy * trust + pull;
        const float rx = pull * (mean_x[x] - p[x].at_x) - bx * trust, ry = pull * (mean_y[x] - p[x].at_y) - by * trust;
        const float determinant = a * c - b * b;
        float sx = (c * rx - b * ry) / determinant, sy = (a * ry - b * rx) / determinant;
        sx = sx > FLOW_STEP ? FLOW_STEP : sx < -FLOW_STEP ? -FLOW_STEP : sx;
        sy = sy > FLOW_STEP ? FLOW_STEP : sy < -FLOW_STEP ? -FLOW_STEP : sy;
        vx[x] = p[x].at_x + sx;
        vy[x] = p[x].at_y + sy;
        difference[x] = d + (1.0f - p[x].inside) * FLOW_OUTSIDE_DIFFERENCE;
    }
}

static inline float NAME(beyond)(float start, float size)
{
    return (start < 0 ? -start : 0) + (start + 8 > size ? start + 8 - size : 0);
}

static inline float NAME(limited)(float v, float low, float high) { return v < low ? low : v > high ? high : v; }

void NAME(flow_measure_row)(const uint8_t *src, ptrdiff_t src_stride, const vfx_warp_source *target, int y, int columns,
                            const float *vx, const float *vy, vfx_lk_residual_fn *residual, vfx_flow_residual *out)
{
    const float reach = (float)target->margin;
    const float py = (float)(y * 4 - 2);
    for (int x = 0; x < columns; x++) {
        const float px = (float)(x * 4 - 2);
        const float wx = NAME(limited)(vx[x], -reach - px, (float)target->width + reach - 8 - px);
        const float wy = NAME(limited)(vy[x], -reach - py, (float)target->height + reach - 8 - py);
        // The offset makes the number positive, so that truncation rounds towards minus infinity.
        const int qx = (int)(wx * 32 + 65536.5f) - 65536, qy = (int)(wy * 32 + 65536.5f) - 65536;
        vfx_lk_residual s;
        residual(src + x * 4 - 2 - 2 * src_stride, src_stride,
                 (const uint8_t *)target->origin + (y * 4 - 2 + (qy >> 5)) * target->stride + x * 4 - 2 + (qx >> 5),
                 target->stride, qx & 31, qy & 31, &s);
        const float outside = (NAME(beyond)(px + wx, (float)target->width) + NAME(beyond)(py + wy, (float)target->height))
            * (1.0f / FLOW_OUTSIDE);
        out[x] = (vfx_flow_residual){(float)s.dx, (float)s.dy, (float)s.d, (float)s.abs,
                                     (float)qx * (1.0f / 32), (float)qy * (1.0f / 32), outside < 1 ? 1 - outside : 0};
    }
}
#undef NAME
