package import FrameCore

/// Reads the frames of another source, and makes progressive ones of those that are interlaced: one of each, at its time.
///
/// `@unchecked Sendable`: `FrameSource` promises calls from one thread at a time.
package final class DeinterlacedSource: FrameSource, @unchecked Sendable {
    private let source: any FrameSource
    private let effect: EffectStream

    /// - Parameters:
    ///   - source: read by this source only.
    ///   - fields: which frames are taken for interlaced.
    ///   - options: quality, threads and kernels.
    /// - Throws: an error if the frames cannot be deinterlaced.
    package init(
        _ source: any FrameSource, fields: DeinterlacePass.Fields, options: ConversionOptions
    ) throws {
        self.source = source
        effect = try EffectStream(
            DeinterlacePass(fields: fields, rate: .frame, options: options), source: source.stream, cuts: .live)
    }

    /// The properties of the source, whose times and sizes stay.
    package var stream: VideoStreamDescription { source.stream }

    /// What has been lost or repaired so far.
    package var damage: DamageReport { source.damage }

    /// Returns the next frame, or nil after the last.
    package func nextFrame() throws -> Frame? {
        while true {
            switch try effect.receive() {
            case .frame(let frame, _): return frame
            case .ended: return nil
            case .needsInput:
                guard let frame = try source.nextFrame() else {
                    effect.finish()
                    continue
                }
                _ = try effect.submit(frame)
            }
        }
    }
}
