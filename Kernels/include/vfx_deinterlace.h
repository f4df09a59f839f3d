#ifndef VFX_DEINTERLACE_H
#define VFX_DEINTERLACE_H
#include "vfx_superres.h"
#include <stdint.h>

// The parts of deinterlacing that are neither motion nor convolution. A field holds every second row of a picture; the
// others are its missing rows. Each position of the network stands for 2×2 samples of missing rows, which are four rows
// high in the picture. Its layers are those of vfx_superres.h.
//
// The _8 versions read and write 8-bit samples, the _16 versions 16-bit ones. Predictions are 16-bit samples with four
// more bits than 8-bit samples, and with the depth of all others.

/// Rows of pairs that the network reads.
#define VFX_DEINTERLACE_PAIRS 15

/// Predictions of a missing row: interpolated in the field itself; from the previous and the next field along the motion
/// between these two; the mean of both in place; and from both along the motion of the field itself.
#define VFX_DEINTERLACE_PREDICTIONS 6

/// Interpolates a missing row from the two known rows above (a, the nearest, and aa) and below (b, bb):
/// (9·(a + b) − (aa + bb) + 8) >> 4, limited to 0…maximum. Accesses exactly `count` samples of each row.
typedef void vfx_deinterlace_bob_row_fn(void *_Nonnull dst, const void *_Nonnull aa, const void *_Nonnull a,
                                        const void *_Nonnull b, const void *_Nonnull bb, int count, int maximum);

/// What the network reads at one row of positions.
typedef struct vfx_deinterlace_rows {
    const void *_Nonnull spatial[2];     // the two missing rows, interpolated in the field itself
    const uint16_t *_Nonnull moved[2][4]; // and predicted from the previous and the next field along the motion between
                                         // these, then along that of the field itself
    const void *_Nonnull fields[2][2];   // and as the previous and the next field hold them
    const void *_Nonnull known[2];       // the known rows above them
    const int16_t *_Nonnull vertical[2]; // motion to the previous and the next field at the first missing row, a value for
                                         // each sample, in 1/32 row
} vfx_deinterlace_rows;

/// Computes the input of the network for one row of positions.
///
/// A pair is the left and the right sample. Pairs 0 to 5 are differences from the spatial row in the first missing row: of
/// the predictions from the previous and the next field along the motion between them, of these fields in place, and of the
/// predictions along the motion of the field itself. Pairs 6 to 11 are those of the second missing row. 32 levels at 8 bits
/// are 1.0 = 2048; they are limited to ±16384. Pairs 12 and 13 are the known rows, (v − 128)·16 at 8 bits. Pair 14 says for
/// both fields how near to one of their rows the sample is read: (16 − min(m, 64 − m))·128 with m = v mod 64.
///
/// Reads 2·count samples of each row, writes exactly `count` pairs to each.
typedef void vfx_deinterlace_input_row_fn(int32_t *_Nonnull const *_Nonnull dst,
                                          const vfx_deinterlace_rows *_Nonnull rows, int count, int depth);

/// Finds the largest magnitude in rows of pairs, for each group of `step` positions; the last group may be shorter. Reads
/// exactly `count` pairs of each row.
typedef void vfx_deinterlace_largest_row_fn(uint16_t *_Nonnull largest, const int32_t *_Nonnull const *_Nonnull pairs,
                                            int rows, int count, int step);

/// Computes the weights of the predictions in a row of samples, which add up to 16384.
///
/// A weight is proportional to 2^(score / 1024). Weights 1 to 5 are rounded down, weight 0 takes the rest. Scores more than
/// 16 below the largest count as 16 below. IEEE single precision without contraction. Accesses exactly `count` values.
typedef void vfx_deinterlace_weights_row_fn(uint16_t *_Nonnull const *_Nonnull weights,
                                            const int16_t *_Nonnull const *_Nonnull scores, int count);

/// Makes a missing row from its predictions, whose weights add up to 16384. `moved` holds those of vfx_deinterlace_rows.
///
/// The residual is in 1/16 level at 8 bits, and is limited to ±4080. At 8 bits the result is (Σ weight·prediction +
/// residual·16384 + 131072) >> 18, else (Σ weight·prediction + residual·2^(depth + 2) + 8192) >> 14, limited to 0…maximum.
/// Accesses exactly `count` elements of each array.
typedef void vfx_deinterlace_merge_row_fn(void *_Nonnull dst, const void *_Nonnull spatial,
                                          const uint16_t *_Nonnull const *_Nonnull moved,
                                          const void *_Nonnull const *_Nonnull fields,
                                          const uint16_t *_Nonnull const *_Nonnull weights,
                                          const int16_t *_Nonnull residual, int count, int depth);

/// Marks with 1 the samples that differ by at most `limit` in each of `pairs` pairs of rows, with 0 all others. Accesses
/// exactly `count` samples of each row.
typedef void vfx_deinterlace_equal_row_fn(uint8_t *_Nonnull marks, const void *_Nonnull const *_Nonnull a,
                                          const void *_Nonnull const *_Nonnull b, int pairs, int count, int limit);

/// Marks with 1 the samples around which all marks of three rows at dx = −2…2 are set, with 0 all others. The marks are 0 or
/// 1, and readable at two samples beyond both ends. `scratch` has room for count + 4 bytes. Writes exactly `count` marks.
typedef void vfx_deinterlace_still_row_fn(uint8_t *_Nonnull still, const uint8_t *_Nonnull const *_Nonnull marks,
                                          uint8_t *_Nonnull scratch, int count);

/// Copies the marked samples of another field to dst. Accesses exactly `count` samples and marks.
typedef void vfx_deinterlace_weave_row_fn(void *_Nonnull dst, const void *_Nonnull field, const uint8_t *_Nonnull still,
                                          int count);

/// Marks samples of a missing row that two equal fields hold unlike the rows of the field between them: 1 where their mean is
/// below both rows by more than `contrast`, 2 where it is above both, else 0, and 0 where they differ by more than `limit`.
/// Accesses exactly `count` samples of each row.
typedef void vfx_deinterlace_flicker_row_fn(uint8_t *_Nonnull marks, const void *_Nonnull previous,
                                            const void *_Nonnull next, const void *_Nonnull above,
                                            const void *_Nonnull below, int count, int limit, int contrast);

/// Copies the spatial row to dst where marks agree in three successive rows, one of them the middle one of the five, over nine
/// samples. The marks are readable and 0 at eight samples beyond both ends. `scratch` has room for 2·(count + 16) bytes.
/// Accesses exactly `count` samples of both rows.
typedef void vfx_deinterlace_unweave_row_fn(void *_Nonnull dst, const void *_Nonnull spatial,
                                            const uint8_t *_Nonnull const *_Nonnull marks, uint8_t *_Nonnull scratch,
                                            int count);

/// A trained network: 3×3 layers, the first of which reads the VFX_DEINTERLACE_PAIRS pairs of the input. The last layer
/// has 28 outputs: 4k to 4k + 3 are the scores of prediction k in the four samples of a position, row by row; 24 to 27 the
/// residuals.
typedef struct vfx_deinterlace_network {
    const char *_Nonnull name;
    const vfx_superres_layer *_Nonnull layers;
    int count;
    uint64_t checksum; // FNV-1a, 64 bits, of weights, biases and slopes of each layer as little-endian bytes
} vfx_deinterlace_network;

typedef enum vfx_deinterlace_model { VFX_DEINTERLACE_SMALL = 0, VFX_DEINTERLACE_LARGE = 1 } vfx_deinterlace_model;

/// Returns the network of a model.
const vfx_deinterlace_network *_Nonnull vfx_deinterlace_network_of(vfx_deinterlace_model model);
#endif
