/// Finds where sounds set in: short frames that are much louder than the time before them.
struct OnsetDetector {
    /// The positions of onsets so far, ascending.
    private(set) var found: [Int] = []
    /// The position of the next frame, and its samples so far.
    private var position: Int
    private var waiting: [Float] = []
    private let frame: Int
    /// The energies of the frames before.
    private var recent: [Float] = []

    /// The length of a frame in seconds, and the number of frames before it that it is compared with.
    private static let length = 0.001, history = 20
    /// How many times louder than those a frame is, in energy, and the least energy of an onset: −50 dB of full scale.
    private static let ratio: Float = 10, least: Float = 1e-5
    /// The least number of frames from one onset to the next.
    private static let pause = 30

    /// - Parameters:
    ///   - rate: the sample rate.
    ///   - start: the position of the first sample.
    init(rate: Int, start: Int) {
        frame = max(4, Int((Self.length * Double(rate)).rounded()))
        position = start
    }

    /// By how many samples onsets are found late.
    var latency: Int { 2 * frame }

    /// Looks at samples after those so far.
    mutating func append(_ samples: [Float]) {
        waiting += samples
        var offset = 0
        while offset + frame <= waiting.count {
            let values = waiting[offset..<(offset + frame)]
            let energy = values.reduce(Float(0)) { $0 + $1 * $1 } / Float(frame)
            let before = recent.isEmpty ? 0 : recent.reduce(0, +) / Float(recent.count)
            let isApart = found.last.map { position - $0 >= Self.pause * frame } ?? true
            if energy > Self.least, energy > before * Self.ratio, isApart {
                found.append(position + Self.place(in: values))
            }
            recent.append(energy)
            if recent.count > Self.history { recent.removeFirst() }
            offset += frame
            position += frame
        }
        waiting.removeFirst(offset)
    }

    /// Returns where in a frame the sound sets in: the first sample of at least a quarter of its peak.
    private static func place(in values: ArraySlice<Float>) -> Int {
        let peak = values.reduce(Float(0)) { max($0, abs($1)) }
        return (values.firstIndex { abs($0) >= peak / 4 } ?? values.startIndex) - values.startIndex
    }

    /// Drops onsets before a position.
    mutating func forget(before position: Int) { found.removeAll { $0 < position } }
}
