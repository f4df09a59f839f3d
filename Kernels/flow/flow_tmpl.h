// Included once per level. Loops carry nothing from one cell to the next, so each level's compiler may use the width it
// has; IEEE operations in the written order without contraction give every level the same bits.
#pragma STDC FP_CONTRACT OFF

static void NAME(flow_average_row)(const vfx_flow_row *restrict r, float *restrict mean_x, float *restrict mean_y, int columns)
{
    for (int x = 0; x < columns; x++) {
        const float vx = r->vx[x], vy = r->vy[x], brightness = r->brightness[x];
        const float stiffness = r->support[x] * 0.5f;
        float total = stiffness, sum_x = vx * stiffness, sum_y = vy * stiffness;
#pragma clang loop unroll(full)
        for (int n = 0; n < 8; n++) {
            static const int dx[8] = {-1, 0, 1, -1, 1, -1, 0, 1}, dy[8] = {-1, -1, -1, 0, 0, 1, 1, 1};
            const ptrdiff_t i = x + dx[n] + dy[n] * r->stride;
            const float nx = r->vx[i], ny = r->vy[i];
            const float b = r->brightness[i] - brightness, ex = nx - vx, ey = ny - vy, d = r->difference[i];
            const float unlike = 1.0f + b * b * (1.0f / 144) + (ex * ex + ey * ey) * stiffness + d * d * (1.0f / 36);
            const float w = r->support[i] / (unlike * unlike);
            total += w;
            sum_x += nx * w;
            sum_y += ny * w;
        }
        mean_x[x] = sum_x / total;
        mean_y[x] = sum_y / total;
    }
}

static void NAME(flow_solve_row)(const vfx_flow_patch *restrict p, const vfx_flow_equation *restrict e, const float *restrict mean_x,
                                 const float *restrict mean_y, float *restrict vx, float *restrict vy, float *restrict difference,
                                 int columns, float pull)
{
    for (int x = 0; x < columns; x++) {
        const float d = p[x].abs * (1.0f / 1024);
        const float trust = p[x].inside / (1.0f + d * d * (1.0f / 64));
        const float bx = (p[x].dx - p[x].d * e[x].x * (1.0f / 64)) * (1.0f / 32);
        const float by = (p[x].dy - p[x].d * e[x].y * (1.0f / 64)) * (1.0f / 32);
        const float a = e[x].xx * trust + pull, b = e[x].xy * trust, c = e[x].yy * trust + pull;
        const float rx = pull * (mean_x[x] - p[x].at_x) - bx * trust, ry = pull * (mean_y[x] - p[x].at_y) - by * trust;
        const float determinant = a * c - b * b;
        float sx = (c * rx - b * ry) / determinant, sy = (a * ry - b * rx) / determinant;
        sx = sx > 1.0f ? 1.0f : sx < -1.0f ? -1.0f : sx;
        sy = sy > 1.0f ? 1.0f : sy < -1.0f ? -1.0f : sy;
        vx[x] = p[x].at_x + sx;
        vy[x] = p[x].at_y + sy;
        difference[x] = d + (1.0f - p[x].inside) * 32.0f;
    }
}
