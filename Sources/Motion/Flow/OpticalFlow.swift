public import FrameCore

/// The motion between two frames in both directions.
///
/// A flow computed once can be used by every effect that accepts precomputed flow. ``encoded()`` and
/// ``init(decoding:)`` store it in a file without loss.
public struct OpticalFlow: Sendable, Equatable {
    /// The motion from the source frame to the next frame.
    public let forward: FlowField
    /// The motion from the next frame to the source frame.
    public let backward: FlowField

    /// Width of the frames in luma samples.
    public var width: Int { forward.width }
    /// Height of the frames in luma samples.
    public var height: Int { forward.height }

    /// Creates a flow from two fields.
    /// - Throws: `FrameError` when the fields differ in frame size or cell size.
    public init(forward: FlowField, backward: FlowField) throws(FrameError) {
        guard forward.width == backward.width, forward.height == backward.height, forward.level == backward.level
        else {
            throw FrameError(
                .invalidArgument,
                "the forward flow is \(forward.width)x\(forward.height) with cells of \(forward.cellSide), the backward flow \(backward.width)x\(backward.height) with cells of \(backward.cellSide); both must be the same"
            )
        }
        self.forward = forward
        self.backward = backward
    }

    /// Creates a flow from another source, such as a `.flo` file or a neural network, on cells of 4×4 samples.
    ///
    /// A cell gets the mean motion of its samples. Samples with unknown motion count as still.
    /// - Throws: `FrameError` when the sizes differ or are out of range.
    public init(forward: DenseFlow, backward: DenseFlow) throws(FrameError) {
        guard forward.width == backward.width, forward.height == backward.height else {
            throw FrameError(
                .invalidArgument,
                "the forward flow is \(forward.width)x\(forward.height), the backward flow \(backward.width)x\(backward.height); both must be the same"
            )
        }
        try FlowField.checkSize(forward.width, forward.height)
        let there = forward.cells(), back = backward.cells()
        func field(_ cells: MotionVectorField, _ back: MotionVectorField) -> FlowField {
            FlowField(
                width: forward.width, height: forward.height, level: 0, cells: cells, back: back, context: .serial)
        }
        self.forward = field(there, back)
        self.backward = field(back, there)
    }

    /// Creates a flow from estimated motion: measures the consistency of the two fields, then fills the occluded cells.
    ///
    /// - Parameters:
    ///   - width: width of the frames, in luma samples.
    ///   - height: height of the frames, in luma samples.
    ///   - motion: the estimated motion between the two frames.
    ///   - a: the pyramid of the source frame.
    ///   - b: the pyramid of the next frame.
    ///   - context: the threads and kernels to use.
    package init(width: Int, height: Int, motion: MotionPair, a: LumaPyramid, b: LumaPyramid, context: ExecutionContext)
    {
        let errors = (
            forward: motion.forward.consistencyError(with: motion.backward, context: context),
            backward: motion.backward.consistencyError(with: motion.forward, context: context)
        )
        let filled = motion.filled(a, b, consistencyErrors: errors, context: context), level = motion.level
        func field(
            _ raw: MotionVectorField, _ filled: MotionVectorField, _ errors: Buffer2D<UInt16>, _ back: MotionVectorField
        ) -> FlowField {
            FlowField(
                width: width, height: height, level: level, cells: filled, consistencyErrors: errors,
                confidence: LazyFlowConfidence(
                    .init(raw, consistencyErrors: errors, back: back, level: level, context: context)))
        }
        forward = field(motion.forward, filled.forward, errors.forward, motion.backward)
        backward = field(motion.backward, filled.backward, errors.backward, motion.forward)
    }

    /// Creates a flow of motion that was derived from other motion, not found by matching. Its confidence depends only
    /// on its forward–backward consistency.
    ///
    /// - Parameters:
    ///   - width: width of the frames, in luma samples.
    ///   - height: height of the frames, in luma samples.
    ///   - level: the pyramid level of the cells.
    ///   - forward: the vectors from the source frame to the next.
    ///   - backward: the vectors from the next frame to the source, as many as in `forward`.
    ///   - context: the threads and kernels to use.
    package init(
        width: Int, height: Int, level: Int, forward: Buffer2D<MotionVector>, backward: Buffer2D<MotionVector>,
        context: ExecutionContext
    ) {
        let there = MotionVectorField(vectors: forward), back = MotionVectorField(vectors: backward)
        func field(_ cells: MotionVectorField, _ back: MotionVectorField) -> FlowField {
            FlowField(width: width, height: height, level: level, cells: cells, back: back, context: context)
        }
        self.forward = field(there, back)
        self.backward = field(back, there)
    }

    /// Returns the motion of the same frames after upscaling to `width` × `height`.
    ///
    /// - Returns: nil unless both sides grow by the same power of two, or when the larger frames have no pyramid level
    ///   with cells that large.
    package func scaled(width: Int, height: Int) -> OpticalFlow? {
        if width == self.width, height == self.height { return self }
        let factor = width / self.width
        guard factor >= 2, factor.nonzeroBitCount == 1, width == factor * self.width, height == factor * self.height
        else { return nil }
        let growth = factor.trailingZeroBitCount
        guard max(forward.level, backward.level) + growth < LumaPyramid.levelCount(width: width, height: height) else {
            return nil
        }
        // The cells stay the same, but belong to a coarser level of the larger frames' pyramid.
        func scaled(_ field: FlowField) -> FlowField {
            FlowField(
                width: width, height: height, level: field.level + growth, cells: field.cells,
                consistencyErrors: field.consistencyErrors, confidence: field.lazyConfidence)
        }
        return try? OpticalFlow(forward: scaled(forward), backward: scaled(backward))
    }
}
