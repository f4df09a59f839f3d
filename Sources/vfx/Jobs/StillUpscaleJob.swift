internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import Imaging
internal import FrameEffects
internal import Foundation
internal import Jobs
internal import MediaIO
internal import Pipeline

/// Enlarges or cleans a single image, including its transparency and orientation.
struct StillUpscaleJob {
    var options: CommonOptions
    var target: UpscaleTarget
    var isLowLatency: Bool
    var deblocking: Deblocking

    /// Whether the output is a single image rather than a numbered sequence.
    static func takes(_ options: CommonOptions) -> Bool {
        let name = options.output.output
        guard SingleFile.isPicture(name) || StillFormat(fileName: name) != nil, !name.contains("%") else {
            return false
        }
        // A WebP file may hold an animation as well.
        return AnimationFormat(name, format: options.output.format) == nil || !isMoving(options.input)
    }

    /// Whether an input holds more than one frame; false if it cannot be read.
    private static func isMoving(_ input: InputOptions) -> Bool {
        guard input.input != "-" else { return true }
        let options = MediaReaderOptions(
            keepsOtherStreams: false, allowsNetwork: !input.noNetwork)
        guard let reader = try? MediaReader(input.input, options: options), (try? reader.nextFrame()) != nil else {
            return false
        }
        return (try? reader.nextFrame()) != nil
    }

    /// - Throws: ``JobFailure``, or `ExitCode` if the image is damaged.
    func run() throws {
        let clock = ContinuousClock()
        let start = clock.now
        let (input, output) = (options.input.input, options.output)
        let execution = try during(.options) {
            try options.report.check(output: output.output)
            try checkOptions()
            return ExecutionContext(threads: try OptionValue.threads(options.effect.threads))
        }
        let reporter = Reporter(options: options.report)
        let isWritten = output.format == nil
        if isWritten {
            try during(.openingOutput) {
                try SingleFile.check(output.output, input: input, overwrites: output.overwrite)
            }
        }
        var (picture, readNotes, damage) = try read(input)
        if output.failOnLoss {
            let expected = try during(.openingOutput) { isWritten ? try expectedNotes(picture) : [] }
            try during(.openingOutput) { try Self.requireNoLoss(readNotes + expected, output.output) }
        }
        let begin = clock.now
        let trace = try during(.making) { try self.trace(of: picture, execution) }
        let compression = StillCompression(picture, trace, cleans: target.keepsSize)
        if target.keepsSize, !compression.condition.isCompressed {
            readNotes.append("no compression could be measured in the image, so it stays as it is")
        }
        var larger =
            target.keepsSize
            ? try cleaned(picture, compression.condition, execution)
            : try upscaled(picture, coding: compression.coding, execution)
        let work = clock.now - begin
        let notes = try Signals.shared.heldBack(writing: output.output) {
            isWritten ? try during(.writing) { try write(&larger, threads: execution.threads) } : []
        }

        var report = ConversionReport()
        report.framesRead = 1
        report.framesWritten = isWritten ? 1 : 0
        report.damage = damage
        report.seconds = (clock.now - start) / .seconds(1)
        var times = DurationHistogram()
        times.add(work)
        report.latency = FrameLatency(total: times.spread, work: times.spread)
        let strength = QuantizationTrace.strength(ofStep: Float(compression.step))
        report.measurements = SourceCompression(strength: strength, step: Float(compression.step)).measurements
        reporter.finished(report, output: output.output, notes: readNotes + notes, bound: nil)
        if !damage.isEmpty { throw ExitCode(JobExitCode.doneWithDamage.rawValue) }
    }

    /// - Throws: `FrameError` for options that do not apply to a single image.
    private func checkOptions() throws(FrameError) {
        let output = options.output
        let foreign: [(name: String, isGiven: Bool)] = [
            ("--codec", output.codec != nil), ("--crf", output.crf != nil), ("--preset", output.preset != nil),
            ("--resume", output.resume), ("--encoder-threads", output.encoderThreads != nil),
            ("--keep-start", output.keepStart),
            ("--start-number", options.input.startNumber != nil), ("--plan", options.division.plan != nil),
            ("--plan-by-decoding", options.division.planByDecoding),
            ("--from", options.part.from != nil), ("--to", options.part.to != nil),
            ("--duration", options.part.duration != nil), ("--cuts", options.cutList.cuts != nil),
            ("--cut-threshold", options.cutList.cutThreshold != nil),
            ("--estimate", options.preview.estimate), ("--preview", options.preview.preview != nil),
            ("--preview-report", options.preview.previewReport != nil), ("--print-job", options.preview.printJob),
        ]
        if let option = foreign.first(where: \.isGiven)?.name {
            throw FrameError(.invalidArgument, "\(option) applies to videos, not to a single image")
        }
    }

    private var allowsNetwork: Bool { !options.input.noNetwork }

    private func read(_ input: String) throws -> (picture: StillPicture, notes: [Note], damage: DamageReport) {
        try during(.findingInput) { try InputAddress.requireReadable(input) }
        guard input != "-" else {
            throw JobFailure("a single image is read from a file; name one instead of -", .usage)
        }
        let reader = try during(.openingInput) {
            try MediaReader(
                input,
                options: MediaReaderOptions(
                    isStrict: options.input.strict, keepsOtherStreams: false,
                    allowsNetwork: allowsNetwork))
        }
        let isLonely = try during(.reading) { () throws in
            _ = try reader.nextFrame()
            return try reader.nextFrame() == nil
        }
        guard isLonely else {
            throw JobFailure(
                "\(input): this holds more than one frame and '\(options.output.output)' only one; write a video such as out.mp4, an animation such as out.gif, or numbered images such as out_%05d.png",
                .usage)
        }
        let (still, notes) = try during(.openingInput) { try StillCodec(allowsNetwork: allowsNetwork).read(input) }
        return (still, notes, reader.damage)
    }

    /// Returns what an image shows of its compression; nil if that is not to be treated.
    private func trace(of still: StillPicture, _ context: ExecutionContext) throws(FrameError) -> QuantizationTrace? {
        guard !isLowLatency, deblocking == .automatic, !still.frame.isInterlaced else { return nil }
        return try QuantizationTrace(of: still.frame.buffer, context: context)
    }

    private func upscaled(
        _ still: StillPicture, coding: Int, _ context: ExecutionContext
    ) throws -> StillPicture {
        // Alpha of another depth than the colors is enlarged by itself.
        let ownAlpha = still.alpha.flatMap { $0.format.bitDepth == still.frame.buffer.format.bitDepth ? $0 : nil }
        let source = try during(.making) {
            try ownAlpha.map { try still.frame.buffer.with(alpha: $0) } ?? still.frame.buffer
        }
        let geometry = try during(.options) {
            try target.geometry(
                width: source.width, height: source.height, swapsSides: still.orientation.swapsSides,
                limits: .still)
        }
        try during(.options) { try StillFormat.check(geometry.output, of: options.output) }
        return try during(.making) {
            let engine = try SuperResolutionScalerConfiguration(
                unchecked: geometry, inputType: .image, qualityPrioritization: .normal
            ).makeEffect(
                format: source.format, model: isLowLatency ? .mediumCompressed : .image,
                rotations: options.effect.quality == .high ? .four : .one, coding: coding, context: context)
            var larger = still
            let made = try engine.upscale(source, color: still.frame.color)
            larger.frame.buffer = made.withoutAlpha
            larger.frame.color = geometry.color(still.frame.color)
            larger.frame.sampleAspectRatio = geometry.sampleAspectRatio(still.frame.sampleAspectRatio)
            if let plane = made.format.alphaPlane {
                larger.alpha = made.plane(plane)
            } else if let alpha = still.alpha {
                larger.alpha = try PictureResampler(
                    from: alpha.format, sourceSize: (alpha.width, alpha.height), color: .unspecified,
                    to: alpha.format, width: geometry.output.width, height: geometry.output.height,
                    targetLocation: .center, lumaFilter: .spline
                ).resampled(alpha, context: context)
            }
            return larger
        }
    }

    /// Reduces blocking and ringing at the image's size; an image that shows no compression stays as it is.
    private func cleaned(
        _ still: StillPicture, _ condition: RestorationCondition, _ context: ExecutionContext
    ) throws -> StillPicture {
        let source = still.frame.buffer, size = FrameDimensions(width: source.width, height: source.height)
        try during(.options) { try StillFormat.check(size, of: options.output) }
        guard condition.isCompressed else { return still }
        return try during(.making) {
            var cleaned = still
            cleaned.frame.buffer = try RestorationEngine(
                format: source.format, size: size, condition: condition,
                rotations: options.effect.quality == .high ? .four : .one, context: context
            ).restore(source)
            return cleaned
        }
    }

    private static func requireNoLoss(_ notes: [Note], _ output: String) throws(FrameError) {
        if let loss = notes.first(where: \.isLoss) { throw loss.refusal(of: output) }
    }

    /// Returns what the output cannot keep of an image, as far as that is known before the work.
    private func expectedNotes(_ still: StillPicture) throws(FrameError) -> [Note] {
        let output = options.output
        if let format = StillFormat(fileName: output.output) {
            return try StillCodec().expectedNotes(
                on: still, as: format, options: StillOptions(metadata: Self.metadata(of: still)))
        }
        return try SingleFile.expectedNotes(
            on: still.frame, in: output.output, options: MediaWriterOptions(pixelFormat: output.pixelFormat),
            orientation: still.orientation, metadata: Self.metadata(of: still)) + Self.lostAlpha(of: still)
    }

    private static func metadata(of still: StillPicture) -> StillMetadata {
        var metadata = still.metadata
        metadata.software = "vfx"
        return metadata
    }

    /// The note that formats without transparency leave; the others are written by ``StillCodec``.
    private static func lostAlpha(of still: StillPicture) -> [Note] {
        still.alpha == nil ? [] : [.loss("alpha-dropped", "the alpha channel is left out")]
    }

    /// - Parameter still: the image, whose samples are released once they are no longer needed.
    /// - Returns: notes on what could not be kept.
    private func write(_ still: inout StillPicture, threads: Int) throws -> [Note] {
        let output = options.output, input = options.input.input, metadata = Self.metadata(of: still)
        guard let format = StillFormat(fileName: output.output) else {
            guard still.orientation == .up || SingleFile.holdsOrientation(output.output) else {
                throw FrameError(
                    .unsupportedFormat,
                    "this format cannot store the orientation of the image; write JPEG, PNG, WebP or AVIF",
                    at: .init(file: output.output))
            }
            let notes = try SingleFile.write(
                still.frame, to: output.output, input: input,
                options: MediaWriterOptions(pixelFormat: output.pixelFormat, overwrites: output.overwrite),
                orientation: still.orientation, metadata: metadata)
            return notes + Self.lostAlpha(of: still)
        }
        let encoded = try StillCodec().encode(
            releasing: &still, as: format,
            options: StillOptions(metadata: metadata, threads: threads))
        // Metadata may turn out to be too large.
        if output.failOnLoss { try Self.requireNoLoss(encoded.notes, output.output) }
        try SingleFile.write(encoded.bytes, to: output.output, input: input, overwrites: output.overwrite)
        return encoded.notes
    }
}

extension StillFormat {
    /// - Throws: `FrameError` if the format of the output cannot hold an image of this size.
    fileprivate static func check(_ size: FrameDimensions, of output: OutputOptions) throws(FrameError) {
        guard output.format == nil, let format = StillFormat(fileName: output.output),
            max(size.width, size.height) > format.maximumSide
        else { return }
        throw FrameError(
            .unsupportedSize,
            "\(format.name) images have at most \(format.maximumSide) pixels per side, not \(size.width)x\(size.height); write PNG or TIFF",
            at: .init(file: output.output))
    }
}
