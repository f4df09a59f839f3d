#include "case.h"

// The grids onto which a field is splatted. C's copy is in the outputs' wanted bytes.
typedef struct trial {
    vfx_splat splat;
    int rows;
    kc_output rank, owner, sums;
} trial;

static int16_t limited(int v) { return (int16_t)(v < -32768 ? -32768 : v > 32767 ? 32767 : v); }

// Neighbours often share a motion, which differs by at most `spread`, so that vectors agree.
static trial trial_make(kc_run *r, int columns, int rows, int span, int spread, int most_error)
{
    const int cells = columns * rows, common_x = kc_in(r, -span, span), common_y = kc_in(r, -span, span);
    vfx_motion_vector *vectors = kc_guarded(r, (size_t)cells * sizeof *vectors, true);
    uint16_t *errors = kc_guarded(r, (size_t)cells * sizeof *errors, true);
    uint32_t *costs = kc_guarded(r, (size_t)cells * sizeof *costs, true);
    trial t = {.rows = rows};
    t.rank = kc_output_make(r, cells * (int)sizeof(uint32_t), 1, 4);
    t.owner = kc_output_make(r, cells * (int)sizeof(vfx_motion_vector), 1, 4);
    t.sums = kc_output_make(r, cells * (int)sizeof(vfx_splat_sum), 1, 4);
    for (int i = 0; i < cells; i++) {
        if (kc_one_in(r, 4)) {
            vectors[i] = kc_vector(r, span);
        } else {
            vectors[i].x = limited(common_x + kc_in(r, -spread, spread));
            vectors[i].y = limited(common_y + kc_in(r, -spread, spread));
        }
        errors[i] = (uint16_t)kc_in(r, 0, most_error);
        costs[i] = (uint32_t)kc_in(r, 0, 16320);
        ((uint32_t *)t.rank.wanted)[i] = UINT32_MAX;
        ((vfx_motion_vector *)t.owner.wanted)[i] = (vfx_motion_vector){7, -9};
    }
    // Of the sums, the unused part is kept.
    for (int i = 0; i < 4 * cells; i++) ((int32_t *)t.sums.wanted)[i] = i;
    const int first = kc_in(r, 0, rows - 1), last = kc_in(r, first + 1, rows);
    const int share = kc_in(r, 0, 1024), negated = kc_in(r, 0, 1);
    t.splat = (vfx_splat){.vectors = vectors, .errors = errors, .costs = costs, .columns = columns, .first_row = first,
                          .last_row = last, .share = share, .negated = negated,
                          .owner_coverage = 3000, .error_weight = 4, .uncovered_shift = 9, .difference_shift = 3,
                          .agreement = 40, .weight_offset = 64, .weight_per_error = 4, .maximum_error = 2000};
    return t;
}

static trial any_trial(kc_run *r)
{
    static const int spans[] = {3, 130, 900, 32256}, most_errors[] = {5, 3000, 65535};
    const int columns = kc_in(r, 1, 40), rows = kc_in(r, 1, 12), span = spans[kc_in(r, 0, 3)];
    const int spread = kc_in(r, 0, 60);
    trial t = trial_make(r, columns, rows, span, spread, most_errors[kc_in(r, 0, 2)]);
    if (kc_one_in(r, 3)) {
        static const int agreements[] = {0, 1000, 32766};
        t.splat.agreement = agreements[kc_in(r, 0, 2)];
        t.splat.weight_offset = kc_in(r, 64, 1000);
        t.splat.weight_per_error = kc_in(r, 0, 12);
        t.splat.maximum_error = kc_in(r, 0, 2600);
        t.splat.owner_coverage = kc_in(r, 0, 16384);
    }
    return t;
}

// The splat onto C's grids.
static vfx_splat onto_wanted(const trial *t)
{
    vfx_splat s = t->splat;
    s.rank = (uint32_t *)t->rank.wanted;
    s.owner = (vfx_motion_vector *)t->owner.wanted;
    s.sums = (vfx_splat_sum *)t->sums.wanted;
    return s;
}

// Gives the tested version C's grids before a pass, in arrays that end at inaccessible pages.
static vfx_splat onto_copy(kc_run *r, const trial *t)
{
    vfx_splat s = t->splat;
    const size_t cells = (size_t)(s.columns * t->rows);
    s.rank = kc_copy(r, t->rank.wanted, cells * sizeof *s.rank);
    s.owner = kc_copy(r, t->owner.wanted, cells * sizeof *s.owner);
    s.sums = kc_copy(r, t->sums.wanted, cells * sizeof *s.sums);
    return s;
}

static void check(kc_run *r, const trial *t, const vfx_splat *s, int round)
{
    const size_t cells = (size_t)(s->columns * t->rows);
    memcpy(t->rank.got, s->rank, cells * sizeof *s->rank);
    memcpy(t->owner.got, s->owner, cells * sizeof *s->owner);
    memcpy(t->sums.got, s->sums, cells * sizeof *s->sums);
    kc_check(r, &t->rank, "ranks, round %d", round);
    kc_check(r, &t->owner, "owners, round %d", round);
    kc_check(r, &t->sums, "sums, round %d", round);
    kc_release(r);
}

static void compare_owner(kc_run *r)
{
    for (int round = 0; round < 300; round++) {
        const trial t = any_trial(r);
        const vfx_splat wanted = onto_wanted(&t), got = onto_copy(r, &t);
        for (int y = 0; y < t.rows; y++) {
            r->c->splat_owner_row(&wanted, y);
            r->tested->splat_owner_row(&got, y);
        }
        check(r, &t, &got, round);
    }
}

static void compare_mean(kc_run *r)
{
    for (int round = 0; round < 300; round++) {
        const trial t = any_trial(r);
        const vfx_splat wanted = onto_wanted(&t);
        for (int y = 0; y < t.rows; y++) r->c->splat_owner_row(&wanted, y);
        const vfx_splat got = onto_copy(r, &t);
        for (int y = 0; y < t.rows; y++) {
            r->c->splat_mean_row(&wanted, y);
            r->tested->splat_mean_row(&got, y);
        }
        check(r, &t, &got, round);
    }
}

static vfx_splat typical(kc_run *r)
{
    const trial t = trial_make(r, 240, 16, 300, 5, 30);
    vfx_splat s = onto_wanted(&t);
    s.first_row = 0;
    s.last_row = 16;
    s.share = 512;
    return s;
}

static int work_owner(kc_run *r, int calls)
{
    const vfx_splat s = typical(r);
    while (calls-- > 0) r->tested->splat_owner_row(&s, 8);
    return 240;
}

static int work_mean(kc_run *r, int calls)
{
    const vfx_splat s = typical(r);
    for (int y = 0; y < 16; y++) r->c->splat_owner_row(&s, y);
    while (calls-- > 0) r->tested->splat_mean_row(&s, 8);
    return 240;
}

const kc_case kc_splat_cases[] = {
    {"splat_owner_row", compare_owner, work_owner},
    {"splat_mean_row", compare_mean, work_mean},
    {0},
};
