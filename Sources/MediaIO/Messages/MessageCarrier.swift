import CLibAV
import FrameCore

/// A codec whose packets can hold messages, and how they do.
enum MessageCarrier {
    case h264, hevc, av1

    init?(_ codec: AVCodecID) {
        switch codec {
        case AV_CODEC_ID_H264: self = .h264
        case AV_CODEC_ID_HEVC: self = .hevc
        case AV_CODEC_ID_AV1: self = .av1
        default: return nil
        }
    }

    /// Whether the codec has messages that begin with a UUID.
    var holdsUnregistered: Bool { self != .av1 }

    /// Inserts messages before the picture of a packet as encoders return it: with start codes, or as a temporal unit.
    func insert(_ messages: [PictureMessage], into packet: UnsafeMutablePointer<AVPacket>) throws(FrameError) {
        let unit = UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
        guard let place = self == .av1 ? Self.shownFrame(of: unit) : firstSlice(of: unit) else { return }
        let bytes = messages.flatMap(self.bytes)
        guard !bytes.isEmpty else { return }
        let rest = unit.count - place
        try check(av_grow_packet(packet, Int32(clamping: bytes.count)), .allocation, "no memory for a packet")
        guard let data = packet.pointee.data else { return }
        memmove(data + place + bytes.count, data + place, rest)
        (data + place).update(from: bytes, count: bytes.count)
    }

    /// Returns a message in the form of the codec.
    func bytes(of message: PictureMessage) -> [UInt8] {
        switch (self, message) {
        case (.av1, .registered(let content)): Self.metadataOBU(content)
        case (.av1, .unregistered): []
        case (.h264, _): Self.networkUnit([0x06], message)
        case (.hevc, _): Self.networkUnit([39 << 1, 1], message)
        }
    }

    /// An SEI message in a NAL unit of its own.
    private static func networkUnit(_ head: [UInt8], _ message: PictureMessage) -> [UInt8] {
        let (type, content): (UInt8, [UInt8]) =
            switch message {
            case .registered(let content): (4, content)
            case .unregistered(let content): (5, content)
            }
        let size = [UInt8](repeating: 255, count: content.count / 255) + [UInt8(content.count % 255)]
        var bytes: [UInt8] = [0, 0, 0, 1] + head, zeros = 0
        for byte in [type] + size + content + [0x80] {
            // Three bytes that look like a start code are kept apart.
            if zeros >= 2, byte <= 3 {
                bytes.append(3)
                zeros = 0
            }
            bytes.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return bytes
    }

    private static func metadataOBU(_ content: [UInt8]) -> [UInt8] {
        // Metadata type 4 is a message of T.35; a stop bit follows.
        let payload = [4] + content + [0x80]
        var size: [UInt8] = [], rest = payload.count
        repeat {
            size.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        return [5 << 3 | 2] + size + payload
    }

    /// Returns the offset of the start code of the first slice; nil if there is none.
    private func firstSlice(of unit: UnsafeBufferPointer<UInt8>) -> Int? {
        var place = 0
        while place + 3 < unit.count {
            guard unit[place] == 0, unit[place + 1] == 0, unit[place + 2] == 1 else {
                place += 1
                continue
            }
            let byte = unit[place + 3]
            let isSlice = self == .h264 ? (1...5).contains(byte & 31) : byte >> 1 & 63 < 32
            if isSlice { return place > 0 && unit[place - 1] == 0 ? place - 1 : place }
            place += 4
        }
        return nil
    }

    /// Whether a temporal unit of AV1 shows a frame that was decoded earlier, and has no picture of its own.
    func showsEarlierFrame(_ packet: UnsafePointer<AVPacket>) -> Bool {
        guard self == .av1 else { return false }
        let unit = UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
        var isEarlier = false
        OBU.forEach(in: unit) { type, _, payload in
            guard type == .frameHeader || type == .frame, let first = unit[payload].first else { return }
            // The first bit of the header is show_existing_frame.
            isEarlier = type == .frameHeader && first & 0x80 != 0
        }
        return isEarlier
    }

    /// Returns the offset of the last frame header, which is that of the frame that a temporal unit shows; nil if there
    /// is none. Frames before it are not shown, so their messages would come with a later picture.
    private static func shownFrame(of unit: UnsafeBufferPointer<UInt8>) -> Int? {
        var found: Int?
        OBU.forEach(in: unit) { type, start, _ in if type == .frameHeader || type == .frame { found = start } }
        return found
    }
}
