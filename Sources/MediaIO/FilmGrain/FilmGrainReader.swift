import CLibAV
package import FrameCore

/// Reads the film grain that an AV1 file stores with its frames.
package struct FilmGrainReader {
    /// A frame's time, counted from the first frame, and its grain.
    package typealias Frame = (time: MediaTime, grain: FilmGrain?)

    private let context: InputContext
    private let stream: UnsafeMutablePointer<AVStream>
    private let codec: CodecContext
    private let path: String

    package init(_ path: String) throws {
        self.path = path
        let location = FrameError.Location(file: path)
        context = try InputContext(url: "file:" + path, format: nil, options: ["ignore_editlist": "1"])
        let videos = context.streams.filter { $0.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_AV1 }
        guard let stream = videos.first, let decoder = avcodec_find_decoder(AV_CODEC_ID_AV1) else {
            throw FrameError(.unsupportedFormat, "there is no AV1 video, or no decoder for it", at: location)
        }
        self.stream = stream
        codec = try CodecContext(decoder)
        try check(
            avcodec_parameters_to_context(codec.pointer, stream.pointee.codecpar), .decode,
            "the video stream's header is damaged", at: location)
        // The decoder then returns the parameters instead of adding the grain.
        codec.pointer.pointee.export_side_data = AV_CODEC_EXPORT_DATA_FILM_GRAIN
        codec.pointer.pointee.thread_count = 1
        try check(
            avcodec_open2(codec.pointer, decoder, nil), .decode, "the decoder does not accept the stream", at: location)
    }

    /// Reads the keyframes, each of which states its grain completely.
    ///
    /// - Parameter take: receives each keyframe.
    package func keyFrames(_ take: (Frame) throws -> Void) throws {
        try packets { packet, start in
            guard packet.pointee.flags & AV_PKT_FLAG_KEY != 0 else { return }
            avcodec_flush_buffers(codec.pointer)
            try send(packet)
            try send(nil)
            try drain(start, take)
        }
    }

    /// Reads all frames, in the order in which they are shown.
    ///
    /// - Parameter take: receives each frame.
    package func frames(_ take: (Frame) throws -> Void) throws {
        var first: Int64 = 0
        try packets { packet, start in
            first = start
            try send(packet)
            try drain(start, take)
        }
        try send(nil)
        try drain(first, take)
    }

    private func packets(_ body: (UnsafeMutablePointer<AVPacket>, _ start: Int64) throws -> Void) throws {
        let box = try PacketHandle()
        var start: Int64?
        while true {
            let result = av_read_frame(context.pointer, box.pointer)
            if result == vfx_averror(EAGAIN) { continue }
            if result == vfx_averror_eof { return }
            guard result >= 0 else {
                throw FrameError(
                    .input, "the video cannot be read", at: .init(file: path), cause: LibAVError(number: result))
            }
            defer { av_packet_unref(box.pointer) }
            guard box.pointer.pointee.stream_index == stream.pointee.index else { continue }
            let time = known(box.pointer.pointee.pts) ?? 0
            start = start ?? time
            try body(box.pointer, start ?? time)
        }
    }

    private func send(_ packet: UnsafeMutablePointer<AVPacket>?) throws(FrameError) {
        let result = avcodec_send_packet(codec.pointer, packet)
        guard result >= 0 || result == vfx_averror_eof else {
            throw FrameError(
                .decode, "the video cannot be decoded", at: .init(file: path), cause: LibAVError(number: result))
        }
    }

    private func drain(_ start: Int64, _ take: (Frame) throws -> Void) throws {
        let box = try FrameHandle()
        while true {
            let result = avcodec_receive_frame(codec.pointer, box.pointer)
            if result == vfx_averror_eof || result == vfx_averror(EAGAIN) { return }
            guard result >= 0 else {
                throw FrameError(
                    .decode, "the video cannot be decoded", at: .init(file: path), cause: LibAVError(number: result))
            }
            let ticks = known(box.pointer.pointee.best_effort_timestamp) ?? start
            let base = Rational(stream.pointee.time_base) ?? Rational(1, 1000)
            try take((MediaTime(ticks: ticks - start, base: base), FilmGrain(box.pointer)))
            av_frame_unref(box.pointer)
        }
    }
}

extension FilmGrain {
    /// The grain that a decoder has attached to a frame; nil for none.
    init?(_ frame: UnsafePointer<AVFrame>) {
        guard let data = av_frame_get_side_data(frame, AV_FRAME_DATA_FILM_GRAIN_PARAMS)?.pointee.data else {
            return nil
        }
        let parameters = UnsafeRawPointer(data).assumingMemoryBound(to: AVFilmGrainParams.self).pointee
        guard parameters.type == AV_FILM_GRAIN_PARAMS_AV1 else { return nil }
        let aom = parameters.codec.aom
        let count = FilmGrain.coefficientCount(lag: Int(aom.ar_coeff_lag))
        func points(_ tuple: some Any, _ count: Int32, from first: Int = 0) -> [ScalingPoint] {
            let bytes = withUnsafeBytes(of: tuple) { Array($0) }
            return (0..<Int(count)).map {
                ScalingPoint(value: Int(bytes[2 * (first + $0)]), scaling: Int(bytes[2 * (first + $0) + 1]))
            }
        }
        func numbers(_ tuple: some Any) -> [Int] { withUnsafeBytes(of: tuple) { $0.map { Int(Int8(bitPattern: $0)) } } }
        let chromaCoefficients = numbers(aom.ar_coeffs_uv)
        let pointCounts = [aom.num_uv_points.0, aom.num_uv_points.1]
        let mixing = [
            (aom.uv_mult.0, aom.uv_mult_luma.0, aom.uv_offset.0), (aom.uv_mult.1, aom.uv_mult_luma.1, aom.uv_offset.1),
        ]
        self.init(
            seed: UInt16(truncatingIfNeeded: parameters.seed), lumaPoints: points(aom.y_points, aom.num_y_points),
            lumaCoefficients: Array(numbers(aom.ar_coeffs_y).prefix(count)),
            chroma: (0..<2).map { plane in
                Chroma(
                    points: points(aom.uv_points, pointCounts[plane], from: plane * Self.maximumChromaPoints),
                    coefficients: Array(chromaCoefficients[25 * plane..<25 * plane + count + 1]),
                    multiplier: Int(mixing[plane].0), lumaMultiplier: Int(mixing[plane].1),
                    offset: Int(mixing[plane].2))
            }, isChromaScaledFromLuma: aom.chroma_scaling_from_luma != 0, lag: Int(aom.ar_coeff_lag),
            coefficientShift: Int(aom.ar_coeff_shift), grainScaleShift: Int(aom.grain_scale_shift),
            scalingShift: Int(aom.scaling_shift), overlaps: aom.overlap_flag != 0,
            isClippedToLimitedRange: aom.limit_output_range != 0)
    }

    /// Whether another grain looks the same but for its random numbers. What is not stored for planes without points is
    /// not compared.
    func isStored(as other: FilmGrain) -> Bool {
        func same(_ a: Chroma, _ b: Chroma) -> Bool { a.points.isEmpty && b.points.isEmpty || a == b }
        return lumaPoints == other.lumaPoints && zip(chroma, other.chroma).allSatisfy(same)
            && (lumaPoints.isEmpty || lumaCoefficients == other.lumaCoefficients) && lag == other.lag
            && coefficientShift == other.coefficientShift && grainScaleShift == other.grainScaleShift
            && scalingShift == other.scalingShift && overlaps == other.overlaps
    }
}
