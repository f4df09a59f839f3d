import FrameCore

/// Data that rides with a picture in the coded stream: captions, dynamic HDR metadata, and what users add.
///
/// H.264 and HEVC store it as supplemental enhancement information (SEI), AV1 as metadata OBUs.
enum PictureMessage: Hashable {
    /// A message of ITU-T T.35, which begins with the country code.
    case registered([UInt8])
    /// A UUID and what it stands for; not in AV1.
    case unregistered([UInt8])

    /// ITU-T T.35: the United States, and the provider code of ATSC.
    private static let atsc: [UInt8] = [0xB5, 0x00, 0x31]
    /// The provider code of Samsung and the application of HDR10+.
    private static let hdr10Plus: [UInt8] = [0xB5, 0x00, 0x3C, 0x00, 0x01, 4]
    /// The provider code of Dolby and its code for the metadata of Dolby Vision.
    private static let dolbyVision: [UInt8] = [0xB5, 0x00, 0x3B, 0x00, 0x00, 0x08, 0x00]

    /// Closed captions according to ATSC A/53.
    ///
    /// - Parameter triplets: at most 31 times three bytes.
    static func captions(_ triplets: [UInt8]) -> PictureMessage {
        .registered(
            atsc + Array("GA94".utf8) + [0x03, 0xC0 | UInt8(triplets.count / 3 & 31), 0xFF] + triplets + [0xFF])
    }

    /// The active format description: which part of the picture is of interest.
    static func activeFormat(_ code: UInt8) -> PictureMessage {
        .registered(atsc + Array("DTG1".utf8) + [0x41, 0xF0 | code & 15])
    }

    /// What a message of T.35 is about.
    enum Content: Equatable {
        /// Triplets of closed captions.
        case captions([UInt8])
        /// The whole message.
        case hdr10Plus([UInt8])
        case dolbyVision
    }

    /// Reads a message of T.35; nil if it is about something else.
    static func content(of message: [UInt8]) -> Content? {
        if message.starts(with: hdr10Plus) { return .hdr10Plus(message) }
        if message.starts(with: dolbyVision) { return .dolbyVision }
        let head = atsc + Array("GA94".utf8) + [0x03]
        guard message.starts(with: head), message.count > head.count + 2, message[head.count] & 0x40 != 0 else {
            return nil
        }
        let size = 3 * Int(message[head.count] & 31), start = head.count + 2
        guard size > 0, message.count >= start + size else { return nil }
        return .captions(Array(message[start..<start + size]))
    }
}

/// A sequence of caption triplets that is divided among the pictures of another frame rate.
///
/// A picture holds up to 31 triplets of three bytes: flags and type, then two bytes. Each picture gets what came with its
/// frames. If that is too much, padding goes first, and then the rest moves on to the next picture.
struct CaptionQueue {
    /// The largest number of triplets of a picture.
    static let mostOfPicture = 31
    /// The largest number of triplets that wait: those of several seconds. More would come too late to be of use.
    static let mostWaiting = 4096

    private var waiting: ArraySlice<UInt8> = []
    /// The number of triplets that found no place.
    private(set) var lost = 0

    /// Adds the triplets of a frame.
    mutating func append(_ triplets: [UInt8]) {
        let whole = triplets.count / 3 * 3, room = max(0, 3 * Self.mostWaiting - waiting.count)
        waiting += triplets[..<min(whole, room)]
        lost += max(0, whole - room) / 3
    }

    /// Returns the triplets of the next picture.
    mutating func next() -> [UInt8] {
        if waiting.count > 3 * Self.mostOfPicture { removePadding() }
        let taken = Array(waiting.prefix(3 * Self.mostOfPicture))
        waiting = waiting.dropFirst(taken.count)
        return taken
    }

    /// Gives up on the triplets that are left after the last picture.
    mutating func finish() {
        removePadding()
        lost += waiting.count / 3
        waiting = []
    }

    private mutating func removePadding() {
        let all = Array(waiting)
        waiting = []
        for start in stride(from: 0, to: all.count, by: 3) where !Self.isPadding(all[start..<start + 3]) {
            waiting += all[start..<start + 3]
        }
    }

    /// Whether a triplet is marked as invalid, or is a pair of line 21 without characters.
    private static func isPadding(_ triplet: ArraySlice<UInt8>) -> Bool {
        let bytes = Array(triplet)
        return bytes[0] & 4 == 0 || bytes[0] & 2 == 0 && bytes[1] & 0x7F == 0 && bytes[2] & 0x7F == 0
    }
}
