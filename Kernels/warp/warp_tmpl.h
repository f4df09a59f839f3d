// Compiled once per kernel, with PIXEL, NAME(x), SUM (the type of the sum of products), OUT (the type of the result) and
// EXTRA (the bits that the result has more than the source).
void NAME(warp_row)(void *dst_, const vfx_warp_source *src, int x0, int y, int count, const int16_t *vx,
                    const int16_t *vy, int scale, int maximum)
{
    OUT *dst = dst_;
    const PIXEL *origin = src->origin;
    const int left = -src->margin * 32, right = (src->width - 1 + src->margin) * 32;
    const int top = left, bottom = (src->height - 1 + src->margin) * 32;
    for (int i = 0; i < count; i++) {
        int px = (x0 + i) * 32 + ((vx[i] * scale + 8192) >> 14), py = y * 32 + ((vy[i] * scale + 8192) >> 14);
        px = px < left ? left : px > right ? right : px;
        py = py < top ? top : py > bottom ? bottom : py;
        const PIXEL *p = origin + (py >> 5) * src->stride + (px >> 5) - 1 - src->stride;
        const int8_t *h = vfx_cubic_taps[px & 31], *v = vfx_cubic_taps[py & 31];
        SUM sum = 0;
        for (int r = 0; r < 4; r++, p += src->stride)
            sum += (SUM)v[r] * (h[0] * p[0] + h[1] * p[1] + h[2] * p[2] + h[3] * p[3]);
        SUM value = (sum + (2048 >> EXTRA)) >> (12 - EXTRA);
        dst[i] = (OUT)(value < 0 ? 0 : value > maximum ? maximum : value);
    }
}
#undef PIXEL
#undef SUM
#undef OUT
#undef EXTRA
#undef NAME
