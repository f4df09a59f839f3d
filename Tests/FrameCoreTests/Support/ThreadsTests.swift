import FrameCore
import Foundation
import Testing

@Suite struct ThreadsTests {
    /// The same number as the system library's, including control group quotas.
    @Test func processorsAreCounted() {
        #expect(processorCount == ProcessInfo.processInfo.activeProcessorCount)
    }

    @Test(
        arguments: [
            ([:], 6), (["cpu/cpu.cfs_quota_us": "150000\n", "cpu/cpu.cfs_period_us": "100000\n"], 2),
            (["cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"], 6),
            (["cpuset/cpuset.cpus": "0-3,7\n"], 5), (["cpuset/cpuset.cpus": "5\n"], 1),
            (["cpuset/cpuset.cpus": "\n"], 6), (["cpuset/cpuset.cpus": "x\n"], 6),
        ] as [([String: String], Int)])
    func controlGroupsLimitProcessors(files: [String: String], count: Int) {
        #expect(countProcessors(online: 6) { files[$0] } == count)
        #expect(countProcessors(online: -1) { _ in nil } == 1)
    }

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
}
