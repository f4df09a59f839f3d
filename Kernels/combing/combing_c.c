#include "../internal/versions.h"

#define PIXEL uint8_t
#define LANE int16_t
#define SUM uint16_t
#define NAME(x) vfx_##x##_8_c
#include "combing_tmpl.h"

#define PIXEL uint16_t
#define LANE int32_t
#define SUM uint32_t
#define NAME(x) vfx_##x##_16_c
#include "combing_tmpl.h"
