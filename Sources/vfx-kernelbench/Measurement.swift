/// One operation at one level.
struct Measurement: Encodable {
    let name: String
    let level: String
    /// "pixel" for rows, "call" for blocks.
    let unit: String
    let nanosecondsPerUnit: Double
    let timesFasterThanC: Double
}

/// A kernel to time: `run` performs `units` units of work on the set of buffers with the given number.
struct Workload {
    /// Its name in the list of kernels, and after a comma what it is given where there are several workloads for it.
    let name: String
    let unit: String
    let units: Int
    let run: (_ set: Int) -> Void
}

extension Workload {
    /// Name of the kernel in the list.
    var slot: String { String(name.prefix { $0 != "," }) }

    /// Nanoseconds per unit of work over so many calls.
    func time(calls: Int) -> Double {
        let duration = ContinuousClock().measure { for call in 0..<calls { run(call) } }
        let nanoseconds = Double(duration.components.attoseconds) / 1e9 + Double(duration.components.seconds) * 1e9
        return nanoseconds / Double(calls * units)
    }

    /// Calls that take about this long.
    func calls(milliseconds: Double) -> Int {
        var calls = 1
        while calls < 1 << 28, time(calls: calls) * Double(calls * units) < milliseconds * 1e6 { calls *= 2 }
        return calls
    }
}

/// Median nanoseconds per unit of each workload. They take turns, so that whatever else the machine does slows all alike.
func medianTimes(_ workloads: [Workload], runs: Int, milliseconds: Double) -> [Double] {
    let calls = workloads.map { $0.calls(milliseconds: milliseconds) }
    var samples = [[Double]](repeating: [], count: workloads.count)
    for _ in 0..<max(1, runs) {
        for (index, workload) in workloads.enumerated() { samples[index].append(workload.time(calls: calls[index])) }
    }
    return samples.map { $0.sorted()[$0.count / 2] }
}
