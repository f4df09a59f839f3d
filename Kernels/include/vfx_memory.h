#ifndef VFX_MEMORY_H
#define VFX_MEMORY_H
#include <stddef.h>

/// Allocates `size` bytes at a multiple of `alignment`, which must be a power of two; returns NULL when out of memory.
void *_Nullable vfx_allocate(size_t size, size_t alignment);
/// Frees memory from `vfx_allocate`; NULL has no effect.
void vfx_free(void *_Nullable memory);

/// Returns memory that is freed but still held for later allocations to the system, where the C library can.
void vfx_return_free_memory(void);
/// Returns 1 if the `count` bytes at `a` and `b` are equal, else 0.
int vfx_bytes_equal(const void *_Nonnull a, const void *_Nonnull b, size_t count);
#endif
