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
        self.init(
            width: forward.width, height: forward.height, level: 0, forward: forward.cells(),
            backward: backward.cells(), threads: 1)
    }

    /// Judges both fields of an estimate by each other.
    ///
    /// - Parameters:
    ///   - width: of the pictures, in luma samples.
    ///   - height: of the pictures, in luma samples.
    package init(width: Int, height: Int, motion: MotionPair, threads: Int) {
        self.init(
            width: width, height: height, level: motion.level, forward: motion.forward, backward: motion.backward,
            threads: threads)
    }

    private init(width: Int, height: Int, level: Int, forward: CellField, backward: CellField, threads: Int) {
        func field(_ cells: CellField, _ back: CellField) -> FlowField {
            let errors = cells.inconsistency(with: back, threads: threads)
            return FlowField(
                width: width, height: height, level: level, cells: cells, errors: errors,
                judgement: FlowJudgement(cells, errors: errors, back: back, level: level, threads: threads))
        }
        self.forward = field(forward, backward)
        self.backward = field(backward, forward)
    }

    /// Fields whose judgement is known, as read from a file.
    init(
        width: Int, height: Int, level: Int, forward: (CellField, FlowJudgement), backward: (CellField, FlowJudgement)
    ) {
        func field(_ mine: (CellField, FlowJudgement), _ back: CellField) -> FlowField {
            FlowField(
                width: width, height: height, level: level, cells: mine.0,
                errors: mine.0.inconsistency(with: back, threads: 1), judgement: mine.1)
        }
        self.forward = field(forward, backward.0)
        self.backward = field(backward, forward.0)
    }
}
