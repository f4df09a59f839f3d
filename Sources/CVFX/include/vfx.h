/// Video frame effects for programs in C and every language that can call C.
///
/// A stream runs one effect over a clip. Create it, submit the frames in order and receive the results:
///
///     vfx_create("rate", ...)                create a stream
///     vfx_submit(stream, &frame)             until it returns VFX_AGAIN or there are no more frames
///     vfx_finish(stream)                     after the last frame
///     vfx_receive(stream, &result)           until it returns VFX_AGAIN or VFX_END
///     vfx_release(result.id)                 for each result
///     vfx_destroy(stream)
///
/// The results are the same, bit for bit, for every number of threads and on every processor.
///
/// Errors: a function that fails returns a negative vfx_status and has no effect. vfx_last_error() returns a sentence
/// that names the value and what is allowed. Handles, null pointers, sizes, strides, depths and options are checked;
/// other invalid pointers cannot be detected.
///
/// Threads: every function can be called from any thread. One thread may submit to a stream while another one receives
/// from it; a second thread in the same function gets VFX_ERROR_BUSY. Streams are independent of each other. After
/// fork(), the child process must not use streams of its parent.
///
/// The library cannot be unloaded: dlclose() leaves it in memory.

#ifndef VFX_H
#define VFX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this interface. It increases when a program must be compiled again; functions and trailing members of
/// structures may be added without that.
#define VFX_ABI_VERSION 1

/// What a function returns. Negative values are errors.
typedef int32_t vfx_status;
enum {
    /// Done.
    VFX_OK = 0,
    /// vfx_submit: receive results first, then submit the same frame again. vfx_receive: submit a frame first.
    VFX_AGAIN = 1,
    /// vfx_receive: there are no more results.
    VFX_END = 2,
    /// A null pointer, or a value that is not allowed.
    VFX_ERROR_ARGUMENT = -1,
    /// A handle that does not exist (any more).
    VFX_ERROR_HANDLE = -2,
    /// Another thread is in the same function with the same stream.
    VFX_ERROR_BUSY = -3,
    /// The frames cannot be processed in this size or format.
    VFX_ERROR_UNSUPPORTED = -4,
    /// Not allowed at this point, such as a frame after the end.
    VFX_ERROR_STATE = -5,
    /// There is not enough memory, or there are no more threads or handles.
    VFX_ERROR_MEMORY = -6,
    /// The effect has failed; the stream can only be destroyed.
    VFX_ERROR_FAILED = -7
};

/// Chroma subsampling of planar YCbCr. Frames with 400 have one plane, all others three: Y, Cb, Cr. This version of the
/// interface takes neither RGB nor alpha; vfx_create refuses every other code.
enum { VFX_SUBSAMPLING_400 = 400, VFX_SUBSAMPLING_420 = 420, VFX_SUBSAMPLING_422 = 422, VFX_SUBSAMPLING_444 = 444 };

/// The depth of motion vectors: results of "flow" with 4:4:4 planes of 32-bit floating-point numbers. For each sample of
/// the frame, plane 0 holds the motion to the right and plane 1 the motion down, in samples, to where the same point is
/// in the neighbouring frame; plane 2 holds the confidence, 0 to 1. All three are 0 across a cut and for a frame without
/// that neighbour: the last frame, or with direction "previous" the first.
enum { VFX_DEPTH_VECTORS = 32 };

/// Which code values are black and white.
enum { VFX_RANGE_UNSPECIFIED = 0, VFX_RANGE_LIMITED = 1, VFX_RANGE_FULL = 2 };

/// Where chroma samples are sited.
enum {
    VFX_CHROMA_UNSPECIFIED = 0, VFX_CHROMA_LEFT = 1, VFX_CHROMA_CENTER = 2, VFX_CHROMA_TOP_LEFT = 3,
    VFX_CHROMA_TOP = 4, VFX_CHROMA_BOTTOM_LEFT = 5, VFX_CHROMA_BOTTOM = 6
};

/// Whether alternate rows of a frame belong to two fields of different times, and which of them is shown first: that of the
/// odd rows (bottom) or that of the even ones (top), counted from 0. Only "deinterlace" makes progressive frames of them.
enum { VFX_FIELDS_PROGRESSIVE = 0, VFX_FIELDS_BOTTOM_FIRST = 1, VFX_FIELDS_TOP_FIRST = 2 };

/// Flags of a result.
enum {
    /// A scene begins with this frame.
    VFX_FRAME_BEGINS_SCENE = 1
};

/// A stream: index and generation, so that a handle is not valid again after vfx_destroy(). 0 is never valid.
typedef uint64_t vfx_stream;

/// One option: two strings in UTF-8, both borrowed for the call.
typedef struct vfx_option {
    const char *key;
    const char *value;
} vfx_option;

/// A frame: submitted by the caller, or a result. Set struct_size and zero everything that is unknown.
typedef struct vfx_frame {
    /// sizeof(vfx_frame), set by the caller, also for results.
    uint32_t struct_size;
    /// Flags of a result; 0 in a submitted frame.
    uint32_t flags;
    /// Size in luma samples. Odd sizes round up for chroma.
    int32_t width, height;
    /// VFX_SUBSAMPLING_400 to VFX_SUBSAMPLING_444.
    int32_t subsampling;
    /// Bits per sample, 8 to 16. 8-bit samples take one byte, others a native 16-bit word with the value in the low bits.
    /// VFX_DEPTH_VECTORS in the results of "flow" that are vectors.
    int32_t depth;
    /// The presentation time is time / time_scale seconds; time_scale is at least 1. Times must increase.
    int64_t time;
    /// The duration is duration / duration_scale seconds; unknown if duration_scale is 0.
    int64_t duration;
    int32_t time_scale, duration_scale;
    /// Code points of ITU-T H.273; 0 and 2 mean unspecified.
    int32_t matrix, primaries, transfer;
    /// VFX_RANGE_UNSPECIFIED to VFX_RANGE_FULL.
    int32_t range;
    /// VFX_CHROMA_UNSPECIFIED to VFX_CHROMA_BOTTOM.
    int32_t chroma_location;
    /// VFX_FIELDS_PROGRESSIVE to VFX_FIELDS_TOP_FIRST.
    int32_t field_order;
    /// The first sample of each plane; aligned to 2 bytes if the depth is above 8.
    const void *planes[3];
    /// Bytes from one row to the next; at least the size of a row, or at most its negative for rows from bottom to top.
    ptrdiff_t strides[3];
    /// In a submitted frame: null if the samples are to be copied. Otherwise the planes are borrowed without a copy; they
    /// must stay valid and unchanged until the library calls release(context) once: on any thread, during any function,
    /// and possibly shortly after vfx_destroy(). The function must not call this library. It is called only for frames
    /// that vfx_submit() has taken with VFX_OK. In a result: null.
    void (*release)(void *context);
    void *context;
    /// In a result: its handle, for vfx_release(). 0 in a submitted frame.
    uint64_t id;
} vfx_frame;

/// Returns the VFX_ABI_VERSION of the library; check it if the library is loaded at run time. Never fails.
uint32_t vfx_abi_version(void);

/// Returns the version of the package, such as "0.1.0". The string is static. Never fails.
const char *vfx_version(void);

/// Returns a sentence about the last error in a function called by this thread; an empty string if there was none. The
/// string is valid until this thread calls another function of the library. Never fails.
const char *vfx_last_error(void);

/// Creates a stream. Nothing runs before the first frame.
///
/// - effect: one of the names below.
/// - width, height: size of the frames to be submitted, in luma samples. 16 to 8192 for most effects.
/// - subsampling: VFX_SUBSAMPLING_400 to VFX_SUBSAMPLING_444.
/// - depth: bits per sample, 8 to 16.
/// - options: option_count options; null if option_count is 0. Unknown keys are errors. The values are in the article
///   "Calling the effects from C". Keys of all effects: at_cut, compression, cut_threshold, first_frame, long_holds,
///   loop_filter, quality, quantizer_step, segment, threads. Keys of each effect:
///
///     deinterlace: fields, field_rate, cadence
///     denoise: strength, sigma, model, deblock, past, future, hold_rects
///     upscale: scale, size, deblock, low_latency, input_type
///     slomo: phases, factor, speed, ease, fps, blur, hold_rects
///     rate: fps, hold_rects
///     blur: strength, linear_light, hold_rects
///     grain: strength, table
///     smooth: depth, scale, hold_rects
///     flow: output, direction, maximum, legend, range
///
/// - stream: receives the handle; set to 0 on failure.
///
/// Fails with VFX_ERROR_ARGUMENT, VFX_ERROR_UNSUPPORTED or VFX_ERROR_MEMORY. Text is borrowed for the call.
vfx_status vfx_create(
    const char *effect, int32_t width, int32_t height, int32_t subsampling, int32_t depth, const vfx_option *options,
    size_t option_count, vfx_stream *stream);

/// Returns how a clip is divided, for the options "segment" and "first_frame". Segment n begins with source frame n * *length; a
/// stream that makes results from there on has to begin *lead frames before it, or with frame 0.
///
/// Fails with VFX_ERROR_ARGUMENT if a pointer is null.
vfx_status vfx_segments(int32_t *length, int32_t *lead);

/// Describes the results of a stream: width, height, subsampling and depth. Other members are set to 0.
///
/// - result: its struct_size must be set.
///
/// Fails with VFX_ERROR_HANDLE or VFX_ERROR_ARGUMENT.
vfx_status vfx_describe(vfx_stream stream, vfx_frame *result);

/// Submits the next frame. Waits while the effect is busy, unless results are waiting.
///
/// - frame: borrowed for the call; see vfx_frame for its planes.
///
/// Returns VFX_AGAIN if the frame was not taken because results must be received first. Fails with VFX_ERROR_HANDLE (also
/// if the stream is destroyed during the call), VFX_ERROR_ARGUMENT, VFX_ERROR_BUSY, VFX_ERROR_STATE (after
/// vfx_finish()), VFX_ERROR_MEMORY or VFX_ERROR_FAILED. A time that does not increase is found by the effect, so it is
/// reported by a later call.
vfx_status vfx_submit(vfx_stream stream, const vfx_frame *frame);

/// Declares that no more frames follow, so that the remaining results can be received. Has no effect when repeated.
///
/// Fails with VFX_ERROR_HANDLE.
vfx_status vfx_finish(vfx_stream stream);

/// Waits for the next result. The results are in presentation order.
///
/// - result: its struct_size must be set. The planes belong to the library: they are valid and unchanged until
///   vfx_release(result->id), also after vfx_destroy().
///
/// Returns VFX_AGAIN if another frame must be submitted first, and VFX_END after the last result. Fails with
/// VFX_ERROR_HANDLE (also if the stream is destroyed during the call), VFX_ERROR_ARGUMENT, VFX_ERROR_BUSY,
/// VFX_ERROR_MEMORY or VFX_ERROR_FAILED.
vfx_status vfx_receive(vfx_stream stream, vfx_frame *result);

/// Gives a result back. Its planes must not be used any more.
///
/// - id: from vfx_receive().
///
/// Fails with VFX_ERROR_HANDLE.
vfx_status vfx_release(uint64_t id);

/// Destroys a stream. Calls that wait in other threads return VFX_ERROR_HANDLE. Waits until the effect has stopped, which
/// takes at most as long as one frame. Results that have been received remain valid.
///
/// Fails with VFX_ERROR_HANDLE.
vfx_status vfx_destroy(vfx_stream stream);

#ifdef __cplusplus
}
#endif

#endif
