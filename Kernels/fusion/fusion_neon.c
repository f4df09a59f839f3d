#include "../arm/arm.h"
#if defined(__aarch64__)
#pragma STDC FP_CONTRACT OFF
#include <arm_neon.h>

// Both halves of pairs at once: each sample of the rows is one value.
static inline void differences(int32_t *pairs, const uint16_t *a, const uint16_t *b, int count, int depth)
{
    int16_t *dst = (int16_t *)pairs;
    int i = 0;
    if (depth <= 14) {
        const int16x8_t up = vdupq_n_s16((int16_t)(14 - depth));
        for (; i + 32 <= 2 * count; i += 32) {
            const uint16x8x4_t p = vld1q_u16_x4(a + i), q = vld1q_u16_x4(b + i);
            int16x8x4_t v;
            for (int k = 0; k < 4; k++) v.val[k] = vshlq_s16(vreinterpretq_s16_u16(vsubq_u16(p.val[k], q.val[k])), up);
            vst1q_s16_x4(dst + i, v);
        }
        for (; i + 8 <= 2 * count; i += 8) {
            const uint16x8_t difference = vsubq_u16(vld1q_u16(a + i), vld1q_u16(b + i));
            vst1q_s16(dst + i, vshlq_s16(vreinterpretq_s16_u16(difference), up));
        }
    } else {
        // Half of a difference of 16-bit samples has 16 bits. A negative count shifts right.
        const int16x8_t down = vdupq_n_s16((int16_t)(15 - depth));
        for (; i + 8 <= 2 * count; i += 8) {
            const uint16x8_t half = vhsubq_u16(vld1q_u16(a + i), vld1q_u16(b + i));
            vst1q_s16(dst + i, vshlq_s16(vreinterpretq_s16_u16(half), down));
        }
    }
    for (; i < 2 * count; i++) dst[i] = (int16_t)((a[i] - b[i]) * 64 >> (depth - 8));
}

static inline int16x8_t centred(const int16_t *p) { return vsubq_s16(vshlq_n_s16(vld1q_s16(p), 4), vdupq_n_s16(2048)); }

static inline void values(int32_t *pairs, const int16_t *a, const int16_t *b, int count)
{
    int16_t *dst = (int16_t *)pairs;
    int x = 0;
    for (; x + 8 <= count; x += 8) {
        const int16x8x2_t both = {{centred(a + x), centred(b + x)}};
        vst2q_s16(dst + 2 * x, both);
    }
    for (; x < count; x++) {
        dst[2 * x] = (int16_t)((a[x] - 128) * 16);
        dst[2 * x + 1] = (int16_t)((b[x] - 128) * 16);
    }
}

void vfx_fusion_input_row_neon(int32_t *const *dst, const void *const *upper, const void *const *lower,
                               const vfx_fusion_cells *cells, int count, int depth)
{
    static const int compared[6][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 4}, {1, 5}};
    for (int k = 0; k < 6; k++) {
        differences(dst[2 * k], upper[compared[k][0]], upper[compared[k][1]], count, depth);
        differences(dst[2 * k + 1], lower[compared[k][0]], lower[compared[k][1]], count, depth);
    }
    values(dst[12], cells->share[0], cells->trust[0], count);
    values(dst[13], cells->share[1], cells->trust[1], count);
    const int16_t phase = (int16_t)((cells->phase - 512) * 4);
    int16_t *out = (int16_t *)dst[14];
    int x = 0;
    for (; x + 8 <= count; x += 8) {
        const int16x8x2_t both = {{centred(cells->distance + x), vdupq_n_s16(phase)}};
        vst2q_s16(out + 2 * x, both);
    }
    for (; x < count; x++) {
        out[2 * x] = (int16_t)((cells->distance[x] - 128) * 16);
        out[2 * x + 1] = phase;
    }
}

typedef struct floats8 { float32x4_t low, high; } floats8;

static inline floats8 floats_of(uint16x8_t v)
{
    return (floats8){vcvtq_f32_u32(vmovl_u16(vget_low_u16(v))), vcvtq_f32_u32(vmovl_high_u16(v))};
}

static inline floats8 times(floats8 a, floats8 b)
{
    return (floats8){vmulq_f32(a.low, b.low), vmulq_f32(a.high, b.high)};
}

static inline floats8 scaled(floats8 a, float b) { return (floats8){vmulq_n_f32(a.low, b), vmulq_n_f32(a.high, b)}; }

static inline floats8 plus(floats8 a, floats8 b)
{
    return (floats8){vaddq_f32(a.low, b.low), vaddq_f32(a.high, b.high)};
}

// f·(…) of the polynomial of the C version, without contraction.
static inline float32x4_t mantissa(uint32x4_t fraction)
{
    const float32x4_t f = vcvtq_n_f32_u32(fraction, 10);
    float32x4_t m = vaddq_f32(vdupq_n_f32(0.2276357f), vmulq_f32(f, vdupq_n_f32(0.0771857f)));
    m = vaddq_f32(vdupq_n_f32(0.6951786f), vmulq_f32(f, m));
    return vaddq_f32(vdupq_n_f32(1.0f), vmulq_f32(f, m));
}

static inline float32x4_t with_exponent(float32x4_t m, int32x4_t whole)
{
    return vreinterpretq_f32_s32(vaddq_s32(vreinterpretq_s32_f32(m), whole));
}

// 2^(d / 1024) for −16384 ≤ d ≤ 0. The whole part becomes the exponent in the upper half of the 32 bits.
static inline floats8 power(int16x8_t d)
{
    const uint16x8_t fraction = vandq_u16(vreinterpretq_u16_s16(d), vdupq_n_u16(1023));
    const int16x8_t whole = vbicq_s16(vshrq_n_s16(d, 3), vdupq_n_s16(127));
    return (floats8){
        with_exponent(mantissa(vmovl_u16(vget_low_u16(fraction))), vshll_n_s16(vget_low_s16(whole), 16)),
        with_exponent(mantissa(vmovl_high_u16(fraction)), vshll_high_n_s16(whole, 16)),
    };
}

// The difference of scores may be saturated, because it is limited in any case.
static inline floats8 likelihood(int16x8_t score, int16x8_t top)
{
    return power(vmaxq_s16(vqsubq_s16(score, top), vdupq_n_s16(-16384)));
}

static inline uint16x8_t limited(int16x8_t share)
{
    return vreinterpretq_u16_s16(vminq_s16(vmaxq_s16(share, vdupq_n_s16(1)), vdupq_n_s16(255)));
}

static inline uint16x8_t rounded_down(floats8 v)
{
    return vcombine_u16(vmovn_u32(vcvtq_u32_f32(v.low)), vmovn_u32(vcvtq_u32_f32(v.high)));
}

void vfx_fusion_weights_row_neon(uint16_t *const *weights, const int16_t *const *scores, const int16_t *const *share,
                                 int phase, int count)
{
    const float late = (float)phase, early = (float)(1024 - phase);
    int x = 0;
    for (; x + 8 <= count; x += 8) {
        int16x8_t score[VFX_FUSION_PREDICTIONS], top = vdupq_n_s16(INT16_MIN);
        for (int k = 0; k < VFX_FUSION_PREDICTIONS; k++) {
            score[k] = vld1q_s16(scores[k] + x);
            top = vmaxq_s16(top, score[k]);
        }
        const uint16x8_t s = limited(vld1q_s16(share[0] + x)), u = limited(vld1q_s16(share[1] + x));
        const floats8 priors[4] = {
            scaled(floats_of(vsubq_u16(vdupq_n_u16(256), s)), early), scaled(floats_of(s), late),
            scaled(floats_of(vsubq_u16(vdupq_n_u16(256), u)), early), scaled(floats_of(u), late),
        };
        floats8 e[VFX_FUSION_PREDICTIONS];
        for (int k = 0; k < 4; k++) e[k] = times(likelihood(score[k], top), priors[k]);
        const floats8 doubt = floats_of(vreinterpretq_u16_s16(vsubq_s16(vdupq_n_s16(256), vld1q_s16(share[2] + x))));
        const floats8 smooth = scaled(times(doubt, doubt), early * late * (1.0f / 65536));
        for (int k = 4; k < VFX_FUSION_PREDICTIONS; k++) e[k] = times(likelihood(score[k], top), smooth);
        const floats8 sum = plus(plus(plus(e[0], e[1]), plus(e[2], e[3])), plus(plus(e[4], e[5]), plus(e[6], e[7])));
        const float32x4_t one = vdupq_n_f32(16384.0f);
        const floats8 unit = scaled((floats8){vdivq_f32(one, sum.low), vdivq_f32(one, sum.high)}, 0.99999f);
        uint16x8_t rest = vdupq_n_u16(16384);
        for (int k = 1; k < VFX_FUSION_PREDICTIONS; k++) {
            const uint16x8_t weight = rounded_down(times(e[k], unit));
            vst1q_u16(weights[k] + x, weight);
            rest = vsubq_u16(rest, weight);
        }
        vst1q_u16(weights[0] + x, rest);
    }
    if (x == count) return;
    uint16_t *w[VFX_FUSION_PREDICTIONS];
    const int16_t *l[VFX_FUSION_PREDICTIONS];
    for (int k = 0; k < VFX_FUSION_PREDICTIONS; k++) {
        w[k] = weights[k] + x;
        l[k] = scores[k] + x;
    }
    const int16_t *const s[] = {share[0] + x, share[1] + x, share[2] + x};
    vfx_fusion_weights_row_c(w, l, s, phase, count - x);
}

// Eight means of four weights. Their sum can be 65536, so the two columns are added by a halving addition.
static inline uint16x8_t mean8(const uint16_t *upper, const uint16_t *lower)
{
    const uint16x8x2_t a = vld2q_u16(upper), b = vld2q_u16(lower);
    return vshrq_n_u16(vhaddq_u16(vaddq_u16(a.val[0], b.val[0]), vaddq_u16(a.val[1], b.val[1])), 1);
}

void vfx_fusion_halve_weights_row_neon(uint16_t *const *weights, const uint16_t *const *upper,
                                       const uint16_t *const *lower, int count)
{
    int x = 0;
    for (; x + 8 <= count; x += 8) {
        uint16x8_t rest = vdupq_n_u16(16384);
        for (int k = 1; k < VFX_FUSION_PREDICTIONS; k++) {
            const uint16x8_t mean = mean8(upper[k] + 2 * x, lower[k] + 2 * x);
            vst1q_u16(weights[k] + x, mean);
            rest = vsubq_u16(rest, mean);
        }
        vst1q_u16(weights[0] + x, rest);
    }
    if (x == count) return;
    uint16_t *w[VFX_FUSION_PREDICTIONS];
    const uint16_t *a[VFX_FUSION_PREDICTIONS], *b[VFX_FUSION_PREDICTIONS];
    for (int k = 0; k < VFX_FUSION_PREDICTIONS; k++) {
        w[k] = weights[k] + x;
        a[k] = upper[k] + 2 * x;
        b[k] = lower[k] + 2 * x;
    }
    vfx_fusion_halve_weights_row_c(w, a, b, count - x);
}

// Subtracts 1 from eight counts where the samples differ by more than the limit.
static inline uint16x8_t count8(uint16x8_t counts, const uint16_t *a, const uint16_t *b, uint16x8_t limit)
{
    return vaddq_u16(counts, vcgtq_u16(vabdq_u16(vld1q_u16(a), vld1q_u16(b)), limit));
}

void vfx_fusion_count_row_neon(uint8_t *dst, const void *a_, const void *b_, int count, int step, int limit)
{
    const uint16_t *a = a_, *b = b_, *const end = a + count;
    const uint16x8_t limits = vdupq_n_u16((uint16_t)limit);
    while (a < end) {
        const uint16_t *const stop = end - a < step ? end : a + step;
        uint16x8_t even = vdupq_n_u16(0), odd = vdupq_n_u16(0);
        for (; stop - a >= 16; a += 16, b += 16) {
            even = count8(even, a, b, limits);
            odd = count8(odd, a + 8, b + 8, limits);
        }
        for (; stop - a >= 8; a += 8, b += 8) even = count8(even, a, b, limits);
        int sum = -(int16_t)vaddvq_u16(vaddq_u16(even, odd));
        // The compiler's vectors would cost more than these few samples.
#pragma clang loop vectorize(disable) unroll(disable)
        for (; a < stop; a++, b++) sum += (*a < *b ? *b - *a : *a - *b) > (uint16_t)limit;
        *dst++ = (uint8_t)sum;
    }
}
#endif
