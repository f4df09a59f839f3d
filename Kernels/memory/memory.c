#include "vfx_memory.h"
#include <stdlib.h>
#include <string.h>

void *vfx_allocate(size_t size, size_t alignment)
{
    void *memory = NULL;
    return posix_memalign(&memory, alignment, size ? size : 1) == 0 ? memory : NULL;
}

void vfx_free(void *memory) { free(memory); }

int vfx_bytes_equal(const void *a, const void *b, size_t count) { return memcmp(a, b, count) == 0; }
