internal import CommandLineCore
internal import FrameAnalysis
internal import Foundation
internal import FrameCore
internal import MediaIO
internal import Pipeline

/// What a job will take, estimated from short samples of it.
struct JobEstimate {
    /// The number of frames that the job writes.
    var frames: Int
    /// The size of the output in bytes; nil if it writes none.
    var bytes: Int?
    /// The wall-clock duration of the job in seconds.
    var seconds: Double
    /// The largest amount of memory used by the samples, in KiB; nil if unknown.
    var peakMemoryKiB: Int?
    /// The number of frames of the input that were processed to estimate this.
    var sampledFrames: Int
}

extension JobEstimate {
    /// Adds the memory of candidates for thumbnails that all of the job keeps and its samples do not.
    ///
    /// - Parameters:
    ///   - stream: what the job makes.
    ///   - frames: the number of frames of the input.
    fileprivate mutating func addCandidates(of stream: VideoStreamDescription, frames: Int) {
        guard let memory = peakMemoryKiB else { return }
        let most = FrameStore.mostInMemory(bytesPerFrame: stream.bytesPerFrame)
        let examined = ThumbnailSelector.Options().capacity
        let inSamples = sampledFrames * examined / max(1, frames)
        peakMemoryKiB = memory + max(0, min(most, examined) - min(most, inSamples)) * stream.bytesPerFrame / 1024
    }
}

extension ConversionJob {
    /// Processes samples of the job and prints what all of it will take; writes no output.
    func estimate() throws {
        let prepared = try prepare()
        let reader = prepared.reader, reporter = Reporter(options: report)
        guard prepared.work.grain == nil else {
            throw JobStep.options.failure(
                FrameError(
                    .invalidArgument,
                    "--estimate does not measure grain; leave out --grain keep and --grain-table"))
        }
        let index = try during(.openingInput) {
            guard reader.isSeekable else {
                throw FrameError(
                    .input, "--estimate reads the input several times, which is impossible here; name a video file",
                    at: .init(file: input.input))
            }
            return (first: prepared.part?.located.firstFrame ?? 0, count: try reader.countFrames())
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "vfx-estimate-\(UUID().uuidString)")
        try during(.openingOutput) {
            guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil
            else {
                throw FrameError(.output, "the folder for samples cannot be created", at: .init(file: folder.path))
            }
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        let sampler = JobSampler(
            job: self, folder: folder, first: index.first, count: index.count, made: prepared.stream,
            compression: prepared.compression)
        var estimate = try sampler.estimate()
        if prepared.work.extras.thumbnails != nil {
            estimate.addCandidates(of: prepared.stream, frames: index.count)
        }
        reporter.estimated(estimate, input: input.input, output: output.output)
    }

    /// Runs a part of the job once.
    ///
    /// - Parameters:
    ///   - part: the part of the input.
    ///   - file: the file or numbered images to write.
    ///   - extras: the folder for those of the extra outputs, and the duration of what the whole job makes.
    ///   - compression: how strongly the input was compressed, if that has been measured.
    /// - Returns: what the run did, and how many seconds passed until it wrote the first frame.
    fileprivate func runSample(
        _ part: ClipPart, to file: String, extras: (folder: String, duration: MediaTime?),
        compression: SourceCompression?
    ) throws -> (report: ConversionReport, lead: Double) {
        let prepared = try sampling(part, to: file, compression: compression).prepare()
        var reader = prepared.reader
        guard let part = prepared.part else {
            throw JobStep.openingInput.failure(
                FrameError(.input, "a sample must be a part", at: .init(file: input.input)))
        }
        var checkpoint = part.checkpoint
        if let position = checkpoint?.position, (try? reader.resume(at: position)) != true {
            // Reads and processes everything before the part.
            reader = try during(.openingInput) { try prepared.reopened(input.input) }
            checkpoint = nil
        }
        let sink: any FrameSink = try during(.openingOutput) {
            let sink = try openSink(
                file, stream: prepared.stream, source: reader.sourceDescription, retiming: prepared.work.retiming,
                options: prepared.writerOptions)
            guard !prepared.work.extras.isEmpty else { return sink }
            try LocalFile.makeDirectory(extras.folder)
            let branches = try prepared.work.extras.sampled(in: extras.folder, of: extras.duration)
                .open(
                    output: OutputKind(output), name: file, stream: prepared.stream, overwrites: true,
                    threads: prepared.threads)
            return TeeSink(sink, stream: prepared.stream, branches: branches)
        }
        let timed = TimedSink(sink)
        let pipeline = ConversionPipeline(
            source: reader, sink: timed, chain: prepared.work.chain, part: part.output(prepared.work.retiming),
            cuts: prepared.work.cuts,
            cutList: prepared.cutList, start: checkpoint, checkpoints: nil)
        Signals.shared.watch { pipeline.cancel() }
        do {
            let start = ContinuousClock.now, report = try pipeline.run()
            return (report, timed.firstWrite.map { ($0 - start) / .seconds(1) } ?? 0)
        } catch is CancellationError {
            throw Signals.shared.failure
        } catch {
            throw JobStep(pipeline.failedStage).failure(error, at: input.input)
        }
    }
}

/// Runs samples of a job.
private struct JobSampler {
    let job: ConversionJob
    /// The folder for the samples' output.
    let folder: URL
    /// The first frame of the input that the job processes, and the number of frames.
    let first: Int, count: Int
    /// What the job makes.
    let made: VideoStreamDescription
    /// How strongly the input was compressed, if that has been measured.
    let compression: SourceCompression?

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
    }

    /// Jobs that take less than this many seconds are done completely.
    private static let shortJob = 8.0
    /// The number of frames of the first run, which measures the speed.
    private static let firstRun = 12
    /// Processing from a multiple of this many frames on needs no frames from before.
    private static let interval = 240
    /// Clips of fewer frames have too few such places.
    private static let longClip = 10 * interval
    /// The usual distance between keyframes in the output, in frames.
    private static let keyFrameDistance = 250
    /// The number of places to sample.
    private static let places = 5

    /// A run takes some time and some bytes whatever its length: stages fill and drain, and the first frame is a keyframe.
    /// Runs of two lengths at the same place tell that from what each frame takes.
    func estimate() throws -> JobEstimate {
        Signals.shared.willOpenOutput()
        defer { Signals.shared.didCloseOutput() }
        // The first run also loads and prepares things, so it is slower than the others.
        let start = first + count / 2 / Self.interval * Self.interval
        let first = try run(start, min(count, Self.firstRun))
        let speed = Double(first.read) / max(0.001, first.lead + first.seconds)
        let half = min(max(Self.firstRun, Int(speed * 0.7)), 2 * Self.interval)
        guard Double(count) > Self.shortJob * speed, count > 4 * half else {
            let whole = try run(self.first, count)
            return result([whole], fixed: nil, sampled: first.read + count, peakMemoryKiB: ProcessMemory.peakKiB)
        }
        let short = try run(start, half)
        var long = [try run(start, 2 * half)]
        // Later runs use memory that earlier ones leave unused.
        let memory = ProcessMemory.peakKiB
        // A slow job is not sampled for minutes.
        let others = speed < 3 ? 0 : min(Self.places - 1, count / (4 * half))
        for place in 0..<others {
            let wanted = self.first + count * (2 * place + 1) / (2 * others)
            let place =
                count < Self.longClip ? wanted - half : max(self.first, wanted / Self.interval * Self.interval)
            long.append(try run(min(place, self.first + count - 2 * half), 2 * half))
        }
        return result(
            long, fixed: (short, long[0]), sampled: first.read + half + 2 * half * long.count, peakMemoryKiB: memory)
    }

    private func run(_ place: Int, _ length: Int) throws -> Sample {
        if Signals.shared.received != nil { throw Signals.shared.failure }
        let name = URL(fileURLWithPath: job.output.output == "-" ? "sample" : job.output.output).lastPathComponent
        let file = folder.appending(path: name).path
        let extras = folder.path + ".extra"
        defer { try? FileManager.default.removeItem(atPath: extras) }
        let (report, lead) = try job.runSample(
            try ClipPart(start: .frame(place), end: .length(.frame(length))), to: file,
            extras: (extras, made.duration), compression: compression)
        var bytes = 0
        for entry in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
        {
            bytes += (try? entry.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
            try? FileManager.default.removeItem(at: entry)
        }
        return Sample(
            read: length, written: report.framesWritten, lead: lead, seconds: max(0, report.seconds - lead),
            bytes: bytes)
    }

    /// Extrapolates from samples to the whole job.
    ///
    /// - Parameter fixed: two runs at the same place, the second twice as long as the first; nil if there is one sample, of
    ///   everything.
    private func result(_ samples: [Sample], fixed: (short: Sample, long: Sample)?, sampled: Int, peakMemoryKiB: Int?)
        -> JobEstimate
    {
        func sum(_ value: (Sample) -> Double) -> Double { samples.reduce(0) { $0 + value($1) } }
        let read = sum { Double($0.read) }, runs = Double(samples.count), total = Double(count)
        let frames = Int((sum { Double($0.written) } / read * total).rounded())
        func whole(_ value: (Sample) -> Double, times: Double) -> Double {
            let once = fixed.map { min(value($0.short), max(0, 2 * value($0.short) - value($0.long))) } ?? 0
            return max(0, sum(value) - once * runs) / read * total + once * times
        }
        let bytes = whole({ Double($0.bytes) }, times: Double(max(1, frames / Self.keyFrameDistance)))
        return JobEstimate(
            frames: frames, bytes: bytes > 0 ? Int(bytes) : nil,
            seconds: whole(\.seconds, times: 1) + (fixed?.short ?? samples[0]).lead,
            peakMemoryKiB: peakMemoryKiB, sampledFrames: sampled)
    }
}
