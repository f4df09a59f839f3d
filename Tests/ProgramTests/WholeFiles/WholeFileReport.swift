import Foundation
import FrameCore
import Synchronization
import TestSupport

/// Runs all cells instead of a selection, and reports what was lost in which; used by `.ci/matrix`.
struct WholeFileReport {
    private static let environment = ProcessInfo.processInfo.environment

    /// The path of the report; nil if none is requested.
    static var path: String? { environment["VFX_MATRIX_REPORT"] }

    private static var cells: [WholeFileCell] {
        let step = environment["VFX_MATRIX_EVERY"].flatMap { Int($0) } ?? 1
        // A stride that shares a factor with the axes would skip whole values, so the cells are shuffled first.
        var noise = ShuffleNoise()
        let all = WholeFileCell.all.shuffled(using: &noise)
        return all.enumerated().filter { $0.offset % max(1, step) == 0 }.map(\.element)
    }

    /// Processes the cells, two at a time.
    /// - Returns: the number of cells in which something was lost.
    static func write(to path: String) throws -> Int {
        let cells = Self.cells
        let lines = Lock<[String]>([]), done = Atomic<Int>(0)
        try Data().write(to: URL(fileURLWithPath: path))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            while true {
                let index = done.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < cells.count else { return }
                let found: [String]
                do { found = try WholeFileTests.findings(cells[index]) } catch { found = ["\(error)"] }
                guard !found.isEmpty else { continue }
                let line = cells[index].testDescription + "\n" + found.map { "    \($0)\n" }.joined()
                lines.withLock {
                    $0.append(line)
                    file.write(Data(line.utf8))
                }
            }
        }
        let failed = lines.withLock(\.count)
        file.write(Data("\(cells.count - failed) cells came out whole, \(failed) did not\n".utf8))
        return failed
    }
}

/// A random generator with the same sequence in every run.
private struct ShuffleNoise: RandomNumberGenerator {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 31)
    }
}
