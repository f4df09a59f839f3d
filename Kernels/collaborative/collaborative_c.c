#include "../internal/versions.h"
#define BLOCKS 1

#define PIXEL uint8_t
#define NAME(x) vfx_##x##_8_c
#include "collaborative_tmpl.h"

#define PIXEL uint16_t
#define NAME(x) vfx_##x##_16_c
#include "collaborative_tmpl.h"
