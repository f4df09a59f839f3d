import CLibAV
import FrameCore
import Glibc

/// Changes the tempo of audio at constant pitch and converts it to the format that an encoder takes.
final class AudioFilterGraph {
    private let filters: vfx_filter_functions
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private let source: UnsafeMutablePointer<AVFilterContext>
    private let sink: UnsafeMutablePointer<AVFilterContext>
    private let format: Int32
    /// Input sample rate, in samples per second.
    let rate: Int32
    private let channels: Int32
    private let layout: String

    /// - Parameters:
    ///   - frame: the first frame of the audio.
    ///   - encoder: the encoder that takes the result.
    ///   - factor: the factor by which the audio becomes longer.
    ///   - isPlanarFloat: whether the samples are 32-bit floating-point numbers in planes, in frames of any length, in place of
    ///     what the encoder takes.
    init(
        for frame: UnsafeMutablePointer<AVFrame>, to encoder: UnsafeMutablePointer<AVCodecContext>,
        factor: Rational = Rational(1, 1), isPlanarFloat: Bool = false
    ) throws(FrameError) {
        guard let filters = FilterLibrary.functions?.pointee else {
            throw FrameError(.encode, "the audio filter cannot be set up: \(String(c: dlerror()))")
        }
        self.filters = filters
        let first = frame.pointee
        (format, rate, channels) = (first.format, first.sample_rate, first.ch_layout.nb_channels)
        let graph = try allocated(filters.avfilter_graph_alloc(), "an audio filter")
        self.graph = graph
        graph.pointee.nb_threads = 1
        layout = Self.layoutName(first.ch_layout)
        let arguments =
            "time_base=1/\(rate):sample_rate=\(rate):sample_fmt=\(Self.name(format)):channel_layout=\(layout)"
        var source: UnsafeMutablePointer<AVFilterContext>?
        var sink: UnsafeMutablePointer<AVFilterContext>?
        var created = filters.avfilter_graph_create_filter(
            &source, filters.avfilter_get_by_name("abuffer"), "in", arguments, nil, graph)
        if created >= 0 {
            created = filters.avfilter_graph_create_filter(
                &sink, filters.avfilter_get_by_name("abuffersink"), "out", nil, nil, graph)
        }
        guard created >= 0, let source, let sink else {
            var failed: UnsafeMutablePointer<AVFilterGraph>? = graph
            filters.avfilter_graph_free(&failed)
            throw FrameError(.encode, "the audio filter cannot be set up", cause: LibAVError(number: created))
        }
        (self.source, self.sink) = (source, sink)
        let target = encoder.pointee
        // async fills gaps and trims overlaps in the source's timestamps, so that audio stays in sync with the video.
        var chain = ["aresample=async=1:first_pts=\(known(first.pts) ?? 0)"]
        chain += Self.tempos(factor).map { "atempo=\($0)" }
        if let standard = StandardChannels(target.codec_id, for: first.ch_layout),
            standard.mask == target.ch_layout.u.mask
        {
            chain += standard.filters(to: Self.layoutName(target.ch_layout))
        }
        chain.append(
            "aformat=sample_fmts=\(isPlanarFloat ? "fltp" : Self.name(target.sample_fmt.rawValue)):sample_rates=\(target.sample_rate)"
                + ":channel_layouts=\(Self.layoutName(target.ch_layout))")
        try link(chain.joined(separator: ","))
        let fixed = encoder.pointee.codec.pointee.capabilities & AV_CODEC_CAP_VARIABLE_FRAME_SIZE == 0
        if fixed, target.frame_size > 0, !isPlanarFloat {
            filters.av_buffersink_set_frame_size(sink, UInt32(target.frame_size))
        }
    }

    deinit { filters.avfilter_graph_free(&graph) }

    /// Tempo factors whose product is 1/`factor`; a single atempo filter accepts no factor below 0.5.
    static func tempos(_ factor: Rational) -> [Double] {
        var rest = 1 / max(1, factor.doubleValue)
        var found: [Double] = []
        while rest < 0.5 {
            found.append(0.5)
            rest *= 2
        }
        if rest < 1 { found.append(rest) }
        return found
    }

    func accepts(_ frame: AVFrame) -> Bool {
        frame.format == format && frame.sample_rate == rate && frame.ch_layout.nb_channels == channels
    }

    func push(_ frame: UnsafeMutablePointer<AVFrame>) throws(FrameError) {
        try check(filters.av_buffersrc_add_frame(source, frame), .encode, "the audio filter failed")
    }

    /// Pushes half a second of silence, longer than any window of the tempo filters.
    ///
    /// - Parameter time: timestamp in samples at ``rate``.
    func pushSilence(at time: Int64) throws(FrameError) {
        let box = try FrameHandle()
        box.pointer.pointee.format = format
        box.pointer.pointee.sample_rate = rate
        box.pointer.pointee.nb_samples = max(1, rate / 2)
        box.pointer.pointee.pts = time
        try check(
            av_channel_layout_from_string(&box.pointer.pointee.ch_layout, layout), .encode, "the audio filter failed")
        try check(av_frame_get_buffer(box.pointer, 0), .allocation, "no memory for audio")
        av_samples_set_silence(
            box.pointer.pointee.extended_data, 0, box.pointer.pointee.nb_samples, channels,
            AVSampleFormat(rawValue: format))
        try push(box.pointer)
    }

    func end() throws(FrameError) {
        try check(filters.av_buffersrc_add_frame(source, nil), .encode, "the audio filter failed")
    }

    /// Moves the next filtered frame into `frame`; returns false when none is ready.
    func pull(into frame: UnsafeMutablePointer<AVFrame>) throws(FrameError) -> Bool {
        let result = filters.av_buffersink_get_frame(sink, frame)
        if result == vfx_averror(EAGAIN) || result == vfx_averror_eof { return false }
        try check(result, .encode, "the audio filter failed")
        return true
    }

    private func link(_ chain: String) throws(FrameError) {
        var outputs = filters.avfilter_inout_alloc()
        var inputs = filters.avfilter_inout_alloc()
        defer {
            filters.avfilter_inout_free(&outputs)
            filters.avfilter_inout_free(&inputs)
        }
        guard outputs != nil, inputs != nil else { throw FrameError(.allocation, "no memory for an audio filter") }
        outputs?.pointee.name = av_strdup("in")
        outputs?.pointee.filter_ctx = source
        inputs?.pointee.name = av_strdup("out")
        inputs?.pointee.filter_ctx = sink
        try check(
            filters.avfilter_graph_parse_ptr(graph, chain, &inputs, &outputs, nil), .encode,
            "the audio filter cannot be set up"
        )
        try check(
            filters.avfilter_graph_config(graph, nil), .encode, "the audio filter does not accept the audio format")
    }

    private static func name(_ format: Int32) -> String {
        String(c: av_get_sample_fmt_name(AVSampleFormat(rawValue: format)))
    }

    private static func layoutName(_ layout: AVChannelLayout) -> String {
        var layout = layout
        if layout.order == AV_CHANNEL_ORDER_UNSPEC { av_channel_layout_default(&layout, layout.nb_channels) }
        var text = [CChar](repeating: 0, count: 128)
        av_channel_layout_describe(&layout, &text, text.count)
        return String(nullTerminated: text)
    }
}
