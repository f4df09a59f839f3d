#include "../internal/versions.h"
#include "../internal/power.h"

#define NAME(x) vfx_##x##_c
#include "fusion_tmpl.h"
#undef NAME

#define OUT uint8_t
#define EXTRA 4
#define NAME(x) vfx_##x##_12_to_8_c
#include "fusion_blend_tmpl.h"

#define OUT uint16_t
#define EXTRA 0
#define NAME(x) vfx_##x##_16_c
#include "fusion_blend_tmpl.h"
