internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import FrameEffects
internal import Foundation
internal import Jobs
internal import MediaIO
internal import Motion
internal import Pipeline

/// Estimates and writes the motion of one pair of frames.
struct FlowPairJob {
    var subject: FlowSettings.Pair
    var settings: FlowSettings
    var reporter: Reporter

    /// The two frames as read.
    private struct Pair {
        var first: Frame
        var second: Frame
        var framesRead: Int
        var notes: [Note]
        var damage: DamageReport
        /// The source files, which are never overwritten.
        var files: [String]
        /// A note if the file specifies a rotation; otherwise empty.
        var turn: [String]
    }

    /// - Throws: ``JobFailure``, or `ExitCode` if the input is damaged.
    func run() throws {
        let clock = ContinuousClock()
        let start = clock.now
        let output = settings.output
        let kind = try during(.options) {
            let kind = try FlowPairOutput(output)
            try kind.check(settings)
            return kind
        }
        let overwrites = kind.overwrites(output)
        if kind != .none {
            try during(.openingOutput) {
                for file in files { try SingleFile.check(output.output, input: file, overwrites: overwrites) }
            }
        }
        let pair = try deinterlaced(read())
        let buffer = pair.first.buffer
        let engine = OpticalFlowConfiguration(
            unchecked: FrameDimensions(width: buffer.width, height: buffer.height),
            qualityPrioritization: settings.quality
        ).makeEffect(format: buffer.format, context: settings.execution)
        let begin = clock.now
        let flow = try during(.making) { try engine.flow(from: buffer, to: pair.second.buffer, relation: .none) }
        let milliseconds = Double((clock.now - begin) / .microseconds(1)) / 1000
        let dense = (settings.isBackward ? flow.backward : flow.forward).dense()

        var result = FlowPairResult(
            width: buffer.width, height: buffer.height, framesRead: pair.framesRead, milliseconds: milliseconds,
            longest: dense.vectors.map { ($0 * $0).sum() }.max()?.squareRoot() ?? 0)
        if case .moment = subject { result.times = (pair.first.presentationTime, pair.second.presentationTime) }
        result.notes = pair.notes
        result.damage = pair.damage
        let content: Content = try during(.making) { try self.content(flow, dense, pair, as: kind, &result) }
        // From here on, a signal waits until the output is complete or removed.
        Signals.shared.willOpenOutput()
        result.notes += try during(.writing) { try write(content, pair, overwrites: overwrites) }
        Signals.shared.didCloseOutput()
        if let failure = Signals.shared.lateFailure(output: output.output) { throw failure }
        result.seconds = (clock.now - start) / .seconds(1)
        reporter.finished(result, output: output.output, isWritten: kind != .none)
        if !pair.damage.isEmpty { throw ExitCode(JobExitCode.doneWithDamage.rawValue) }
    }

    private var files: [String] {
        switch subject {
        case .pictures(let a, let b): [a, b]
        case .moment(let file, _): [file]
        }
    }

    /// What to write to the output.
    private enum Content {
        case nothing
        case bytes(Data)
        case picture(Frame)
    }

    private func content(
        _ flow: OpticalFlow, _ dense: DenseFlow, _ pair: Pair, as kind: FlowPairOutput, _ result: inout FlowPairResult
    ) throws -> Content {
        switch kind {
        case .none: return .nothing
        case .flo: return .bytes(Data(dense.flo()))
        case .vfxflow: return .bytes(Data(flow.encoded()))
        case .picture:
            let painter = settings.painter()
            let shown = settings.isBackward ? pair.second : pair.first
            let frame =
                settings.view == .holes || settings.view == .weights
                ? try painter.interpolation(pair.first, pair.second, flow, phase: settings.phase)
                : try painter.frame(shown, flow)
            result.maximum = painter.maximum
            result.notes += painter.notes(over: shown.buffer.format) + pair.turn
            return .picture(frame)
        }
    }

    /// - Returns: notes on what could not be kept.
    private func write(_ content: Content, _ pair: Pair, overwrites: Bool) throws -> [Note] {
        let output = settings.output, input = pair.files.first
        switch content {
        case .nothing: return []
        case .bytes(let data):
            try SingleFile.write(data, to: output.output, input: input, overwrites: overwrites)
            return []
        case .picture(let frame):
            return try SingleFile.write(
                frame, to: output.output, input: input,
                options: MediaWriterOptions(pixelFormat: output.pixelFormat, overwrites: overwrites))
        }
    }

    private func read() throws -> Pair {
        switch subject {
        case .pictures(let a, let b):
            let (first, second) = (try picture(a), try picture(b))
            guard first.stream.width == second.stream.width, first.stream.height == second.stream.height else {
                throw JobStep.reading.failure(
                    FrameError(
                        .input,
                        "\(a) is \(first.stream.width)x\(first.stream.height), \(b) is \(second.stream.width)x\(second.stream.height); both images must have the same size"
                    ))
            }
            var damage = first.reader.damage
            for note in second.reader.damage.notes { damage.note(note) }
            damage.lostUnits += second.reader.damage.lostUnits
            let notes = first.reader.notes + second.reader.notes.filter { !first.reader.notes.contains($0) }
            return Pair(
                first: first.frame, second: second.frame, framesRead: 2, notes: notes, damage: damage, files: [a, b],
                turn: [first.reader.turnNote].compactMap(\.self))
        case .moment(let file, let position):
            return try moment(file, position)
        }
    }

    /// Returns a pair of progressive frames.
    private func deinterlaced(_ pair: Pair) throws -> Pair {
        guard let fields = try during(.options, { try settings.input.fields.handling() }).fields else { return pair }
        let deinterlacer = FrameDeinterlacer(
            fields, options: ConversionOptions(quality: settings.quality, context: settings.execution))
        var made = pair
        try during(.making) {
            made.first = try deinterlacer.frame(pair.first, next: pair.second)
            made.second = try deinterlacer.frame(pair.second, previous: pair.first)
        }
        return made
    }

    private func open(_ file: String) throws -> MediaReader {
        try during(.findingInput) { try InputAddress.requireReadable(file) }
        return try during(.openingInput) {
            let reader = try MediaReader(file, options: settings.readerOptions(keepsOtherStreams: false))
            try FlowSettings.checkSize(reader.stream, file: file)
            return reader
        }
    }

    /// Reads the only frame of a file.
    private func picture(_ file: String) throws -> (reader: MediaReader, stream: VideoStreamDescription, frame: Frame) {
        let reader = try open(file)
        guard let frame = try during(.reading, { try reader.nextFrame() }) else {
            throw JobFailure("\(file): the file contains no image", .badInput)
        }
        guard try during(.reading, { try reader.nextFrame() }) == nil else {
            throw JobFailure(
                "\(file): this is a video; name two images, or one video and a time with --at", .usage)
        }
        return (reader, reader.stream, frame)
    }

    /// Reads the frame at a position of the file and the one after it.
    private func moment(_ file: String, _ position: ClipPosition) throws -> Pair {
        let reader = try open(file)
        return try during(.reading) {
            var count = 0, firstTime: MediaTime?
            var shown: Frame?
            while let frame = try reader.nextFrame() {
                count += 1
                firstTime = firstTime ?? frame.presentationTime
                if let shown, position.isShown(from: shown, number: count - 2, until: frame) {
                    let framesRead = count
                    // With --strict, damage later in the file must be found, too.
                    if settings.input.strict { while try reader.nextFrame() != nil {} }
                    return Pair(
                        first: shown, second: frame, framesRead: framesRead, notes: reader.notes,
                        damage: reader.damage, files: [file], turn: [reader.turnNote].compactMap(\.self))
                }
                shown = frame
            }
            guard let firstTime, let last = shown?.presentationTime, count > 1 else {
                throw JobFailure("\(file): the video has \(counted(count, "frame")); flow needs two", .badInput)
            }
            throw JobFailure(
                "\(file): --at \(position) is outside the video; give a time from \(firstTime) s to below \(last) s, or a frame from 0f to \(count - 2)f",
                .usage)
        }
    }
}

extension ClipPosition {
    /// Whether the position is that of a frame.
    ///
    /// - Parameters:
    ///   - number: the frame's number in the clip.
    ///   - next: the frame that follows.
    fileprivate func isShown(from frame: Frame, number: Int, until next: Frame) -> Bool {
        switch self {
        case .frame(let wanted): wanted == number
        case .time(let time): frame.presentationTime <= time && time < next.presentationTime
        }
    }
}
