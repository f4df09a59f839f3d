public import FrameCore

extension Conversion {
    /// Runs the job and blocks the calling thread until its output is complete.
    ///
    /// - Parameters:
    ///   - context: the threads and kernels to use. The result does not depend on them.
    ///   - overwrites: whether existing outputs are replaced.
    ///   - resumes: whether an interrupted run of the same job is continued. If its output is complete, nothing is done.
    /// - Returns: whether the input was damaged, so that part of it is missing in the output.
    /// - Throws: ``JobFailure``; no unfinished output remains, but finished segments of a long job are kept.
    @discardableResult
    public func run(
        _ context: ExecutionContext = ExecutionContext(), overwrites: Bool = false, resumes: Bool = false
    ) throws -> Bool {
        let policy = RunPolicy(overwrites: overwrites, resumes: resumes)
        return try open(JobContext(context), for: .whole(policy)).run(policy)
    }
}
