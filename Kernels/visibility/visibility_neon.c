#include "../arm/arm.h"
#if defined(__aarch64__)
#pragma STDC FP_CONTRACT OFF
#include "../arm/vector_field_neon.h"

// Four judged cells; the last two are masks.
typedef struct judged { int32x4_t weight, share, trust; uint32x4_t one_side, unexplained; } judged;

// One unsigned comparison checks both limits.
static inline uint32x4_t is_seen(const vfx_visibility *s, int32x4_t x, int32x4_t y)
{
    const int32x4_t first = vdupq_n_s32(-64);
    const uint32x4_t from_left = vreinterpretq_u32_s32(vsubq_s32(x, first));
    const uint32x4_t from_top = vreinterpretq_u32_s32(vsubq_s32(y, first));
    return vandq_u32(vcleq_u32(from_left, vdupq_n_u32(128u * (uint32_t)s->columns)),
                     vcleq_u32(from_top, vdupq_n_u32(128u * (uint32_t)s->rows)));
}

static inline float32x4_t trust(const vfx_visibility *s, uint32x4_t seen, int32x4_t ex, int32x4_t ey,
                                float32x4_t matched)
{
    const float32x4_t one = vdupq_n_f32(1), x = vcvtq_f32_s32(ex), y = vcvtq_f32_s32(ey);
    const float32x4_t square = vaddq_f32(vmulq_f32(x, x), vmulq_f32(y, y));
    const float32x4_t q = vaddq_f32(one, vmulq_f32(square, vdupq_n_f32(1 / s->agreement)));
    const float32x4_t trusted = vaddq_f32(vdivq_f32(one, vmulq_f32(q, q)), matched);
    return vbslq_f32(seen, trusted, vdupq_n_f32(s->unseen_trust));
}

// 256·part / (part + rest), rounded.
static inline int32x4_t share_of(float32x4_t part, float32x4_t rest)
{
    const float32x4_t share = vdivq_f32(vmulq_f32(vdupq_n_f32(256), part), vaddq_f32(rest, part));
    return vcvtq_s32_f32(vaddq_f32(share, vdupq_n_f32(0.5f)));
}

static inline judged judge4(const vfx_visibility *s, int32x4_t cx, int32x4_t cy, vfx_vectors4 vectors,
                            int32x4_t difference)
{
    const int32x4_t down = vdupq_n_s32(-s->vector_shift), t = vdupq_n_s32(s->t);
    const int32x4_t vx = vshlq_s32(vectors.x, down), vy = vshlq_s32(vectors.y, down);
    const int32x4_t ax = vsubq_s32(cx, vshrq_n_s32(vmulq_s32(vx, t), 10));
    const int32x4_t ay = vsubq_s32(cy, vshrq_n_s32(vmulq_s32(vy, t), 10));
    const int32x4_t bx = vaddq_s32(ax, vx), by = vaddq_s32(ay, vy);
    const vfx_vectors4 a = vfx_sample_field4(s->forward, s->columns, s->rows, ax, ay);
    const vfx_vectors4 b = vfx_sample_field4(s->backward, s->columns, s->rows, bx, by);

    const float32x4_t one = vdupq_n_f32(1), least = vdupq_n_f32(s->least_trust), f = vcvtq_f32_s32(difference);
    const float32x4_t d = vmulq_f32(vmulq_f32(f, f), vdupq_n_f32(1 / s->half_difference));
    const uint32x4_t seen_a = is_seen(s, ax, ay), seen_b = is_seen(s, bx, by), seen = vandq_u32(seen_a, seen_b);
    const float32x4_t match = vdivq_f32(vdupq_n_f32(s->matched_trust), vaddq_f32(one, vmulq_f32(d, d)));
    const float32x4_t matched = vbslq_f32(seen, vaddq_f32(least, match), least);
    const float32x4_t trust_a = trust(s, seen_a, vsubq_s32(a.x, vx), vsubq_s32(a.y, vy), matched);
    const float32x4_t trust_b = trust(s, seen_b, vaddq_s32(b.x, vx), vaddq_s32(b.y, vy), matched);

    const float phase = (float)s->t / 1024;
    const float32x4_t w0 = vmulq_n_f32(trust_a, 1 - phase), w1 = vmulq_n_f32(trust_b, phase);
    const float32x4_t most = vmaxq_f32(trust_a, trust_b);
    const float32x4_t scaled = vminq_f32(vmulq_n_f32(most, s->trust_scale), vdupq_n_f32(255));
    const int32x4_t weight = share_of(w1, w0);
    const uint32x4_t one_side = vorrq_u32(vcltq_s32(weight, vdupq_n_s32(s->first_only)),
                                          vcgtq_s32(weight, vdupq_n_s32(s->second_only)));
    const uint32x4_t differs = vcgtq_s32(difference, vdupq_n_s32(s->unexplained_difference));
    const uint32x4_t doubtful = vcltq_f32(most, vdupq_n_f32(s->unexplained_trust));
    return (judged){weight, share_of(trust_b, trust_a), vcvtq_s32_f32(scaled), one_side,
                    vandq_u32(vornq_u32(differs, seen), doubtful)};
}

vfx_visibility_counts vfx_visibility_row_neon(const vfx_visibility *visibility, int y, const vfx_motion_vector *vectors,
                                              const int32_t *differences, int count, const vfx_visibility_row *row)
{
    // Fields of one column have no pairs of neighbours to load.
    if (count < 4 || visibility->columns < 2)
        return vfx_visibility_row_c(visibility, y, vectors, differences, count, row);
    // A copy, which no store can change: its values stay in registers.
    const vfx_visibility s = *visibility;
    const int32x4_t lanes = {0, 1, 2, 3}, cy = vdupq_n_s32(64 * y - 32);
    int32x4_t one_side = vdupq_n_s32(0), unexplained = one_side;
    for (int x = 0; x < count; x += 4) {
        // The last four cells may overlap those before, but are counted once.
        const int at = x < count - 4 ? x : count - 4;
        const int32x4_t place = vaddq_s32(lanes, vdupq_n_s32(at));
        const uint32x4_t is_new = vcgeq_s32(place, vdupq_n_s32(x));
        const int16x4x2_t v = vfx_load_vectors4(vectors + at);
        const int32x4_t cx = vsubq_s32(vshlq_n_s32(place, 6), vdupq_n_s32(32));
        const judged cells = judge4(&s, cx, cy, vfx_widen_vectors4(v), vld1q_s32(differences + at));
        one_side = vsubq_s32(one_side, vreinterpretq_s32_u32(vandq_u32(cells.one_side, is_new)));
        unexplained = vsubq_s32(unexplained, vreinterpretq_s32_u32(vandq_u32(cells.unexplained, is_new)));
        vst1_s16(row->vx + at, v.val[0]);
        vst1_s16(row->vy + at, v.val[1]);
        vst1_s16(row->weight + at, vmovn_s32(cells.weight));
        vst1_s16(row->share + at, vmovn_s32(cells.share));
        vst1_s16(row->trust + at, vmovn_s32(cells.trust));
    }
    return (vfx_visibility_counts){vaddvq_s32(one_side), vaddvq_s32(unexplained)};
}
#endif
