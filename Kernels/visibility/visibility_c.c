#include "../internal/versions.h"
#include "../internal/vector_field.h"
#pragma STDC FP_CONTRACT OFF

static int is_seen(const vfx_visibility *s, int x, int y)
{
    return x >= -64 && y >= -64 && x <= 128 * s->columns - 64 && y <= 128 * s->rows - 64;
}

static float trust(const vfx_visibility *s, int seen, int ex, int ey, float matched)
{
    if (!seen) return s->unseen_trust;
    const float q = 1 + ((float)ex * (float)ex + (float)ey * (float)ey) * (1 / s->agreement);
    return 1 / (q * q) + matched;
}

vfx_visibility_counts vfx_visibility_row_c(const vfx_visibility *s, int y, const vfx_motion_vector *vectors,
                                           const int32_t *differences, int count, const vfx_visibility_row *row)
{
    const float phase = (float)s->t / 1024;
    vfx_visibility_counts counts = {0, 0};
    for (int x = 0; x < count; x++) {
        const int vx = vectors[x].x >> s->vector_shift, vy = vectors[x].y >> s->vector_shift;
        const int ax = 64 * x - 32 - ((vx * s->t) >> 10), ay = 64 * y - 32 - ((vy * s->t) >> 10);
        const int bx = ax + vx, by = ay + vy;
        const vfx_wide_vector a = vfx_sample_field(s->forward, s->columns, s->rows, ax, ay);
        const vfx_wide_vector b = vfx_sample_field(s->backward, s->columns, s->rows, bx, by);
        const float d = (float)differences[x] * (float)differences[x] * (1 / s->half_difference);
        const int seen_a = is_seen(s, ax, ay), seen_b = is_seen(s, bx, by), seen = seen_a && seen_b;
        // If the vector leaves a frame, the difference says nothing; only the motion found in the other frame can explain
        // the cell.
        const float matched = seen ? s->least_trust + s->matched_trust / (1 + d * d) : s->least_trust;
        const float trust_a = trust(s, seen_a, a.x - vx, a.y - vy, matched);
        const float trust_b = trust(s, seen_b, b.x + vx, b.y + vy, matched);
        const float w0 = trust_a * (1 - phase), w1 = trust_b * phase, most = trust_a > trust_b ? trust_a : trust_b;
        const float scaled = s->trust_scale * most;
        row->vx[x] = vectors[x].x;
        row->vy[x] = vectors[x].y;
        row->weight[x] = (int16_t)(256 * w1 / (w0 + w1) + 0.5f);
        row->share[x] = (int16_t)(256 * trust_b / (trust_a + trust_b) + 0.5f);
        row->trust[x] = (int16_t)(scaled < 255 ? scaled : 255);
        counts.one_side += row->weight[x] < s->first_only || row->weight[x] > s->second_only;
        counts.unexplained += (differences[x] > s->unexplained_difference || !seen) && most < s->unexplained_trust;
    }
    return counts;
}
