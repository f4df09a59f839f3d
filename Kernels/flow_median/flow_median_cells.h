// Neighbourhoods of eight cells of a row, which the versions with intrinsics filter at once.
enum { GROUP = 8, SIDE = 5, NEIGHBOURHOOD = SIDE * SIDE, REACHED = GROUP + SIDE - 1 };

/// Five rows, beginning with a cell of the same column. Places outside the field have the vector of another cell of the
/// neighbourhood, and no trust, which no cell has.
typedef struct rows5 {
    const vfx_motion_vector *vectors[SIDE];
    const uint8_t *brightness[SIDE], *trust[SIDE];
} rows5;

/// Copies of cells at the left and right edges of the field.
typedef struct copied_rows {
    vfx_motion_vector vectors[SIDE][REACHED];
    uint8_t brightness[SIDE][REACHED], trust[SIDE][REACHED];
} copied_rows;

static const uint8_t no_trust[REACHED];

/// The rows around row `y` from the first column on; those outside have NULL for trust.
static inline rows5 rows_around(const vfx_flow_median *f, int y)
{
    rows5 rows;
    for (int r = 0; r < SIDE; r++) {
        const int at = y + r - 2, row = at < 0 ? 0 : at < f->rows ? at : f->rows - 1;
        const intptr_t first = (intptr_t)row * f->columns;
        rows.vectors[r] = f->vectors + first;
        rows.brightness[r] = f->brightness + first;
        rows.trust[r] = row == at ? f->trust + first : NULL;
    }
    return rows;
}

/// Whether no cell of the group that begins at `x` reaches beyond the left or right edge.
static inline int is_inner(const vfx_flow_median *f, int x) { return x >= 2 && x + GROUP + 2 <= f->columns; }

/// The rows of an inner group, which begin two cells before it.
static inline rows5 inner_rows(const rows5 *rows, int x)
{
    rows5 g;
#pragma clang loop unroll(full)
    for (int r = 0; r < SIDE; r++) {
        g.vectors[r] = rows->vectors[r] + x - 2;
        g.brightness[r] = rows->brightness[r] + x - 2;
        g.trust[r] = rows->trust[r] ? rows->trust[r] + x - 2 : no_trust;
    }
    return g;
}

/// The same of any group, from copies.
static inline rows5 edge_rows(const vfx_flow_median *f, const rows5 *rows, int x, copied_rows *copies)
{
    rows5 g;
    for (int c = 0; c < REACHED; c++) {
        const int at = x + c - 2, column = at < 0 ? 0 : at < f->columns ? at : f->columns - 1;
        for (int r = 0; r < SIDE; r++) {
            copies->vectors[r][c] = rows->vectors[r][column];
            copies->brightness[r][c] = rows->brightness[r][column];
            copies->trust[r][c] = column == at && rows->trust[r] ? rows->trust[r][column] : 0;
        }
    }
    for (int r = 0; r < SIDE; r++) {
        g.vectors[r] = copies->vectors[r];
        g.brightness[r] = copies->brightness[r];
        g.trust[r] = copies->trust[r];
    }
    return g;
}
