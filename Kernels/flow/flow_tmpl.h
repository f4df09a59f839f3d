// The rows of floats, compiled once per level, with NAME(x). Cells do not depend on each other within a loop, so the
// compiler can vectorise it for each level. IEEE operations in the written order without contraction produce the same
// bits on every level.
#include "flow_tuning.h"
#pragma STDC FP_CONTRACT OFF

void NAME(flow_load_row)(const vfx_motion_vector *restrict vectors, const uint32_t *restrict costs, float *restrict vx,
                         float *restrict vy, float *restrict difference, int columns)
{
    for (int x = 0; x < columns; x++) {
        vx[x] = (float)vectors[x].x * (1.0f / 32);
        vy[x] = (float)vectors[x].y * (1.0f / 32);
        difference[x] = (float)(int32_t)costs[x] * (1.0f / 64);
    }
}

static inline int16_t NAME(fixed_point)(float v)
{
    v *= 32;
    v = v < -32256 ? -32256 : v > 32256 ? 32256 : v;
    return (int16_t)(int)(v + (v < 0 ? -0.5f : 0.5f));
}

void NAME(flow_store_row)(const float *restrict vx, const float *restrict vy, const float *restrict difference,
                          vfx_motion_vector *restrict vectors, uint32_t *restrict costs, int columns)
{
    for (int x = 0; x < columns; x++) {
        vectors[x] = (vfx_motion_vector){NAME(fixed_point)(vx[x]), NAME(fixed_point)(vy[x])};
        costs[x] = (uint32_t)(int32_t)(difference[x] * 64);
    }
}

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

void NAME(flow_solve_row)(const vfx_flow_residual *restrict p, const float *restrict sampled,
                          const float *restrict equations, const float *restrict mean_x, const float *restrict mean_y,
                          float *restrict vx, float *restrict vy, float *restrict difference, int columns, float pull)
{
    const float *at_x = sampled, *at_y = sampled + columns, *inside = sampled + 2 * columns;
    const float *xx = equations, *xy = xx + columns, *yy = xy + columns, *sum_x = yy + columns, *sum_y = sum_x + columns;
    for (int x = 0; x < columns; x++) {
        const float d = (float)p[x].abs * (1.0f / 1024);
        const float trust = inside[x] / (1.0f + d * d * (1.0f / (FLOW_TRUST * FLOW_TRUST)));
        const float bx = ((float)p[x].dx - (float)p[x].d * sum_x[x] * (1.0f / 64)) * (1.0f / 32);
        const float by = ((float)p[x].dy - (float)p[x].d * sum_y[x] * (1.0f / 64)) * (1.0f / 32);
        const float a = xx[x] * trust + pull, b = xy[x] * trust, c = yy[x] * trust + pull;
        const float rx = pull * (mean_x[x] - at_x[x]) - bx * trust, ry = pull * (mean_y[x] - at_y[x]) - by * trust;
        const float determinant = a * c - b * b;
        float sx = (c * rx - b * ry) / determinant, sy = (a * ry - b * rx) / determinant;
        sx = sx > FLOW_STEP ? FLOW_STEP : sx < -FLOW_STEP ? -FLOW_STEP : sx;
        sy = sy > FLOW_STEP ? FLOW_STEP : sy < -FLOW_STEP ? -FLOW_STEP : sy;
        vx[x] = at_x[x] + sx;
        vy[x] = at_y[x] + sy;
        difference[x] = d + (1.0f - inside[x]) * FLOW_OUTSIDE_DIFFERENCE;
    }
}
#undef NAME
