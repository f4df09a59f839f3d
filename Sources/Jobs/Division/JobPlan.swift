internal import Foundation
package import FrameCore
internal import Glibc
package import Imaging
package import Pipeline

/// The plan of a job that is divided among machines, stored as versioned JSON in a folder.
package struct JobPlan: Sendable, Hashable, Codable {
    /// The format version that is written and read.
    package static let version = 9
    static let maximumBytes = 256 << 20
    static let fileName = "plan.json"

    /// What the survey of the source has found.
    package struct Source: Sendable, Hashable, Codable {
        /// The number of frames from the first segment on.
        package var frames: Int
        /// Whether the frames were decoded for the plan; otherwise they are what the packets describe.
        package var isDecoded: Bool
        /// The spans between discontinuities of the timestamps.
        package var spans: [SourcePosition.Span]
        /// What was lost or repaired, as sentences.
        package var damage: [String]
        /// The number of packets or frames lost.
        package var lostUnits: Int
        /// The number of the reset point at which the first segment begins; above 0 for a part of a clip.
        package var firstResetPoint: Int
        /// Where each segment can begin to read, by the number of the segment; nil where reading cannot safely begin.
        package var starts: [SourceCheckpoint?]
    }

    /// How the tasks are run; the result does not depend on it.
    package struct Run: Sendable, Hashable, Codable {
        /// The number of threads for which each task is scheduled.
        package var threads: Int
        /// Whether that number was chosen, not taken from the machine that made the plan.
        package var choosesThreads: Bool
        /// Whether existing outputs are replaced.
        package var overwrites: Bool

        package init(threads: Int, choosesThreads: Bool = false, overwrites: Bool = false) {
            self.threads = threads
            self.choosesThreads = choosesThreads
            self.overwrites = overwrites
        }
    }

    /// The times of the output's frames.
    package struct Clock: Sendable, Hashable, Codable {
        /// The time of the first frame, before the offset.
        package var first: MediaTime
        /// The offset added to the times of all frames.
        package var shift: MediaTime
    }

    /// The film grain measured in the clip, or in the part that the job makes.
    package struct Grain: Sendable, Hashable, Codable {
        /// The text of the grain table.
        package var table: String
        /// The time from which the times of the table count.
        package var origin: MediaTime
    }

    package var version = Self.version
    /// The job, with absolute paths; cuts that a file has listed are frames.
    package var conversion: Conversion
    package var run: Run
    /// The identity of the input.
    package var identity: InputIdentity
    /// Everything else that the result depends on.
    package var settings: [CheckpointSetting]
    package var source: Source
    package var clock: Clock
    /// The film grain that the encoders store or that is written to a file; nil for none.
    package var grain: Grain?
    /// How the source was compressed; nil if the effects do not depend on it.
    package var compression: SourceCompression?
    /// The fields of the source; nil if they do not matter.
    package var fields: FieldStructure?
    /// How often the source shows a new picture; nil if that does not matter.
    package var pictures: PictureRate?
    /// Identifies the plan: a hash over everything else.
    package private(set) var identifier = ""

    package init(
        _ conversion: Conversion, run: Run, identity: InputIdentity, settings: [CheckpointSetting],
        survey: SourceSurvey, spans: [SourcePosition.Span],
        firstOutputTime: MediaTime, shift: MediaTime, measurements: JobMeasurements = JobMeasurements(),
        firstResetPoint: Int = 0
    ) throws {
        self.conversion = conversion
        self.run = run
        self.identity = identity
        self.settings = settings
        let frames = survey.frames - ResetSchedule.frame(of: firstResetPoint)
        source = Source(
            frames: frames, isDecoded: survey.isDecoded, spans: spans, damage: survey.damage.notes,
            lostUnits: survey.damage.lostUnits, firstResetPoint: firstResetPoint,
            starts: (0..<ResetSchedule.segmentCount(ofFrames: frames)).map { survey.checkpoints[firstResetPoint + $0] })
        compression = measurements.compression
        fields = measurements.fields
        pictures = measurements.pictures
        grain = measurements.grain.map { Grain(table: $0.text, origin: $0.origin) }
        // The same as a writer does.
        clock = Clock(
            first: firstOutputTime, shift: firstOutputTime + shift < .zero ? .zero - firstOutputTime : shift)
        identifier = try computedIdentifier
    }

    /// The absolute path or the address of the input.
    package var input: String { conversion.input.file }
    /// The absolute path of the output.
    package var output: String { conversion.output.file }
    /// Whether workers keep frames for thumbnails and a storyboard.
    package var keepsFrames: Bool { !ExtraOutputs(conversion.extras).isEmpty }

    /// What has been measured in the input.
    package var measurements: JobMeasurements {
        JobMeasurements(compression: compression, grain: grainTable, fields: fields, pictures: pictures)
    }

    /// The number of segments.
    package var segmentCount: Int { source.starts.count }

    /// The number of source frames in a segment.
    package func frames(of segment: Int) -> Int {
        ResetSchedule.frameCount(of: segment, ofFrames: source.frames)
    }

    /// The table of ``grain``; nil for none.
    package var grainTable: FilmGrainTable? {
        grain.flatMap { grain in
            var table = try? FilmGrainTable(text: grain.table)
            table?.origin = grain.origin
            return table
        }
    }

    /// The damage of the source that is known beforehand.
    package var damage: DamageReport {
        var damage = DamageReport()
        for note in source.damage { damage.note(note) }
        damage.lostUnits = source.lostUnits
        return damage
    }

    private var computedIdentifier: String {
        get throws {
            var plain = self
            plain.identifier = ""
            return stableHash(of: String(decoding: try plain.json, as: UTF8.self))
        }
    }

    private var json: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try Array(encoder.encode(self)) + [10]
        }
    }

    /// Writes the plan to a folder, which is created if needed.
    ///
    /// - Throws: `FrameError` if the folder holds another plan or cannot be written to.
    package func write(to folder: String) throws {
        let place = folder + "/" + Self.fileName
        do {
            try LocalFile.makeDirectory(folder)
        } catch {
            throw FrameError(
                .output, "the folder for the plan cannot be created", at: .init(file: folder), cause: error)
        }
        guard access(place, F_OK) != 0 else {
            throw FrameError(
                .output, "the folder already holds a plan; remove it or name another folder", at: .init(file: folder))
        }
        try CheckpointFiles.write(json, to: place, worker: SegmentResults.worker)
    }

    /// Reads the plan of a folder.
    ///
    /// - Throws: `FrameError` that states what is wrong with it.
    package static func read(from folder: String) throws(FrameError) -> JobPlan {
        let place = folder + "/" + fileName
        let location = FrameError.Location(file: place)
        guard access(place, F_OK) == 0 else {
            throw FrameError(
                .input, "there is no plan in the folder; vfx enhance … --plan makes one", at: .init(file: folder))
        }
        guard let bytes = LocalFile.read(place, atMost: maximumBytes) else {
            throw FrameError(.input, "the plan cannot be read", at: location)
        }
        struct VersionOnly: Decodable { var version: Int }
        guard let found = try? JSONDecoder().decode(VersionOnly.self, from: Data(bytes)).version else {
            throw FrameError(.input, "the plan is damaged", at: location)
        }
        guard found == version else {
            throw FrameError(
                .input,
                "the plan has version \(found); this program reads version \(version), so make the plan again in another folder",
                at: location)
        }
        guard let plan = try? JSONDecoder().decode(JobPlan.self, from: Data(bytes)),
            (try? plan.computedIdentifier) == plan.identifier, plan.isConsistent
        else { throw FrameError(.input, "the plan is damaged", at: location) }
        return plan
    }

    private var isConsistent: Bool {
        guard (1...1 << 40).contains(source.frames), source.starts.allSatisfy({ $0?.isPlausible ?? true }) else {
            return false
        }
        return source.starts.count == ResetSchedule.segmentCount(ofFrames: source.frames)
            && (1...1024).contains(run.threads)
            && (0...1 << 31).contains(source.firstResetPoint) && clock.shift >= .zero
            && (grain == nil) == (grainTable == nil)
            && (compression?.isPlausible ?? true)
            && !input.isEmpty && output.hasPrefix("/")
    }

    /// Checks that the input and everything else is what the plan was made for.
    ///
    /// - Parameters:
    ///   - input: the identity of the input that would be read.
    ///   - isElsewhere: whether the input is a copy, which may have another modification time.
    ///   - settings: the settings and environment of this process.
    ///   - file: the input's name for the error.
    /// - Throws: `FrameError` that names the difference.
    package func check(
        input: InputIdentity, isElsewhere: Bool, settings: [CheckpointSetting], file: String
    ) throws(FrameError) {
        var known = identity
        if isElsewhere { known.forgetTime(like: input) }
        if let obstacle = input.difference(from: known) {
            throw FrameError(
                .invalidArgument, "this is not the source that the plan was made from: \(obstacle)",
                at: .init(file: file))
        }
        if let obstacle = settings.difference(from: self.settings) {
            throw FrameError(
                .invalidArgument,
                "this program or machine would not make the segments of the plan: \(obstacle)")
        }
    }

    /// The records of the segments in the job's folder.
    package func results(in folder: String) -> SegmentResults {
        SegmentResults(path: folder, plan: identifier, keepsFrames: keepsFrames)
    }
}
