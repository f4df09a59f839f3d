package import FrameCore

/// What a job is run with, apart from the job itself. The result does not depend on it.
package struct JobContext: Sendable {
    /// The threads and kernels for the work on frames.
    package var execution: ExecutionContext
    /// Receives the events.
    package var observer: any JobObserver
    /// Whether the user has stopped the job.
    package var interruption: any Interruption
    /// The memory that may be used.
    package var memory = MemoryBudget()

    /// Creates a context.
    package init(
        _ execution: ExecutionContext, observer: any JobObserver = SilentObserver(),
        interruption: any Interruption = NoInterruption()
    ) {
        self.execution = execution
        self.observer = observer
        self.interruption = interruption
    }
}

/// How an output is started, which is no part of the job.
package struct RunPolicy: Sendable, Hashable {
    /// Whether existing outputs are replaced.
    package var overwrites = false
    /// Whether an interrupted run of the same job is continued.
    package var resumes = false
    /// The error message for a single image, with advice; nil accepts single images.
    package var adviceOnStills: String?

    /// Creates a policy that leaves existing outputs alone.
    package init(overwrites: Bool = false, resumes: Bool = false, adviceOnStills: String? = nil) {
        self.overwrites = overwrites
        self.resumes = resumes
        self.adviceOnStills = adviceOnStills
    }
}

/// Stops a job from outside, as a signal does.
package protocol Interruption: Sendable {
    /// Whether the job is to stop.
    var isRequested: Bool { get }
    /// The failure of a job that was stopped.
    var failure: JobFailure { get }
    /// Announces that an output is about to be opened: from now on, a request waits until there is a way to cancel.
    func willOpenOutput()
    /// Sets how the job is cancelled.
    func watch(cancel: @escaping @Sendable () -> Void)
    /// Announces that no unfinished output remains.
    func didCloseOutput()
}

extension Interruption {
    /// - Throws: ``failure`` if the job is to stop.
    func check() throws { if isRequested { throw failure } }
}

/// Never stops a job.
package struct NoInterruption: Interruption {
    package init() {}
    package var isRequested: Bool { false }
    package var failure: JobFailure { JobFailure("stopped", .interrupted) }
    package func willOpenOutput() {}
    package func watch(cancel: @escaping @Sendable () -> Void) {}
    package func didCloseOutput() {}
}
