// Compiled once per sample type and level, with PIXEL, NAME(x), LANE, a signed type for differences of samples, and SUM, an
// unsigned type of the same size for the sum of a column of a block. Plain C that the compiler vectorises.

#define COMBING_MIN(a, b) ((a) < (b) ? (a) : (b))
#define COMBING_MAX(a, b) ((a) > (b) ? (a) : (b))

/// The least and the greatest of the alternating differences between rows.
typedef struct NAME(combing_range) { LANE low, high; } NAME(combing_range);

static inline NAME(combing_range) NAME(combing_add)(NAME(combing_range) range, LANE difference)
{
    return (NAME(combing_range)){COMBING_MIN(range.low, difference), COMBING_MAX(range.high, difference)};
}

static inline NAME(combing_range) NAME(combing_differences)(LANE a, LANE b, LANE c, LANE d)
{
    const LANE first = (LANE)(b - a);
    const NAME(combing_range) range = {first, first};
    return NAME(combing_add)(NAME(combing_add)(range, (LANE)(b - c)), (LANE)(d - c));
}

static inline SUM NAME(combing_zigzag)(NAME(combing_range) range, LANE threshold)
{
    const LANE zigzag = (LANE)(COMBING_MAX(range.low, (LANE)-range.high) - threshold);
    return (SUM)COMBING_MAX(zigzag, (LANE)0);
}

static inline SUM NAME(combing_change)(LANE a, LANE b, LANE threshold)
{
    const LANE change = (LANE)((a > b ? a - b : b - a) - threshold);
    return (SUM)COMBING_MAX(change, (LANE)0);
}

void NAME(combing_row)(vfx_combing *sums, const void *current_, ptrdiff_t current_stride, const void *previous_,
                       ptrdiff_t previous_stride, int blocks, int rows, int is_bottom, int threshold)
{
    const LANE t = (LANE)threshold;
    for (int block = 0; block < blocks; block++) {
        SUM frame[16] = {0}, frame_long[16] = {0}, woven[2][16] = {{0}}, change[2][16] = {{0}};
        for (int y = 0; y < rows; y++) {
            const PIXEL *restrict c = (const PIXEL *)current_ + y * current_stride + 16 * block;
            const PIXEL *restrict p = (const PIXEL *)previous_ + y * previous_stride + 16 * block;
            // A row of the top field between rows of the previous bottom field, or the reverse.
            SUM *restrict own = woven[(y + is_bottom) & 1], *restrict other = woven[(y + is_bottom + 1) & 1];
            SUM *restrict changed = change[(y + is_bottom) & 1];
            for (int x = 0; x < 16; x++) {
                const LANE c0 = c[x - current_stride], c1 = c[x], c2 = c[x + current_stride];
                const LANE c3 = c[x + 2 * current_stride];
                const LANE p0 = p[x - previous_stride], p1 = p[x], p2 = p[x + previous_stride];
                const LANE p3 = p[x + 2 * previous_stride];
                const LANE above = c[x - 2 * current_stride], below = c[x + 3 * current_stride];
                NAME(combing_range) range = NAME(combing_differences)(c0, c1, c2, c3);
                frame[x] += NAME(combing_zigzag)(range, t);
                range = NAME(combing_add)(NAME(combing_add)(range, (LANE)(above - c0)), (LANE)(c3 - below));
                frame_long[x] += NAME(combing_zigzag)(range, t);
                own[x] += NAME(combing_zigzag)(NAME(combing_differences)(p0, c1, p2, c3), t);
                other[x] += NAME(combing_zigzag)(NAME(combing_differences)(c0, p1, c2, p3), t);
                changed[x] += NAME(combing_change)(c1, p1, t);
            }
        }
        vfx_combing sum = {0};
        for (int x = 0; x < 16; x++) {
            sum.frame += frame[x];
            sum.frame_long += frame_long[x];
            sum.earlier_bottom += woven[0][x];
            sum.earlier_top += woven[1][x];
            sum.top_change += change[0][x];
            sum.bottom_change += change[1][x];
        }
        sums[block] = sum;
    }
}
#undef COMBING_MIN
#undef COMBING_MAX
#undef PIXEL
#undef LANE
#undef SUM
#undef NAME
