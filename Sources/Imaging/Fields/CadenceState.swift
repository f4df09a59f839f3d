internal import FrameCore

/// A frame's place in a cadence: how its fields belong to pictures, and what the next frame's do.
struct CadenceState: Hashable {
    /// Kinds of successions of frames.
    enum Succession: Hashable {
        /// Every frame is a picture of its own.
        case progressive
        /// Every frame is interlaced.
        case interlaced
        /// Fields repeat film frames.
        case film(FieldStructure.Cadence)
    }

    /// The succession that the frame belongs to.
    let succession: Succession
    /// The position in it, from 0; the next frame has the next one.
    let place: Int
    /// How the frame's fields belong to pictures.
    let role: FieldRole
    /// The field that repeats the same one of the frame before: 1 for the first field, -1 for the second, 0 for none.
    let repeated: Int

    /// All states; those of one succession are neighbours.
    static let all =
        [
            CadenceState(succession: .progressive, place: 0, role: .whole, repeated: 0),
            CadenceState(succession: .interlaced, place: 0, role: .separate, repeated: 0),
            CadenceState(succession: .film(.twoTwo), place: 0, role: .straddling, repeated: 0),
        ] + film(.threeTwo, [(.whole, 0), (.whole, 0), (.straddling, 1), (.straddling, 0), (.continued, -1)])
        + film(.advanced, [(.whole, 0), (.whole, 0), (.straddling, 1), (.continued, -1), (.whole, 0)])

    private static func film(
        _ cadence: FieldStructure.Cadence, _ frames: [(role: FieldRole, repeated: Int)]
    ) -> [CadenceState] {
        frames.enumerated().map { place, frame in
            CadenceState(succession: .film(cadence), place: place, role: frame.role, repeated: frame.repeated)
        }
    }

    /// For each state, the position of the one that follows it in the same succession.
    static let following: [Int] = all.indices.map { index in
        let next = index + 1
        if next < all.count, all[next].succession == all[index].succession { return next }
        return index - all[index].place
    }

    /// When the picture that is shown with the frame is due in an even succession, in quarters of a frame after the frame.
    /// Four pictures of film fill five frames.
    var delay: Int {
        switch succession {
        case .progressive, .interlaced: 0
        case .film(.twoTwo): -2
        case .film(.threeTwo), .film(.advanced): [0, 1, 0, -2, -1][place]
        }
    }

    /// How long a picture is shown, in quarters of a frame.
    var length: Int {
        switch succession {
        case .progressive, .interlaced, .film(.twoTwo): 4
        case .film(.threeTwo), .film(.advanced): 5
        }
    }
}

extension CadenceState {
    /// How badly a frame fits the state, 0 to about 1.5; 0 if it shows nothing.
    ///
    /// - Parameters:
    ///   - measurement: what the frame shows.
    ///   - order: which field is shown first.
    func cost(of measurement: FieldMeasurement, _ order: FieldOrder) -> Double {
        let shown = Votes(measurement, order)
        let repeats = 0.5 * shown.repeatsCertainty * abs(shown.repeats - Double(repeated))
        let misfit =
            switch role {
            case .whole: shown.share(straddling: 1, between: 1, wrong: 1)
            case .straddling: shown.share(whole: 1, between: 1, wrong: 1)
            case .continued: shown.share(whole: 1, straddling: 1, wrong: 1)
            // Motion that happens to fit either is common. Still, a succession of pictures explains frames better.
            case .separate: 0.25
            }
        return misfit * shown.certainty + repeats
    }

    /// A measurement in terms of the order of fields.
    private struct Votes {
        private let whole, straddling, between, wrong: Double
        /// How far the votes can be trusted, 0…1.
        let certainty: Double
        /// Which field repeats the one before: 1 the first, -1 the second.
        let repeats: Double
        /// How far that can be trusted, 0…1.
        let repeatsCertainty: Double

        init(_ m: FieldMeasurement, _ order: FieldOrder) {
            let isTop = order == .topFirst
            let ordered = isTop ? m.topFirst : m.bottomFirst, shifted = isTop ? m.topWithEarlier : m.bottomWithEarlier
            whole = Double(m.progressive)
            straddling = Double(shifted)
            between = Double(ordered - shifted)
            wrong = Double(isTop ? m.bottomFirst : m.topFirst)
            // A dozen blocks leave no doubt.
            certainty = min(1, (whole + straddling + between + wrong) / 12)
            let lead = Double(isTop ? m.repeatedTop - m.repeatedBottom : m.repeatedBottom - m.repeatedTop)
            repeats = m.moving > 0 ? max(-1, min(1, 3 * lead / Double(m.moving))) : 0
            // Blocks that seem to move because of noise repeat nothing.
            repeatsCertainty = min(1, Double(m.moving) / Double(12 + m.blocks / 20))
        }

        /// Returns the share of the votes for what the arguments select.
        func share(whole: Double = 0, straddling: Double = 0, between: Double = 0, wrong: Double = 0) -> Double {
            let all = self.whole + self.straddling + self.between + self.wrong
            guard all > 0 else { return 0 }
            return (whole * self.whole + straddling * self.straddling + between * self.between + wrong * self.wrong)
                / all
        }
    }
}
