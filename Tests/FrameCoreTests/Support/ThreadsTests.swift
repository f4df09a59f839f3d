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
}
