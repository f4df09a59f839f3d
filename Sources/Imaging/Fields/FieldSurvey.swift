public import FrameCore

/// Collects measurements of a clip's frames, and decides how they consist of fields. Memory does not depend on the number
/// of frames.
public struct FieldSurvey: Sendable {
    /// The number of measurements in a group, if frames are appended one by one. Two cycles of the cadence of film.
    public static let groupLength = 10
    /// The least number of blocks that a decision is based on.
    static let leastBlocks = 8
    /// The least number of blocks by which an order leads that no group shows.
    private static let leastLead = 32

    private var evidence = FieldStructure.Evidence()
    /// The blocks of groups that are interlaced or telecined, by order.
    private var topFirst = 0
    private var bottomFirst = 0
    /// The groups of each cadence.
    private var cadences: [FieldStructure.Cadence: Int] = [:]
    private var group: [FieldMeasurement] = []
    private var previous: PixelBuffer?

    /// A survey of no frames.
    public init() {}

    /// Adds the next frame. It is kept until the next one comes.
    public mutating func append(_ frame: PixelBuffer, context: ExecutionContext) {
        if let previous { append(FieldMeasurement(of: frame, after: previous, context: context)) }
        previous = frame
    }

    /// Adds the measurement of the next frame.
    mutating func append(_ measurement: FieldMeasurement) {
        group.append(measurement)
        if group.count == Self.groupLength { endGroup() }
    }

    /// Adds measurements of successive frames that follow none of the earlier ones.
    public mutating func append(_ measurements: [FieldMeasurement]) {
        endGroup()
        group = measurements
        endGroup()
    }

    /// Ends a run of successive frames: the next one is compared with none of the earlier ones.
    public mutating func interrupt() {
        previous = nil
        endGroup()
    }

    /// Returns the decision.
    ///
    /// - The clip is telecined if at least a fifth of its groups are, and more than are interlaced.
    /// - Otherwise, it is interlaced if at least a tenth of the groups are; mixed if at least a tenth are progressive as well.
    /// - Otherwise, it is interlaced if all blocks together show an order that single groups do not.
    /// - Otherwise, it is interlaced if a flag says so and the pictures lean that way.
    /// - Everything else is progressive.
    ///
    /// - Parameter flag: the field order that the file states; taken where the pictures show none.
    public func structure(flag: FieldOrder? = nil) -> FieldStructure {
        var survey = self
        survey.endGroup()
        return FieldStructure(
            survey.kind(flag: flag), cadence: survey.cadence, evidence: survey.evidence, flag: flag)
    }

    /// The cadence of most telecined groups; nil if none is.
    private var cadence: FieldStructure.Cadence? {
        let counts = FieldStructure.Cadence.allCases.map { ($0, cadences[$0] ?? 0) }
        return counts.max { $0.1 < $1.1 }.flatMap { $0.1 > 0 ? $0.0 : nil }
    }

    private func kind(flag: FieldOrder?) -> FieldStructure.Kind {
        let progressive = evidence.progressiveGroups, telecined = evidence.telecinedGroups
        let combed = evidence.interlacedGroups + telecined
        let order = FieldOrder(top: topFirst, bottom: bottomFirst) ?? flag ?? .topFirst
        if let cadence, telecined > evidence.interlacedGroups,
            4 * telecined >= progressive + evidence.interlacedGroups
        {
            return .telecined(order, cadence)
        }
        if combed > 0, 10 * combed >= progressive + combed, max(topFirst, bottomFirst) >= 2 * Self.leastBlocks {
            return 10 * progressive >= progressive + combed ? .mixed(order) : .interlaced(order)
        }
        let top = evidence.topFirstBlocks, bottom = evidence.bottomFirstBlocks, total = evidence.tellingBlocks
        let lead = abs(top - bottom), leading: FieldOrder = top > bottom ? .topFirst : .bottomFirst
        // Evenly moving patterns, such as text that scrolls, divide the votes of each group.
        if lead >= max(Self.leastLead, total * 15 / 100), 2 * max(top, bottom) >= 3 * min(top, bottom) {
            return .interlaced(leading)
        }
        // Vertical motion by whole rows hides combing. The lead is beyond chance: one and a half standard deviations.
        if flag == leading, total >= Self.leastBlocks, 10 * progressive < evidence.groups, 4 * (top + bottom) >= total,
            lead * lead >= 2 * (top + bottom)
        {
            return .interlaced(leading)
        }
        return .progressive
    }

    private mutating func endGroup() {
        guard !group.isEmpty else { return }
        evidence.groups += 1
        let group = FieldGroup(group)
        self.group = []
        evidence.frames += group.frames.count
        evidence.tellingFrames += group.frames.count { $0 != .undecided }
        evidence.progressiveBlocks += group.sum.progressive
        evidence.topFirstBlocks += group.sum.topFirst
        evidence.bottomFirstBlocks += group.sum.bottomFirst
        switch group.kind {
        case .undecided: return
        case .progressive: evidence.progressiveGroups += 1
        case .interlaced: evidence.interlacedGroups += 1
        case .telecined(let cadence):
            evidence.telecinedGroups += 1
            cadences[cadence, default: 0] += 1
        }
        guard group.kind != .progressive else { return }
        // Single frames of progressive groups may seem combed by chance.
        evidence.combedFrames += group.frames.count { $0 == .combed(.topFirst) || $0 == .combed(.bottomFirst) }
        topFirst += group.sum.topFirst
        bottomFirst += group.sum.bottomFirst
    }
}
