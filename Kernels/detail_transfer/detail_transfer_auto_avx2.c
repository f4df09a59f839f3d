#include "../x86/x86.h"
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#define NAME(x) vfx_##x##_auto_avx2
#include "detail_transfer_source_tmpl.h"

#define PIXEL uint8_t
#define NAME(x) vfx_##x##_8_auto_avx2
#include "detail_transfer_tmpl.h"

#define PIXEL uint16_t
#define NAME(x) vfx_##x##_16_auto_avx2
#include "detail_transfer_tmpl.h"

#pragma clang attribute pop
#endif
