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
    private var pool: PixelBufferPool?

    /// The time of the output frame of which some of the moments are made; nil if there is none.
    var begunFrame: MediaTime? { exposed?.frame.presentationTime }

    /// Writes a frame or, if it is a moment of one, adds it to the mean.
    mutating func write(
        _ frame: Frame, _ planned: PlannedFrame, _ place: FramePlace, motion: OpticalFlow?, _ output: EffectOutput
    ) throws {
        guard let exposure = planned.exposure else {
            var shown = frame
            singleData.move(to: &shown)
            return try output.write(shown, place, motion: motion, hold: .until(planned.heldUntil))
        }
        if exposure.moment == 0 {
            try endExposure(output)
            exposed = (frame, PictureMean(like: frame.buffer))
        }
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
        frame.buffer = picture
        try output.write(frame, .afterCurrent, motion: nil, hold: .until(nil))
    }
}
