#include "../internal/versions.h"

#define PIXEL uint8_t
#define OUT uint8_t
#define EXTRA 0
#define NAME(x) vfx_##x##_8_c
#include "blend_tmpl.h"

#define PIXEL uint16_t
#define OUT uint8_t
#define EXTRA 4
#define NAME(x) vfx_##x##_12_to_8_c
#include "blend_tmpl.h"

#define PIXEL uint16_t
#define OUT uint16_t
#define EXTRA 0
#define NAME(x) vfx_##x##_16_c
#include "blend_tmpl.h"
