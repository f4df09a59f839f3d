// Runs one effect over raw 8-bit 4:2:0 frames: effect NAME WIDTH HEIGHT [KEY=VALUE | KEY=@FILE]... <in.yuv >out
// Skips the frames before the option first_frame. Motion vectors are written as one .flo file: those of the first frame.
// The option borrow=true submits frames without a copy.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vfx.h>

static int fail(const char *what) {
    fprintf(stderr, "effect: %s: %s\n", what, vfx_last_error());
    return 1;
}

static void write_plane(const vfx_frame *frame, int plane) {
    int is_small = plane && frame->subsampling == VFX_SUBSAMPLING_420;
    int width = is_small ? (frame->width + 1) / 2 : frame->width, height = is_small ? (frame->height + 1) / 2 : frame->height;
    const char *row = frame->planes[plane];
    for (int y = 0; y < height; y++, row += frame->strides[plane]) fwrite(row, frame->depth > 8 ? 2 : 1, width, stdout);
}

static void write_vectors(const vfx_frame *frame) {
    int32_t size[2] = {frame->width, frame->height};
    fwrite("PIEH", 1, 4, stdout);
    fwrite(size, 4, 2, stdout);
    for (int y = 0; y < frame->height; y++) {
        const float *u = (const float *)((const char *)frame->planes[0] + y * frame->strides[0]);
        const float *v = (const float *)((const char *)frame->planes[1] + y * frame->strides[1]);
        for (int x = 0; x < frame->width; x++) {
            fwrite(u + x, sizeof *u, 1, stdout);
            fwrite(v + x, sizeof *v, 1, stdout);
        }
    }
}

static vfx_status write_results(vfx_stream stream) {
    static int count;
    for (;;) {
        vfx_frame result = {.struct_size = sizeof result};
        vfx_status status = vfx_receive(stream, &result);
        if (status != VFX_OK) return status;
        if (result.depth != VFX_DEPTH_VECTORS)
            for (int plane = 0; plane < 3; plane++) write_plane(&result, plane);
        else if (!count++)
            write_vectors(&result);
        vfx_release(result.id);
    }
}

static char *contents(const char *name) {
    FILE *file = fopen(name, "rb");
    char *text = calloc(1, 1 << 20);
    if (!file || !text) exit(fail(name));
    if (!fread(text, 1, (1 << 20) - 1, file)) exit(fail(name));
    fclose(file);
    return text;
}

int main(int count, char **arguments) {
    if (count < 4) return 64;
    int width = atoi(arguments[2]), height = atoi(arguments[3]), given = 0, borrows = 0;
    vfx_option options[16];
    int64_t index = 0;
    for (int i = 4; i < count && given < 16; i++) {
        char *value = strchr(arguments[i], '=');
        if (!value) return 64;
        *value++ = 0;
        if (!strcmp(arguments[i], "first_frame")) index = atoll(value);
        if (!strcmp(arguments[i], "borrow")) borrows = 1;
        else options[given++] = (vfx_option){arguments[i], *value == '@' ? contents(value + 1) : value};
    }
    vfx_stream stream;
    if (vfx_create(arguments[1], width, height, VFX_SUBSAMPLING_420, 8, options, given, &stream) != VFX_OK)
        return fail("create");
    size_t luma = (size_t)width * height, chroma = (size_t)((width + 1) / 2) * ((height + 1) / 2), size = luma + 2 * chroma;
    char *samples = malloc(size);
    for (int64_t skipped = 0; skipped < index; skipped++)
        if (fread(samples, 1, size, stdin) != size) return fail("skip");
    for (; fread(samples, 1, size, stdin) == size; index++) {
        vfx_frame frame = {
            .struct_size = sizeof frame, .width = width, .height = height, .subsampling = VFX_SUBSAMPLING_420,
            .depth = 8, .time = index, .time_scale = 30, .duration = 1, .duration_scale = 30,
            .planes = {samples, samples + luma, samples + luma + chroma},
            .strides = {width, (width + 1) / 2, (width + 1) / 2},
        };
        if (borrows) {
            frame.release = free;
            frame.context = samples;
        }
        vfx_status status;
        while ((status = vfx_submit(stream, &frame)) == VFX_AGAIN)
            if (write_results(stream) < 0) return fail("receive");
        if (status != VFX_OK) return fail("submit");
        if (borrows && !(samples = malloc(size))) return 1;
    }
    vfx_finish(stream);
    if (write_results(stream) != VFX_END) return fail("receive");
    free(samples);
    return vfx_destroy(stream) != VFX_OK;
}
