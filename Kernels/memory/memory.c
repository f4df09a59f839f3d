#include "vfx_memory.h"
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void *vfx_allocate(size_t size, size_t alignment)
{
    void *memory = NULL;
    return posix_memalign(&memory, alignment, size ? size : 1) == 0 ? memory : NULL;
}

void vfx_free(void *memory) { free(memory); }

void vfx_return_free_memory(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

int vfx_bytes_equal(const void *a, const void *b, size_t count) { return memcmp(a, b, count) == 0; }
