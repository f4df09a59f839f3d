#include "../internal/versions.h"

#define NAME(x) vfx_##x##_c
#include "detail_transfer_source_tmpl.h"

#define PIXEL uint8_t
#define NAME(x) vfx_##x##_8_c
#include "detail_transfer_tmpl.h"

#define PIXEL uint16_t
#define NAME(x) vfx_##x##_16_c
#include "detail_transfer_tmpl.h"
