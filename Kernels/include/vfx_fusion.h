#ifndef VFX_FUSION_H
#define VFX_FUSION_H
#include "vfx_superres.h"
#include <stdint.h>

// The parts of the fusion network that are not convolutions: what it reads, and what is made of its output. The network
// works at half the size of the plane, so each of its positions stands for 2×2 samples. It fuses eight predictions of a
// frame between two others: the first and the second neighbour along one motion (0, 1), and along another (2, 3); and
// predictions 0 and 1 smoothed a little (4, 5) and more (6, 7), for places where no motion fits. In planes with fewer
// samples, 4 and 5 are 0 and 1. Its layers are those of vfx_superres.h.

/// Predictions that the network weighs.
#define VFX_FUSION_PREDICTIONS 8

/// Rows of pairs that the network reads.
#define VFX_FUSION_PAIRS 15

/// Fixed-point 1.0 of the network's inputs.
#define VFX_FUSION_ONE 2048

/// What is known about the motions at each position of a row.
typedef struct vfx_fusion_cells {
    const int16_t *_Nonnull share[2]; // of the second neighbour along each motion, 0…256
    const int16_t *_Nonnull trust[2]; // in each motion, 0…255
    const int16_t *_Nonnull distance; // between the motions, 0…255
    int phase;                        // 0…1024
} vfx_fusion_cells;

/// Computes the input of the network for one row of positions.
///
/// `upper` and `lower` are the rows of 2·count 16-bit samples of predictions 0 to 5. Pairs 0 and 1 are the differences of
/// predictions 0 and 1 in the upper and the lower row: the left sample is the first value of the pair. Pairs 2 and 3 are
/// the differences of predictions 2 and 3, pairs 4 and 5 of 0 and 2, pairs 6 and 7 of 1 and 3, pairs 8 and 9 of 0 and 4,
/// pairs 10 and 11 of 1 and 5. 32 levels at 8 bits are 1.0: the difference is d·64 >> (depth − 8). Pairs 12 to 14 are share
/// and trust of the first motion, share and trust of the second, and distance and phase, all from −1.0 to 1.0:
/// (v − 128)·16, the phase (p − 512)·4.
///
/// Writes exactly `count` pairs to each row.
typedef void vfx_fusion_input_row_fn(int32_t *_Nonnull const *_Nonnull dst, const void *_Nonnull const *_Nonnull upper,
                                     const void *_Nonnull const *_Nonnull lower, const vfx_fusion_cells *_Nonnull cells,
                                     int count, int depth);

/// Smooths a row: dst[i] = (Σ w(y)·w(x)·rows[y][i + x] + 8·radius²) >> n, for x and y from 0 to 2·radius, where w is 1 at
/// both ends and 2 between them, and 2ⁿ = 16·radius². `radius` is 2 or 4. Reads exactly count + 2·radius samples of each
/// of 2·radius + 1 rows, which may be the same, and writes exactly `count`.
typedef void vfx_fusion_smooth_row_fn(uint16_t *_Nonnull dst, const uint16_t *_Nonnull const *_Nonnull rows, int count,
                                      int radius);

/// Computes the weights of the predictions in a row of samples, which add up to 16384.
///
/// A weight is proportional to 2^(score / 1024)·prior. The priors of predictions 0 to 3 are (256 − s)·(1024 − p) and s·p,
/// with the share s, limited to 1…255, of the motion that the prediction follows, and the phase p; those of the others are
/// p·(1024 − p)·(1 − u / 256)², with the trust u, 0…256, in the first motion: nothing is smoothed near either frame, or where
/// the motion is certain. `share` has the shares of both motions and the trust. All weights are rounded down but the first,
/// which takes the rest. Scores more than 16 below the largest count as 16 below. IEEE single precision without
/// contraction. Accesses exactly `count` values.
typedef void vfx_fusion_weights_row_fn(uint16_t *_Nonnull const *_Nonnull weights,
                                       const int16_t *_Nonnull const *_Nonnull scores,
                                       const int16_t *_Nonnull const *_Nonnull share, int phase, int count);

/// Computes the weights of a row of half as many samples: the mean of `upper` and `lower` over two columns, rounded
/// down, in all weights but the first, which takes the rest. Writes exactly `count` weights of each prediction.
typedef void vfx_fusion_halve_weights_row_fn(uint16_t *_Nonnull const *_Nonnull weights,
                                             const uint16_t *_Nonnull const *_Nonnull upper,
                                             const uint16_t *_Nonnull const *_Nonnull lower, int count);

/// Blends the rows of the predictions: dst[i] = (Σ rows[k][i]·weights[k][i] + 8192) >> 14. The weights of a sample add up to 16384.
/// Accesses exactly `count` elements of each array. fusion_blend_row_12_to_8 reads samples of 0…4080, in 1/16 level, and
/// writes 8-bit ones: (Σ + 131072) >> 18.
typedef void vfx_fusion_blend_row_fn(void *_Nonnull dst, const void *_Nonnull const *_Nonnull rows,
                                     const uint16_t *_Nonnull const *_Nonnull weights, int count);

/// Counts the samples in which two rows differ by more than `limit`, in each group of `step` samples, 1…255; the last
/// group may be shorter. Accesses exactly `count` samples of a and b.
typedef void vfx_fusion_count_row_fn(uint8_t *_Nonnull dst, const void *_Nonnull a, const void *_Nonnull b, int count,
                                     int step, int limit);

/// A trained network: 3×3 layers, the first of which reads the VFX_FUSION_PAIRS pairs of the input. The last layer has
/// 4·VFX_FUSION_PREDICTIONS outputs, the scores of the predictions in units of 1/1024: outputs 4k to 4k + 3 are those of
/// prediction k in the four samples of a position, row by row.
typedef struct vfx_fusion_network {
    const char *_Nonnull name;
    const vfx_superres_layer *_Nonnull layers;
    int count;
    uint64_t checksum; // FNV-1a, 64 bits, of weights, biases and slopes of each layer as little-endian bytes
} vfx_fusion_network;

typedef enum vfx_fusion_model { VFX_FUSION_SMALL = 0, VFX_FUSION_LARGE = 1 } vfx_fusion_model;

/// Returns the network of a model.
const vfx_fusion_network *_Nonnull vfx_fusion_network_of(vfx_fusion_model model);
#endif
