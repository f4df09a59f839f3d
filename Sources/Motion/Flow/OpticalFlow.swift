public import FrameCore

/// Motion between two frames, both ways.
///
/// Computed once, it serves every effect that takes precomputed flow; ``encoded()`` and ``init(decoding:)`` keep it in a
/// file without loss.
public struct OpticalFlow: Sendable, Equatable {
    /// From the source frame to the next.
    public let forward: FlowField
    /// From the next frame to the source.
    public let backward: FlowField

    /// Width of the pictures in luma samples.
    public var width: Int { forward.width }
    /// Height of the pictures in luma samples.
    public var height: Int { forward.height }

    /// Puts two fields together.
    /// - Throws: `FrameError` when the fields differ in size or cells.
    public init(forward: FlowField, backward: FlowField) throws(FrameError) {
        guard forward.width == backward.width, forward.height == backward.height, forward.level == backward.level
        else {
            throw FrameError(
                .invalidArgument,
                "the forward flow is \(forward.width)x\(forward.height) with cells of \(forward.cellSide), the backward flow \(backward.width)x\(backward.height) with cells of \(backward.cellSide); both must be alike"
            )
        }
        self.forward = forward
        self.backward = backward
    }

    /// Flow from another source, such as a `.flo` file or a network, on cells of 4 samples.
    ///
    /// A cell has the mean motion of its samples. Samples whose motion is unknown count as still.
    /// - Throws: `FrameError` when the sizes differ or are out of range.
    public init(forward: DenseFlow, backward: DenseFlow) throws(FrameError) {
        guard forward.width == backward.width, forward.height == backward.height else {
            throw FrameError(
                .invalidArgument,
                "the forward flow is \(forward.width)x\(forward.height), the backward flow \(backward.width)x\(backward.height); both must be alike"
            )
        }
        try FlowField.checkSize(forward.width, forward.height)
        let there = forward.cells(), back = backward.cells()
        func field(_ cells: MotionVectorField, _ back: MotionVectorField) -> FlowField {
            FlowField(width: forward.width, height: forward.height, level: 0, cells: cells, back: back, threads: 1)
        }
        self.forward = field(there, back)
        self.backward = field(back, there)
    }

    /// Measures the consistency of an estimate's two fields, then fills in the motion of cells that the pair does not show.
    ///
    /// - Parameters:
    ///   - width: of the pictures, in luma samples.
    ///   - height: of the pictures, in luma samples.
    ///   - motion: of the two, as found.
    ///   - a: the source picture.
    ///   - b: the next picture.
    package init(width: Int, height: Int, motion: MotionPair, a: LumaPyramid, b: LumaPyramid, threads: Int) {
        let errors = (
            forward: motion.forward.consistencyError(with: motion.backward, threads: threads),
            backward: motion.backward.consistencyError(with: motion.forward, threads: threads)
        )
        let filled = motion.filled(a, b, consistencyErrors: errors, threads: threads), level = motion.level
        func field(
            _ raw: MotionVectorField, _ filled: MotionVectorField, _ errors: Buffer2D<UInt16>, _ back: MotionVectorField
        ) -> FlowField {
            FlowField(
                width: width, height: height, level: level, cells: filled, consistencyErrors: errors,
                confidence: LazyFlowConfidence(
                    .init(raw, consistencyErrors: errors, back: back, level: level, threads: threads)))
        }
        forward = field(motion.forward, filled.forward, errors.forward, motion.backward)
        backward = field(motion.backward, filled.backward, errors.backward, motion.forward)
    }

    /// Motion that was derived from other motion rather than matched; its confidence is that of its forward–backward
    /// consistency.
    ///
    /// - Parameters:
    ///   - level: pyramid level of the cells.
    ///   - backward: of as many cells as `forward`.
    package init(
        width: Int, height: Int, level: Int, forward: Buffer2D<MotionVector>, backward: Buffer2D<MotionVector>,
        threads: Int
    ) {
        let there = MotionVectorField(vectors: forward), back = MotionVectorField(vectors: backward)
        func field(_ cells: MotionVectorField, _ back: MotionVectorField) -> FlowField {
            FlowField(width: width, height: height, level: level, cells: cells, back: back, threads: threads)
        }
        self.forward = field(there, back)
        self.backward = field(back, there)
    }

    /// The motion of the same pictures made larger; nil unless both sides grew by the same power of two, and where
    /// pictures have no level of cells that large.
    package func scaled(width: Int, height: Int) -> OpticalFlow? {
        if width == self.width, height == self.height { return self }
        let factor = width / self.width
        guard factor >= 2, factor.nonzeroBitCount == 1, width == factor * self.width, height == factor * self.height
        else { return nil }
        let growth = factor.trailingZeroBitCount
        guard max(forward.level, backward.level) + growth < LumaPyramid.levelCount(width: width, height: height) else {
            return nil
        }
        // The same cells of a coarser level.
        func scaled(_ field: FlowField) -> FlowField {
            FlowField(
                width: width, height: height, level: field.level + growth, cells: field.cells,
                consistencyErrors: field.consistencyErrors, confidence: field.lazyConfidence)
        }
        return try? OpticalFlow(forward: scaled(forward), backward: scaled(backward))
    }
}
