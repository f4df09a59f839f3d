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
    enum Kind { case undecided, progressive, interlaced, telecined }

    /// The frames.
    let frames: [FrameKind]
    /// All blocks.
    let sum: FieldMeasurement
    /// What all frames together show.
    let kind: Kind

    init(_ measurements: [FieldMeasurement]) {
        frames = measurements.map(Self.kind)
        sum = measurements.reduce(FieldMeasurement(), +)
        kind = Self.isTelecined(frames, measurements) ? .telecined : Self.kind(ofBlocks: sum, frames)
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

    /// In five frames of a telecined clip, two are combed, one after the other; in the first of them, the field that is
    /// shown first is repeated, and in the frame after them, the other.
    private static func isTelecined(_ frames: [FrameKind], _ measurements: [FieldMeasurement]) -> Bool {
        let repeats = measurements.map(FieldOrder.init(repeatedIn:))
        return FieldOrder.allCases.contains { order in
            (0..<5).contains { phase in
                var combed = 0, progressive = 0, repeated = 0, misses = 0
                for index in frames.indices {
                    let place = (index + phase) % 5
                    let isCombed = place == 2 || place == 3
                    switch frames[index] {
                    case .undecided: break
                    case .progressive: if isCombed { misses += 1 } else { progressive += 1 }
                    case .combed(let found): if isCombed && found == order { combed += 1 } else { misses += 1 }
                    }
                    guard let found = repeats[index] else { continue }
                    if place == 2 && found == order || place == 4 && found != order {
                        repeated += 1
                    } else {
                        misses += 1
                    }
                }
                return combed >= 2 && progressive >= 2 && repeated >= 1
                    && 5 * misses <= combed + progressive + repeated
            }
        }
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
