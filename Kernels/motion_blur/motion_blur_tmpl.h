// Compiled once per sample type, with PIXEL and NAME(x).
void NAME(motion_blur_block)(void *dst_, ptrdiff_t dst_stride, int width, int height, const void *const sources[3],
                             ptrdiff_t stride, const vfx_motion_blur_tap *taps, int count, int maximum)
{
    PIXEL *dst = dst_;
    for (int y = 0; y < height; y++, dst += dst_stride) {
        for (int x = 0; x < width; x++) {
            int64_t sum = 8192;
            for (int i = 0; i < count; i++) {
                const vfx_motion_blur_tap *t = taps + i;
                const PIXEL *p = (const PIXEL *)sources[t->source] + t->offset + y * stride + x;
                sum += (int64_t)t->weight * p[0] + (int64_t)t->weight_next * p[t->step];
            }
            int64_t value = sum >> 14;
            dst[x] = (PIXEL)(value < 0 ? 0 : value > maximum ? maximum : value);
        }
    }
}
#undef PIXEL
#undef NAME
