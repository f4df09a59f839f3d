/// One operation at one level.
struct Measurement: Encodable {
    let name: String
    let level: String
    /// "pixel" for rows, "call" for blocks.
    let unit: String
    let nanosecondsPerUnit: Double
    let timesFasterThanC: Double
}

/// Something to time: `run` performs `units` units of work on the set of buffers with the given number.
struct Workload {
    let name: String
    let unit: String
    let units: Int
    let run: (_ set: Int) -> Void
}

extension Workload {
    /// Median nanoseconds per unit over `runs` runs of about `milliseconds` each, with buffers alternating.
    func time(runs: Int, milliseconds: Double) -> Double {
        let clock = ContinuousClock()
        func elapsed(_ calls: Int) -> Double {
            let duration = clock.measure { for call in 0..<calls { run(call) } }
            return Double(duration.components.attoseconds) / 1e9 + Double(duration.components.seconds) * 1e9
        }
        var calls = 1
        while calls < 1 << 28, elapsed(calls) < milliseconds * 1e6 { calls *= 2 }
        let samples = (0..<max(1, runs)).map { _ in elapsed(calls) / Double(calls * units) }.sorted()
        return samples[samples.count / 2]
    }
}
