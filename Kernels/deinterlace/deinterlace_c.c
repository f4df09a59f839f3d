#include "../internal/versions.h"
#include "../internal/power.h"

#define NAME(x) vfx_##x##_c
#include "deinterlace_weights_tmpl.h"
#undef NAME

#define SAMPLE uint8_t
#define MORE 4
#define NAME(x) vfx_##x##_8_c
#include "deinterlace_tmpl.h"

#define SAMPLE uint16_t
#define MORE 0
#define NAME(x) vfx_##x##_16_c
#include "deinterlace_tmpl.h"
