#ifndef VFX_MEMORY_H
#define VFX_MEMORY_H
#include <stddef.h>

/// Memory for pixels: `size` bytes at a multiple of `alignment` (a power of two); NULL when there is none.
void *_Nullable vfx_allocate(size_t size, size_t alignment);
/// Gives back what `vfx_allocate` handed out; NULL is allowed.
void vfx_free(void *_Nullable memory);
/// 1 when `count` bytes at `a` and `b` are equal, else 0.
int vfx_bytes_equal(const void *_Nonnull a, const void *_Nonnull b, size_t count);
#endif
