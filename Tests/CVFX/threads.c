// Sixteen threads with a stream each make the same frames; then sixteen threads misuse one stream.
#include "clip.h"
#include <pthread.h>

enum { THREADS = 16 };

static void *run(void *result) {
    *(uint64_t *)result = run_clip(12);
    return NULL;
}

static void *misuse(void *argument) {
    vfx_stream stream = *(vfx_stream *)argument;
    uint8_t samples[SAMPLES];
    draw(samples, 0);
    for (int index = 0; index < 50; index++) {
        vfx_frame frame = frame_of(samples, index), result = {.struct_size = sizeof result};
        vfx_submit(stream, &frame);
        if (vfx_receive(stream, &result) == VFX_OK) vfx_release(result.id);
        if (index == 40) vfx_destroy(stream);
    }
    REQUIRE(vfx_receive(stream, NULL) < 0);
    return NULL;
}

static void together(void *(*body)(void *), void *arguments, size_t size) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) REQUIRE(pthread_create(&threads[i], NULL, body, (char *)arguments + size * i) == 0);
    for (int i = 0; i < THREADS; i++) REQUIRE(pthread_join(threads[i], NULL) == 0);
}

int main(void) {
    uint64_t sums[THREADS], expected = run_clip(12);
    together(run, sums, sizeof *sums);
    for (int i = 0; i < THREADS; i++) REQUIRE(sums[i] == expected);

    vfx_option options[] = {{"factor", "2"}};
    vfx_stream stream;
    REQUIRE(vfx_create("slomo", WIDTH, HEIGHT, VFX_SUBSAMPLING_420, 8, options, 1, &stream) == VFX_OK);
    together(misuse, &stream, 0);
    REQUIRE(vfx_destroy(stream) == VFX_ERROR_HANDLE);
    puts("16 threads: done");
    return 0;
}
