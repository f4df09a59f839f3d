// Compiled once per sample type, with PIXEL and NAME(x).
void NAME(resample_column)(int16_t *dst, const void *const *rows, const int16_t *weights, int taps, int count,
                           int bits)
{
    const int up = bits < 14 ? 14 - bits : 0;
    const int64_t half = (int64_t)1 << (bits + up - 1);
    for (int x = 0; x < count; x++) {
        int64_t sum = 8192;
        for (int k = 0; k < taps; k++) sum += weights[k] * (((int64_t)((const PIXEL *)rows[k])[x] << up) - half);
        const int64_t value = sum >> 14;
        dst[x] = (int16_t)(value < -32768 ? -32768 : value > 32767 ? 32767 : value);
    }
}

void NAME(resample_row)(void *dst_, const int16_t *src, const int32_t *starts, const int16_t *weights, int taps,
                        int count, int bits)
{
    PIXEL *dst = dst_;
    const int up = bits < 14 ? 14 - bits : 0;
    const int64_t half = (int64_t)1 << (bits + up - 1), maximum = ((int64_t)1 << bits) - 1;
    for (int x = 0; x < count; x++) {
        int64_t sum = half * 16384 + ((int64_t)1 << (13 + up));
        for (int k = 0; k < taps; k++) sum += weights[(ptrdiff_t)x * taps + k] * src[starts[x] + k];
        const int64_t value = sum >> (14 + up);
        dst[x] = (PIXEL)(value < 0 ? 0 : value > maximum ? maximum : value);
    }
}
#undef PIXEL
#undef NAME
