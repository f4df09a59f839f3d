import CLibAV
import FrameCore
import Glibc

/// Reduces RGB frames to 256 colors, each frame to its own: a palette by median cut, and an ordered dither, which stands
/// still where the picture does.
///
/// The result depends on the frame alone, not on those before it.
struct PaletteFilter {
    /// The format of the frames to reduce.
    static let input = AV_PIX_FMT_BGRA
    private static let chain =
        "[in]split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=bayer:bayer_scale=3[out]"

    private let filters: vfx_filter_functions

    init() throws(FrameError) {
        guard let filters = FilterLibrary.functions?.pointee else {
            throw FrameError(
                .encode, "libavfilter, which chooses the colors, cannot be loaded: \(String(c: dlerror()))")
        }
        self.filters = filters
    }

    /// Returns a frame with a palette. Its tags are those of `frame`.
    func reduced(_ frame: FrameHandle) throws(FrameError) -> FrameHandle {
        // Each frame has a graph of its own, since the filters keep frames back until the next one or the end.
        var graph: UnsafeMutablePointer<AVFilterGraph>? = try allocated(filters.avfilter_graph_alloc(), "a filter")
        defer { filters.avfilter_graph_free(&graph) }
        graph?.pointee.nb_threads = 1
        let size = frame.pointer.pointee
        var source: UnsafeMutablePointer<AVFilterContext>?
        var sink: UnsafeMutablePointer<AVFilterContext>?
        try require(
            filters.avfilter_graph_create_filter(
                &source, filters.avfilter_get_by_name("buffer"), "in",
                "video_size=\(size.width)x\(size.height):pix_fmt=bgra:time_base=1/100", nil, graph))
        try require(
            filters.avfilter_graph_create_filter(
                &sink, filters.avfilter_get_by_name("buffersink"), "out", nil, nil, graph))
        try link(source, sink, graph)
        let pts = size.pts
        frame.pointer.pointee.pts = 0
        try require(filters.av_buffersrc_add_frame(source, frame.pointer))
        try require(filters.av_buffersrc_add_frame(source, nil))
        let result = try FrameHandle()
        try require(filters.av_buffersink_get_frame(sink, result.pointer))
        result.pointer.pointee.pts = pts
        result.pointer.pointee.sample_aspect_ratio = size.sample_aspect_ratio
        return result
    }

    private func link(
        _ source: UnsafeMutablePointer<AVFilterContext>?, _ sink: UnsafeMutablePointer<AVFilterContext>?,
        _ graph: UnsafeMutablePointer<AVFilterGraph>?
    ) throws(FrameError) {
        var outputs = filters.avfilter_inout_alloc()
        var inputs = filters.avfilter_inout_alloc()
        defer {
            filters.avfilter_inout_free(&outputs)
            filters.avfilter_inout_free(&inputs)
        }
        guard outputs != nil, inputs != nil else { throw FrameError(.allocation, "no memory for a filter") }
        outputs?.pointee.name = av_strdup("in")
        outputs?.pointee.filter_ctx = source
        inputs?.pointee.name = av_strdup("out")
        inputs?.pointee.filter_ctx = sink
        try require(filters.avfilter_graph_parse_ptr(graph, Self.chain, &inputs, &outputs, nil))
        try require(filters.avfilter_graph_config(graph, nil))
    }

    private func require(_ result: Int32) throws(FrameError) {
        try check(result, .encode, "the colors of a frame cannot be reduced to a palette")
    }
}
