#include "upsample_edges.h"
#include "../arm/arm.h"
#include <string.h>
#if defined(__aarch64__)
#include <arm_neon.h>

// Blends two rows of cells into one.
static void blend_cells(int16_t *dst, const int16_t *a, const int16_t *b, int weight_b, int columns)
{
    const int16x8_t wa = vdupq_n_s16((int16_t)(256 - weight_b)), wb = vdupq_n_s16((int16_t)weight_b);
    int c = 0;
    for (; c + 8 <= columns; c += 8) {
        const int16x8_t ra = vld1q_s16(a + c), rb = vld1q_s16(b + c);
        const int32x4_t low = vmlal_s16(vmull_s16(vget_low_s16(ra), vget_low_s16(wa)), vget_low_s16(rb),
                                        vget_low_s16(wb));
        const int32x4_t high = vmlal_high_s16(vmull_high_s16(ra, wa), rb, wb);
        vst1q_s16(dst + c, vrshrn_high_n_s32(vrshrn_n_s32(low, 8), high, 8));
    }
    for (; c < columns; c++) dst[c] = (int16_t)((a[c] * (256 - weight_b) + b[c] * weight_b + 128) >> 8);
}

// Cells one sample wide.
static void scale_cells(int16_t *dst, int count, const int16_t *cells, int columns, int shift)
{
    const int16x8_t down = vdupq_n_s16((int16_t)-shift); // a negative count shifts right
    const int own = count < columns ? count : columns, half = shift > 0 ? 1 << (shift - 1) : 0;
    int x = 0;
    for (; x + 8 <= own; x += 8) vst1q_s16(dst + x, vrshlq_s16(vld1q_s16(cells + x), down));
    for (; x < own; x++) dst[x] = (int16_t)((cells[x] + half) >> shift);
    for (; x < count; x++) dst[x] = dst[columns - 1];
}

// Loads eight cells from `first` on; cells outside the row are replaced by the nearest one inside.
static inline int16x8_t cells_at(const int16_t *cells, int first, int columns)
{
    if (first >= 0 && first + 8 <= columns) return vld1q_s16(cells + first);
    int16_t v[8];
    for (int i = 0; i < 8; i++) {
        const int c = first + i;
        v[i] = cells[c < 0 ? 0 : c < columns ? c : columns - 1];
    }
    return vld1q_s16(v);
}

// For eight samples: the weights of the cells on both sides, and the bytes of these cells among eight loaded ones.
typedef struct phase {
    int16x8_t left_weight, right_weight;
    uint8x16_t left, right;
} phase;

// Of the samples that begin `at` samples after the centre of cell −1, where `base` is the first of the eight cells.
static inline phase phase_of(int at, int base, int side_log2)
{
    static const int16_t step[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const int side = 1 << side_log2;
    const int16x8_t places = vaddq_s16(vld1q_s16(step), vdupq_n_s16((int16_t)at));
    const int16x8_t cell = vsubq_s16(vshlq_s16(places, vdupq_n_s16((int16_t)-side_log2)),
                                     vdupq_n_s16((int16_t)(base + 1)));
    const int16x8_t bytes = vaddq_s16(vmulq_s16(cell, vdupq_n_s16(0x0202)), vdupq_n_s16(0x0100));
    const int16x8_t k = vandq_s16(places, vdupq_n_s16((int16_t)(side - 1)));
    phase p;
    p.right_weight = vaddq_s16(vaddq_s16(k, k), vdupq_n_s16(1));
    p.left_weight = vsubq_s16(vdupq_n_s16((int16_t)(2 * side)), p.right_weight);
    p.left = vreinterpretq_u8_s16(bytes);
    p.right = vreinterpretq_u8_s16(vaddq_s16(bytes, vdupq_n_s16(0x0202)));
    return p;
}

static inline int16x8_t interpolated(int16x8_t cells, const phase *p, int32x4_t down)
{
    const uint8x16_t table = vreinterpretq_u8_s16(cells);
    const int16x8_t a = vreinterpretq_s16_u8(vqtbl1q_u8(table, p->left));
    const int16x8_t b = vreinterpretq_s16_u8(vqtbl1q_u8(table, p->right));
    int32x4_t low = vmull_s16(vget_low_s16(a), vget_low_s16(p->left_weight));
    int32x4_t high = vmull_high_s16(a, p->left_weight);
    low = vmlal_s16(low, vget_low_s16(b), vget_low_s16(p->right_weight));
    high = vmlal_high_s16(high, b, p->right_weight);
    return vqmovn_high_s32(vqmovn_s32(vrshlq_s32(low, down)), vrshlq_s32(high, down));
}

// Sixteen samples at a time. Their weights and cells repeat every 2^side_log2 samples, so that wide cells have several
// phases. Sixteen samples read from at most six cells, unless cells are two samples wide: then eight of them do.
static inline __attribute__((always_inline)) void upsample(int16_t *dst, int count, const int16_t *cells, int columns,
                                                           int side_log2, int shift, int phases)
{
    const int half = 1 << side_log2 >> 1, second = side_log2 == 1 ? 4 : 0;
    const int32x4_t down = vdupq_n_s32(-(side_log2 + 1 + shift)); // a negative count shifts right
    phase phase_at[4][2];
    for (int i = 0; i < phases; i++) {
        const int at = 16 * i + half, base = (at >> side_log2) - 1;
        phase_at[i][0] = phase_of(at, base, side_log2);
        phase_at[i][1] = phase_of(at + 8, base + second, side_log2);
    }
    for (int x = 0; x < count; x += 16) {
        const phase *p = phase_at[x / 16 & (phases - 1)];
        const int base = ((x + half) >> side_log2) - 1;
        const int16x8_t from = cells_at(cells, base, columns);
        const int16x8_t next = second ? cells_at(cells, base + second, columns) : from;
        int16_t rest[16], *to = x + 16 <= count ? dst + x : rest;
        vst1q_s16(to, interpolated(from, p, down));
        vst1q_s16(to + 8, interpolated(next, p + 1, down));
        if (to == rest) memcpy(dst + x, rest, (size_t)(count - x) * sizeof *dst);
    }
}

void vfx_upsample_row_neon(int16_t *dst, int count, const int16_t *a, const int16_t *b, int weight_b, int columns,
                           int side_log2, int shift, int16_t *scratch)
{
    blend_cells(scratch, a, b, weight_b, columns);
    if (side_log2 == 0) scale_cells(dst, count, scratch, columns, shift);
    else if (side_log2 == 1) upsample(dst, count, scratch, columns, 1, shift, 1);
    else if (side_log2 <= 4) upsample(dst, count, scratch, columns, side_log2, shift, 1);
    else upsample(dst, count, scratch, columns, side_log2, shift, 1 << (side_log2 - 4));
}

// Where the samples next to eight boundaries between cells come from. A register has 8 / side boundaries.
typedef struct edge_tables {
    uint8x16_t cells[4]; // bytes of the cells left and right of each of four boundaries
    uint8x16_t first_mask, next_mask; // bytes of the boundaries' masks, and what to add for the next register
} edge_tables;

static inline edge_tables edge_tables_of(int side)
{
    edge_tables t;
    uint8_t cells[16], masks[16];
    const int half = side / 2, boundaries = 8 / side;
    for (int j = 0; j < half; j++) {
        for (int i = 0; i < 8; i++) {
            cells[2 * i] = (uint8_t)(4 * (i / side + j * boundaries) + 2 * (i % side / half));
            cells[2 * i + 1] = cells[2 * i] + 1;
            masks[2 * i] = masks[2 * i + 1] = (uint8_t)(i / side);
        }
        t.cells[j] = vld1q_u8(cells);
    }
    t.first_mask = vld1q_u8(masks);
    t.next_mask = vdupq_n_u8((uint8_t)boundaries);
    return t;
}

// Replaces the samples next to eight boundaries where the mask says so. `left` is the cell left of the first boundary.
static inline void replace(int16_t *dst, const int16_t *left, int shift, uint8x16_t mask, const edge_tables *t,
                           int side)
{
    // Shifts to the left saturate, shifts to the right round.
    const int16x8_t count = vdupq_n_s16((int16_t)-shift);
    const int16x8_t a = vqrshlq_s16(vld1q_s16(left), count), b = vqrshlq_s16(vld1q_s16(left + 1), count);
    const uint8x16_t pairs[] = {vreinterpretq_u8_s16(vzip1q_s16(a, b)), vreinterpretq_u8_s16(vzip2q_s16(a, b))};
    uint8x16_t lanes = t->first_mask;
    for (int i = 0; i < side; i++, dst += 8) {
        const uint16x8_t own = vreinterpretq_u16_u8(vqtbl1q_u8(pairs[2 * i / side], t->cells[i % (side / 2)]));
        const uint16x8_t is_edge = vreinterpretq_u16_u8(vqtbl1q_u8(mask, lanes));
        vst1q_s16(dst, vbslq_s16(is_edge, vreinterpretq_s16_u16(own), vld1q_s16(dst)));
        lanes = vaddq_u8(lanes, t->next_mask);
    }
}

// Corners from c on, in eights that have a cell on both sides and all samples in the row; returns the first one not
// done. Edges are irregular, so a branch for each of them would often be mispredicted: wherever one of eight is an
// edge, the samples at all of them are blended.
static inline __attribute__((always_inline)) int replace_edges(const upsample_edges *row, const uint8_t *edges, int c,
                                                               int side)
{
    const edge_tables t = edge_tables_of(side);
    for (; c + 8 <= row->columns && (c + 8) * side <= row->count; c += 8) {
        const uint8x8_t eight = vld1_u8(edges + c);
        if (vget_lane_u64(vreinterpret_u64_u8(eight), 0) == 0) continue;
        const uint8x16_t mask = vcombine_u8(vtst_u8(eight, eight), vdup_n_u8(0));
        const int start = c * side - side / 2;
        replace(row->vx + start, row->cells_x + c - 1, row->shift_x, mask, &t, side);
        replace(row->vy + start, row->cells_y + c - 1, row->shift_y, mask, &t, side);
    }
    return c;
}

void vfx_upsample_edges_row_neon(int16_t *vx, int16_t *vy, int count, const int16_t *cells_x, const int16_t *cells_y,
                                 const uint8_t *edges, int columns, int side_log2, int shift_x, int shift_y)
{
    const upsample_edges row = {vx, vy, count, cells_x, cells_y, columns, side_log2, shift_x, shift_y};
    if (edges[0] != 0) keep_edge(&row, 0);
    int c = 1;
    if (side_log2 == 1) c = replace_edges(&row, edges, c, 2);
    else if (side_log2 == 2) c = replace_edges(&row, edges, c, 4);
    else if (side_log2 == 3) c = replace_edges(&row, edges, c, 8);
    for (; c <= columns; c++) {
        if (edges[c] != 0) keep_edge(&row, c);
    }
}
#endif
