/// Runs `body` once for each index on up to `threads` threads, and returns when all have finished.
///
/// Items must be independent of one another, because their order and threads vary. The result is then the same for
/// every thread count.
package func parallelFor(_ count: Int, threads: Int, _ body: @Sendable (Int) -> Void) {
    guard count > 1, threads > 1 else {
        for index in 0..<max(0, count) { body(index) }
        return
    }
    withoutActuallyEscaping(body) { body in
        HelperPool.shared.run(WorkItems(count: count, maximumHelpers: threads - 1, body))
    }
}

/// Divides rows into bands of up to `height` rows, and runs `body` once for each band as ``parallelFor(_:threads:_:)`` does.
package func parallelBands(
    _ rows: Int, height: Int, threads: Int, _ body: @Sendable (_ band: Range<Int>) -> Void
) {
    parallelFor((rows + height - 1) / height, threads: threads) { index in
        body(index * height..<min(rows, (index + 1) * height))
    }
}

/// A value that a helper thread computes while its owner does something else.
package final class BackgroundValue<Value: Sendable>: Sendable {
    private let result: Lock<Value?>
    private let work: WorkItems

    /// Starts computing the value.
    ///
    /// - Parameter threads: the number of threads that the owner and the computation may use together, at least 2.
    package init(threads: Int, _ compute: @escaping @Sendable () -> Value) {
        let result = Lock<Value?>(nil)
        self.result = result
        work = WorkItems(count: 1, maximumHelpers: 1, isLong: true) { _ in
            let value = compute()
            result.withLock { $0 = value }
        }
        HelperPool.shared.add(work, helpers: threads - 1)
    }

    deinit { HelperPool.shared.withdraw(work) }

    /// Returns the value once it has been computed. To be called once: the value is not kept.
    package func take() -> Value? {
        HelperPool.shared.finish(work)
        return result.withLock { $0.take() }
    }
}
