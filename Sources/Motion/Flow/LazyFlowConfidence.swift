import FrameCore

/// Confidence and occlusion of a field, computed when they are first read: many effects never ask.
///
/// Until then the evidence is kept. Of it only the vectors as matched are not part of the field anyway: 4 bytes for each
/// cell, shared with the opposite direction. After the first read the evidence is let go and the result stays, 2 bytes
/// for each cell. Copies of a field share one result.
package final class LazyFlowConfidence: Sendable {
    private enum State: Sendable {
        case evidence(FlowConfidence.Evidence)
        case computed(FlowConfidence)
    }

    private let state: Lock<State>

    package init(_ evidence: FlowConfidence.Evidence) { state = Lock(.evidence(evidence)) }

    init(_ value: FlowConfidence) { state = Lock(.computed(value)) }

    /// The same for every reader, and at the same place in memory for as long as this object lives.
    package var value: FlowConfidence {
        state.withLock { state in
            switch state {
            case .computed(let value): return value
            case .evidence(let evidence):
                let value = FlowConfidence(evidence)
                state = .computed(value)
                return value
            }
        }
    }

    /// Whether the values have been read, so that the evidence is gone.
    package var isComputed: Bool {
        state.withLock { if case .computed = $0 { true } else { false } }
    }
}
