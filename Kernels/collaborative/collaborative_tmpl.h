// Compiled once per sample type and level, with PIXEL and NAME(x). All arithmetic is on vectors of eight lanes, with
// IEEE operations in the written order and without contraction, so every level produces the same bits.
#pragma STDC FP_CONTRACT OFF

#ifndef VFX_COLLABORATIVE_LANES
#define VFX_COLLABORATIVE_LANES
typedef float lanes __attribute__((vector_size(32)));
typedef int32_t masks __attribute__((vector_size(32)));
#endif

#define INLINE static inline __attribute__((always_inline))

// Orthonormal eight-point DCT-II of each column of eight rows: the even coefficients by butterflies, the odd ones by
// matrix multiplication.
INLINE void NAME(forward)(lanes *b)
{
    const float r = 0.353553390593273762f, c2 = 0.461939766255643378f, c6 = 0.191341716182544885f;
    const float c1 = 0.490392640201615225f, c3 = 0.415734806151272619f, c5 = 0.277785116509801112f, c7 = 0.097545161008064134f;
    const lanes s0 = b[0] + b[7], s1 = b[1] + b[6], s2 = b[2] + b[5], s3 = b[3] + b[4];
    const lanes d0 = b[0] - b[7], d1 = b[1] - b[6], d2 = b[2] - b[5], d3 = b[3] - b[4];
    const lanes t0 = s0 + s3, t1 = s1 + s2, u0 = s0 - s3, u1 = s1 - s2;
    b[0] = (t0 + t1) * r;
    b[4] = (t0 - t1) * r;
    b[2] = u0 * c2 + u1 * c6;
    b[6] = u0 * c6 - u1 * c2;
    b[1] = (d0 * c1 + d1 * c3) + (d2 * c5 + d3 * c7);
    b[3] = (d0 * c3 - d1 * c7) - (d2 * c1 + d3 * c5);
    b[5] = (d0 * c5 - d1 * c1) + (d2 * c7 + d3 * c3);
    b[7] = (d0 * c7 - d1 * c5) + (d2 * c3 - d3 * c1);
}

INLINE void NAME(inverse)(lanes *b)
{
    const float r = 0.353553390593273762f, c2 = 0.461939766255643378f, c6 = 0.191341716182544885f;
    const float c1 = 0.490392640201615225f, c3 = 0.415734806151272619f, c5 = 0.277785116509801112f, c7 = 0.097545161008064134f;
    const lanes t0 = (b[0] + b[4]) * r, t1 = (b[0] - b[4]) * r;
    const lanes u0 = b[2] * c2 + b[6] * c6, u1 = b[2] * c6 - b[6] * c2;
    const lanes s0 = t0 + u0, s3 = t0 - u0, s1 = t1 + u1, s2 = t1 - u1;
    const lanes d0 = (b[1] * c1 + b[3] * c3) + (b[5] * c5 + b[7] * c7);
    const lanes d1 = (b[1] * c3 - b[3] * c7) - (b[5] * c1 + b[7] * c5);
    const lanes d2 = (b[1] * c5 - b[3] * c1) + (b[5] * c7 + b[7] * c3);
    const lanes d3 = (b[1] * c7 - b[3] * c5) + (b[5] * c3 - b[7] * c1);
    b[0] = s0 + d0;
    b[7] = s0 - d0;
    b[1] = s1 + d1;
    b[6] = s1 - d1;
    b[2] = s2 + d2;
    b[5] = s2 - d2;
    b[3] = s3 + d3;
    b[4] = s3 - d3;
}

INLINE void NAME(transpose)(lanes *b)
{
    lanes t[8], u[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = __builtin_shufflevector(b[i], b[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        t[i + 1] = __builtin_shufflevector(b[i], b[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 8; i += 4)
        for (int k = 0; k < 2; k++) {
            u[i + k] = __builtin_shufflevector(t[i + k], t[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            u[i + k + 2] = __builtin_shufflevector(t[i + k], t[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int i = 0; i < 4; i++) {
        b[i] = __builtin_shufflevector(u[i], u[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        b[i + 4] = __builtin_shufflevector(u[i], u[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

INLINE void NAME(load)(const PIXEL *src, ptrdiff_t stride, lanes *b)
{
    typedef PIXEL eight __attribute__((vector_size(8 * sizeof(PIXEL)), aligned(1)));
    for (int i = 0; i < 8; i++) b[i] = __builtin_convertvector(*(const eight *)(src + i * stride), lanes);
}

INLINE void NAME(load_sum)(const PIXEL *p, ptrdiff_t p_stride, const PIXEL *q, ptrdiff_t q_stride, lanes *b)
{
    lanes other[8];
    NAME(load)(p, p_stride, b);
    NAME(load)(q, q_stride, other);
    for (int i = 0; i < 8; i++) b[i] += other[i];
}

// The coefficients are transposed, as NAME(inverse_2d) expects them.
INLINE void NAME(forward_2d)(lanes *b)
{
    NAME(forward)(b);
    NAME(transpose)(b);
    NAME(forward)(b);
}

INLINE void NAME(inverse_2d)(lanes *b)
{
    NAME(inverse)(b);
    NAME(transpose)(b);
    NAME(inverse)(b);
}

INLINE float NAME(total)(const lanes *p)
{
    const lanes v = *p;
    return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

// DCT over time of one row of the spectrum. DCT-II basis functions are even or odd about the middle, so frames are
// processed in pairs. In a folded group, `from` already has the sums of the pairs, and only the even functions (every
// other one) are computed, since the odd ones are 0 at the middle frame.
INLINE void NAME(over_time)(const vfx_collaborative_group *g, int frames, int folded, const lanes (*from)[8], int row,
                            lanes *out)
{
    const int half = frames / 2;
    lanes even[(VFX_COLLABORATIVE_MAX_FRAMES + 1) / 2], odd[(VFX_COLLABORATIVE_MAX_FRAMES + 1) / 2];
    for (int t = 0; t < half; t++) {
        even[t] = folded ? from[t][row] : from[t][row] + from[frames - 1 - t][row];
        if (!folded) odd[t] = from[t][row] - from[frames - 1 - t][row];
    }
    if (frames & 1) even[half] = from[half][row];
    for (int a = 0; a < frames; a += 1 + folded) {
        const float *m = g->transform + a * frames;
        const lanes *pairs = a & 1 ? odd : even;
        const int terms = a & 1 ? half : half + (frames & 1);
        lanes sum = pairs[0] * m[0];
        for (int t = 1; t < terms; t++) sum += pairs[t] * m[t];
        out[a >> folded] = sum;
    }
}

INLINE void NAME(spectra)(const vfx_collaborative_group *g, int frames, int folded, int pilot, int block, int x,
                          lanes (*out)[8])
{
    for (int t = 0; t < (folded ? frames / 2 + 1 : frames); t++) {
        const vfx_collaborative_frame *f = &g->frame[t], *o = &g->frame[frames - 1 - t];
        const PIXEL *p = (const PIXEL *)(pilot ? f->pilot : f->origin) + x + f->vectors[2 * block] + f->vectors[2 * block + 1] * f->stride;
        const PIXEL *q = (const PIXEL *)(pilot ? o->pilot : o->origin) + x + o->vectors[2 * block] + o->vectors[2 * block + 1] * o->stride;
        if (folded && f != o) NAME(load_sum)(p, f->stride, q, o->stride, out[t]);
        else NAME(load)(p, f->stride, out[t]);
        NAME(forward_2d)(out[t]);
    }
}

INLINE void NAME(shrink_block)(const vfx_collaborative_group *g, int frames, int folded, int block, int x,
                               const float *window, float *num, float *den)
{
    lanes noisy[VFX_COLLABORATIVE_MAX_FRAMES][8], pilot[VFX_COLLABORATIVE_MAX_FRAMES][8], kept[8], weight = {0};
    const int is_wiener = g->frame[0].pilot != NULL;
    NAME(spectra)(g, frames, folded, 0, block, x, noisy);
    if (is_wiener) NAME(spectra)(g, frames, folded, 1, block, x, pilot);
    // The offset prevents a division by 0.
    const float sigma = g->sigma[block], square = sigma * sigma + 1e-9f;
    const float limit = g->threshold * g->threshold * square;
    const int count = folded ? frames / 2 + 1 : frames;
    for (int row = 0; row < 8; row++) {
        typedef float loose __attribute__((vector_size(32), aligned(4)));
        lanes c[VFX_COLLABORATIVE_MAX_FRAMES], sum = {0};
        NAME(over_time)(g, frames, folded, noisy, row, c);
        const lanes noise = *(const loose *)(g->spectrum + 8 * row);
        if (is_wiener) {
            lanes p[VFX_COLLABORATIVE_MAX_FRAMES];
            NAME(over_time)(g, frames, folded, pilot, row, p);
            const lanes variance = noise * square;
            for (int a = 0; a < count; a++) {
                const lanes energy = p[a] * p[a], share = energy / (energy + variance);
                sum += c[a] * share * g->transform[(a << folded) * frames + g->centre];
                weight += noise * (share * share);
            }
        } else {
            const lanes limits = noise * limit;
            for (int a = 0; a < count; a++) {
                masks keep = c[a] * c[a] > limits;
                // The mean is always kept.
                if (row == 0 && a == 0) keep[0] = -1;
                sum += (lanes)((masks)c[a] & keep) * g->transform[(a << folded) * frames + g->centre];
                weight += (lanes)((masks)noise & keep);
            }
        }
        kept[row] = sum;
    }
    NAME(inverse_2d)(kept);
    const float used = NAME(total)(&weight), w = 1.0f / (used > 1 ? used : 1);
    typedef float loose __attribute__((vector_size(32), aligned(4)));
    for (int i = 0; i < 8; i++) {
        const lanes share = *(const loose *)(window + 8 * i) * w;
        *(loose *)(num + x + i * g->sum_stride) += share * kept[i];
        *(loose *)(den + x + i * g->sum_stride) += share;
    }
}

void NAME(collaborative_shrink_row)(const vfx_collaborative_group *g, const float *window, float *num, float *den)
{
    for (int block = 0; block < g->blocks; block++) {
        const int x = block * g->step < g->width - 8 ? block * g->step : g->width - 8;
        // Constant arguments let the compiler unroll the loops for the most common numbers of frames.
        if (g->frames == 7 && g->centre == 3) NAME(shrink_block)(g, 7, 1, block, x, window, num, den);
        else if (g->frames == 9 && g->centre == 4) NAME(shrink_block)(g, 9, 1, block, x, window, num, den);
        else if (g->frames == 2 * g->centre + 1) NAME(shrink_block)(g, g->frames, 1, block, x, window, num, den);
        else NAME(shrink_block)(g, g->frames, 0, block, x, window, num, den);
    }
}

void NAME(collaborative_noise_row)(const vfx_collaborative_group *g, float *texture, float *variance)
{
    typedef float loose __attribute__((vector_size(32), aligned(4)));
    const float share = 1.0f / (float)g->frames, spread = g->frames > 1 ? 1.0f / (float)(g->frames - 1) : 0;
    for (int block = 0; block < g->blocks; block++) {
        const int x = block * g->step < g->width - 8 ? block * g->step : g->width - 8;
        lanes spectra[VFX_COLLABORATIVE_MAX_FRAMES][8];
        NAME(spectra)(g, g->frames, 0, 0, block, x, spectra);
        for (int row = 0; row < 8; row++) {
            lanes sum = spectra[0][row], squares = {0};
            for (int t = 1; t < g->frames; t++) sum += spectra[t][row];
            const lanes mean = sum * share;
            for (int t = 0; t < g->frames; t++) {
                const lanes d = spectra[t][row] - mean;
                squares += d * d;
            }
            *(loose *)(texture + 64 * block + 8 * row) = mean * mean;
            *(loose *)(variance + 64 * block + 8 * row) = squares * spread;
        }
    }
}

void NAME(collaborative_aggregate_row)(void *dst, const float *num, const float *den, int count, int maximum)
{
    PIXEL *out = dst;
    const float most = (float)maximum;
    for (int x = 0; x < count; x++) {
        const float v = num[x] / den[x] + 0.5f;
        out[x] = (PIXEL)(v > most ? most : v < 0 ? 0 : v);
    }
}

#undef INLINE
#undef PIXEL
#undef NAME
