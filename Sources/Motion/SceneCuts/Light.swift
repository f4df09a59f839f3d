/// Light that a flash adds to a picture (or a black-out takes from it): nearly all cells change the same way.
enum Light: Sendable {
    case added
    case taken

    /// Least change of mean luma, in 1/4 of an 8-bit level.
    static let leastShift: Int32 = 24

    /// Nil when `lit` is not `plain` with light added or taken.
    init?(of lit: FrameSignature, over plain: FrameSignature) {
        guard lit.luma.values.count == plain.luma.values.count else { return nil }
        // Motion makes some cells go the other way.
        let allowed = lit.luma.values.count / 8
        let shift = Self.leastShift
        let rise = lit.statistics.mean - plain.statistics.mean
        if rise > shift {
            var darker = 0
            for (p, q) in zip(lit.luma.values, plain.luma.values) where p < q &- (12 &+ q / 16) { darker += 1 }
            guard darker <= allowed else { return nil }
            self = .added
        } else if rise < -shift {
            var brighter = 0
            for (p, q) in zip(lit.luma.values, plain.luma.values) where p > q &+ (12 &+ q / 16) { brighter += 1 }
            guard brighter <= allowed else { return nil }
            self = .taken
        } else {
            return nil
        }
    }

    /// The same over both pictures.
    init?(of lit: FrameSignature, over first: FrameSignature, and second: FrameSignature) {
        guard let light = Light(of: lit, over: first), Light(of: lit, over: second) == light else { return nil }
        self = light
    }
}
