import FrameCore

/// Plays sound along a changing speed at constant pitch: waveform-similarity overlap-add (WSOLA; Verhelst and Roelands,
/// 1993) in which onsets are locked to their places.
///
/// The output is made of segments of the source that overlap by half. Each begins near the place that the clock demands, at
/// the offset within ``search`` seconds where it continues the segment before it best. Overlap-add repeats or skips short
/// sounds, so a segment that lies over the output time of an onset has that onset exactly there, and no other segment
/// contains it: an onset is heard once, at its time.
///
/// Where speed is outside ``audibleSpeeds``, the output is silent.
struct TimeStretcher {
    private let rate: Int
    private let retiming: Retiming
    /// Added to times of the output, in seconds.
    private let shift: Double
    /// Half the length of a segment, and the distance from one to the next, in samples.
    private let hop: Int
    /// The largest distance of a segment from the place that the clock demands, in samples.
    private let reach: Int
    /// The source's samples that may still be needed, by channel, and the position of the first of them.
    private var samples: [[Float]]
    private var base: Int
    /// The mean of the channels, at the same positions.
    private var mono: [Float] = []
    private var onsets: OnsetDetector
    /// The position of the next output sample.
    private(set) var position: Int
    /// The position of the segment before, and its second half by channel.
    private var tail: (start: Int, halves: [[Float]])?
    private var hasEnded = false
    /// The position after the last one of the output, if that ends before the source.
    private var stop: Int

    /// The speeds at which sound can be followed.
    static let audibleSpeeds = 0.25...4.0
    /// The distance between segments, and the largest distance from their places, in seconds.
    private static let spacing = 0.012, search = 0.004
    /// How far segments keep from onsets that are not theirs, in seconds: before one, and after it.
    private static let guardBefore = 0.001, guardAfter = 0.005

    /// - Parameters:
    ///   - channels: the number of channels.
    ///   - rate: the sample rate.
    ///   - retiming: how the output's clock relates to the source's.
    ///   - shift: added to times of the output, in seconds.
    ///   - start: the position of the first source sample, in samples from time zero.
    init(channels: Int, rate: Int, retiming: Retiming, shift: Double, start: Int) {
        self.rate = rate
        self.retiming = retiming
        self.shift = shift
        hop = max(8, Int((Self.spacing * Double(rate)).rounded()))
        reach = max(2, Int((Self.search * Double(rate)).rounded()))
        samples = Array(repeating: [], count: channels)
        base = start
        onsets = OnsetDetector(rate: rate, start: start)
        (stop, position) = (.max, 0)
        if let time = retiming.stop { stop = samples(at: time) }
        position = output(of: start)
    }

    /// The position after the last source sample so far.
    var end: Int { base + mono.count }

    /// Returns the position in the output of one in the source.
    private func output(of source: Int) -> Int { samples(at: retiming.time(of: time(of: source))) }

    /// Returns the position in the output at which one in the source has been heard.
    private func outputEnd(of source: Int) -> Int { samples(at: retiming.end(of: time(of: source))) }

    private func time(of source: Int) -> MediaTime {
        MediaTime(ticks: Int64(source), base: Rational(1, Int32(clamping: rate)))
    }

    private func samples(at time: MediaTime) -> Int {
        Int(min(max((time.seconds + shift) * Double(rate), -0x1p60), 0x1p60).rounded())
    }

    /// Returns the position in the source of one in the output, and the speed there.
    private func source(of output: Int) -> (position: Int, speed: Double) {
        let found = retiming.source(at: Double(output) / Double(rate) - shift)
        return (Int(min(max(found.position * Double(rate), -0x1p60), 0x1p60).rounded()), found.speed)
    }

    /// Adds samples after those so far.
    ///
    /// - Parameter block: as many samples for each channel.
    mutating func append(_ block: [UnsafeBufferPointer<Float>]) {
        guard let count = block.first?.count, block.count == samples.count else { return }
        guard position < stop else { return pass(count) }
        for (channel, values) in block.enumerated() { samples[channel] += values }
        let scale = 1 / Float(max(1, block.count))
        let added = (0..<count).map { index in block.reduce(Float(0)) { $0 + $1[index] } * scale }
        mono += added
        onsets.append(added)
    }

    /// Adds silence after the samples so far.
    mutating func appendSilence(_ count: Int) {
        guard position < stop else { return pass(count) }
        for channel in samples.indices { samples[channel] += repeatElement(0, count: count) }
        let added = [Float](repeating: 0, count: count)
        mono += added
        onsets.append(added)
    }

    /// Passes over samples that are not heard, because the output has ended.
    private mutating func pass(_ count: Int) {
        base = end + count
        mono.removeAll()
        for channel in samples.indices { samples[channel].removeAll() }
    }

    /// States that there are no more samples.
    mutating func finish() { hasEnded = true }

    /// Returns the next samples by channel; nil if more of the source is needed first, or if there are none.
    mutating func next() -> [[Float]]? {
        guard position < stop else { return nil }
        let (center, speed) = source(of: position + hop)
        let ideal = center - hop
        // All that this segment may contain or must avoid.
        let needed = max(source(of: position + 2 * hop).position, ideal + 2 * hop) + reach + onsets.latency
        guard needed < end || hasEnded else { return nil }
        if position >= outputEnd(of: end) { return nil }
        defer {
            position += hop
            forget(before: min(center, tail.map { $0.start } ?? center) - 4 * hop - reach)
        }
        var block = Self.audibleSpeeds.contains(speed) ? segment(near: ideal) : silence()
        if hasEnded || stop < .max {
            // The sound ends where the source or the curve does.
            let rest = min(stop, hasEnded ? outputEnd(of: end) : .max) - position
            if rest < hop { for channel in block.indices { block[channel].removeLast(hop - max(0, rest)) } }
        }
        return block
    }

    /// Returns what is left of the segment before, and then silence.
    private mutating func silence() -> [[Float]] {
        defer { tail = nil }
        guard let tail else { return Array(repeating: [Float](repeating: 0, count: hop), count: samples.count) }
        return tail.halves.map { half in half.indices.map { half[$0] * (1 - Self.weight($0, hop)) } }
    }

    private mutating func segment(near ideal: Int) -> [[Float]] {
        let start = place(near: ideal)
        var block: [[Float]] = [], halves: [[Float]] = []
        for channel in samples.indices {
            var first = (0..<hop).map { sample(channel, start + $0) }
            for index in 0..<hop {
                let weight = Self.weight(index, hop)
                first[index] = first[index] * weight + (tail?.halves[channel][index] ?? 0) * (1 - weight)
            }
            block.append(first)
            halves.append((0..<hop).map { sample(channel, start + hop + $0) })
        }
        tail = (start, halves)
        return block
    }

    /// Returns where the next segment begins.
    private func place(near ideal: Int) -> Int {
        let length = 2 * hop
        var lowest = ideal - reach, highest = ideal + reach
        for onset in onsets.found where onset > ideal - 8 * length && onset < ideal + 8 * length {
            let due = output(of: onset)
            if position < due, due < position + length { return onset - (due - position) }
            if due >= position + length {
                highest = min(highest, onset - Int(Self.guardBefore * Double(rate)) - length)
            } else {
                lowest = max(lowest, onset + Int(Self.guardAfter * Double(rate)))
            }
        }
        // Onsets may leave no place; the earlier one is over, so the later one matters.
        lowest = min(lowest, highest)
        guard let tail else { return min(max(ideal, lowest), highest) }
        let natural = tail.start + hop
        if (lowest...highest).contains(natural) { return natural }
        return bestMatch(for: natural, in: max(lowest, highest - 2 * reach)...highest)
    }

    /// Returns the place in a range whose samples are most similar to those at another one.
    private func bestMatch(for natural: Int, in range: ClosedRange<Int>) -> Int {
        let template = (0..<hop).map { monoSample(natural + $0) }
        let candidates = (range.lowerBound..<(range.upperBound + hop)).map { monoSample($0) }
        var best = range.lowerBound, bestScore = -Float.infinity
        var energy = candidates[..<hop].reduce(Float(0)) { $0 + $1 * $1 }
        for offset in 0..<range.count {
            var product: Float = 0
            for index in 0..<hop { product += template[index] * candidates[offset + index] }
            let score = product / (energy + 1e-9).squareRoot()
            if score > bestScore { (best, bestScore) = (range.lowerBound + offset, score) }
            if offset + hop < candidates.count {
                energy += candidates[offset + hop] * candidates[offset + hop] - candidates[offset] * candidates[offset]
                energy = max(0, energy)
            }
        }
        return best
    }

    /// The weight of a segment in the half in which it sets in: a raised cosine without its cosine, from 0 to 1.
    private static func weight(_ index: Int, _ hop: Int) -> Float {
        let x = (Float(index) + 0.5) / Float(hop)
        return x * x * (3 - 2 * x)
    }

    private func sample(_ channel: Int, _ position: Int) -> Float {
        let index = position - base
        return samples[channel].indices.contains(index) ? samples[channel][index] : 0
    }

    private func monoSample(_ position: Int) -> Float {
        let index = position - base
        return mono.indices.contains(index) ? mono[index] : 0
    }

    private mutating func forget(before position: Int) {
        let count = min(position - base, mono.count)
        // Seldom, so that moving the rest costs little.
        guard count > rate else { return }
        for channel in samples.indices { samples[channel].removeFirst(count) }
        mono.removeFirst(count)
        base += count
        onsets.forget(before: base)
    }
}
