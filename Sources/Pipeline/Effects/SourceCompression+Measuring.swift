public import FrameCore
internal import FrameEffects

extension SourceCompression {
    /// The largest number of places at which a clip is looked at: a film of two hours once a minute.
    package static let mostSamples = 120
    /// The smallest number of places for clips whose length is known: with fewer, a black keyframe would count too much.
    package static let fewestSamples = 6
    /// The number of times that the time between two samples is halved to find a change.
    private static let mostHalvings = 8
    /// Keyframes that are closer than this are not told apart, in seconds.
    private static let shortestInterval = 0.1
    /// The shortest time for which a part of the clip is treated in its own way, in seconds.
    private static let shortestSpan = 3.0

    /// Measures a single picture.
    ///
    /// - Throws: `FrameError` if memory cannot be allocated.
    public init(of picture: PixelBuffer, context: ExecutionContext) throws(FrameError) {
        let trace = try QuantizationTrace(of: picture, context: context)
        self.init(overall: PictureCompression([CompressionSample(trace, stated: nil, at: .zero)]), spans: [])
    }

    /// Measures keyframes that are spread over a clip, about one a second, but at least 6 and at most 120, and takes their
    /// quantizer steps into account where they are known. Only pictures coded on their own show reliably how they were
    /// quantized. Where the compression changes for three seconds or more, and at two of these keyframes in a row, the
    /// clip is divided, at the first keyframe that differs.
    ///
    /// Interlaced frames are not measured, since the rows of a frame are not neighbours; nor are keyframes that cannot be
    /// read. A keyframe counts as often as it is the nearest, so its share is that of its time.
    ///
    /// - Parameters:
    ///   - clip: the keyframes of the clip.
    ///   - start: the time of the clip's first frame.
    ///   - most: the largest number of places that are looked at, limited to 6…120; fewer for a source that is slow to seek.
    ///   - context: the threads and kernels to use.
    /// - Throws: `FrameError` if memory cannot be allocated.
    public init(
        of clip: some KeyFrameSource, from start: MediaTime, atMost most: Int = 120, context: ExecutionContext
    ) throws {
        guard let duration = clip.stream.duration else {
            let first = try Self.samples(of: clip, at: [start], context)
            self.init(overall: PictureCompression(first), spans: [])
            return
        }
        let most = min(max(most, Self.fewestSamples), Self.mostSamples)
        let count = Int(min(Double(most), max(Double(Self.fewestSamples), duration.seconds)))
        let times = (0..<count).map { start + duration.multiplied(by: Rational(Int32(2 * $0 + 1), Int32(2 * count))) }
        var samples = try Self.samples(of: clip, at: times, context)
        // In a short stream without an index, these places may lead past its only keyframe; so may that of its first frame,
        // if others are decoded before they are shown.
        if samples.isEmpty {
            samples = try Self.samples(of: clip, at: [start - MediaTime(value: 1, timescale: 1)], context)
        }
        let interval = duration.seconds / Double(count)
        let leastCount = interval > 0 ? max(2, Int(Self.shortestSpan / interval)) : .max
        let parts = Self.parts(of: samples, leastCount: leastCount)
        var spans: [Span] = []
        for (index, part) in parts.enumerated() {
            guard let first = part.first else { continue }
            let pictures = PictureCompression(part)
            let start =
                try index == 0
                ? first.time : Self.change(to: pictures, of: clip, from: parts[index - 1], until: first, context)
            spans.append(Span(start: start, pictures: pictures))
        }
        self.init(overall: PictureCompression(samples), spans: spans.count > 1 ? spans : [])
    }

    /// Returns the time of the first keyframe that was compressed like those of a part, between two samples.
    private static func change(
        to pictures: PictureCompression, of clip: some KeyFrameSource, from before: [CompressionSample],
        until first: CompressionSample, _ context: ExecutionContext
    ) throws -> MediaTime {
        guard var low = before.last?.time else { return first.time }
        let old = PictureCompression(before)
        var high = first.time
        var latest: CompressionSample?
        for _ in 0..<mostHalvings where (high - low).seconds > shortestInterval {
            let middle = low + (high - low).multiplied(by: Rational(1, 2))
            // None stands for the latest keyframe.
            latest = try samples(of: clip, at: [middle], context).last ?? latest
            guard let latest else { break }
            let found = PictureCompression([latest])
            if latest.time > low, latest.time <= high, pictures.distance(from: found) < old.distance(from: found) {
                high = latest.time
            } else {
                low = middle
            }
        }
        return high
    }

    private static func samples(
        of clip: some KeyFrameSource, at times: [MediaTime], _ context: ExecutionContext
    ) throws -> [CompressionSample] {
        /// The latest keyframe; nil if it could not be read.
        var latest: CompressionSample?
        var samples: [CompressionSample] = []
        for time in times {
            do {
                // Nil stands for the latest keyframe.
                if let frame = try clip.keyFrame(at: time) {
                    latest =
                        frame.isInterlaced
                        ? nil
                        : CompressionSample(
                            try QuantizationTrace(of: frame.buffer, context: context), stated: clip.quantizerStep,
                            at: frame.presentationTime)
                }
            } catch let error as FrameError where error.code != .allocation {
                latest = nil
            }
            // Wrong timestamps may lead back.
            if let latest, latest.time >= samples.last?.time ?? latest.time { samples.append(latest) }
        }
        return samples
    }

    /// Divides the samples of a clip where their compression changes, into parts of at least `leastCount` samples.
    private static func parts(of samples: [CompressionSample], leastCount: Int) -> [[CompressionSample]] {
        var parts: [[CompressionSample]] = []
        func append(_ part: [CompressionSample]) {
            if let last = parts.last, PictureCompression(last).isLike(PictureCompression(part)) {
                parts[parts.count - 1] += part
            } else {
                parts.append(part)
            }
        }
        for sample in samples { append([sample]) }
        // A part that is too short is merged into the neighbour that it is more like, the shortest first.
        while parts.count > 1, let shortest = parts.indices.min(by: { parts[$0].count < parts[$1].count }),
            parts[shortest].count < leastCount
        {
            let pictures = parts.map { PictureCompression($0) }
            func distance(_ other: Int) -> Float {
                parts.indices.contains(other) ? pictures[shortest].distance(from: pictures[other]) : .infinity
            }
            let before = distance(shortest - 1) <= distance(shortest + 1) ? shortest - 1 : shortest
            var rest = parts
            rest.replaceSubrange(before...before + 1, with: [parts[before] + parts[before + 1]])
            parts = []
            for part in rest { append(part) }
        }
        return parts
    }
}

/// What a keyframe and its codec show of its compression.
private struct CompressionSample {
    let time: MediaTime
    /// 0…1; nil if neither shows it.
    let strength: Float?
    /// The mean quantizer step; 0 if it is not known.
    let step: Float
    let isLoopFiltered: Bool

    /// - Parameters:
    ///   - trace: what the picture shows.
    ///   - stated: the mean quantizer step that the codec states; those that do filter edges.
    ///   - time: when the keyframe is shown.
    init(_ trace: QuantizationTrace, stated: Float?, at time: MediaTime) {
        self.time = time
        // What was compressed more than once may show a coarser step than the latest codec's.
        strength = [trace.strength, stated.map(QuantizationTrace.strength(ofStep:))].compactMap(\.self).max()
        let step = RestorationCondition.step(stated: stated.map(Double.init), shown: trace.quantizerStep)
        self.step = step.map { Float($0) } ?? 0
        // Of a source that was compressed before, the picture shows the step and the edges.
        isLoopFiltered = stated != nil && step == stated.map(Double.init) || trace.showsLoopFilter
    }
}

extension PictureCompression {
    /// Takes the median, because a single keyframe, such as a black one, may be quantized far more finely or coarsely than
    /// the others.
    fileprivate init(_ samples: some Collection<CompressionSample>) {
        // A picture that shows no strength counts for the step only.
        let strengths = samples.compactMap(\.strength).sorted(), count = strengths.count
        let strength = count == 0 ? 0 : (strengths[(count - 1) / 2] + strengths[count / 2]) / 2
        // The mean of a known step and an unknown one would belong to neither picture, so the lower one counts.
        let steps = samples.map(\.step).sorted()
        self.init(
            strength: strength, step: steps.isEmpty ? 0 : steps[(steps.count - 1) / 2],
            isLoopFiltered: 2 * samples.count(where: \.isLoopFiltered) > samples.count)
    }
}
