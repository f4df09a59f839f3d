// Measures the interface: overhead WIDTH HEIGHT THREADS [borrow]. Prints the time to the first result and per submitted
// frame, the processor time of the process per submitted frame, and the part of it that the caller spends in vfx_submit()
// and vfx_receive(). For figures only; no speed is required.
#include "clip.h"
#include <time.h>

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void keep(void *context) { (void)context; }

int main(int count, char **arguments) {
    if (count < 4) return 64;
    int width = atoi(arguments[1]), height = atoi(arguments[2]), results = 0, pictures = 24, frames = 120;
    size_t luma = (size_t)width * height;
    uint8_t *samples = malloc(luma * 3 / 2 * pictures);
    REQUIRE(samples);
    for (int index = 0; index < pictures; index++) {
        uint8_t *frame = samples + luma * 3 / 2 * index;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) frame[(size_t)y * width + x] = (uint8_t)(((x + 3 * index) / 9 ^ y / 7) * 5);
        memset(frame + luma, 128, luma / 2);
    }
    double start = seconds(CLOCK_MONOTONIC), spent = seconds(CLOCK_PROCESS_CPUTIME_ID), first = 0, called = 0;
    vfx_option options[] = {{"factor", "2"}, {"threads", arguments[3]}};
    vfx_stream stream;
    REQUIRE(vfx_create("slomo", width, height, VFX_SUBSAMPLING_420, 8, options, 2, &stream) == VFX_OK);
    vfx_status status = VFX_AGAIN;
    for (int index = 0; status != VFX_END;) {
        double before = seconds(CLOCK_THREAD_CPUTIME_ID);
        if (index < frames) {
            // To and fro, so that there is no cut.
            int picture = index % (2 * pictures - 2);
            if (picture >= pictures) picture = 2 * pictures - 2 - picture;
            const uint8_t *planes = samples + luma * 3 / 2 * picture;
            vfx_frame frame = {
                .struct_size = sizeof frame, .width = width, .height = height, .subsampling = VFX_SUBSAMPLING_420,
                .depth = 8, .time = index, .time_scale = 25, .release = count > 4 ? keep : NULL,
                .planes = {planes, planes + luma, planes + luma * 5 / 4}, .strides = {width, width / 2, width / 2}};
            status = vfx_submit(stream, &frame);
            REQUIRE(status >= 0);
            called += seconds(CLOCK_THREAD_CPUTIME_ID) - before;
            if (status == VFX_OK && ++index < frames) continue;
            if (index == frames) vfx_finish(stream);
            before = seconds(CLOCK_THREAD_CPUTIME_ID);
        }
        vfx_frame result = {.struct_size = sizeof result};
        while ((status = vfx_receive(stream, &result)) == VFX_OK) {
            if (!results++) first = seconds(CLOCK_MONOTONIC) - start;
            vfx_release(result.id);
        }
        REQUIRE(status >= 0);
        called += seconds(CLOCK_THREAD_CPUTIME_ID) - before;
    }
    double total = seconds(CLOCK_MONOTONIC) - start;
    spent = seconds(CLOCK_PROCESS_CPUTIME_ID) - spent;
    printf("%d results, first after %.1f ms; per submitted frame %.2f ms and %.2f ms of processor time, %.3f ms of it the caller's\n",
        results, first * 1e3, total * 1e3 / frames, spent * 1e3 / frames, called * 1e3 / frames);
    return vfx_destroy(stream) != VFX_OK;
}
