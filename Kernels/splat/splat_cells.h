#include <stdlib.h>

// Where a vector lands: the cell and the position in it.
typedef struct landing { int x, y, fx, fy; } landing;

static inline landing landing_of(const vfx_splat *s, vfx_motion_vector v, int x, int y)
{
    const int px = 128 * x + ((v.x * s->share) >> 10), py = 128 * y + ((v.y * s->share) >> 10);
    return (landing){px >> 7, py >> 7, px & 127, py & 127};
}

static inline vfx_motion_vector arriving(const vfx_splat *s, vfx_motion_vector v)
{
    return s->negated ? (vfx_motion_vector){(int16_t)-v.x, (int16_t)-v.y} : v;
}

// The rank of a vector without the part for what it leaves uncovered.
static inline uint32_t base_rank(const vfx_splat *s, int from)
{
    return (uint32_t)s->errors[from] * (uint32_t)s->error_weight + (s->costs[from] >> s->difference_shift);
}

static inline int divisor(const vfx_splat *s, int from)
{
    return s->weight_offset + s->weight_per_error * (s->errors[from] < s->maximum_error ? s->errors[from] : s->maximum_error);
}

// The four cells one by one, wherever the vector lands.
static inline void own_cells(const vfx_splat *s, landing l, vfx_motion_vector v, uint32_t base)
{
    for (int i = 0; i < 4; i++) {
        const int x = l.x + (i & 1), y = l.y + (i >> 1);
        const int coverage = (i & 1 ? l.fx : 128 - l.fx) * (i & 2 ? l.fy : 128 - l.fy);
        if (x < 0 || x >= s->columns || y < s->first_row || y >= s->last_row || coverage < s->owner_coverage) continue;
        const int at = y * s->columns + x;
        const uint32_t rank = base + (uint32_t)((16384 - coverage) >> s->uncovered_shift);
        if (rank >= s->rank[at]) continue;
        s->rank[at] = rank;
        s->owner[at] = v;
    }
}

static inline void add_to_cells(const vfx_splat *s, landing l, vfx_motion_vector v, int divisor)
{
    for (int i = 0; i < 4; i++) {
        const int x = l.x + (i & 1), y = l.y + (i >> 1);
        if (x < 0 || x >= s->columns || y < s->first_row || y >= s->last_row) continue;
        const int at = y * s->columns + x;
        const vfx_motion_vector owner = s->owner[at];
        if (s->rank[at] == UINT32_MAX || abs(v.x - owner.x) + abs(v.y - owner.y) > s->agreement) continue;
        const int weight = (i & 1 ? l.fx : 128 - l.fx) * (i & 2 ? l.fy : 128 - l.fy) / divisor;
        vfx_splat_sum *sum = s->sums + at;
        *sum = (vfx_splat_sum){sum->weight + weight, sum->x + weight * v.x, sum->y + weight * v.y, sum->unused};
    }
}
