package import FrameCore
package import Motion

/// Blurs a frame as a long exposure would, from its motion towards its neighbours, and keeps what the next call can
/// reuse. Black bars round the picture stay as they are.
///
/// Strength 100 is a shutter angle of 360 degrees: the exposure starts halfway between the previous frame and this one
/// and ends halfway to the next. Not `Sendable`: for one caller at a time. The same inputs give the same bits with any
/// number of threads.
package final class MotionBlurEngine {
    private let pool: PixelBufferPool
    private let makeBlur: (_ width: Int, _ height: Int) throws(FrameError) -> PictureBlur
    /// Of a frame and its neighbours.
    private var active = ActivePicture(keptParts: 3)
    /// The frames of the latest call, the one before, its own and the one after, and the part of them inside bars.
    private var latest: (frames: [PixelBuffer?], crop: PictureCrop?)?
    /// Blurs the active picture.
    private var picture: PictureBlur

    package init(
        format: PixelFormat, width: Int, height: Int, quality: QualityPrioritization, linearLight: Bool,
        context: ExecutionContext
    ) throws(FrameError) {
        pool = try PixelBufferPool(format: format, width: width, height: height)
        makeBlur = { width, height throws(FrameError) in
            try PictureBlur(
                format: format, width: width, height: height, quality: quality, linearLight: linearLight,
                context: context)
        }
        picture = try makeBlur(width, height)
    }

    /// The motion from the previous frame to the frame of the latest call; nil without a previous frame, and if there are
    /// bars.
    package private(set) var previousFlow: OpticalFlow?

    /// Returns `current` as a long exposure would show it.
    ///
    /// - Parameters:
    ///   - current: the frame to blur.
    ///   - previous: the frame before it; nil at the start of a clip and after a cut. With only one neighbour, the
    ///     motion on that side is extended to the other; with none, `current` is returned.
    ///   - next: the frame after it; nil at the end of a clip and before a cut.
    ///   - color: the color description of `current`.
    ///   - strength: the shutter angle in units of 3.6 degrees, 1…100.
    ///   - relation: `.follows` when `current` was `next` in the last call.
    ///   - previousFlow: the motion from `previous` to `current`; nil to estimate it. Bars are not looked for if motion is
    ///     given.
    ///   - nextFlow: the motion from `current` to `next`; nil to estimate it.
    /// - Throws: `FrameError` if an argument is out of range or memory cannot be allocated.
    package func blur(
        _ current: PixelBuffer, previous: PixelBuffer?, next: PixelBuffer?, color: ColorDescription, strength: Int,
        relation: PairRelation, previousFlow: OpticalFlow? = nil, nextFlow: OpticalFlow? = nil
    ) throws(FrameError) -> PixelBuffer {
        guard (1...100).contains(strength) else {
            throw FrameError(.invalidArgument, "motion blur strength \(strength) is not allowed; it is 1 to 100")
        }
        self.previousFlow = nil
        guard previous != nil || next != nil else { return current }
        let isKnown = previousFlow != nil || nextFlow != nil
        let crop = isKnown ? nil : crop(of: current, previous, next, relation)
        if active.crop != crop {
            picture = try makeBlur(crop?.width ?? pool.width, crop?.height ?? pool.height)
            active.use(crop)
        }
        func part(_ frame: PixelBuffer?) throws(FrameError) -> PixelBuffer? {
            guard let frame else { return nil }
            return try active.part(of: frame)
        }
        let blurred = try picture.blur(
            try active.part(of: current), previous: try part(previous), next: try part(next), color: color,
            strength: strength, relation: relation, previousFlow: previousFlow, nextFlow: nextFlow)
        guard let crop else {
            self.previousFlow = picture.previousFlow
            return blurred
        }
        var frame = try pool.makeBuffer()
        try crop.write(blurred, barsOf: current, to: &frame)
        return frame
    }

    /// Returns the part inside bars that a frame and its neighbours share; nil if there is none.
    private func crop(
        of current: PixelBuffer, _ previous: PixelBuffer?, _ next: PixelBuffer?, _ relation: PairRelation
    ) -> PictureCrop? {
        let frames = [previous, current, next]
        if relation == .samePair, let latest, latest.frames.elementsEqual(frames, by: Self.areSame) {
            return latest.crop
        }
        var found: [PictureCrop?] = []
        if let previous { found.append(active.find(in: previous, current, relation == .follows ? .samePair : .none)) }
        if let next { found.append(active.find(in: current, next, previous == nil ? .none : .follows)) }
        let crop = found.allSatisfy { $0 == found[0] } ? found[0] : nil
        latest = (frames, crop)
        return crop
    }

    private static func areSame(_ a: PixelBuffer?, _ b: PixelBuffer?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return a.hasSameSamples(as: b)
    }
}

extension MotionBlurEngine: FrameProcessorEffect {
    package func process(_ parameters: MotionBlurParameters, relation: PairRelation, results: CallResults) throws {
        let source = parameters.sourceFrame
        let picture = try blur(
            try source.buffer, previous: try parameters.previousFrame?.buffer, next: try parameters.nextFrame?.buffer,
            color: try source.color, strength: parameters.motionBlurStrength, relation: relation,
            previousFlow: try parameters.previousOpticalFlow?.opticalFlow,
            nextFlow: try parameters.nextOpticalFlow?.opticalFlow)
        results.complete(0, with: picture)
    }
}
