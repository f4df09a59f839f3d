internal import FrameCore

/// How a frame differs from the one before it, as far as the search for repeats needs to know.
package struct FrameStep: Sendable, Hashable {
    /// The largest difference of a block, in 8-bit levels.
    package var largest: Float
    /// The mean difference of all blocks, in 8-bit levels.
    package var mean: Float
    /// How much more the blocks differ over two frames than over one, where no larger step next to this one hides it:
    /// about 1 for noise, 2 for a slow movement, 0 where nothing can be told.
    package var growth: Float
    /// Whether a scene begins with the frame.
    package var isCut: Bool
    /// Whether the frame is shown even if it repeats a picture that stands still for long.
    package var isMark: Bool

    package init(
        largest: Float, mean: Float = 0, growth: Float = 0, isCut: Bool = false, isMark: Bool = false
    ) {
        self.largest = largest
        self.mean = mean
        self.growth = growth
        self.isCut = isCut
        self.isMark = isMark
    }
}

/// Compares frames with those before them as they arrive.
struct FrameStepMeasurement {
    /// A block that differs by this much more in a neighbouring step is part of what moves there.
    private static let stepRatio: Float = 3
    /// What is added to that limit, in 8-bit levels, because samples are whole numbers.
    private static let rounding: Float = 0.5
    /// The share of the largest difference from which a block counts.
    private static let leastShare: Float = 0.25
    /// The smallest number of blocks that show a movement…
    private static let fewestBlocks = 4
    /// …and one in how many must.
    private static let leastArea = 64
    /// The difference up to which a frame may be a repeat, so that its growth matters.
    private static let mostOfRepeat = RepeatSearch.mostOfRepeat

    /// The differences of the latest frames from the ones before them: the last is that of the last frame.
    private var single: [BlockDifferences] = []
    /// The differences of the latest frame from the last but one before it; nil if it was not measured.
    private var double: BlockDifferences?
    private var last: (isCut: Bool, isMark: Bool) = (false, false)

    /// Takes the next frame and returns the step before it, whose ``FrameStep/growth`` is known only now.
    ///
    /// - Parameters:
    ///   - frame: the frame.
    ///   - previous: the frame before it.
    ///   - beforePrevious: the frame before that; nil if it is not known.
    ///   - isCut: whether a scene begins with the frame.
    ///   - isMark: see ``FrameStep/isMark``.
    mutating func append(
        _ frame: PixelBuffer, after previous: PixelBuffer, _ beforePrevious: PixelBuffer?, isCut: Bool, isMark: Bool
    ) -> FrameStep? {
        let step = BlockDifferences(previous, frame)
        // Frames that differ strongly are no repeats, and most frames of most clips do.
        let isNeeded = [single.last?.largest ?? .infinity, step.largest].contains { $0 <= Self.mostOfRepeat }
        let wide = isNeeded ? beforePrevious.map { BlockDifferences($0, frame) } : nil
        defer {
            single = single.suffix(1) + [step]
            (double, last) = (wide, (isCut, isMark))
        }
        guard let latest = single.last else { return nil }
        let before = single.count > 1 ? single[0] : nil
        return FrameStep(
            largest: latest.largest, mean: latest.mean,
            growth: Self.growth(of: latest, before: before, after: step, double, wide), isCut: last.isCut,
            isMark: last.isMark)
    }

    /// Ends the clip and returns the last step; nil if there is none.
    mutating func finish() -> FrameStep? {
        defer { self = FrameStepMeasurement() }
        return single.last.map {
            FrameStep(largest: $0.largest, mean: $0.mean, isCut: last.isCut, isMark: last.isMark)
        }
    }

    private static func growth(
        of step: BlockDifferences, before: BlockDifferences?, after: BlockDifferences, _ into: BlockDifferences?,
        _ out: BlockDifferences?
    ) -> Float {
        guard step.largest <= mostOfRepeat, let before, let into, let out else { return 0 }
        // Coding errors lie next to what moves.
        let moving = step.values.indices.map {
            max(before.values[$0], after.values[$0]) > stepRatio * step.values[$0] + rounding
        }
        let still = step.values.indices.filter { !step.isNear($0, moving) }
        let largest = still.reduce(Float(0)) { max($0, step.values[$1]) }
        let counted = still.filter { step.values[$0] >= max(rounding, leastShare * largest) }
        guard counted.count >= max(fewestBlocks, step.values.count / leastArea) else { return 0 }
        let one = counted.reduce(Float(0)) { $0 + step.values[$1] }
        return counted.reduce(Float(0)) { $0 + min(into.values[$1], out.values[$1]) } / one
    }
}

extension BlockDifferences {
    /// Whether a block or one round it is marked.
    fileprivate func isNear(_ block: Int, _ marks: [Bool]) -> Bool {
        let (x, y) = (block % columns, block / columns)
        for row in max(0, y - 1)...min(values.count / columns - 1, y + 1) {
            for column in max(0, x - 1)...min(columns - 1, x + 1) where marks[row * columns + column] { return true }
        }
        return false
    }
}
