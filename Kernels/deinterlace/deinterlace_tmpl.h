// Compiled once per instruction set and depth, with SAMPLE, MORE (the bits that predictions have more than samples) and
// NAME(x).
void NAME(deinterlace_bob_row)(void *dst_, const void *aa_, const void *a_, const void *b_, const void *bb_, int count,
                               int maximum)
{
    SAMPLE *dst = dst_;
    const SAMPLE *aa = aa_, *a = a_, *b = b_, *bb = bb_;
    for (int x = 0; x < count; x++) {
        const int v = (9 * (a[x] + b[x]) - (aa[x] + bb[x]) + 8) >> 4;
        dst[x] = (SAMPLE)(v < 0 ? 0 : v > maximum ? maximum : v);
    }
}

// Differences of two rows in 1/64 level at 8 bits, of which `up` says how many bits a lacks, and `down` how many the
// predictions have more than 8.
static inline int NAME(limited)(int d) { return d < -16384 ? -16384 : d > 16384 ? 16384 : d; }

static inline int32_t NAME(pair)(int left, int right)
{
    return (int32_t)((uint32_t)(left & 0xffff) | (uint32_t)right << 16);
}

static inline void NAME(from_prediction)(int32_t *dst, const uint16_t *a, const void *b_, int count, int down)
{
    const SAMPLE *b = b_;
    for (int x = 0; x < count; x++)
        dst[x] = NAME(pair)(NAME(limited)((a[2 * x] - (b[2 * x] << MORE)) * 64 >> down),
                            NAME(limited)((a[2 * x + 1] - (b[2 * x + 1] << MORE)) * 64 >> down));
}

static inline void NAME(from_field)(int32_t *dst, const void *a_, const void *b_, int count, int down)
{
    const SAMPLE *a = a_, *b = b_;
    for (int x = 0; x < count; x++)
        dst[x] = NAME(pair)(NAME(limited)((a[2 * x] - b[2 * x]) * (64 << MORE) >> down),
                            NAME(limited)((a[2 * x + 1] - b[2 * x + 1]) * (64 << MORE) >> down));
}

void NAME(deinterlace_input_row)(int32_t *const *dst, const vfx_deinterlace_rows *rows, int count, int depth)
{
    const int down = depth + MORE - 8;
    for (int k = 0; k < 2; k++) {
        int32_t *const *to = dst + 6 * k;
        NAME(from_prediction)(to[0], rows->moved[k][0], rows->spatial[k], count, down);
        NAME(from_prediction)(to[1], rows->moved[k][1], rows->spatial[k], count, down);
        NAME(from_field)(to[2], rows->fields[k][0], rows->spatial[k], count, down);
        NAME(from_field)(to[3], rows->fields[k][1], rows->spatial[k], count, down);
        NAME(from_prediction)(to[4], rows->moved[k][2], rows->spatial[k], count, down);
        NAME(from_prediction)(to[5], rows->moved[k][3], rows->spatial[k], count, down);
        const SAMPLE *known = rows->known[k];
        for (int x = 0; x < count; x++)
            dst[12 + k][x] = NAME(pair)((known[2 * x] * 16 >> (depth - 8)) - 2048,
                                        (known[2 * x + 1] * 16 >> (depth - 8)) - 2048);
    }
    const int16_t *v0 = rows->vertical[0], *v1 = rows->vertical[1];
    for (int x = 0; x < count; x++) {
        const int m0 = v0[2 * x] & 63, m1 = v1[2 * x] & 63;
        const int d0 = m0 < 32 ? m0 : 64 - m0, d1 = m1 < 32 ? m1 : 64 - m1;
        dst[14][x] = NAME(pair)((16 - d0) * 128, (16 - d1) * 128);
    }
}

void NAME(deinterlace_merge_row)(void *dst_, const void *spatial_, const uint16_t *const *moved, const void *const *fields,
                                 const uint16_t *const *weights, const int16_t *residual, int count, int depth)
{
    SAMPLE *dst = dst_;
    const SAMPLE *spatial = spatial_, *previous = fields[0], *next = fields[1];
    const uint16_t *m0 = moved[0], *m1 = moved[1], *m2 = moved[2], *m3 = moved[3];
    const uint16_t *w0 = weights[0], *w1 = weights[1], *w2 = weights[2], *w3 = weights[3], *w4 = weights[4],
                   *w5 = weights[5];
    const int shift = 14 + MORE, gain = MORE ? 16384 : 1 << (depth + 2), maximum = (1 << depth) - 1;
    for (int x = 0; x < count; x++) {
        const uint32_t sum = ((uint32_t)spatial[x] << MORE) * w0[x] + (uint32_t)m0[x] * w1[x] + (uint32_t)m1[x] * w2[x]
                             + ((uint32_t)(previous[x] + next[x]) << MORE >> 1) * w3[x] + (uint32_t)m2[x] * w4[x]
                             + (uint32_t)m3[x] * w5[x];
        const int r = residual[x] < -4080 ? -4080 : residual[x] > 4080 ? 4080 : residual[x];
        const int v = ((int)sum + r * gain + (1 << (shift - 1))) >> shift;
        dst[x] = (SAMPLE)(v < 0 ? 0 : v > maximum ? maximum : v);
    }
}

void NAME(deinterlace_equal_row)(uint8_t *marks, const void *const *a_, const void *const *b_, int pairs, int count,
                                 int limit)
{
    for (int x = 0; x < count; x++) marks[x] = 1;
    for (int k = 0; k < pairs; k++) {
        const SAMPLE *a = a_[k], *b = b_[k];
        for (int x = 0; x < count; x++) {
            const SAMPLE low = a[x] < b[x] ? a[x] : b[x], high = a[x] < b[x] ? b[x] : a[x];
            marks[x] &= (SAMPLE)(high - low) <= (SAMPLE)limit;
        }
    }
}

void NAME(deinterlace_weave_row)(void *dst_, const void *field_, const uint8_t *still, int count)
{
    SAMPLE *dst = dst_;
    const SAMPLE *field = field_;
    for (int x = 0; x < count; x++) dst[x] = still[x] ? field[x] : dst[x];
}

void NAME(deinterlace_flicker_row)(uint8_t *marks, const void *previous_, const void *next_, const void *above_,
                                   const void *below_, int count, int limit, int contrast)
{
    const SAMPLE *previous = previous_, *next = next_, *above = above_, *below = below_;
    for (int x = 0; x < count; x++) {
        const int p = previous[x], n = next[x], a = above[x], b = below[x], mean = (p + n) >> 1;
        const int least = a < b ? a : b, most = a < b ? b : a, same = (p < n ? n - p : p - n) <= limit;
        marks[x] = (uint8_t)((same & (mean + contrast < least)) | (same & (mean - contrast > most)) << 1);
    }
}

void NAME(deinterlace_unweave_row)(void *dst_, const void *spatial_, const uint8_t *const *marks, uint8_t *scratch,
                                   int count)
{
    SAMPLE *dst = dst_;
    const SAMPLE *spatial = spatial_;
    const uint8_t *m0 = marks[0] - 8, *m1 = marks[1] - 8, *m2 = marks[2] - 8, *m3 = marks[3] - 8, *m4 = marks[4] - 8;
    uint8_t *tall = scratch, *wide = scratch + count + 16, any = 0;
    for (int x = 0; x < count + 16; x++) {
        tall[x] = (uint8_t)((m0[x] & m1[x] & m2[x]) | (m1[x] & m2[x] & m3[x]) | (m2[x] & m3[x] & m4[x]));
        any |= tall[x];
    }
    if (!any) return;
    for (int x = 4; x < count + 12; x++) {
        uint8_t all = tall[x - 4];
        for (int i = -3; i <= 4; i++) all &= tall[x + i];
        wide[x] = all;
    }
    for (int x = 0; x < count; x++) {
        uint8_t some = 0;
        for (int i = 4; i <= 12; i++) some |= wide[x + i];
        dst[x] = some ? spatial[x] : dst[x];
    }
}
#undef SAMPLE
#undef MORE
#undef NAME
