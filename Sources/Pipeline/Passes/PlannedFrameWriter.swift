internal import FrameCore
internal import FrameEffects
internal import Imaging
internal import Motion

/// Writes the frames of a plan with what belongs to single frames only, and the mean of moments as one frame.
struct PlannedFrameWriter {
    /// What belongs to single source frames, on its way to the next output frame.
    var singleData = SinglePictureData()
    /// The output frame of which some of the moments are made, and their mean so far.
    private var exposed: (frame: Frame, mean: PictureMean)?
    /// The source frame nearest to the middle of that output frame, as far as its moments are made.
    private var middle: AreaKeeper.Original?
    private var pool: PixelBufferPool?
    /// Keeps areas of the source; nil for none.
    private var keeper: AreaKeeper?

    init(_ keeper: AreaKeeper? = nil) { self.keeper = keeper.flatMap { $0.isEmpty ? nil : $0 } }

    /// The time of the output frame of which some of the moments are made; nil if there is none.
    var begunFrame: MediaTime? { exposed?.frame.presentationTime }

    /// Writes a frame or, if it is a moment of one, adds it to the mean.
    ///
    /// - Parameter original: the source frame nearest to it.
    mutating func write(
        _ frame: Frame, _ planned: PlannedFrame, _ place: FramePlace, keeping original: AreaKeeper.Original,
        motion: OpticalFlow?, _ output: EffectOutput
    ) throws {
        guard let exposure = planned.exposure else {
            var shown = frame
            if planned.content != .source { shown.buffer = try keep(original, in: frame.buffer) }
            singleData.move(to: &shown)
            return try output.write(shown, place, motion: motion, hold: .until(planned.heldUntil))
        }
        if exposure.moment == 0 {
            try endExposure(output)
            exposed = (frame, PictureMean(like: frame.buffer))
        }
        if exposure.moment <= (exposure.count - 1) / 2 { middle = original }
        try exposed?.mean.add(frame.buffer)
        if exposure.moment == exposure.count - 1 { try endExposure(output) }
    }

    /// Writes the mean of the moments so far.
    mutating func endExposure(_ output: EffectOutput) throws {
        guard let (begun, mean) = exposed else { return }
        var frame = begun
        exposed = nil
        singleData.move(to: &frame)
        let format = frame.buffer.format, (width, height) = (frame.buffer.width, frame.buffer.height)
        let pool = try self.pool ?? PixelBufferPool(format: format, width: width, height: height)
        self.pool = pool
        var picture = try pool.makeBuffer()
        try mean.write(to: &picture)
        if let middle { picture = try keep(middle, in: picture) }
        middle = nil
        frame.buffer = picture
        try output.write(frame, .afterCurrent, motion: nil, hold: .until(nil))
    }

    private mutating func keep(_ original: AreaKeeper.Original, in picture: PixelBuffer) throws -> PixelBuffer {
        try keeper?.keep(original, in: picture) ?? picture
    }
}
