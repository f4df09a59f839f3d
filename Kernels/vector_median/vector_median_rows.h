// The rows of a neighbourhood, with the outermost repeated.
typedef struct rows3 { const vfx_motion_vector *row[3]; } rows3;

static inline rows3 rows_around(const vfx_vector_median *f, int y)
{
    const vfx_motion_vector *row = f->vectors + (intptr_t)y * f->columns;
    return (rows3){{y > 0 ? row - f->columns : row, row, y + 1 < f->rows ? row + f->columns : row}};
}

static inline int column_of(const vfx_vector_median *f, int x) { return x < 0 ? 0 : x < f->columns ? x : f->columns - 1; }
