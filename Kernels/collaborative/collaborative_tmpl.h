// Compiled once per sample type and level, with PIXEL, NAME(x) and BLOCKS: the number of adjacent blocks, 1 or 2, that
// are filtered at a time. A vector holds a row of each: eight lanes per block, which never mix. All arithmetic is IEEE
// operations in the written order and without contraction, so every level produces the same bits.
#pragma STDC FP_CONTRACT OFF

#ifndef VFX_COLLABORATIVE_LANES
#define VFX_COLLABORATIVE_LANES
typedef float lanes __attribute__((vector_size(32 * BLOCKS)));
typedef int32_t masks __attribute__((vector_size(32 * BLOCKS)));
typedef float one __attribute__((vector_size(32)));
typedef float loose __attribute__((vector_size(32), aligned(4)));
// EACH: a shuffle of two vectors within each block. HALF: the lanes of one block. SAME: eight values for each block.
#if BLOCKS == 1
#define EACH(v, w, a, b, c, d, e, f, g, h) __builtin_shufflevector(v, w, a, b, c, d, e, f, g, h)
#define HALF(v, block) (v)
#define SAME(v) (v)
#else
#define OF_TWO(i) ((i) < 8 ? (i) : (i) + 8)
#define EACH(v, w, a, b, c, d, e, f, g, h)                                                                            \
    __builtin_shufflevector(v, w, OF_TWO(a), OF_TWO(b), OF_TWO(c), OF_TWO(d), OF_TWO(e), OF_TWO(f), OF_TWO(g),        \
                            OF_TWO(h), OF_TWO(a) + 8, OF_TWO(b) + 8, OF_TWO(c) + 8, OF_TWO(d) + 8, OF_TWO(e) + 8,     \
                            OF_TWO(f) + 8, OF_TWO(g) + 8, OF_TWO(h) + 8)
#define HALF(v, block)                                                                                                \
    ((block) == 0 ? __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7)                                             \
                  : __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15))
#define SAME(v) __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7)
#endif
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
        t[i] = EACH(b[i], b[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        t[i + 1] = EACH(b[i], b[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4)
        for (int k = 0; k < 2; k++) {
            u[i + 2 * k] = EACH(t[i + k], t[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            u[i + 2 * k + 1] = EACH(t[i + k], t[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int i = 0; i < 4; i++) {
        b[i] = EACH(u[i], u[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        b[i + 4] = EACH(u[i], u[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

// A row of the blocks as integers, which may be added before they become floats.
INLINE void NAME(load)(const PIXEL *const *src, ptrdiff_t offset, masks *row)
{
    typedef PIXEL eight __attribute__((vector_size(8 * sizeof(PIXEL)), aligned(1)));
#if BLOCKS == 1
    *row = __builtin_convertvector(*(const eight *)(src[0] + offset), masks);
#else
    const eight a = *(const eight *)(src[0] + offset), b = *(const eight *)(src[1] + offset);
    *row = __builtin_convertvector(
        __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), masks);
#endif
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

INLINE float NAME(total)(const one *p)
{
    const one v = *p;
    return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

// The index of one of the blocks that are filtered together. Past the end of the row, it is that of the last block,
// whose second result is dropped.
INLINE int NAME(index)(const vfx_collaborative_group *g, int first, int block)
{
    return first + block < g->blocks ? first + block : g->blocks - 1;
}

INLINE int NAME(position)(const vfx_collaborative_group *g, int index)
{
    return index * g->step < g->width - 8 ? index * g->step : g->width - 8;
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

// The first sample of a block's match in a frame, or in its basic estimate.
INLINE const PIXEL *NAME(match)(const vfx_collaborative_group *g, const vfx_collaborative_frame *f, int pilot,
                                int index)
{
    const ptrdiff_t dx = f->vectors[2 * index], dy = f->vectors[2 * index + 1];
    return (const PIXEL *)(pilot ? f->pilot : f->origin) + NAME(position)(g, index) + dx + dy * f->stride;
}

INLINE void NAME(spectra)(const vfx_collaborative_group *g, int frames, int folded, int pilot, int first,
                          lanes (*out)[8])
{
    // The matches of a row of blocks are 8 rows in each of up to 17 frames, too many streams for a processor to see them
    // coming, so the last samples of the last block three steps ahead are asked for here; earlier steps have the others.
    const int later = NAME(index)(g, first, 4 * BLOCKS - 1);
    for (int t = 0; t < (folded ? frames / 2 + 1 : frames); t++) {
        const vfx_collaborative_frame *f = &g->frame[t], *o = &g->frame[frames - 1 - t];
        const PIXEL *p[BLOCKS], *q[BLOCKS];
        const PIXEL *const p_later = NAME(match)(g, f, pilot, later) + 7;
        const PIXEL *const q_later = NAME(match)(g, o, pilot, later) + 7;
        for (int b = 0; b < BLOCKS; b++) {
            p[b] = NAME(match)(g, f, pilot, NAME(index)(g, first, b));
            q[b] = NAME(match)(g, o, pilot, NAME(index)(g, first, b));
        }
        const int is_pair = folded && f != o;
        for (int i = 0; i < 8; i++) {
            masks row, other;
            NAME(load)(p, i * f->stride, &row);
            __builtin_prefetch(p_later + i * f->stride);
            if (is_pair) {
                NAME(load)(q, i * o->stride, &other);
                __builtin_prefetch(q_later + i * o->stride);
                row += other;
            }
            out[t][i] = __builtin_convertvector(row, lanes);
        }
        NAME(forward_2d)(out[t]);
    }
}

INLINE void NAME(shrink_blocks)(const vfx_collaborative_group *g, int frames, int folded, int first,
                                const float *window, float *num, float *den)
{
    lanes noisy[VFX_COLLABORATIVE_MAX_FRAMES][8], pilot[VFX_COLLABORATIVE_MAX_FRAMES][8], kept[8], weight = {0};
    const int is_wiener = g->frame[0].pilot != NULL;
    NAME(spectra)(g, frames, folded, 0, first, noisy);
    if (is_wiener) NAME(spectra)(g, frames, folded, 1, first, pilot);
    lanes square, limit;
    for (int b = 0; b < BLOCKS; b++) {
        // The offset prevents a division by 0.
        const float sigma = g->sigma[NAME(index)(g, first, b)], power = sigma * sigma + 1e-9f;
        for (int i = 8 * b; i < 8 * b + 8; i++) {
            square[i] = power;
            limit[i] = g->threshold * g->threshold * power;
        }
    }
    const int count = folded ? frames / 2 + 1 : frames;
    const float constant = g->constant_scale;
    for (int row = 0; row < 8; row++) {
        lanes c[VFX_COLLABORATIVE_MAX_FRAMES], sum = {0};
        NAME(over_time)(g, frames, folded, noisy, row, c);
        const one values = *(const loose *)(g->spectrum + 8 * row);
        const lanes noise = SAME(values);
        if (is_wiener) {
            lanes p[VFX_COLLABORATIVE_MAX_FRAMES];
            NAME(over_time)(g, frames, folded, pilot, row, p);
            const lanes variance = noise * square;
            for (int a = 0; a < count; a++) {
                const lanes energy = p[a] * p[a], share = energy / (energy + (a == 0 ? variance * constant : variance));
                sum += c[a] * share * g->transform[(a << folded) * frames + g->centre];
                weight += noise * (share * share);
            }
        } else {
            const lanes limits = noise * limit;
            for (int a = 0; a < count; a++) {
                masks keep = c[a] * c[a] > (a == 0 ? limits * constant : limits);
                // The mean is always kept.
                if (row == 0 && a == 0)
                    for (int b = 0; b < BLOCKS; b++) keep[8 * b] = -1;
                sum += (lanes)((masks)c[a] & keep) * g->transform[(a << folded) * frames + g->centre];
                weight += (lanes)((masks)noise & keep);
            }
        }
        kept[row] = sum;
    }
    NAME(inverse_2d)(kept);
    // Blocks overlap, and their order is part of the result.
    for (int b = 0; b < BLOCKS && first + b < g->blocks; b++) {
        const int x = NAME(position)(g, first + b);
        const one weights = HALF(weight, b);
        const float used = NAME(total)(&weights), w = 1.0f / (used > 1 ? used : 1);
        for (int i = 0; i < 8; i++) {
            const one share = *(const loose *)(window + 8 * i) * w;
            *(loose *)(num + x + i * g->sum_stride) += share * HALF(kept[i], b);
            *(loose *)(den + x + i * g->sum_stride) += share;
        }
    }
}

void NAME(collaborative_shrink_row)(const vfx_collaborative_group *g, const float *window, float *num, float *den)
{
    for (int first = 0; first < g->blocks; first += BLOCKS) {
        // Constant arguments let the compiler unroll the loops for the most common numbers of frames.
        if (g->frames == 7 && g->centre == 3) NAME(shrink_blocks)(g, 7, 1, first, window, num, den);
        else if (g->frames == 9 && g->centre == 4) NAME(shrink_blocks)(g, 9, 1, first, window, num, den);
        else if (g->frames == 2 * g->centre + 1) NAME(shrink_blocks)(g, g->frames, 1, first, window, num, den);
        else NAME(shrink_blocks)(g, g->frames, 0, first, window, num, den);
    }
}

void NAME(collaborative_noise_row)(const vfx_collaborative_group *g, float *texture, float *variance)
{
    const float share = 1.0f / (float)g->frames, spread = g->frames > 1 ? 1.0f / (float)(g->frames - 1) : 0;
    for (int first = 0; first < g->blocks; first += BLOCKS) {
        lanes spectra[VFX_COLLABORATIVE_MAX_FRAMES][8];
        NAME(spectra)(g, g->frames, 0, 0, first, spectra);
        for (int row = 0; row < 8; row++) {
            lanes sum = spectra[0][row], squares = {0};
            for (int t = 1; t < g->frames; t++) sum += spectra[t][row];
            const lanes mean = sum * share;
            for (int t = 0; t < g->frames; t++) {
                const lanes d = spectra[t][row] - mean;
                squares += d * d;
            }
            const lanes constant = mean * mean, changing = squares * spread;
            for (int b = 0; b < BLOCKS && first + b < g->blocks; b++) {
                *(loose *)(texture + 64 * (first + b) + 8 * row) = HALF(constant, b);
                *(loose *)(variance + 64 * (first + b) + 8 * row) = HALF(changing, b);
            }
        }
    }
}

void NAME(collaborative_light_row)(const vfx_collaborative_group *g, float *texture, float *variance)
{
    const float share = 1.0f / (float)g->frames, spread = g->frames > 1 ? 1.0f / (float)(g->frames - 1) : 0;
    for (int first = 0; first < g->blocks; first += BLOCKS) {
        lanes spectra[VFX_COLLABORATIVE_MAX_FRAMES][8], mean[8], shape[8], squares[8], power, along = {0};
        NAME(spectra)(g, g->frames, 0, 0, first, spectra);
        for (int row = 0; row < 8; row++) {
            lanes sum = spectra[0][row];
            for (int t = 1; t < g->frames; t++) sum += spectra[t][row];
            mean[row] = shape[row] = sum * share;
            squares[row] = along;
        }
        // A change of the light moves the mean of a block by any amount, so it says nothing about the gain.
        for (int b = 0; b < BLOCKS; b++) shape[0][8 * b] = 0;
        for (int row = 0; row < 8; row++) along += shape[row] * shape[row];
        for (int b = 0; b < BLOCKS; b++) {
            const one sums = HALF(along, b);
            // The offset prevents a division by 0.
            const float total = NAME(total)(&sums) + 1e-9f;
            for (int i = 8 * b; i < 8 * b + 8; i++) power[i] = total;
        }
        for (int t = 0; t < g->frames; t++) {
            lanes product = spectra[t][0] * shape[0], gain;
            for (int row = 1; row < 8; row++) product += spectra[t][row] * shape[row];
            for (int b = 0; b < BLOCKS; b++) {
                const one sums = HALF(product, b);
                const float total = NAME(total)(&sums);
                for (int i = 8 * b; i < 8 * b + 8; i++) gain[i] = total;
            }
            gain /= power;
            for (int row = 0; row < 8; row++) {
                lanes d = spectra[t][row] - gain * shape[row];
                if (row == 0)
                    for (int b = 0; b < BLOCKS; b++) d[8 * b] = spectra[t][0][8 * b] - mean[0][8 * b];
                squares[row] += d * d;
            }
        }
        for (int row = 0; row < 8; row++) {
            const lanes part = 1.0f - shape[row] * shape[row] / power;
            lanes left = part;
            for (int i = 0; i < 8 * BLOCKS; i++) left[i] = part[i] > 0.5f ? part[i] : 0.5f;
            const lanes changing = squares[row] * spread / left;
            const lanes constant = mean[row] * mean[row];
            for (int b = 0; b < BLOCKS && first + b < g->blocks; b++) {
                *(loose *)(texture + 64 * (first + b) + 8 * row) = HALF(constant, b);
                *(loose *)(variance + 64 * (first + b) + 8 * row) = HALF(changing, b);
            }
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
