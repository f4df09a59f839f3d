// One training step of the super-resolution network: the output, and the gradients of the squared error.
//
// gradients.py compiles it for the processor it runs on, once for each number of channels (C). PyTorch takes about eight
// times as long on a processor, because it has no fast path for so few channels. All maps are stored by rows, with the
// channels of a sample next to each other; a sample of a feature map is one vector.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifndef C
#define C 16
#endif
#define TILE 8

typedef float vector __attribute__((vector_size(4 * C)));
typedef int mask __attribute__((vector_size(4 * C)));

// Memory for a square map, zeroed.
static vector *square(int side) {
    size_t bytes = sizeof(vector) * (size_t)side * (size_t)side;
    vector *map = aligned_alloc(64, (bytes + 63) / 64 * 64);
    memset(map, 0, bytes);
    return map;
}

// The kernel of a layer from the second on, of `kernels` as training_step takes them.
static ptrdiff_t kernelOffset(int layer) { return 25 + (ptrdiff_t)(layer - 1) * 9 * C; }

// Where the tile at `x` begins: the last one of a row ends with it, and overlaps the one before.
static int tileStart(int x, int width) { return x + TILE > width ? width - TILE : x; }

// Adds the response of a size × size kernel to `sums`, TILE neighbouring samples at once. `sources` is 1 for a picture,
// C for a feature map.
static inline void accumulate(vector sums[TILE], const float *source, int stride, int sources, int size,
                              const vector *kernel) {
    for (int ky = 0; ky < size; ky++)
        for (int kx = 0; kx < size; kx++) {
            const float *at = source + ((ptrdiff_t)ky * stride + kx) * sources;
            for (int c = 0; c < sources; c++) {
                vector weight = *kernel++;
                for (int t = 0; t < TILE; t++) sums[t] += weight * at[t * sources + c];
            }
        }
}

// Adds the gradient of a 3 × 3 kernel that reads feature maps: the correlation of its source with the gradient of its
// output.
static void correlate(vector *restrict gradient, const float *source, int stride, const vector *output,
                      int outputStride, int width, int height) {
    for (int ky = 0; ky < 3; ky++)
        for (int kx = 0; kx < 3; kx++) {
            vector sums[C] = {0};
            for (int y = 0; y < height; y++) {
                const float *at = source + ((ptrdiff_t)(y + ky) * stride + kx) * C;
                const vector *g = output + (ptrdiff_t)y * outputStride;
                for (int x = 0; x < width; x++)
                    for (int c = 0; c < C; c++) sums[c] += g[x] * at[x * C + c];
            }
            for (int c = 0; c < C; c++) *gradient++ += sums[c];
        }
}

// Adds the gradient of a 5 × 5 kernel that reads a picture.
static void correlatePicture(vector *gradient, const float *source, int stride, const vector *output, int outputStride,
                             int width, int height) {
    for (int ky = 0; ky < 5; ky++) {
        vector sums[5] = {0};
        for (int y = 0; y < height; y++) {
            const float *at = source + (ptrdiff_t)(y + ky) * stride;
            const vector *g = output + (ptrdiff_t)y * outputStride;
            for (int x = 0; x < width; x++)
                for (int k = 0; k < 5; k++) sums[k] += g[x] * at[x + k];
        }
        for (int k = 0; k < 5; k++) *gradient++ += sums[k];
    }
}

// `x` where `sign` is not negative, and `y` elsewhere.
static vector bySign(vector sign, vector x, vector y) {
    mask negative = sign < (vector){0};
    return (vector)(((mask)y & negative) | ((mask)x & ~negative));
}

// `picture`: (side + 2 · halo)² samples, halo = 3 + middles. `target`: side² × 4 samples, those that replace each source
// sample next to each other. `kernels`: 5×5×C, middles × (3×3×C×C), 3×3×C×C and 5×5×C, outputs last; the outputs of the
// last two beyond the fourth are zero. `backward`: the middle kernels and the last, with inputs and outputs exchanged and
// turned by half a turn. `biases`: middles + 2 vectors. `slopes`: middles + 1. Gradients have the same layouts and are
// added, for the sum of squared errors times `weight`. Returns the sum of squared errors. `side` is at least TILE.
double training_step(const float *picture, const float *target, int side, int middles, const float *kernelsIn,
                     const float *backwardIn, const float *biasesIn, const float *slopesIn, double weight,
                     float *kernelGradients, float *biasGradients, float *slopeGradients) {
    int halo = 3 + middles, stride = side + 2 * halo;
    const vector *kernels = (const vector *)kernelsIn, *backward = (const vector *)backwardIn;
    const vector *biases = (const vector *)biasesIn, *slopes = (const vector *)slopesIn;
    vector *gradients = (vector *)kernelGradients, *biasGradient = (vector *)biasGradients;
    vector *slopeGradient = (vector *)slopeGradients;
    const vector *lastKernel = kernels + kernelOffset(middles + 1), *skip = kernels + kernelOffset(middles + 2);
    vector *before[middles + 1], *after[middles + 1];  // sums, and what the activation makes of them
    for (int layer = 0; layer <= middles; layer++) {
        int size = stride - 4 - 2 * layer;
        before[layer] = square(size);
        after[layer] = square(size);
        for (int y = 0; y < size; y++)
            for (int tile = 0; tile < size; tile += TILE) {
                int x = tileStart(tile, size);
                vector sums[TILE];
                for (int t = 0; t < TILE; t++) sums[t] = biases[layer];
                if (layer == 0)
                    accumulate(sums, picture + (ptrdiff_t)y * stride + x, stride, 1, 5, kernels);
                else
                    accumulate(sums, (const float *)(after[layer - 1] + (ptrdiff_t)y * (size + 2) + x), size + 2, C, 3,
                               kernels + kernelOffset(layer));
                for (int t = 0; t < TILE; t++) {
                    before[layer][(ptrdiff_t)y * size + x + t] = sums[t];
                    after[layer][(ptrdiff_t)y * size + x + t] = bySign(sums[t], sums[t], sums[t] * slopes[layer]);
                }
            }
    }
    // Gradients of each layer's sums, with a border of two zeros.
    vector *errors = square(side + 4);
    double squares = 0;
    const float *inner = picture + (ptrdiff_t)(halo - 2) * stride + halo - 2;
    for (int y = 0; y < side; y++)
        for (int tile = 0; tile < side; tile += TILE) {
            int x = tileStart(tile, side);
            vector sums[TILE];
            for (int t = 0; t < TILE; t++) sums[t] = biases[middles + 1];
            accumulate(sums, (const float *)(after[middles] + (ptrdiff_t)y * (side + 2) + x), side + 2, C, 3,
                       lastKernel);
            accumulate(sums, inner + (ptrdiff_t)y * stride + x, stride, 1, 5, skip);
            for (int t = 0; t < TILE; t++)
                for (int k = 0; k < 4; k++) {
                    float error = sums[t][k] - target[((ptrdiff_t)y * side + x + t) * 4 + k];
                    if (x + t >= tile) squares += (double)error * error;
                    errors[(ptrdiff_t)(y + 2) * (side + 4) + x + t + 2][k] = (float)(2 * weight) * error;
                }
        }
    int size = side;
    for (int layer = middles + 1; layer >= 0; layer--) {
        const vector *inside = errors + 2 * (size + 4) + 2;
        vector sum = {0};
        for (int y = 0; y < size; y++)
            for (int x = 0; x < size; x++) sum += inside[(ptrdiff_t)y * (size + 4) + x];
        biasGradient[layer] += sum;
        if (layer == middles + 1)
            correlatePicture(gradients + kernelOffset(middles + 2), inner, stride, inside, size + 4, size, size);
        if (layer == 0) {
            correlatePicture(gradients, picture, stride, inside, size + 4, size, size);
            break;
        }
        correlate(gradients + kernelOffset(layer), (const float *)after[layer - 1], size + 2, inside, size + 4, size,
                  size);
        int wider = size + 2;
        vector *next = square(wider + 4), slopeSum = {0};
        for (int y = 0; y < wider; y++)
            for (int tile = 0; tile < wider; tile += TILE) {
                int x = tileStart(tile, wider);
                vector sums[TILE] = {0};
                accumulate(sums, (const float *)(errors + (ptrdiff_t)y * (size + 4) + x), size + 4, C, 3,
                           backward + (layer - 1) * 9 * C);
                for (int t = 0; t < TILE; t++) {
                    vector value = before[layer - 1][(ptrdiff_t)y * wider + x + t];
                    if (x + t >= tile) slopeSum += bySign(value, (vector){0}, sums[t] * value);
                    next[(ptrdiff_t)(y + 2) * (wider + 4) + x + t + 2] =
                        bySign(value, sums[t], sums[t] * slopes[layer - 1]);
                }
            }
        slopeGradient[layer - 1] += slopeSum;
        free(errors);
        errors = next;
        size = wider;
    }
    free(errors);
    for (int layer = 0; layer <= middles; layer++) {
        free(before[layer]);
        free(after[layer]);
    }
    return squares;
}
