import FrameCore
import Synchronization

/// Says from any thread that a run has failed elsewhere, so that long work on its output ends.
package final class StopFlag: Sendable {
    private let isSet = Atomic<Bool>(false)

    package init() {}

    package func set() { isSet.store(true, ordering: .releasing) }

    /// - Throws: `FrameError`, which nobody sees: the run has failed of something else before.
    func check() throws(FrameError) {
        if isSet.load(ordering: .acquiring) { throw FrameError(.output, "the run was stopped") }
    }
}
