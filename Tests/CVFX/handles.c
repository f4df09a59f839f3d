// Creates and destroys 10,000 streams, every tenth with frames in progress; memory must not grow.
#include "clip.h"
#include <unistd.h>

static long resident(void) {
    long size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    REQUIRE(file && fscanf(file, "%ld %ld", &size, &pages) == 2);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static void once(int index) {
    vfx_option options[] = {{"factor", "2"}, {"threads", "1"}};
    vfx_stream stream;
    uint8_t samples[SAMPLES];
    REQUIRE(vfx_create("slomo", WIDTH, HEIGHT, VFX_SUBSAMPLING_420, 8, options, 2, &stream) == VFX_OK);
    if (index % 10 == 0) {
        draw(samples, index);
        for (int time = 0; time < 3; time++) {
            vfx_frame frame = frame_of(samples, time);
            REQUIRE(vfx_submit(stream, &frame) == VFX_OK);
        }
    }
    REQUIRE(vfx_destroy(stream) == VFX_OK);
    REQUIRE(vfx_destroy(stream) == VFX_ERROR_HANDLE);
}

int main(void) {
    run_clip(12);
    for (int index = 0; index < 1000; index++) once(index);
    long before = resident();
    for (int index = 0; index < 10000; index++) once(index);
    long growth = resident() - before;
    printf("10000 handles, %ld KiB more: done\n", growth / 1024);
    // The checker of memory errors keeps freed memory for a while.
#ifndef __SANITIZE_ADDRESS__
    REQUIRE(growth < 2 << 20);
#endif
    return 0;
}
