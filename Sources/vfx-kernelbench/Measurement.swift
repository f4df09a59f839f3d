/// The time of one operation at one instruction-set level.
struct Measurement: Encodable {
    let name: String
    let level: String
    /// The unit of work: `pixel` for rows, `call` for blocks, or another unit that the workload names.
    let unit: String
    let nanosecondsPerUnit: Double
    let timesFasterThanC: Double
}

/// A kernel to time: `run` performs `units` units of work on the set of buffers with the given number.
struct Workload {
    /// The kernel's name in the list, followed by a comma and the variant if the kernel has several workloads.
    let name: String
    let unit: String
    let units: Int
    let run: (_ set: Int) -> Void
}

extension Workload {
    /// The name of the kernel in the list.
    var slot: String { String(name.prefix { $0 != "," }) }

    /// Runs the workload `calls` times and returns nanoseconds per unit of work.
    func time(calls: Int) -> Double {
        let duration = ContinuousClock().measure { for call in 0..<calls { run(call) } }
        let nanoseconds = Double(duration.components.attoseconds) / 1e9 + Double(duration.components.seconds) * 1e9
        return nanoseconds / Double(calls * units)
    }

    /// Returns how many calls take at least the given time.
    func calls(milliseconds: Double) -> Int {
        var calls = 1
        while calls < 1 << 28, time(calls: calls) * Double(calls * units) < milliseconds * 1e6 { calls *= 2 }
        return calls
    }
}

/// Returns the median nanoseconds per unit of each workload. The workloads run in turn, so that other load on the
/// machine slows them all equally.
func medianTimes(_ workloads: [Workload], runs: Int, milliseconds: Double) -> [Double] {
    let calls = workloads.map { $0.calls(milliseconds: milliseconds) }
    var samples = [[Double]](repeating: [], count: workloads.count)
    for _ in 0..<max(1, runs) {
        for (index, workload) in workloads.enumerated() { samples[index].append(workload.time(calls: calls[index])) }
    }
    return samples.map { $0.sorted()[$0.count / 2] }
}
