#include "../internal/versions.h"

#define PIXEL uint8_t
#define OUT uint8_t
#define SUM int32_t
#define EXTRA 0
#define NAME(x) vfx_##x##_8_c
#include "warp_tmpl.h"

#define PIXEL uint8_t
#define OUT uint16_t
#define SUM int32_t
#define EXTRA 4
#define NAME(x) vfx_##x##_8_to_12_c
#include "warp_tmpl.h"

#define PIXEL uint16_t
#define OUT uint16_t
#define SUM int64_t
#define EXTRA 0
#define NAME(x) vfx_##x##_16_c
#include "warp_tmpl.h"
