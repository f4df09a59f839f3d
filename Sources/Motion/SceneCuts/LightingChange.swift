/// A change of lighting over the whole picture, as by a flash (or a black-out): nearly all cells change the same way.
enum LightingChange: Sendable {
    case brighter
    case darker

    /// Least change of mean luma, in 1/4 of an 8-bit level.
    static let minimumShift: Int32 = 24

    /// Nil when `lit` is not `plain` under more or less light.
    init?(of lit: FrameSignature, over plain: FrameSignature) {
        guard lit.luma.values.count == plain.luma.values.count else { return nil }
        // Motion makes some cells go the other way.
        let allowed = lit.luma.values.count / 8
        let shift = Self.minimumShift
        let rise = lit.statistics.mean - plain.statistics.mean
        if rise > shift {
            var darker = 0
            for (p, q) in zip(lit.luma.values, plain.luma.values) where p < q &- (12 &+ q / 16) { darker += 1 }
            guard darker <= allowed else { return nil }
            self = .brighter
        } else if rise < -shift {
            var brighter = 0
            for (p, q) in zip(lit.luma.values, plain.luma.values) where p > q &+ (12 &+ q / 16) { brighter += 1 }
            guard brighter <= allowed else { return nil }
            self = .darker
        } else {
            return nil
        }
    }

    /// The same over both pictures.
    init?(of lit: FrameSignature, over first: FrameSignature, and second: FrameSignature) {
        guard let change = LightingChange(of: lit, over: first), LightingChange(of: lit, over: second) == change else {
            return nil
        }
        self = change
    }
}
