#include "../internal/versions.h"
#include "../internal/vector_field.h"

static int16_t mean(int own, int side, int behind, int corner, int scale)
{
    const int v = ((9 * own + 3 * (side + behind) + corner) * scale + 8) >> 4;
    return (int16_t)(v < -32256 ? -32256 : v > 32256 ? 32256 : v);
}

// The cell beside the one that contains small cell `i`, on one axis.
static int beside(int i, int size)
{
    const int at = (i >> 1) + (i & 1 ? 1 : -1);
    return at < 0 ? 0 : at < size ? at : size - 1;
}

int vfx_subdivide_row_c(const vfx_subdivision *f, int y, int count, vfx_motion_vector *out, int32_t *differences,
                        int32_t *rough)
{
    const vfx_motion_vector *near = f->vectors + (intptr_t)(y >> 1) * f->columns;
    const vfx_motion_vector *far = f->vectors + (intptr_t)beside(y, f->rows) * f->columns;
    const int32_t *known = f->differences + (intptr_t)(y >> 1) * f->columns;
    int found = 0;
    for (int x = 0; x < count; x++) {
        const int at = beside(x, f->columns);
        const vfx_motion_vector own = near[x >> 1], side = near[at], behind = far[x >> 1], corner = far[at];
        out[x] = (vfx_motion_vector){mean(own.x, side.x, behind.x, corner.x, f->scale),
                                     mean(own.y, side.y, behind.y, corner.y, f->scale)};
        differences[x] = known[x >> 1];
        const int a = vfx_distance(own, side), b = vfx_distance(own, behind), c = vfx_distance(own, corner);
        const int spread = a > b ? a > c ? a : c : b > c ? b : c;
        if (spread * f->scale > f->smooth_distance) rough[found++] = x;
    }
    return found;
}
