/// What a run must know about the source before a reset point in order to begin shortly before it, with the same result
/// as a run that has read everything before.
public struct SourceCheckpoint: Sendable, Hashable, Codable {
    /// The maximum size of a stored checkpoint in bytes.
    package static let maximumBytes = 64 << 20

    /// A scene cut that was found so far.
    package struct Cut: Sendable, Hashable, Codable {
        /// The index of the first frame after the cut.
        package var frame: Int
        /// The time of that frame.
        package var time: MediaTime

        package init(frame: Int, time: MediaTime) {
            self.frame = frame
            self.time = time
        }
    }

    /// The index of the frame with which reading begins.
    public package(set) var frame: Int
    /// The presentation time of that frame.
    package var time: MediaTime
    /// The presentation time of the clip's first frame.
    package var firstTime: MediaTime
    /// The place of the frame in the input.
    public package(set) var position: SourcePosition
    /// The checksums of the samples of the frames from there to the reset point.
    package var checksums: [UInt32]
    /// The cuts found so far.
    package var cuts: [Cut]
    /// The number of frames so far that repeat the one before.
    package var duplicates: Int
    /// The state of the search for cuts.
    package var search: [UInt8] {
        get { storedSearch.bytes }
        set { storedSearch = HexadecimalBytes(bytes: newValue) }
    }
    private var storedSearch: HexadecimalBytes

    package init(
        frame: Int, time: MediaTime, firstTime: MediaTime, position: SourcePosition, cuts: [Cut], duplicates: Int,
        search: [UInt8]
    ) {
        self.frame = frame
        self.time = time
        self.firstTime = firstTime
        self.position = position
        checksums = []
        self.cuts = cuts
        self.duplicates = duplicates
        storedSearch = HexadecimalBytes(bytes: search)
    }

    /// Whether the numbers can be those of a video, however the checkpoint has come about.
    package var isPlausible: Bool {
        let frames = 0...1 << 40
        return frame > 0 && frames.contains(frame) && frames.contains(duplicates)
            && cuts.allSatisfy { frames.contains($0.frame) }
    }

    /// The number of the first reset point after ``frame``.
    package var resetPoint: Int { ResetSchedule.segment(of: frame) + 1 }
}

/// Keeps the checkpoints of a source while it is being read.
public protocol SourceCheckpointStore: AnyObject, Sendable {
    /// Keeps a checkpoint. One that cannot be kept is left out: a later run then reads more of the source.
    func keep(_ checkpoint: SourceCheckpoint)
}

/// Bytes that are coded as text, which is much shorter in JSON than a list of numbers.
private struct HexadecimalBytes: Sendable, Hashable, Codable {
    var bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let digits = Array(try container.decode(String.self).utf8)
        let values = digits.map { Character(Unicode.Scalar($0)).hexDigitValue ?? -1 }
        guard digits.count.isMultiple(of: 2), !values.contains(-1) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "the bytes are not pairs of hexadecimal digits")
        }
        bytes = (0..<values.count / 2).map { UInt8(values[2 * $0] * 16 + values[2 * $0 + 1]) }
    }

    func encode(to encoder: any Encoder) throws {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: text, as: UTF8.self))
    }
}
