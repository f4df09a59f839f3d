internal import Foundation
internal import FrameCore
internal import MediaIO
internal import Pipeline

/// Runs samples of a job.
struct JobSampler {
    let job: Conversion
    let context: JobContext
    /// The folder for the samples' output.
    let folder: URL
    /// The first frame of the input that the job processes, and the number of frames.
    let first: Int, count: Int
    /// What the job makes.
    let made: VideoStreamDescription
    /// What has been measured in the input.
    let measurements: JobMeasurements

    /// A run of the job over a part of the input.
    private struct Sample {
        /// The number of frames of the input that belong to the part.
        var read: Int
        var written: Int
        /// The time until the first frame was written.
        var lead: Double
        /// The time from then until the output was complete.
        var seconds: Double
        var bytes: Int
        /// By how much memory grew with each frame written in the second half of the run, in KiB.
        var memoryPerFrame: Double

        var duration: Double { lead + seconds }
    }

    /// Jobs that take less than this many seconds are done completely.
    private static let shortJob = 8.0
    /// Jobs that take less than this many seconds are done completely if samples would be half of them.
    private static let mediumJob = 30.0
    /// The number of frames of the first run, which shows how many frames there is time for.
    private static let probe = 2
    /// The number of frames of the second run, which measures the speed, and the least number if there is no time for
    /// so many.
    private static let firstRun = 12, leastRun = 4
    /// The largest number of frames of the shorter sample.
    private static let longestHalf = 480
    /// The usual distance between keyframes in the output, in frames.
    private static let keyFrameDistance = 250
    /// The places to sample, as fractions of the job; those left after ``mostSeconds`` are left out.
    private static let places = [0.5, 0.1, 0.9, 0.3, 0.7]
    /// A slow job is not sampled for minutes.
    private static let mostSeconds = 25.0
    /// The number of frames after which the buffers of encoders are full, and the least speed at which so many are run.
    private static let fillingRun = 64, fillingSpeed = 4.0

    /// A run takes some time and some bytes whatever its length: stages fill and drain, and the first frame is a keyframe.
    /// Runs of two lengths around the same place separate that from the cost of each frame.
    func estimate() throws -> JobEstimate {
        context.interruption.willOpenOutput()
        defer { context.interruption.didCloseOutput() }
        let begin = ContinuousClock.now
        func left() -> Double { Self.mostSeconds - (.now - begin) / .seconds(1) }
        // The first run also loads and prepares things, so it is slower than the others.
        let probe = try sample(Self.probe, at: Self.places[0])
        if probe.read == count { return result([probe], [], sampled: count) }
        let perFrame = max(0.001, probe.seconds / Double(probe.read))
        if Double(count) * perFrame < Self.shortJob { return try whole(after: probe.read) }
        guard count > 2 * Self.leastRun else {
            guard Double(count) * perFrame > Self.mediumJob else { return try whole(after: probe.read) }
            return result([probe], [], sampled: probe.read)
        }
        let affordable = min(count / 2 - probe.read, Int((left() - probe.lead) / perFrame))
        let initial = try sample(min(Self.firstRun, max(Self.leastRun, affordable)), at: Self.places[0])
        let speed = Double(initial.read) / max(0.001, initial.duration)
        guard speed > Self.fillingSpeed else {
            if Double(count) < Self.shortJob * speed { return try whole(after: probe.read + initial.read) }
            var runs = [initial]
            for place in Self.places.dropFirst()
            where initial.duration < left() && probe.read + (runs.count + 1) * initial.read <= count / 2 {
                runs.append(try sample(initial.read, at: place))
            }
            var estimate = result(runs, [probe], sampled: probe.read + runs.count * initial.read)
            // So few frames leave the buffers of encoders unfilled.
            let unfilled = max(0, min(estimate.frames, Self.fillingRun) - initial.written)
            estimate.peakMemoryKiB = estimate.peakMemoryKiB.map { $0 + Int(max(0, initial.memoryPerFrame)) * unfilled }
            return estimate
        }
        let half = min(max(Self.firstRun, Int(speed * 0.7)), Self.longestHalf)
        let isLong = Double(count) > (count > 6 * half * Self.places.count ? Self.shortJob : Self.mediumJob) * speed
        guard isLong, count > 4 * half else { return try whole(after: probe.read + initial.read) }
        var (short, long): ([Sample], [Sample]) = ([], [])
        for place in Self.places where long.isEmpty || left() > 0 {
            short.append(try sample(half, at: place))
            long.append(try sample(max(2 * half, long.isEmpty ? Self.fillingRun : 0), at: place))
        }
        return result(long, short, sampled: (short + long).reduce(probe.read + initial.read) { $0 + $1.read })
    }

    /// Does the job completely.
    ///
    /// - Parameter sampled: the number of frames of the samples before.
    private func whole(after sampled: Int) throws -> JobEstimate {
        result([try run(first, count)], [], sampled: sampled + count)
    }

    /// Runs a sample of `length` frames around a place.
    private func sample(_ length: Int, at place: Double) throws -> Sample {
        let length = min(count, length)
        let start = max(0, min(count - length, Int(place * Double(count)) - length / 2))
        return try run(first + start, length)
    }

    private func run(_ place: Int, _ length: Int) throws -> Sample {
        try context.interruption.check()
        let name = URL(fileURLWithPath: job.output.file == "-" ? "sample" : job.output.file).lastPathComponent
        let file = folder.appending(path: name).path
        let extras = folder.path + ".extra"
        defer { try? FileManager.default.removeItem(atPath: extras) }
        let (report, lead, memoryPerFrame) = try runSample(
            try ClipPart(start: .frame(place), end: .length(.frame(length))), to: file,
            extras: (extras, made.duration))
        var bytes = 0
        for entry in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
        {
            bytes += (try? entry.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
            try? FileManager.default.removeItem(at: entry)
        }
        return Sample(
            read: length, written: report.framesWritten, lead: lead, seconds: max(0, report.seconds - lead),
            bytes: bytes, memoryPerFrame: memoryPerFrame)
    }

    /// Extrapolates from samples to the whole job.
    ///
    /// - Parameters:
    ///   - samples: runs at different places, or one of everything.
    ///   - shorter: shorter runs at the same places; none for one of everything.
    private func result(_ samples: [Sample], _ shorter: [Sample], sampled: Int) -> JobEstimate {
        func sum(_ value: (Sample) -> Double) -> Double { samples.reduce(0) { $0 + value($1) } }
        let read = sum { Double($0.read) }, runs = Double(samples.count), total = Double(count)
        let frames = Int((sum { Double($0.written) } / read * total).rounded())
        func whole(_ value: (Sample) -> Double, times: Double) -> Double {
            let fixed = zip(shorter, samples).map { short, long in
                let (a, b) = (Double(short.read), Double(long.read))
                return (b * value(short) - a * value(long)) / (b - a)
            }
            let once = max(0, fixed.reduce(0, +) / max(1, Double(fixed.count)))
            return max(0, sum(value) - once * runs) / read * total + once * times
        }
        let bytes = whole({ Double($0.bytes) }, times: Double(max(1, frames / Self.keyFrameDistance)))
        return JobEstimate(
            frames: frames, bytes: bytes > 0 ? Int(bytes) : nil,
            // Before a sample, the decoder may have to go through a whole group of pictures.
            seconds: whole(\.seconds, times: 1) + (samples.map(\.lead).min() ?? 0),
            peakMemoryKiB: ProcessMemory.peakKiB, sampledFrames: sampled)
    }
}
