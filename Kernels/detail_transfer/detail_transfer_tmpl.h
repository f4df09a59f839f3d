// Compiled once per sample type and level, with PIXEL and NAME(x).
void NAME(detail_transfer_extract_row)(int32_t *restrict detail, int32_t *restrict sums, const void *moved_,
                                       const void *here_, const uint8_t *restrict weight, const int32_t *map,
                                       int count)
{
    const PIXEL *restrict moved = moved_, *restrict here = here_;
    if (!map) {
        const int pairs = count / 2;
        for (int i = 0; i < pairs; i++) {
            const int w = weight[i];
            const int a = w * ((int)moved[2 * i] - (int)here[2 * i]);
            const int b = w * ((int)moved[2 * i + 1] - (int)here[2 * i + 1]);
            detail[2 * i] = a;
            detail[2 * i + 1] = b;
            sums[i] += a + b;
        }
        return;
    }
    for (int x = 0; x < count; x++) {
        const int a = weight[map[x]] * ((int)moved[x] - (int)here[x]);
        detail[x] = a;
        sums[map[x]] += a;
    }
}

void NAME(detail_transfer_merge_row)(void *dst_, const void *here_, const int32_t *restrict detail,
                                     const int32_t *restrict mean, const vfx_detail_transfer_place *places,
                                     int count, int maximum)
{
    PIXEL *restrict dst = dst_;
    const PIXEL *restrict here = here_;
    if (!places) {
        const int pairs = count / 2;
        for (int i = 0; i < pairs; i++) {
            const int m = mean[i] * 3;
            const int a = here[2 * i] + ((detail[2 * i] - ((m + mean[i - 1] + 2) >> 2) + 128) >> 8);
            const int b = here[2 * i + 1] + ((detail[2 * i + 1] - ((m + mean[i + 1] + 2) >> 2) + 128) >> 8);
            dst[2 * i] = (PIXEL)(a < 0 ? 0 : a > maximum ? maximum : a);
            dst[2 * i + 1] = (PIXEL)(b < 0 ? 0 : b > maximum ? maximum : b);
        }
        return;
    }
    for (int x = 0; x < count; x++) {
        const int32_t *m = mean + places[x].first;
        const int w = places[x].weight, low = (m[0] * (64 - w) + m[1] * w + 32) >> 6;
        const int a = here[x] + ((detail[x] - low + 128) >> 8);
        dst[x] = (PIXEL)(a < 0 ? 0 : a > maximum ? maximum : a);
    }
}
#undef PIXEL
#undef NAME
