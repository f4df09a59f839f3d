#include "../internal/versions.h"
#include "vector_median_rows.h"
#include "../internal/vector_field.h"

static vfx_motion_vector median(const vfx_vector_median *f, const vfx_motion_vector around[9])
{
    int best = 0, least = INT32_MAX;
    for (int i = 0; i < 9; i++) {
        int total = 0;
        for (int j = 0; j < 9; j++) {
            const int d = vfx_distance(around[i], around[j]);
            total += d < f->maximum_distance ? d : f->maximum_distance;
        }
        if (total >= least) continue;
        least = total;
        best = i;
    }
    return around[best];
}

int vfx_vector_median_row_c(const vfx_vector_median *f, int y, vfx_motion_vector *out, int32_t *changed)
{
    const rows3 rows = rows_around(f, y);
    int count = 0;
    for (int x = 0; x < f->columns; x++) {
        const vfx_motion_vector own = rows.row[1][x];
        vfx_motion_vector around[9];
        int allies = 0;
        for (int i = 0; i < 9; i++) {
            around[i] = rows.row[i / 3][column_of(f, x + i % 3 - 1)];
            allies += vfx_distance(around[i], own) <= f->agreement;
        }
        out[x] = allies > f->few_allies ? own : median(f, around);
        if (vfx_distance(out[x], own) > 0) changed[count++] = x;
    }
    return count;
}
