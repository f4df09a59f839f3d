#include "case.h"

// Weights by brightness or by place: all equal, extremes, any, or falling.
static uint8_t *weights_make(kc_run *r, int count)
{
    uint8_t *w = kc_guarded(r, (size_t)count, true);
    const int kind = kc_in(r, 0, 4);
    for (int i = 0; i < count; i++)
        w[i] = (uint8_t)(kind == 0   ? 0
                         : kind == 1 ? 255
                         : kind == 2 ? (kc_one_in(r, 2) ? 255 : 0)
                         : kind == 3 ? kc_in(r, 0, 255)
                                     : 255 / (1 + i));
    return w;
}

// Objects of a few columns and rows, each with its motion and brightness, and outliers.
static vfx_flow_median field_make(kc_run *r, int columns, int rows)
{
    static const int spans[] = {2, 40, 1200, 32256}, smooth[] = {0, 3, 16, 80, 4000, 32766};
    const int span = spans[kc_in(r, 0, 3)], noise = kc_in(r, 0, 2), outliers = kc_in(r, 1, 40);
    const int width = kc_in(r, 1, 60), height = kc_in(r, 1, 4), contrast = kc_one_in(r, 3) ? 255 : 40;
    const size_t count = (size_t)(columns * rows);
    vfx_motion_vector objects[16], *vectors = kc_guarded(r, count * sizeof *vectors, kc_one_in(r, 2));
    uint8_t *brightness = kc_guarded(r, count, kc_one_in(r, 2)), *trust = kc_guarded(r, count, kc_one_in(r, 2));
    for (int i = 0; i < 16; i++) objects[i] = kc_vector(r, span);
    for (int i = 0; i < columns * rows; i++) {
        const int object = (i % columns / width * 5 + i / columns / height * 3) % 16;
        vectors[i] = objects[object];
        vectors[i].x = (int16_t)(vectors[i].x + kc_in(r, -noise, noise));
        if (kc_one_in(r, outliers)) vectors[i] = kc_vector(r, span);
        brightness[i] = (uint8_t)(kc_one_in(r, 9) ? kc_in(r, 0, 255) : object * contrast / 15);
        trust[i] = (uint8_t)(contrast == 255 && kc_one_in(r, 2) ? 255 : kc_in(r, 1, 255));
    }
    const uint8_t *similarity = weights_make(r, 256), *nearness = weights_make(r, 25);
    return (vfx_flow_median){vectors, brightness, trust, columns, rows, smooth[kc_in(r, 0, 5)], similarity, nearness};
}

static void compare_row(kc_run *r, const vfx_flow_median *field, int y)
{
    const kc_output out = kc_output_make(r, 4 * field->columns, 1, 4);
    r->c->flow_median_row(field, y, (vfx_motion_vector *)out.wanted);
    r->tested->flow_median_row(field, y, (vfx_motion_vector *)out.got);
    kc_check(r, &out, "%d×%d cells, row %d, smooth up to %d", field->columns, field->rows, y, field->smooth_distance);
}

static void compare(kc_run *r)
{
    for (const int *w = kc_widths; *w && *w <= 641; w++)
        for (int round = 0; round < 20; round++) {
            const vfx_flow_median field = field_make(r, *w, round < 4 ? 1 : kc_in(r, 1, 9));
            compare_row(r, &field, kc_in(r, 0, field.rows - 1));
            if (*w <= 16)
                for (int y = 0; y < field.rows; y++) compare_row(r, &field, y);
            kc_release(r);
        }
}

// Edges of motion and brightness at every fifteenth column.
static int work(kc_run *r, int calls)
{
    enum { COLUMNS = 240, ROWS = 5 };
    vfx_motion_vector vectors[COLUMNS * ROWS];
    uint8_t brightness[COLUMNS * ROWS], trust[COLUMNS * ROWS], by_brightness[256], by_place[25];
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        const int object = i / 15 % 2;
        vectors[i] = (vfx_motion_vector){(int16_t)(300 + i % 7 + 200 * object), (int16_t)(i % 5 - 2)};
        brightness[i] = (uint8_t)(90 + i % 13 + 50 * object);
        trust[i] = (uint8_t)(60 + i % 190);
    }
    for (int i = 0; i < 256; i++) by_brightness[i] = (uint8_t)(255 / (1 + i * i / 64));
    for (int i = 0; i < 25; i++) by_place[i] = (uint8_t)(250 - 30 * (abs(i % 5 - 2) + abs(i / 5 - 2)));
    const vfx_flow_median field = {vectors, brightness, trust, COLUMNS, ROWS, 16, by_brightness, by_place};
    const kc_output out = kc_output_make(r, 4 * COLUMNS, 1, 4);
    while (calls-- > 0) r->tested->flow_median_row(&field, 2, (vfx_motion_vector *)out.got);
    return COLUMNS;
}

const kc_case kc_flow_median_cases[] = {{"flow_median_row", compare, work}, {0}};
