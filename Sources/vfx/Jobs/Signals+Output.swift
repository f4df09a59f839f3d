extension Signals {
    /// Runs `body`, which writes an output in one go: a signal waits until the output is whole or gone.
    ///
    /// - Throws: what `body` throws; ``VfxFailure`` for a signal that came meanwhile.
    func heldBack<R>(writing output: String, _ body: () throws -> R) throws -> R {
        willOpenOutput()
        let result = try body()
        didCloseOutput()
        if let failure = lateFailure(output: output) { throw failure }
        return result
    }
}
