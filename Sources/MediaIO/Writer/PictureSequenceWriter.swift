import CLibAV
import FrameCore
import Glibc

/// Writes each frame as an image file, and the exact times of all frames to `times.json` in the same folder.
///
/// The files have a `.part` suffix until ``finish()`` renames them all.
///
/// `@unchecked Sendable`: `FrameSink` promises calls from one thread at a time.
final class PictureSequenceWriter: MediaSink, @unchecked Sendable {
    var encoderName: String? { encoder.choice.name }
    var containerName: String { "image2" }
    var notes: [Note] { fixedNotes + messages.notes }
    private var fixedNotes: [Note]
    private var messages = PictureMessages(AV_CODEC_ID_NONE, encoder: "an image sequence")

    private let output: String
    private let pattern: PicturePattern
    private let options: MediaWriterOptions
    private let encoder: PictureEncoder
    private let sourceIdentity: LocalFile.Identity?
    private var files: [(path: String, time: MediaTime, duration: MediaTime?)] = []
    /// The time of the first frame, from which all count.
    private let start: MediaTime
    private var isDone = false
    /// Lock on `times.json`, which represents the whole sequence; nil before the first frame.
    private var lock: OutputLock?

    init(
        _ output: String, stream: VideoStreamDescription, source: MediaSourceDescription?, retiming: Retiming,
        options: MediaWriterOptions
    ) throws(FrameError) {
        let location = FrameError.Location(file: output)
        guard let pattern = PicturePattern(output) else {
            throw FrameError(
                .invalidArgument, "an image sequence needs one number pattern in its name, e.g. out_%05d.png",
                at: location)
        }
        if let codec = options.codec {
            throw FrameError(
                .invalidArgument,
                "an image sequence cannot contain \(codec.rawValue) video; the extension selects the codec",
                at: location)
        }
        try OutputTarget.requireDirectory(of: output, at: location)
        self.output = output
        self.pattern = pattern
        self.options = options
        // A part begins at zero.
        let first = source.flatMap { $0.part == nil ? retiming.time(of: $0.start) : nil }
        let kept = source.map { options.keepsStart ? $0.origin + ($0.part?.start ?? $0.start) : .zero }
        start = (first ?? .zero) - (kept ?? .zero)
        sourceIdentity = source.flatMap { LocalFile($0.input)?.identity }
        encoder = try PictureEncoder(named: pattern.encoder, stream: stream, options: options, at: location)
        fixedNotes = encoder.notes
        fixedNotes += SourceLosses(imagesNamed: "an image sequence").notes(stream, source)
        try requireNoLoss()
        for path in [pattern.path(1), timesPath] { try refuseExisting(path) }
        // Existing images with other numbers would be mistaken for part of this sequence, or block it hours later.
        let folder = LocalFile.directory(of: output)
        let names = LocalFile.names(in: folder) ?? []
        for name in names.sorted() where pattern.matches(name) {
            try refuseExisting(folder == "." ? name : "\(folder)/\(name)")
        }
    }

    private func requireNoLoss() throws(FrameError) {
        if options.failsOnLoss, let loss = notes.first(where: \.isLoss) { throw loss.refusal(of: output) }
    }

    deinit { cancel() }

    func write(_ frame: Frame) throws {
        guard !isDone else { throw FrameError(.output, "the output is already finished", at: .init(file: output)) }
        let path = pattern.path(files.count + 1)
        do throws(FrameError) {
            try refuseExisting(path)
            if lock == nil { lock = try OutputLock(file: OutputTarget.part(of: timesPath), output: output) }
            messages.take(frame.sideData, at: 0)
            let bytes = try encoder.bytes(of: frame)
            files.append((path, frame.presentationTime - start, frame.duration))
            try writeBytes(bytes, to: OutputTarget.part(of: path), output)
        } catch {
            cancel()
            throw error
        }
    }

    func finish() throws {
        guard !isDone else { return }
        do throws(FrameError) {
            try requireNoLoss()
            guard !files.isEmpty else {
                throw FrameError(.output, "no frames were written", at: .init(file: output))
            }
            try writeBytes(Array(timesText.utf8), to: OutputTarget.part(of: timesPath), output)
            var added: [String] = []
            for path in files.map(\.path) + [timesPath] {
                let isNew = LocalFile(path) == nil
                let part = OutputTarget.part(of: path)
                if let cause = giveName(from: part, to: path, overwrites: options.overwrites) {
                    for path in added { unlink(path) }
                    throw FrameError(
                        .output, "a finished image cannot be renamed to its final name", at: .init(file: path),
                        cause: cause)
                }
                if isNew { added.append(path) }
            }
            isDone = true
            lock = nil
        } catch {
            cancel()
            throw error
        }
    }

    func cancel() {
        guard !isDone else { return }
        isDone = true
        // Without the lock, this run has written nothing, and any files there belong to another run.
        guard lock != nil else { return }
        defer { lock = nil }
        for path in files.map(\.path) + [timesPath] { unlink(OutputTarget.part(of: path)) }
    }

    private var timesPath: String {
        let directory = LocalFile.directory(of: output)
        return directory == "." ? "times.json" : "\(directory)/times.json"
    }

    /// The contents of `times.json`: times and durations as fractions (value over timescale) in seconds.
    private var timesText: String {
        let entries = files.map { file in
            let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
            let escaped = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            let duration = file.duration.map { ", \"duration\": \(Self.text($0))" } ?? ""
            return "    {\"file\": \"\(escaped)\", \"time\": \(Self.text(file.time))\(duration)}"
        }
        return "{\n  \"version\": 1,\n  \"frames\": [\n" + entries.joined(separator: ",\n") + "\n  ]\n}\n"
    }

    private static func text(_ time: MediaTime) -> String {
        let time = time.reduced
        return "{\"value\": \(time.value), \"timescale\": \(time.timescale)}"
    }

    private func refuseExisting(_ path: String) throws(FrameError) {
        guard let existing = LocalFile(path) else { return }
        let location = FrameError.Location(file: path)
        if existing.identity == sourceIdentity {
            throw FrameError(.output, "the output is the input itself; give it another name", at: location)
        }
        if !options.overwrites {
            throw FrameError(.output, "the output already exists; --overwrite replaces it", at: location)
        }
    }
}
