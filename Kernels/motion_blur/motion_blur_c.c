#include "../internal/versions.h"

#define PIXEL uint8_t
#define NAME(x) vfx_##x##_8_c
#include "motion_blur_tmpl.h"

#define PIXEL uint16_t
#define NAME(x) vfx_##x##_16_c
#include "motion_blur_tmpl.h"
