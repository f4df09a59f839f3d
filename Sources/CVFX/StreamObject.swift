internal import CVFXInterface
internal import FrameCore
internal import FrameEffects
internal import Pipeline
internal import Synchronization

/// What a handle of a stream stands for.
final class StreamObject: Sendable {
    private let stream: EffectStream
    private let layout: FrameLayout
    private let pool: PixelBufferPool
    private let isSubmitting = Atomic<Bool>(false)
    private let isReceiving = Atomic<Bool>(false)
    private let isFinished = Atomic<Bool>(false)

    private let makesVectors: Bool

    /// The description of the results, without samples.
    func description(struct_size: UInt32) -> vfx_frame {
        let output = stream.outputStream
        let frame = vfx_frame(struct_size: struct_size, output.format, output.width, output.height)
        return makesVectors ? frame.withVectors : frame
    }

    /// A result as the interface describes it.
    func description(struct_size: UInt32, of frame: Frame, id: UInt64, beginsScene: Bool) -> vfx_frame {
        let frame = vfx_frame(struct_size: struct_size, frame, id: id, beginsScene: beginsScene)
        return makesVectors ? frame.withVectors : frame
    }

    /// - Throws: ``CallError``, or an error of the effect that cannot process such frames.
    init(_ layout: FrameLayout, _ options: StreamOptions) throws {
        self.layout = layout
        pool = try PixelBufferPool(format: layout.format, width: layout.width, height: layout.height)
        makesVectors = options.makesVectors
        // The effects check the size when they begin; a caller wants to know before.
        try FrameRateConversionConfiguration.checkSize(frameWidth: layout.width, frameHeight: layout.height)
        stream = try EffectStream(
            options.effect,
            source: VideoStreamDescription(
                format: layout.format, width: layout.width, height: layout.height, timeBase: Rational(1, 1_000_000)),
            cuts: options.cuts, fromSegment: options.segment, firstFrame: options.firstFrame)
    }

    /// - Returns: `VFX_OK` or `VFX_AGAIN`.
    func submit(_ frame: vfx_frame) throws -> Int {
        try exclusively(isSubmitting, "submits to") {
            guard !isFinished.load(ordering: .acquiring) else {
                throw CallError(VFX_ERROR_STATE, "a frame was submitted after the end, which vfx_finish() has declared")
            }
            let planes = try layout.planes(of: frame)
            let owner = frame.release.map { BorrowedPlanes($0, frame.context) }
            let buffer: PixelBuffer
            if let owner {
                guard
                    let borrowed = PixelBuffer(
                        format: layout.format, width: layout.width, height: layout.height, borrowing: planes,
                        owner: owner)
                else { throw CallError(VFX_ERROR_UNSUPPORTED, "the planes cannot be borrowed") }
                buffer = borrowed
            } else {
                buffer = try layout.copy(planes, from: pool)
            }
            guard !buffer.exceedsDepth else {
                throw CallError(
                    VFX_ERROR_ARGUMENT,
                    "a sample is larger than \(layout.format.maximumValue), the largest of \(layout.format.bitDepth) bits"
                )
            }
            let submitted = try frame.frame(buffer)
            guard try ofEffect({ try stream.submit(submitted) }) else { return VFX_AGAIN }
            owner?.isTaken = true
            return VFX_OK
        }
    }

    /// - Returns: the next result, or `VFX_AGAIN` or `VFX_END`.
    func receive() throws -> (status: Int, frame: Frame?, beginsScene: Bool) {
        try exclusively(isReceiving, "receives from") {
            switch try ofEffect({ try stream.receive() }) {
            case .frame(let frame, let beginsScene): (VFX_OK, frame, beginsScene)
            case .needsInput: (VFX_AGAIN, nil, false)
            case .ended: (VFX_END, nil, false)
            }
        }
    }

    func finish() {
        isFinished.store(true, ordering: .releasing)
        stream.finish()
    }

    func destroy() { stream.cancel() }

    private func exclusively<R>(_ flag: borrowing Atomic<Bool>, _ what: String, _ body: () throws -> R) throws -> R {
        guard !flag.exchange(true, ordering: .acquiring) else {
            throw CallError(VFX_ERROR_BUSY, "another thread \(what) this stream")
        }
        defer { flag.store(false, ordering: .releasing) }
        return try body()
    }

    private func ofEffect<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch { throw CallError(error, isOfEffect: true) }
    }
}
