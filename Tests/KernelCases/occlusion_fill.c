#include "case.h"

// Outputs of the kernel that finds holes. Entries behind the last hole may have any contents.
static void check_found(kc_run *r, const kc_output *holes, int wanted, int got, int columns)
{
    kc_check_value(r, wanted, got, "holes of %d cells", columns);
    if (wanted != got) return;
    const size_t found = (size_t)wanted * sizeof(vfx_fill_hole), rest = (size_t)columns * sizeof(vfx_fill_hole) - found;
    memset(holes->wanted + found, 0, rest);
    memset(holes->got + found, 0, rest);
    kc_check(r, holes, "holes of %d cells", columns);
}

static void compare_find(kc_run *r)
{
    static const int spans[] = {10, 3000, 32256, 32767}, most_errors[] = {13, 65535};
    static const int tolerances[] = {0, 12, 30000, 65535};
    for (const int *w = kc_widths; *w; w++)
        for (int round = 0; round < 6; round++) {
            const int columns = *w, span = spans[kc_in(r, 0, 3)], most = most_errors[kc_in(r, 0, 1)];
            const int y = kc_in(r, 0, 20), rows = kc_in(r, y + 1, kc_one_in(r, 2) ? 21 : 1000);
            const int limit_x = 128 * columns - kc_in(r, 0, 127), limit_y = 128 * rows - kc_in(r, 0, 127);
            const int tolerance = tolerances[kc_in(r, 0, 3)];
            vfx_motion_vector *vectors = kc_guarded(r, (size_t)columns * sizeof *vectors, kc_one_in(r, 2));
            uint16_t *errors = kc_guarded(r, (size_t)columns * sizeof *errors, kc_one_in(r, 2));
            for (int x = 0; x < columns; x++) {
                vectors[x] = kc_vector(r, span);
                // Some vectors end just inside or outside the field.
                if (kc_one_in(r, 8)) vectors[x].y = (int16_t)(-64 - 128 * y - kc_in(r, 0, 1));
                if (kc_one_in(r, 8) && x < 200) vectors[x].x = (int16_t)(-64 - 128 * x - kc_in(r, 0, 1));
                const int right = limit_x - 64 - 128 * x - kc_in(r, 0, 1);
                if (kc_one_in(r, 8) && right < 32768) vectors[x].x = (int16_t)right;
                const int below = limit_y - 64 - 128 * y - kc_in(r, 0, 1);
                if (kc_one_in(r, 8) && below < 32768) vectors[x].y = (int16_t)below;
                errors[x] = (uint16_t)kc_in(r, 0, most);
                if (kc_one_in(r, 4)) errors[x] = (uint16_t)(tolerance + kc_in(r, 0, tolerance < 65535));
            }
            const kc_output holes = kc_output_make(r, columns * (int)sizeof(vfx_fill_hole), 1, 4);
            const kc_output distance = kc_output_make(r, columns * (int)sizeof(int32_t), 1, 4);
            const int wanted = r->c->fill_find_row(vectors, errors, y, columns, limit_x, limit_y, tolerance,
                                                   (vfx_fill_hole *)holes.wanted, (int32_t *)distance.wanted);
            const int got = r->tested->fill_find_row(vectors, errors, y, columns, limit_x, limit_y, tolerance,
                                                     (vfx_fill_hole *)holes.got, (int32_t *)distance.got);
            check_found(r, &holes, wanted, got, columns);
            kc_check(r, &distance, "distances of %d cells", columns);
            kc_release(r);
        }
}

static int work_find(kc_run *r, int calls)
{
    vfx_motion_vector *vectors = kc_guarded(r, 240 * sizeof *vectors, false);
    uint16_t *errors = kc_guarded(r, 240 * sizeof *errors, false);
    for (int x = 0; x < 240; x++) {
        vectors[x] = (vfx_motion_vector){(int16_t)(x % 97), (int16_t)(x % 89)};
        errors[x] = x % 80 < 8 ? 40 : 3;
    }
    const kc_output holes = kc_output_make(r, 240 * (int)sizeof(vfx_fill_hole), 1, 4);
    const kc_output distance = kc_output_make(r, 240 * (int)sizeof(int32_t), 1, 4);
    while (calls-- > 0)
        r->tested->fill_find_row(vectors, errors, 9, 240, 128 * 240, 128 * 135, 12, (vfx_fill_hole *)holes.got,
                                 (int32_t *)distance.got);
    return 240;
}

// A field whose arrays are each followed by an inaccessible page. Vectors and distances are copied for C.
typedef struct trial {
    vfx_fill_field field;
    kc_output vectors, distance;
    vfx_fill_hole *holes;
    int count;
} trial;

// `share` quarters of the cells are holes, a third of which have been reached.
static trial trial_make(kc_run *r, int columns, int rows, int span, int most, int share)
{
    const int cells = columns * rows, bordered = (columns + 2) * (rows + 2);
    trial t = {.vectors = kc_output_make(r, cells * (int)sizeof(vfx_motion_vector), 1, 4)};
    t.distance = kc_output_make(r, bordered * (int)sizeof(int32_t), 1, 4);
    vfx_motion_vector *vectors = (vfx_motion_vector *)t.vectors.wanted;
    int32_t *distance = (int32_t *)t.distance.wanted;
    uint8_t *brightness = kc_guarded(r, (size_t)bordered, true);
    t.holes = kc_guarded(r, (size_t)cells * sizeof *t.holes, false);
    for (int i = 0; i < bordered; i++) {
        distance[i] = VFX_FILL_UNREACHED;
        brightness[i] = (uint8_t)kc_in(r, 0, most);
    }
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            const int at = y * columns + x, own = (y + 1) * (columns + 2) + x + 1;
            vectors[at] = kc_vector(r, span);
            if (kc_in(r, 0, 3) >= share)
                distance[own] = 0;
            else {
                t.holes[t.count++] = (vfx_fill_hole){at, own};
                if (kc_one_in(r, 3)) distance[own] = kc_in(r, 5, 5000);
            }
        }
    memcpy(t.vectors.got, vectors, (size_t)cells * sizeof *vectors);
    memcpy(t.distance.got, distance, (size_t)bordered * sizeof *distance);
    t.holes = kc_copy(r, t.holes, (size_t)t.count * sizeof *t.holes);
    t.field = (vfx_fill_field){vectors, brightness, distance, columns, rows};
    return t;
}

static trial any_trial(kc_run *r)
{
    static const int spans[] = {2, 40, 1200, 32256};
    const int columns = kc_in(r, 1, 20), rows = kc_in(r, 1, 15), span = spans[kc_in(r, 0, 3)];
    const int most = kc_one_in(r, 2) ? 3 : 255;
    return trial_make(r, columns, rows, span, most, kc_in(r, 0, 4));
}

// The tested version's field, alone in memory: its arrays end at inaccessible pages.
static vfx_fill_field guarded_field(kc_run *r, const trial *t)
{
    vfx_fill_field field = t->field;
    const size_t cells = (size_t)(field.columns * field.rows);
    const size_t bordered = (size_t)((field.columns + 2) * (field.rows + 2));
    field.vectors = kc_copy(r, t->vectors.got, cells * sizeof *field.vectors);
    field.distance = kc_copy(r, t->distance.got, bordered * sizeof *field.distance);
    return field;
}

static void compare_sweep(kc_run *r)
{
    for (int round = 0; round < 150; round++)
        for (int step = -1; step <= 1; step += 2) {
            const trial t = any_trial(r);
            const int is_usual = kc_one_in(r, 2), straight = is_usual ? 5 : kc_in(r, 0, 1000);
            const int diagonal = is_usual ? 7 : kc_in(r, 0, 1000);
            const vfx_fill_field field = guarded_field(r, &t);
            r->c->fill_sweep(&t.field, t.holes, t.count, step, straight, diagonal);
            r->tested->fill_sweep(&field, t.holes, t.count, step, straight, diagonal);
            memcpy(t.vectors.got, field.vectors, (size_t)(field.columns * field.rows) * sizeof *field.vectors);
            memcpy(t.distance.got, field.distance,
                   (size_t)((field.columns + 2) * (field.rows + 2)) * sizeof *field.distance);
            kc_check(r, &t.vectors, "vectors, round %d, step %d", round, step);
            kc_check(r, &t.distance, "distances, round %d, step %d", round, step);
            kc_release(r);
        }
}

static void compare_smooth(kc_run *r)
{
    static const int halves[][2] = {{2, 16}, {1, 1}, {256, 256}, {1, 256}, {256, 1}};
    for (int round = 0; round < 300; round++) {
        const trial t = any_trial(r);
        const int *half = halves[kc_in(r, 0, 4)];
        const vfx_fill_field field = guarded_field(r, &t);
        const kc_output means = kc_output_make(r, t.count * (int)sizeof(vfx_motion_vector), 1, 4);
        r->c->fill_smooth(&t.field, t.holes, t.count, half[0], half[1], (vfx_motion_vector *)means.wanted);
        r->tested->fill_smooth(&field, t.holes, t.count, half[0], half[1], (vfx_motion_vector *)means.got);
        kc_check(r, &means, "%d×%d cells, round %d", t.field.columns, t.field.rows, round);
        kc_release(r);
    }
}

static int work_sweep(kc_run *r, int calls)
{
    const trial t = trial_make(r, 240, 20, 100, 13, 1);
    vfx_fill_field field = t.field;
    const size_t size = 242 * 22 * sizeof *field.distance;
    while (calls-- > 0) {
        memcpy(t.distance.wanted, t.distance.got, size);
        r->tested->fill_sweep(&field, t.holes, t.count, calls & 1 ? 1 : -1, 5, 7);
    }
    return t.count;
}

static int work_smooth(kc_run *r, int calls)
{
    const trial t = trial_make(r, 240, 20, 100, 13, 1);
    const kc_output means = kc_output_make(r, t.count * (int)sizeof(vfx_motion_vector), 1, 4);
    while (calls-- > 0) r->tested->fill_smooth(&t.field, t.holes, t.count, 2, 16, (vfx_motion_vector *)means.got);
    return t.count;
}

const kc_case kc_occlusion_fill_cases[] = {
    {"fill_find_row", compare_find, work_find},
    {"fill_sweep", compare_sweep, work_sweep},
    {"fill_smooth", compare_smooth, work_smooth},
    {0},
};
