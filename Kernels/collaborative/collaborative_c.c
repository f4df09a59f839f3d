#include "../internal/versions.h"
#define BLOCKS 1

#define PIXEL uint8_t
#define SAMPLE_BYTES 1
#define NAME(x) vfx_##x##_8_c
#include "collaborative_tmpl.h"

#define PIXEL uint16_t
#define SAMPLE_BYTES 2
#define NAME(x) vfx_##x##_16_c
#include "collaborative_tmpl.h"
