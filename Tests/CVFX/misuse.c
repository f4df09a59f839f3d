// Wrong input to every function: a status and a sentence, and the process lives.
#include "clip.h"

static int released;
static void release(void *context) {
    (void)context;
    released++;
}

#define REFUSES(call, expected, words)                                                                       \
    do {                                                                                                     \
        vfx_status status = (call);                                                                          \
        if (status != (expected) || !strstr(vfx_last_error(), words)) {                                      \
            fprintf(stderr, "%s:%d: %s returned %d: %s\n", __FILE__, __LINE__, #call, status, vfx_last_error()); \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static void creation(void) {
    vfx_stream stream = 7;
    vfx_option factor = {"factor", "2"}, bad;
    REFUSES(vfx_create(NULL, 64, 48, 420, 8, NULL, 0, &stream), VFX_ERROR_ARGUMENT, "null");
    REQUIRE(stream == 0);
    REFUSES(vfx_create("glow", 64, 48, 420, 8, NULL, 0, &stream), VFX_ERROR_ARGUMENT, "'glow' is not an effect");
    REFUSES(vfx_create("slomo", 64, 48, 420, 8, &factor, 1, NULL), VFX_ERROR_ARGUMENT, "null");
    REFUSES(vfx_create("slomo", 64, 48, 420, 8, NULL, 1, &stream), VFX_ERROR_ARGUMENT, "null");
    REFUSES(vfx_create("slomo", 64, 48, 420, 8, &factor, (size_t)-1, &stream), VFX_ERROR_ARGUMENT, "options");
    REFUSES(vfx_create("slomo", 64, 48, 411, 8, &factor, 1, &stream), VFX_ERROR_UNSUPPORTED, "411");
    REFUSES(vfx_create("slomo", 64, 48, 420, 7, &factor, 1, &stream), VFX_ERROR_UNSUPPORTED, "7");
    REFUSES(vfx_create("slomo", 8, 48, 420, 8, &factor, 1, &stream), VFX_ERROR_UNSUPPORTED, "16x16");
    REFUSES(vfx_create("slomo", -64, 1 << 30, 420, 8, &factor, 1, &stream), VFX_ERROR_UNSUPPORTED, "65535");
    const char *wrong[][2] = {{"factor", "1"}, {"factor", "x"}, {"phases", "0.5,0.25"}, {"phases", ""}, {"depth", "3"},
                              {"threads", "0"}, {"quality", "best"}, {"at_cut", "jump"}, {"segment", "-1"},
                              {NULL, "3"}, {"factor", NULL}, {"factor", "\xff"}};
    for (size_t index = 0; index < sizeof wrong / sizeof *wrong; index++) {
        bad = (vfx_option){wrong[index][0], wrong[index][1]};
        REFUSES(vfx_create("slomo", 64, 48, 420, 8, &bad, 1, &stream), VFX_ERROR_ARGUMENT, "");
        REQUIRE(*vfx_last_error());
    }
    vfx_option two[] = {{"factor", "2"}, {"phases", "0.5"}};
    REFUSES(vfx_create("slomo", 64, 48, 420, 8, two, 2, &stream), VFX_ERROR_ARGUMENT, "exclusive");
    vfx_option twice[] = {{"factor", "2"}, {"factor", "3"}};
    REFUSES(vfx_create("slomo", 64, 48, 420, 8, twice, 2, &stream), VFX_ERROR_ARGUMENT, "twice");
    struct { const char *effect, *key, *value, *words; } refused[] = {
        {"flow", "output", "waves", "vectors"}, {"flow", "direction", "up", "next"}, {"flow", "maximum", "5", "colors or arrows"},
        {"flow", "factor", "2", "not an option"}, {"denoise", "model", "", "noise model 1"},
        {"denoise", "model", "noise model 1\nplane x\ndeviations\nspectrum\n", "line 3"},
        {"denoise", "sigma", "256", "0 to 255"}, {"blur", "strength", "101", "1 to 100"}, {"rate", "fps", "0", "1 to 1000"},
        {"blur", "cut_threshold", "1.01", "0 to 1"}, {"flow", "cut_threshold", "nan", "0 to 1"},
        {"blur", "at_cut", "hold", "between"}, {"blur", "compression", "1", "upscale"}, {"blur", "quantizer_step", "9", "upscale"},
        {"blur", "loop_filter", "true", "quantizer_step"}, {"smooth", "depth", "5", "1 to 4"},
        {"smooth", "cut_threshold", "0.4", "no cuts"}, {"grain", "strength", "33", "32"}, {"grain", "table", "/nothing/there", "read"},
        {"blur", "first_frame", "1", "segment 0"}, {"blur", "first_frame", "-1", "whole number"},
    };
    for (size_t index = 0; index < sizeof refused / sizeof *refused; index++) {
        bad = (vfx_option){refused[index].key, refused[index].value};
        REFUSES(vfx_create(refused[index].effect, 64, 48, 420, 8, &bad, 1, &stream), VFX_ERROR_ARGUMENT, refused[index].words);
    }
    vfx_option both[] = {{"sigma", "3"}, {"model", "noise model 1\n"}};
    REFUSES(vfx_create("denoise", 64, 48, 420, 8, both, 2, &stream), VFX_ERROR_ARGUMENT, "exclusive");
    vfx_option blind[] = {{"scale", "2"}, {"low_latency", "true"}, {"cut_threshold", "0.4"}};
    REFUSES(vfx_create("upscale", 64, 48, 420, 8, blind, 3, &stream), VFX_ERROR_ARGUMENT, "no cuts");
    vfx_option late[] = {{"segment", "1"}, {"first_frame", "177"}};
    REFUSES(vfx_create("blur", 64, 48, 420, 8, late, 2, &stream), VFX_ERROR_ARGUMENT, "0 to 176");
    vfx_option shrink = {"size", "32x32"};
    REFUSES(vfx_create("upscale", 64, 48, 420, 8, &shrink, 1, &stream), VFX_ERROR_UNSUPPORTED, "");
}

static void frames(vfx_stream stream) {
    uint8_t samples[SAMPLES];
    draw(samples, 0);
    vfx_frame good = frame_of(samples, 0), bad;
    good.release = release;
#define WITH(change) (bad = good, bad.change, &bad)
    REFUSES(vfx_submit(stream, NULL), VFX_ERROR_ARGUMENT, "null");
    REFUSES(vfx_submit(stream, WITH(struct_size = 8)), VFX_ERROR_ARGUMENT, "struct_size");
    REFUSES(vfx_submit(stream, WITH(width = 62)), VFX_ERROR_ARGUMENT, "62x48");
    REFUSES(vfx_submit(stream, WITH(depth = 10)), VFX_ERROR_ARGUMENT, "10 bits");
    REFUSES(vfx_submit(stream, WITH(subsampling = 444)), VFX_ERROR_ARGUMENT, "444");
    REFUSES(vfx_submit(stream, WITH(planes[1] = NULL)), VFX_ERROR_ARGUMENT, "plane 1");
    REFUSES(vfx_submit(stream, WITH(strides[0] = 63)), VFX_ERROR_ARGUMENT, "63 bytes");
    REFUSES(vfx_submit(stream, WITH(strides[2] = PTRDIFF_MIN)), VFX_ERROR_ARGUMENT, "plane 2");
    REFUSES(vfx_submit(stream, WITH(time_scale = 0)), VFX_ERROR_ARGUMENT, "time_scale");
    REFUSES(vfx_submit(stream, WITH(duration = -1)), VFX_ERROR_ARGUMENT, "duration");
    REFUSES(vfx_submit(stream, WITH(matrix = 256)), VFX_ERROR_ARGUMENT, "matrix");
    REFUSES(vfx_submit(stream, WITH(range = 3)), VFX_ERROR_ARGUMENT, "range");
    REFUSES(vfx_submit(stream, WITH(chroma_location = -1)), VFX_ERROR_ARGUMENT, "chroma_location");
    REQUIRE(released == 0);
    vfx_frame result = {0};
    REFUSES(vfx_receive(stream, &result), VFX_ERROR_ARGUMENT, "struct_size");
    REFUSES(vfx_receive(stream, NULL), VFX_ERROR_ARGUMENT, "null");
    result.struct_size = sizeof result;
    REQUIRE(vfx_receive(stream, &result) == VFX_AGAIN);
    REFUSES(vfx_release(0), VFX_ERROR_HANDLE, "no result 0");
    REFUSES(vfx_release(stream), VFX_ERROR_HANDLE, "no result");
    // Two frames with one time: the effect refuses the second.
    good.time = INT64_MAX;
    REQUIRE(vfx_submit(stream, &good) == VFX_OK);
    while (vfx_submit(stream, &good) == VFX_OK) {}
    while (vfx_receive(stream, &result) == VFX_OK) vfx_release(result.id);
    REFUSES(vfx_receive(stream, &result), VFX_ERROR_FAILED, "increase");
}

int main(void) {
    REQUIRE(vfx_abi_version() == VFX_ABI_VERSION && *vfx_version() && !*vfx_last_error());
    int32_t length = 0, lead = 0;
    REFUSES(vfx_segments(NULL, &lead), VFX_ERROR_ARGUMENT, "null");
    REFUSES(vfx_segments(&length, NULL), VFX_ERROR_ARGUMENT, "null");
    REQUIRE(vfx_segments(&length, &lead) == VFX_OK && length == 240 && lead == 64);
    creation();
    vfx_option factor = {"factor", "2"};
    vfx_stream stream;
    vfx_frame result = {.struct_size = sizeof result};
    REQUIRE(vfx_create("slomo", WIDTH, HEIGHT, 420, 8, &factor, 1, &stream) == VFX_OK);
    REQUIRE(vfx_describe(stream, &result) == VFX_OK && result.width == WIDTH && result.depth == 8);
    REFUSES(vfx_describe(stream, NULL), VFX_ERROR_ARGUMENT, "null");
    frames(stream);
    REQUIRE(vfx_destroy(stream) == VFX_OK);
    REQUIRE(released > 0);
    REFUSES(vfx_destroy(stream), VFX_ERROR_HANDLE, "no stream");
    REFUSES(vfx_submit(stream, &result), VFX_ERROR_HANDLE, "no stream");
    REFUSES(vfx_receive(stream, &result), VFX_ERROR_HANDLE, "no stream");
    REFUSES(vfx_finish(stream), VFX_ERROR_HANDLE, "no stream");
    REFUSES(vfx_describe(0, &result), VFX_ERROR_HANDLE, "no stream 0");

    uint8_t samples[SAMPLES];
    draw(samples, 0);
    vfx_frame frame = frame_of(samples, 0);
    REQUIRE(vfx_create("slomo", WIDTH, HEIGHT, 420, 8, &factor, 1, &stream) == VFX_OK);
    REQUIRE(vfx_submit(stream, &frame) == VFX_OK && vfx_finish(stream) == VFX_OK);
    REFUSES(vfx_submit(stream, &frame), VFX_ERROR_STATE, "after the end");
    REQUIRE(vfx_receive(stream, &result) == VFX_OK && vfx_destroy(stream) == VFX_OK);
    // A result outlives its stream.
    REQUIRE(memcmp(result.planes[0], samples, WIDTH) == 0 && vfx_release(result.id) == VFX_OK);
    REFUSES(vfx_release(result.id), VFX_ERROR_HANDLE, "no result");
    puts("misuse: done");
    return 0;
}
