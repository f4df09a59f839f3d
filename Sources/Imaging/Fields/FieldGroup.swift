internal import FrameCore

/// What successive frames show of their fields.
struct FieldGroup {
    /// What a single frame shows.
    enum FrameKind: Hashable {
        /// Nothing, since too little moves.
        case undecided
        /// Both fields were captured at once.
        case progressive
        /// The fields were captured in this order.
        case combed(FieldOrder)
    }

    /// What all frames together show.
    enum Kind: Hashable {
        case undecided, progressive, interlaced
        case telecined(FieldStructure.Cadence)
    }

    /// The frames.
    let frames: [FrameKind]
    /// All blocks.
    let sum: FieldMeasurement
    /// What all frames together show.
    let kind: Kind

    init(_ measurements: [FieldMeasurement]) {
        frames = measurements.map(Self.kind)
        sum = measurements.reduce(FieldMeasurement(), +)
        kind = Self.cadence(measurements).map(Kind.telecined) ?? Self.kind(ofBlocks: sum, frames)
    }

    /// A frame is combed if a quarter more of its blocks show one order than the other; a single block shows nothing.
    static func kind(_ frame: FieldMeasurement) -> FrameKind {
        let total = frame.progressive + frame.topFirst + frame.bottomFirst
        guard total >= min(2, frame.blocks), total > 0 else { return .undecided }
        let lead = frame.topFirst - frame.bottomFirst
        guard 4 * abs(lead) >= total, abs(lead) >= min(3, frame.blocks) else { return .progressive }
        return .combed(lead > 0 ? .topFirst : .bottomFirst)
    }

    /// Blocks of progressive pictures that seem combed favour neither order. In interlaced pictures, one order leads by a
    /// tenth of the blocks or more, even where a codec has smoothed most of the combing; in most, by half.
    private static func kind(ofBlocks sum: FieldMeasurement, _ frames: [FrameKind]) -> Kind {
        let top = sum.topFirst, bottom = sum.bottomFirst, total = sum.progressive + top + bottom
        guard total >= FieldSurvey.leastBlocks else { return .undecided }
        let lead = abs(top - bottom)
        if lead >= max(FieldSurvey.leastBlocks, total / 10), FieldOrder(top: top, bottom: bottom) != nil {
            return .interlaced
        }
        // After a cut, fields of any kind are closer to each other than to the previous frame, so a single frame shows little.
        let isProgressive = 100 * lead <= 3 * total + 100 && 100 * (top + bottom) <= 8 * total
        return isProgressive && frames.count { $0 == .progressive } >= 2 ? .progressive : .undecided
    }

    /// What leaving a cadence costs a path through the frames.
    private static let breakCost = 2.0
    /// What the frames of a cadence cost at most, on average.
    private static let mostCost = 0.2

    /// Returns the cadence of most of the frames; nil if they are not telecined, or do not show it.
    private static func cadence(_ measurements: [FieldMeasurement]) -> FieldStructure.Cadence? {
        for order in FieldOrder.allCases {
            let path = CadencePath.best(measurements, order, breakCost: breakCost)
            // Film of 24 frames/s becomes 25 by a repeated field twice a second, where the cadence changes.
            guard path.cost <= breakCost + mostCost * Double(measurements.count) else { continue }
            for cadence in FieldStructure.Cadence.allCases {
                let frames = zip(path.states, measurements).filter { $0.0.succession == .film(cadence) }
                let mixed = frames.count { $0.role == .straddling && kind($1) == .combed(order) }
                let whole = frames.count { $0.role == .whole && kind($1) == .progressive }
                let repeats = frames.count { state, frame in
                    guard state.repeated != 0, let found = FieldOrder(repeatedIn: frame) else { return false }
                    return (found == order) == (state.repeated > 0)
                }
                let isShown =
                    switch cadence {
                    case .threeTwo: mixed >= 2 && whole >= 2 && repeats >= 1
                    case .advanced: mixed >= 1 && whole >= 2 && repeats >= 1
                    case .twoTwo: mixed >= 4
                    }
                let others = path.states.count { $0.succession == .interlaced }
                if isShown, frames.count > others { return cadence }
            }
        }
        return nil
    }
}

extension FieldOrder {
    /// The order that twice as many blocks show as the other; nil if there is none.
    init?(top: Int, bottom: Int) {
        guard max(top, bottom) > 0 else { return nil }
        if top >= 2 * bottom {
            self = .topFirst
        } else if bottom >= 2 * top {
            self = .bottomFirst
        } else {
            return nil
        }
    }

    /// The field that is repeated in a frame, as the order in which it is the first; nil if none is.
    fileprivate init?(repeatedIn frame: FieldMeasurement) {
        let top = frame.repeatedTop, bottom = frame.repeatedBottom
        guard 10 * max(top, bottom) >= frame.moving, max(top, bottom) >= min(3, frame.blocks),
            max(top, bottom) >= 4 * min(top, bottom)
        else { return nil }
        self = top > bottom ? .topFirst : .bottomFirst
    }
}
