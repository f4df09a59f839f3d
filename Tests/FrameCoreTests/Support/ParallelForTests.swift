import FrameCore
import Foundation
import Testing

@Suite struct ParallelForTests {
    @Test(arguments: [-3, 0, 1, 2, 7, 1000], [-1, 0, 1, 2, 8, 5000])
    func everyIndexComesOnce(count: Int, threads: Int) {
        let calls = Lock([Int](repeating: 0, count: max(0, count)))
        parallelFor(count, threads: threads) { index in calls.withLock { $0[index] += 1 } }
        #expect(calls.withLock { $0 }.allSatisfy { $0 == 1 })
    }

    @Test func oneThreadGoesInOrderWhereItIs() {
        let seen = Lock<[Int]>([])
        let here = pthread_self()
        parallelFor(10, threads: 1) { index in
            if pthread_equal(here, pthread_self()) != 0 { seen.withLock { $0.append(index) } }
        }
        #expect(seen.withLock { $0 } == Array(0..<10))
    }

    @Test func nestedLoopsEnd() {
        let sum = Lock(0)
        parallelFor(8, threads: 4) { outer in
            parallelFor(8, threads: 4) { inner in sum.withLock { $0 += outer * inner } }
        }
        #expect(sum.withLock { $0 } == 28 * 28)
    }

    /// Several callers at once, with fewer helpers than would be needed for all of them.
    @Test func callersDoNotWaitForEachOther() {
        let sums = Lock([Int](repeating: 0, count: 6))
        let threads = (0..<6).map { caller in
            BackgroundValue(threads: 3) {
                for _ in 0..<50 {
                    parallelFor(20, threads: 3) { index in sums.withLock { $0[caller] += index } }
                }
                return caller
            }
        }
        parallelFor(100, threads: 3) { _ in }
        #expect(threads.map { $0.take() } == Array(0..<6))
        #expect(sums.withLock { $0 } == [Int](repeating: 50 * 190, count: 6))
    }
}

@Suite struct BackgroundValueTests {
    @Test(arguments: [1, 2, 4]) func valueArrivesOnce(threads: Int) {
        let value = BackgroundValue(threads: threads) { 7 }
        #expect(value.take() == 7)
        #expect(value.take() == nil)
    }

    /// A value that is never taken may still be computed, but its owner does not wait for it.
    @Test func valuesCanBeDropped() {
        let first = BackgroundValue(threads: 2) { 1 }
        for index in 0..<100 { _ = BackgroundValue(threads: 2) { index } }
        #expect(first.take() == 1)
    }

    /// A value is computed by its owner if all helpers are busy for long.
    @Test func valuesDoNotWaitForEachOther() {
        let gate = Lock(false)
        let slow = (0..<16).map { index in
            BackgroundValue(threads: 2) {
                while !gate.withLock({ $0 }) { usleep(1000) }
                return index
            }
        }
        let quick = BackgroundValue(threads: 2) { 42 }
        #expect(quick.take() == 42)
        gate.withLock { $0 = true }
        #expect(slow.map { $0.take() } == Array(0..<16))
    }
}
