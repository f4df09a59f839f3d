#include "../internal/versions.h"

void vfx_displace_row_c(int16_t *dst, const int16_t *v, const int16_t *offset, int count, int scale)
{
    for (int i = 0; i < count; i++) {
        const int at = ((v[i] * scale + 8192) >> 14) + offset[i];
        dst[i] = (int16_t)(at < -32768 ? -32768 : at > 32767 ? 32767 : at);
    }
}
