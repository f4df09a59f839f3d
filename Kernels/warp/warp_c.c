#include "../internal/versions.h"

#define PIXEL uint8_t
#define SUM int32_t
#define NAME(x) vfx_##x##_8_c
#include "warp_tmpl.h"

#define PIXEL uint16_t
#define SUM int64_t
#define NAME(x) vfx_##x##_16_c
#include "warp_tmpl.h"
