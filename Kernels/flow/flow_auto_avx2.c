#include "../x86/x86.h"
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#define NAME(x) vfx_##x##_auto_avx2
#include "flow_tmpl.h"

#pragma clang attribute pop
#endif
