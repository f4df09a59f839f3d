package import FrameCore
internal import Imaging

/// Makes progressive pictures of single interlaced frames, for stills and the like.
package struct FrameDeinterlacer: Sendable {
    private let fields: DeinterlacePass.Fields
    private let options: ConversionOptions

    /// - Parameters:
    ///   - fields: which frames are taken for interlaced.
    ///   - options: quality, threads and kernels.
    package init(_ fields: DeinterlacePass.Fields, options: ConversionOptions) {
        self.fields = fields
        self.options = options
    }

    /// Returns the picture of a frame's first field; the frame itself if it is progressive. Frames around it show that it is,
    /// even if it is marked as interlaced.
    ///
    /// - Parameters:
    ///   - frame: the frame.
    ///   - previous: the frame before it, if that is known.
    ///   - next: the frame after it, if that is known. A frame of another scene is not used.
    /// - Throws: an error if the frame cannot be deinterlaced.
    package func frame(_ frame: Frame, previous: Frame? = nil, next: Frame? = nil) throws -> Frame {
        let buffer = frame.buffer
        if fields == .auto {
            guard frame.isInterlaced else { return frame }
            let around = [previous, next].compactMap { $0?.buffer }
            let shown = around.map { FieldMeasurement(of: buffer, after: $0, context: options.context) }
            // Beside a cut, fields of any kind fit each other best, so both neighbours have to agree.
            if !shown.isEmpty, shown.allSatisfy(\.isClearlyProgressive) { return frame }
        }
        let stream = VideoStreamDescription(
            format: buffer.format, width: buffer.width, height: buffer.height, timeBase: Rational(1, 1_000_000))
        let effect = try EffectStream(
            DeinterlacePass(fields: fields, rate: .frame, options: options), source: stream, cuts: .live)
        defer { effect.cancel() }
        for frame in [previous, frame, next].compactMap(\.self) { _ = try effect.submit(frame) }
        effect.finish()
        var made: Frame?
        for _ in 0...(previous == nil ? 0 : 1) {
            guard case .frame(let next, _) = try effect.receive() else { break }
            made = next
        }
        return made ?? frame
    }
}
