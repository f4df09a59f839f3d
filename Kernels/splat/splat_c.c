#include "../internal/versions.h"
#include "splat_cells.h"

void vfx_splat_owner_row_c(const vfx_splat *s, int y)
{
    for (int x = 0, from = y * s->columns; x < s->columns; x++, from++)
        own_cells(s, landing_of(s, s->vectors[from], x, y), arriving(s, s->vectors[from]), base_rank(s, from));
}

void vfx_splat_mean_row_c(const vfx_splat *s, int y)
{
    for (int x = 0, from = y * s->columns; x < s->columns; x++, from++)
        add_to_cells(s, landing_of(s, s->vectors[from], x, y), arriving(s, s->vectors[from]), divisor(s, from));
}
