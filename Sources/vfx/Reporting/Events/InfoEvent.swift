internal import CommandLineCore
internal import FrameCore
internal import MediaIO
internal import Pipeline

/// The properties of a file, printed by `vfx info`.
struct InfoEvent: JSONEvent {
    static let type = "info"

    /// The input, as named on the command line.
    let input: String
    /// libavformat's name of the container.
    let container: String
    /// The duration that the container states.
    let duration: MediaTime?
    /// The earliest start time of a stream.
    let startTime: MediaTime?
    /// The bit rate of the file in bits per second.
    let bitRate: Int?
    /// How often an animated image is played; 0 for endlessly, null for other files.
    let plays: Int?
    /// The index of the video stream that is read; null if there is none.
    let videoStream: Int?
    /// All streams.
    let streams: [Stream]
    /// All chapters.
    let chapters: [Chapter]
    /// The tags of the file, by name.
    let tags: NamedValues<String>
    /// The part that was examined; null for the whole clip.
    let part: Part?
    /// The result of decoding the video; null with `--fast` and without video.
    let survey: Survey?
    /// The noise; null unless it was measured.
    let noise: Noise?
    /// Notes, each with the keys of a `note`.
    let notes: [NoteEvent]
    /// What is damaged.
    let damage: Damage
    /// The exit code of the program.
    let exitCode: Int32

    init(_ result: InfoResult) {
        let info = result.info
        input = result.input
        container = info.container
        duration = info.duration
        startTime = info.startTime
        bitRate = info.bitRate
        plays = info.plays
        videoStream = info.videoStream
        streams = info.streams.map(Stream.init)
        chapters = info.chapters.map(Chapter.init)
        tags = NamedValues(info.metadata)
        part = result.part.map { Part(start: $0.start, end: $0.end, firstFrame: $0.firstFrame) }
        survey = result.analysis.map { Survey($0, result.fields, picturesPerSecond: result.picturesPerSecond) }
        noise = result.noise.map(Noise.init)
        notes = result.notes.map(NoteEvent.init)
        damage = Damage(messages: result.damage.notes, lostUnits: result.damage.lostUnits)
        exitCode = result.exitCode.rawValue
    }

    /// A part of a clip.
    struct Part: Encodable {
        /// The time at which the part starts.
        let start: MediaTime
        /// The time at which the part ends; null if that is the end of the clip.
        let end: MediaTime?
        /// The number of the first frame, counted from 0 in the clip; null if unknown.
        let firstFrame: Int?
    }

    /// Damage in a file.
    struct Damage: Encodable {
        /// What is damaged, one sentence for each kind.
        let messages: [String]
        /// The number of packets and frames that are lost.
        let lostUnits: Int
    }
}
