// The cells one by one, with NAME(x) and sad_subpixel, the SAD of two 8×8 blocks at fractions {ax, ay, bx, by}.

// The position of a block on one axis, in 1/32 sample, limited to what can be read.
static inline int block_limited(int v, int size, int margin)
{
    const int low = -32 * margin, high = 32 * (size - 8 + margin);
    return v < low ? low : v > high ? high : v;
}

// How far a block extends outside on one axis.
static inline int block_overhang(int v, int size)
{
    const int after = v + 256 - 32 * size;
    return (v < 0 ? -v : 0) + (after > 0 ? after : 0);
}

void NAME(bilateral_match_row)(const vfx_bilateral_match *m, int y, const vfx_matched_cell *cells, int count,
                               int32_t *differences)
{
    const int width = m->a.width, height = m->a.height, ramp = 1 << m->ramp_log2;
    const int py = 32 * (((2 * y + 1) << (m->cell_log2 - 1)) - 4);
    for (int i = 0; i < count; i++) {
        const vfx_motion_vector v = cells[i].v;
        const int px = 32 * (((2 * cells[i].x + 1) << (m->cell_log2 - 1)) - 4), rest = 1024 - m->t;
        int ax = px - ((v.x * m->t + 512) >> 10), ay = py - ((v.y * m->t + 512) >> 10);
        int bx = px + ((v.x * rest + 512) >> 10), by = py + ((v.y * rest + 512) >> 10);
        const int outside_a = block_overhang(ax, width) + block_overhang(ay, height);
        const int outside_b = block_overhang(bx, width) + block_overhang(by, height);
        ax = block_limited(ax, width, m->a.margin);
        ay = block_limited(ay, height, m->a.margin);
        bx = block_limited(bx, width, m->b.margin);
        by = block_limited(by, height, m->b.margin);
        const uint8_t *a = (const uint8_t *)m->a.origin + (ay >> 5) * m->a.stride + (ax >> 5);
        const uint8_t *b = (const uint8_t *)m->b.origin + (by >> 5) * m->b.stride + (bx >> 5);
        const int fractions[4] = {ax & 31, ay & 31, bx & 31, by & 31};
        const int d = (int)(sad_subpixel(a, m->a.stride, b, m->b.stride, fractions) >> 6);
        const int beyond = (outside_a > outside_b ? outside_a : outside_b) - m->free_overhang;
        const int share = beyond < 0 ? 0 : beyond < ramp ? beyond : ramp;
        differences[i] = (d * (ramp - share) + m->outside_difference * share) >> m->ramp_log2;
    }
}
