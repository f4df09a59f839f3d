// A small moving picture, and a run of a whole clip through an effect.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vfx.h>

enum { WIDTH = 64, HEIGHT = 48, LUMA = WIDTH * HEIGHT, SAMPLES = LUMA * 3 / 2 };

static inline void draw(uint8_t *samples, int index) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int u = x + index, v = y + index / 2;
            samples[y * WIDTH + x] = (uint8_t)((u * 37 / 8 ^ v * 29 / 8) & 63) + 2 * (uint8_t)(u + v);
        }
    memset(samples + LUMA, 128, SAMPLES - LUMA);
}

static inline vfx_frame frame_of(const uint8_t *samples, int index) {
    return (vfx_frame){
        .struct_size = sizeof(vfx_frame), .width = WIDTH, .height = HEIGHT, .subsampling = VFX_SUBSAMPLING_420,
        .depth = 8, .time = index, .time_scale = 25, .duration = 1, .duration_scale = 25,
        .planes = {samples, samples + LUMA, samples + LUMA * 5 / 4}, .strides = {WIDTH, WIDTH / 2, WIDTH / 2},
    };
}

#define REQUIRE(condition)                                                                               \
    do {                                                                                                 \
        if (!(condition)) {                                                                              \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, vfx_last_error());        \
            exit(1);                                                                                     \
        }                                                                                                \
    } while (0)

// Adds the results that are ready to a checksum; returns the last status.
static inline vfx_status take_results(vfx_stream stream, uint64_t *sum, int *count) {
    for (;;) {
        vfx_frame result = {.struct_size = sizeof result};
        vfx_status status = vfx_receive(stream, &result);
        if (status != VFX_OK) return status;
        for (int y = 0; y < result.height; y++)
            for (int x = 0; x < result.width; x++)
                *sum = *sum * 1099511628211u + ((const uint8_t *)result.planes[0])[y * result.strides[0] + x];
        ++*count;
        REQUIRE(vfx_release(result.id) == VFX_OK);
    }
}

// Runs `frames` frames through slow motion by the factor 2; returns a checksum of the results.
static inline uint64_t run_clip(int frames) {
    vfx_option options[] = {{"factor", "2"}, {"threads", "1"}};
    vfx_stream stream;
    uint8_t samples[SAMPLES];
    uint64_t sum = 0;
    int count = 0;
    REQUIRE(vfx_create("slomo", WIDTH, HEIGHT, VFX_SUBSAMPLING_420, 8, options, 2, &stream) == VFX_OK);
    for (int index = 0; index < frames; index++) {
        draw(samples, index);
        vfx_frame frame = frame_of(samples, index);
        vfx_status status;
        while ((status = vfx_submit(stream, &frame)) == VFX_AGAIN)
            REQUIRE(take_results(stream, &sum, &count) == VFX_AGAIN);
        REQUIRE(status == VFX_OK);
    }
    REQUIRE(vfx_finish(stream) == VFX_OK);
    REQUIRE(take_results(stream, &sum, &count) == VFX_END);
    REQUIRE(count == 2 * frames - 1);
    REQUIRE(vfx_destroy(stream) == VFX_OK);
    return sum;
}
