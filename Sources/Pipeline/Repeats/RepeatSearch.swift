package import FrameCore

/// Finds frames that repeat the picture before them, and the times of the pictures that do not; a pure value.
///
/// Each decision depends on ``framesBack`` steps before the frame and on ``framesAhead`` after it, so a run that begins a
/// few frames earlier, or on another machine, decides the same.
package struct RepeatSearch: Sendable {
    /// Which repeats are left out.
    package enum Extent: Sendable, Hashable {
        /// Those of a low frame rate inside the clip's, and those in place of lost frames.
        case lowRates
        /// All, except that a picture which stands still for long is shown now and then.
        case all
    }

    /// What becomes of a frame.
    package struct Decision: Sendable, Hashable {
        /// Whether the frame is left out.
        package var isLeftOut = false
        /// How much earlier the frame is shown than it comes, as a share, below 1, of the time since the frame before it.
        package var lead = Rational(0, 1)
        /// The number of new pictures per frame in the regular cadence to which the frame belongs; nil outside one.
        package var pace: Rational?

        package init(isLeftOut: Bool = false, lead: Rational = Rational(0, 1), pace: Rational? = nil) {
            self.isLeftOut = isLeftOut
            self.lead = lead
            self.pace = pace
        }

        /// Whether the frame is not shown at its own time.
        var changesTimes: Bool { isLeftOut || lead.numerator > 0 }
    }

    /// The number of steps after that to a frame on which the decision depends.
    package static let framesAhead = 7
    /// The number of steps before that to a frame on which the decision depends.
    package static let framesBack = historyLength + reach

    /// The number of steps on each side of a step that show how large steps are there.
    private static let reach = 8
    /// The number of earlier decisions that show how long pictures stay.
    private static let historyLength = 50
    /// The limits of a repeat, of which it must meet one set: the largest difference, in 8-bit levels and as a share of that
    /// of the steps round it, and the mean difference as a share.
    private static let repeatLimits: [(most: Float, share: Float, meanShare: Float)] = [
        (10, 0.3, 0.5), (mostOfRepeat, 0.45, 0.25), (mostOfRepeat, 0.12, .infinity),
    ]
    /// The difference above which no frame is a repeat, in 8-bit levels.
    static let mostOfRepeat: Float = 20
    /// The difference up to which steps may be noise, in 8-bit levels.
    private static let mostOfNoise: Float = 10
    /// How much larger than one repeat another is at most.
    private static let noiseSpread: Float = 2
    /// The smallest step to a new picture, in 8-bit levels.
    private static let leastStep: Float = 0.5
    /// The growth from which a small step is a slow movement, if its mean is more than this share of the steps round it.
    private static let moving: (growth: Float, share: Float) = (1.4, 0.2)
    /// The difference up to which a frame is a repeat wherever all repeats are left out, in 8-bit levels.
    private static let mostOfStillPicture: Float = 1.5

    private let extent: Extent
    /// The latest steps, the last ``framesAhead`` of which come after the next frame to be decided.
    private var steps: [FrameStep] = []
    /// The number of the frame to which the first of them leads.
    private var firstStep: Int
    /// Whether the latest decided frames show new pictures.
    private var history: [Bool] = []
    /// The number of the next frame to be decided.
    private var next: Int
    /// The number of the first frame.
    private let first: Int

    /// - Parameters:
    ///   - extent: which repeats are left out.
    ///   - first: the number of the first frame.
    package init(_ extent: Extent, from first: Int = 0) {
        self.extent = extent
        self.first = first
        firstStep = first + 1
        next = first
    }

    /// Adds the step to the next frame.
    package mutating func append(_ step: FrameStep) { steps.append(step) }

    /// Returns the decision on the next frame, and those on the frames after it as far as they can be told already: the time
    /// of a frame's successor says how long it is shown.
    ///
    /// Call it when ``framesAhead`` steps after the frame have been appended, or all there are.
    package mutating func decideNext() -> (frame: Decision, later: [Decision]) {
        let known = next...max(next, firstStep + steps.count - 1)
        let runs = PictureRuns(
            isNew: history + known.map(isNew), beginsWithFirst: next - history.count == first)
        let decisions = known.map { decision(on: $0, at: history.count + $0 - next, runs) }
        history = (history + [runs.isNew[history.count]]).suffix(Self.historyLength)
        next += 1
        let unneeded = next - Self.reach - firstStep
        if unneeded > 0 {
            steps.removeFirst(unneeded)
            firstStep += unneeded
        }
        return (decisions[0], Array(decisions.dropFirst()))
    }

    /// Returns the step to a frame; nil if it is not known, as for the first frame.
    private func step(_ number: Int) -> FrameStep? {
        steps.indices.contains(number - firstStep) ? steps[number - firstStep] : nil
    }

    /// Returns the steps of some frames, as far as they are known.
    private func known(_ numbers: Range<Int>) -> ArraySlice<FrameStep> {
        steps[numbers.clamped(to: firstStep..<firstStep + steps.count).shifted(by: -firstStep)]
    }

    /// Whether a frame shows a new picture.
    private func isNew(_ number: Int) -> Bool {
        guard let step = step(number), !step.isCut else { return true }
        let sides = [known(number - Self.reach..<number), known(number + 1..<number + 1 + Self.reach)]
        let near = sides.flatMap(\.self)
        // Where nothing changes on one side, the picture stands still.
        let changing = sides.map(StepSize.init(largestOf:)).filter {
            $0.largest > Self.noiseSpread * max(step.largest, Self.leastStep)
        }
        let others = StepSize(smallestOf: changing)
        if step.growth >= Self.moving.growth, step.mean >= Self.moving.share * StepSize(largestOf: near).mean {
            return true
        }
        if !changing.isEmpty, others.largest >= Self.leastStep, isFarSmaller(step, than: others) { return false }
        // Steps that are all alike and do not add up are noise on a picture that stands still.
        let alike = step.largest / Self.noiseSpread...step.largest * Self.noiseSpread
        let isNoise = step.growth > 0 && step.largest <= Self.mostOfNoise
        return step.largest > Self.leastStep && !(isNoise && near.allSatisfy { alike.contains($0.largest) })
    }

    /// Whether a step is far smaller than others.
    private func isFarSmaller(_ step: FrameStep, than others: StepSize) -> Bool {
        Self.repeatLimits.contains {
            step.largest <= min($0.most, $0.share * others.largest) && step.mean <= $0.meanShare * others.mean
        }
    }

    private func decision(on number: Int, at place: Int, _ runs: PictureRuns) -> Decision {
        guard place > 0, let step = step(number) else { return Decision() }
        let isStill = step.largest <= Self.mostOfStillPicture && step.growth < Self.moving.growth && !step.isCut
        guard !runs.isNew[place] || (extent == .all && isStill) else {
            let cadence = runs.cadence(at: place)
            return Decision(lead: cadence?.lead ?? Rational(0, 1), pace: cadence?.pace)
        }
        let run = runs.run(around: place), usual = runs.usualLength
        guard let rest = run.rest else { return Decision(isLeftOut: extent == .all && !step.isMark) }
        if let length = run.length, length <= usual + max(1, usual / 2) {
            return Decision(isLeftOut: true)
        }
        // A picture that stands still for longer than usual changes in the usual time.
        return Decision(isLeftOut: rest < usual || (extent == .all && rest > usual && !step.isMark))
    }
}

/// How large steps are, by both measures.
private struct StepSize {
    var largest: Float
    var mean: Float

    init(largestOf steps: some Sequence<FrameStep>) {
        (largest, mean) = steps.reduce((0, 0)) { (max($0.0, $1.largest), max($0.1, $1.mean)) }
    }

    init(smallestOf sizes: [StepSize]) {
        largest = sizes.map(\.largest).min() ?? 0
        mean = sizes.map(\.mean).min() ?? 0
    }
}

extension Range<Int> {
    fileprivate func shifted(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
