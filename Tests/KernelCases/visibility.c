#include "case.h"

// Most content moves alike: forth in one field, back in the other.
typedef struct motion { int span, spread, x, y; } motion;

static int16_t component(kc_run *r, const motion *m, int centre)
{
    const int near = centre + kc_in(r, -m->spread, m->spread);
    if (kc_one_in(r, 5)) return (int16_t)kc_in(r, -m->span, m->span);
    return (int16_t)(near < -32256 ? -32256 : near > 32256 ? 32256 : near);
}

// Vectors near `scale` times the motion, before a guard page.
static vfx_motion_vector *vectors_make(kc_run *r, const motion *m, int scale, int count)
{
    vfx_motion_vector *v = kc_guarded(r, (size_t)count * sizeof *v, true);
    for (int i = 0; i < count; i++) {
        v[i].x = component(r, m, scale * m->x);
        v[i].y = component(r, m, scale * m->y);
    }
    return v;
}

typedef struct row {
    vfx_visibility visibility;
    int y;
    const vfx_motion_vector *vectors;
    const int32_t *differences;
} row;

static row row_make(kc_run *r, int count, int rows)
{
    const int spans[] = {3, 300, 3000, 32256}, most_differences[] = {40, 400, 32767};
    motion m = {.span = spans[kc_in(r, 0, 3)]};
    m.spread = kc_in(r, 0, 70);
    m.x = kc_in(r, -m.span, m.span);
    m.y = kc_in(r, -m.span, m.span);
    const int columns = (count + 1) / 2, shift = kc_in(r, 0, 5), phases[] = {0, 1024, kc_in(r, 1, 1023)};
    row row = {.visibility = {
        .columns = columns, .rows = rows, .vector_shift = shift, .t = phases[kc_in(r, 0, 2)],
        .half_difference = 4096, .matched_trust = 0.3f, .least_trust = 0.001f, .unseen_trust = 0.0001f,
        .agreement = 1024, .unexplained_difference = 192, .unexplained_trust = 0.1f, .trust_scale = 180,
        .first_only = 26, .second_only = 230,
    }};
    row.visibility.forward = vectors_make(r, &m, 1, columns * rows);
    row.visibility.backward = vectors_make(r, &m, -1, columns * rows);
    row.y = kc_in(r, 0, 2 * rows - 1);
    row.vectors = vectors_make(r, &m, kc_one_in(r, 2) ? 1 << shift : 1, count);
    int32_t *differences = kc_guarded(r, (size_t)count * sizeof *differences, true);
    const int most = most_differences[kc_in(r, 0, 2)];
    for (int i = 0; i < count; i++) differences[i] = kc_in(r, 0, most);
    row.differences = differences;
    return row;
}

static int16_t *samples(uint8_t *first, ptrdiff_t pitch, int row) { return (int16_t *)(first + row * pitch); }

static vfx_visibility_counts judge(vfx_visibility_row_fn *kernel, const row *row, int count, uint8_t *out,
                                   ptrdiff_t pitch)
{
    const vfx_visibility_row outputs = {samples(out, pitch, 0), samples(out, pitch, 1), samples(out, pitch, 2),
                                        samples(out, pitch, 3), samples(out, pitch, 4)};
    return kernel(&row->visibility, row->y, row->vectors, row->differences, count, &outputs);
}

static void compare(kc_run *r)
{
    for (const int *w = kc_widths; *w; w++)
        for (int i = 0; i < 6; i++) {
            const int rows = kc_in(r, 1, 12);
            const row row = row_make(r, *w, rows);
            const kc_output out = kc_output_make(r, *w * (int)sizeof(int16_t), 5, sizeof(int16_t));
            const vfx_visibility_counts wanted = judge(r->c->visibility_row, &row, *w, out.wanted, out.pitch);
            const vfx_visibility_counts got = judge(r->tested->visibility_row, &row, *w, out.got, out.pitch);
            kc_check(r, &out, "%d cells, %d rows", *w, rows);
            kc_check_value(r, wanted.one_side, got.one_side, "one side of %d cells, %d rows", *w, rows);
            kc_check_value(r, wanted.unexplained, got.unexplained, "unexplained of %d cells, %d rows", *w, rows);
            for (int x = 0; x < *w; x++) {
                const int weight = samples(out.got, out.pitch, 2)[x], share = samples(out.got, out.pitch, 3)[x];
                const int trust = samples(out.got, out.pitch, 4)[x];
                const bool in_range = 0 <= weight && weight <= 256 && 0 <= share && share <= 256 && 0 <= trust
                    && trust <= 255;
                kc_check_value(r, true, in_range, "range of cell %d of %d", x, *w);
            }
            kc_release(r);
        }
}

enum { WORK_COUNT = 480 };

static int work(kc_run *r, int calls)
{
    const row row = row_make(r, WORK_COUNT, 135);
    const kc_output out = kc_output_make(r, WORK_COUNT * (int)sizeof(int16_t), 5, sizeof(int16_t));
    while (calls-- > 0) judge(r->tested->visibility_row, &row, WORK_COUNT, out.got, out.pitch);
    return WORK_COUNT;
}

const kc_case kc_visibility_cases[] = {{"visibility_row", compare, work}, {0}};
