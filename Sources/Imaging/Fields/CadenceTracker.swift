package import FrameCore

/// Follows the cadence of a clip frame by frame: how the fields of each frame belong to pictures; a pure value.
///
/// A hidden Markov model whose most likely path is taken (Viterbi's algorithm), decided with the help of a few frames that
/// follow. Within a cadence the next place costs nothing; leaving it costs as much as a few frames that do not fit. Where
/// nothing moves, the cadence goes on.
package struct CadenceTracker: Sendable {
    /// What is shown of a frame.
    package struct Place: Sendable, Hashable {
        /// How its fields belong to pictures.
        package let role: FieldRole
        /// Whether it shows a picture that no frame before it has shown.
        package let isNew: Bool
        /// When the picture is due in an even succession, in quarters of a frame after the frame.
        package let delay: Int
        /// How long it is shown then, in quarters of a frame.
        package let length: Int
    }

    /// The number of frames after a frame that help to decide; more than a cycle of film.
    package static let lookAhead = 8
    /// What leaving a cadence costs; a frame that does not fit costs about 1.
    private static let breakCost = 2.0
    /// What beginning with anything but the usual cadence costs.
    private static let unusualCost = 0.5

    private let order: FieldOrder
    /// What the best path to each state costs.
    private var costs: [Double]
    /// The state of the frame before.
    private var latest: Int?

    /// Starts without knowing anything of earlier frames.
    ///
    /// - Parameters:
    ///   - order: which field of a frame is shown first.
    ///   - usual: the cadence where nothing moves.
    package init(_ order: FieldOrder, usual: FieldStructure.Cadence) {
        self.order = order
        costs = CadenceState.all.map { $0.succession == .film(usual) ? 0 : Self.unusualCost }
    }

    /// Decides about the next frame.
    ///
    /// - Parameters:
    ///   - measurement: what it shows; nil if there is no frame before it to compare with.
    ///   - following: what the frames after it show, as far as they are known.
    package mutating func next(_ measurement: FieldMeasurement?, following: [FieldMeasurement]) -> Place {
        costs = CadencePath.advance(costs, measurement, order, breakCost: Self.breakCost)
        let ahead = CadencePath.remaining(following, order, breakCost: Self.breakCost)
        let chosen = costs.indices.min { costs[$0] + ahead[$0] < costs[$1] + ahead[$1] } ?? 0
        // The decision is final, so the frames that follow go on from it.
        for index in costs.indices { costs[index] = index == chosen ? 0 : .infinity }
        let state = CadenceState.all[chosen]
        defer { latest = chosen }
        return Place(
            role: state.role, isNew: isNew(state), delay: state.delay, length: state.length)
    }

    /// Whether the next frame repeats the picture of this one, if the cadence goes on.
    package var expectsRepeat: Bool {
        latest.map { CadenceState.all[CadenceState.following[$0]].repeated > 0 } ?? false
    }

    /// Whether a picture begins in a frame, or has begun with the last field of the frame before, which is shown in no frame
    /// of its own.
    private func isNew(_ state: CadenceState) -> Bool {
        guard let latest else { return state.repeated <= 0 }
        switch state.role {
        case .whole, .separate: return true
        case .straddling, .continued:
            let previous = CadenceState.all[latest].role
            return previous != .whole && previous != .continued
        }
    }
}

/// The arithmetic of paths through the states.
enum CadencePath {
    /// Returns what the best path to each state costs, one frame later.
    static func advance(
        _ costs: [Double], _ measurement: FieldMeasurement?, _ order: FieldOrder, breakCost: Double
    ) -> [Double] {
        let broken = (costs.min() ?? 0) + breakCost
        var next = [Double](repeating: broken, count: costs.count)
        for (index, following) in CadenceState.following.enumerated() {
            next[following] = min(next[following], costs[index])
        }
        guard let measurement else { return next }
        return zip(next, CadenceState.all).map { $0 + $1.cost(of: measurement, order) }
    }

    /// Returns what the best path from each state through the frames that follow costs.
    static func remaining(
        _ measurements: [FieldMeasurement], _ order: FieldOrder, breakCost: Double
    ) -> [Double] {
        var remaining = [Double](repeating: 0, count: CadenceState.all.count)
        for measurement in measurements.reversed() {
            let entered = zip(remaining, CadenceState.all).map { $0 + $1.cost(of: measurement, order) }
            let broken = (entered.min() ?? 0) + breakCost
            remaining = CadenceState.following.map { min(entered[$0], broken) }
        }
        return remaining
    }

    /// Returns the states of successive frames that explain what they show best.
    ///
    /// - Returns: the states, and what the path costs.
    static func best(
        _ measurements: [FieldMeasurement], _ order: FieldOrder, breakCost: Double
    ) -> (states: [CadenceState], cost: Double) {
        var costs = [Double](repeating: 0, count: CadenceState.all.count)
        var origins: [[Int]] = []
        for measurement in measurements {
            let cheapest = costs.indices.min { costs[$0] < costs[$1] } ?? 0
            var origin = [Int](repeating: cheapest, count: costs.count)
            for (index, following) in CadenceState.following.enumerated()
            where costs[index] <= costs[cheapest] + breakCost { origin[following] = index }
            origins.append(origin)
            costs = advance(costs, measurement, order, breakCost: breakCost)
        }
        var index = costs.indices.min { costs[$0] < costs[$1] } ?? 0
        let cost = costs[index]
        var states: [CadenceState] = []
        for origin in origins.reversed() {
            states.append(CadenceState.all[index])
            index = origin[index]
        }
        return (states.reversed(), cost)
    }
}
