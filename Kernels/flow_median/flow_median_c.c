#include "../internal/versions.h"
#include "../internal/vector_field.h"

enum { NEIGHBOURHOOD = 25 };

typedef struct neighbourhood {
    vfx_motion_vector vectors[NEIGHBOURHOOD];
    int weights[NEIGHBOURHOOD];
    int count;
} neighbourhood;

/// Columns or rows of a neighbourhood, the last one excluded.
typedef struct span { int first, end; } span;

static span span_of(int at, int size) { return (span){at < 2 ? 0 : at - 2, at + 3 > size ? size : at + 3}; }

static int is_smooth(const vfx_flow_median *f, span columns, span rows, vfx_motion_vector own)
{
    for (int y = rows.first; y < rows.end; y++)
        for (int x = columns.first; x < columns.end; x++)
            if (vfx_distance(f->vectors[(intptr_t)y * f->columns + x], own) > f->smooth_distance) return 0;
    return 1;
}

static neighbourhood neighbourhood_of(const vfx_flow_median *f, span columns, span rows, int x, int y)
{
    const int own = f->brightness[(intptr_t)y * f->columns + x];
    neighbourhood n = {.count = 0};
    for (int row = rows.first; row < rows.end; row++)
        for (int column = columns.first; column < columns.end; column++) {
            const intptr_t i = (intptr_t)row * f->columns + column;
            const int place = (row - y + 2) * 5 + column - x + 2;
            const int similar = f->brightness_weight[abs(f->brightness[i] - own)];
            n.vectors[n.count] = f->vectors[i];
            n.weights[n.count++] = ((f->trust[i] * similar * f->place_weight[place]) >> 8) + 1;
        }
    return n;
}

// The median of keys: values in the upper half, and weights, which fit into 16 bits, in the lower one.
static int16_t median(int32_t *keys, int count)
{
    int total = 0, sum = 0;
    for (int i = 0; i < count; i++) {
        const int32_t key = keys[i];
        int j = i;
        for (; j > 0 && keys[j - 1] > key; j--) keys[j] = keys[j - 1];
        keys[j] = key;
        total += key & 0xffff;
    }
    for (int i = 0;; i++) {
        sum += keys[i] & 0xffff;
        if (2 * sum >= total) return (int16_t)(keys[i] >> 16);
    }
}

static int32_t key_of(int16_t value, int weight) { return value * 65536 + weight; }

void vfx_flow_median_row_c(const vfx_flow_median *f, int y, vfx_motion_vector *dst)
{
    const span rows = span_of(y, f->rows);
    for (int x = 0; x < f->columns; x++) {
        const span columns = span_of(x, f->columns);
        dst[x] = f->vectors[(intptr_t)y * f->columns + x];
        if (is_smooth(f, columns, rows, dst[x])) continue;
        const neighbourhood n = neighbourhood_of(f, columns, rows, x, y);
        int32_t across[NEIGHBOURHOOD], down[NEIGHBOURHOOD];
        for (int i = 0; i < n.count; i++) {
            across[i] = key_of(n.vectors[i].x, n.weights[i]);
            down[i] = key_of(n.vectors[i].y, n.weights[i]);
        }
        dst[x] = (vfx_motion_vector){median(across, n.count), median(down, n.count)};
    }
}
