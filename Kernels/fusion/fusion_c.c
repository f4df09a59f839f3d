#include "../internal/versions.h"

#define NAME(x) vfx_##x##_c
#include "fusion_tmpl.h"
#undef NAME

#define PIXEL uint8_t
#define NAME(x) vfx_##x##_8_c
#include "fusion_samples_tmpl.h"

#define PIXEL uint16_t
#define NAME(x) vfx_##x##_16_c
#include "fusion_samples_tmpl.h"
