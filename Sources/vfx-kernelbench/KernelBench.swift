import ArgumentParser
import Foundation
import Kernels

/// Times every kernel at every instruction-set level that this processor supports.
@main struct KernelBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vfx-kernelbench",
        abstract: "Time every kernel at every instruction-set level of this processor.",
        discussion: "Differences below 5% are noise; those above 10% are worth a look.")

    @Option(help: "Only kernels whose name contains this text.") var filter: String?
    @Option(help: "Number of runs; the median is reported.") var runs = 41
    @Option(help: "Milliseconds per run.") var milliseconds = 0.5
    @Flag(help: "Print a JSON array instead of a table.") var json = false

    func validate() throws {
        guard (1...1000).contains(runs) else { throw ValidationError("--runs is \(runs); it must be 1 to 1000.") }
        guard milliseconds > 0, milliseconds <= 1000 else {
            throw ValidationError("--milliseconds is \(milliseconds); it must be above 0, up to 1000.")
        }
    }

    func run() throws {
        let measurements = try measure()
        guard !measurements.isEmpty else { throw ValidationError("No kernel's name contains \"\(filter ?? "")\".") }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            print(String(decoding: try encoder.encode(measurements), as: UTF8.self))
        } else {
            print(Self.table(measurements))
        }
    }

    private func measure() throws -> [Measurement] {
        let workloads = Workloads()
        let levels = Array(VFX_CPU_C...vfx_cpu_detect())
        let perLevel = levels.map { workloads.all(vfx_kernels_make($0)) }
        try Self.checkNames(perLevel.first ?? [])
        var measurements: [Measurement] = []
        for (index, workload) in (perLevel.first ?? []).enumerated() {
            if let filter, !workload.name.contains(filter) { continue }
            let times = medianTimes(perLevel.map { $0[index] }, runs: runs, milliseconds: milliseconds)
            for (level, time) in zip(levels, times) {
                measurements.append(
                    Measurement(
                        name: workload.name, level: String(cString: vfx_cpu_name(level)), unit: workload.unit,
                        nanosecondsPerUnit: time, timesFasterThanC: times[0] / time))
            }
        }
        return measurements
    }

    /// Checks that every kernel in the list has a workload, and that every workload is for a kernel in the list.
    private static func checkNames(_ workloads: [Workload]) throws {
        var count: Int32 = 0
        let slots = vfx_kernel_slots(&count)
        let listed = Set((0..<Int(count)).map { String(cString: slots[$0].name) })
        let wrong = listed.symmetricDifference(workloads.map(\.slot)).sorted()
        guard wrong.isEmpty else {
            throw ValidationError("The workloads and the list of kernels differ in \(wrong.joined(separator: ", ")).")
        }
    }

    private static func table(_ measurements: [Measurement]) -> String {
        let width = (measurements.map(\.name.count).max() ?? 0) + 2
        var lines = ["kernel".padding(toLength: width, withPad: " ", startingAt: 0) + "level           ns     times C"]
        for m in measurements {
            let name = m.name.padding(toLength: width, withPad: " ", startingAt: 0)
            let level = m.level.padding(toLength: 8, withPad: " ", startingAt: 0)
            lines.append(
                name + level + String(format: "%10.3f %9.1fx  per ", m.nanosecondsPerUnit, m.timesFasterThanC) + m.unit)
        }
        return lines.joined(separator: "\n")
    }
}
