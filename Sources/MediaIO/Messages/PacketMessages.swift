import CLibAV
import FrameCore

/// Reads the messages in packets that libav's decoders do not pass on: those of AV1, of VP9 in Matroska, and HDR10+
/// in H.264.
struct PacketMessages {
    private let codec: AVCodecID
    /// The messages of the packets whose frames have not come yet, by presentation time, or by
    /// place in the file where there is none, as in AVI.
    private var waiting: [Int64: [PictureMessage.Content]] = [:]
    /// Whether there was metadata of Dolby Vision.
    private(set) var hasDolbyVision = false
    /// More than the frames that a decoder delays.
    private static let mostWaiting = 512

    /// The number of bytes that state the length of a NAL unit of H.264; 0 if units have start codes.
    private let lengthBytes: Int

    init(_ parameters: AVCodecParameters) {
        codec = parameters.codec_id
        let header = UnsafeBufferPointer(start: parameters.extradata, count: Int(parameters.extradata_size))
        lengthBytes = header.count > 6 && header[0] == 1 ? Int(header[4] & 3) + 1 : 0
    }

    /// Reads a packet that is sent to the decoder.
    mutating func take(_ packet: UnsafePointer<AVPacket>) {
        guard let key = known(packet.pointee.pts) ?? (packet.pointee.pos >= 0 ? packet.pointee.pos : nil) else {
            return
        }
        let messages: [[UInt8]]
        switch codec {
        case AV_CODEC_ID_AV1:
            messages = Self.messages(
                in: UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
        case AV_CODEC_ID_H264:
            let unit = UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
            messages = SupplementalInformation.registeredMessages(in: unit, lengthBytes: lengthBytes)
        case AV_CODEC_ID_VP9: messages = Self.blockAddition(of: packet).map { [$0] } ?? []
        default: return
        }
        var found = messages.compactMap(PictureMessage.content)
        // The decoder passes captions on itself, in the order of fields.
        if codec == AV_CODEC_ID_H264 { found.removeAll { if case .captions = $0 { true } else { false } } }
        guard !found.isEmpty else { return }
        if found.contains(.dolbyVision) { hasDolbyVision = true }
        if waiting.count >= Self.mostWaiting { waiting = [:] }
        waiting[key] = found
    }

    /// Adds the messages of the packet that a frame was decoded from.
    mutating func add(to sideData: inout SideData, of frame: UnsafePointer<AVFrame>) {
        guard let found = waiting.removeValue(forKey: known(frame.pointee.pts) ?? vfx_frame_place(frame)) else {
            return
        }
        for content in found {
            let kind: AVFrameSideDataType, bytes: [UInt8], isOne: Bool
            switch content {
            case .captions(let triplets): (kind, bytes, isOne) = (AV_FRAME_DATA_A53_CC, triplets, true)
            case .hdr10Plus(let message): (kind, bytes, isOne) = (AV_FRAME_DATA_DYNAMIC_HDR_PLUS, message, false)
            case .dolbyVision: continue
            }
            let code = Int32(kind.rawValue)
            sideData.entries.removeAll { $0.code == code }
            sideData.entries.append(
                .init(
                    kind: String(c: av_frame_side_data_name(kind)), code: code, bytes: bytes,
                    isOfThisPictureOnly: isOne))
        }
    }

    /// Drops the messages that wait, after a seek.
    mutating func flush() { waiting = [:] }

    /// The messages of T.35 in a temporal unit of AV1.
    static func messages(in unit: UnsafeBufferPointer<UInt8>) -> [[UInt8]] {
        var found: [[UInt8]] = []
        OBU.forEach(in: unit) { kind, _, range in
            guard kind == .metadata, range.count > 2, unit[range.lowerBound] == 4 else { return }
            let content = unit[range.dropFirst()]
            // The last bit that is set ends the message.
            guard let end = content.lastIndex(where: { $0 != 0 }) else { return }
            found.append(Array(content[..<end]))
        }
        return found
    }

    /// The message that Matroska stores beside a block as addition 4.
    private static func blockAddition(of packet: UnsafePointer<AVPacket>) -> [UInt8]? {
        var size = 0
        guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size), size > 8 else {
            return nil
        }
        let bytes = Array(UnsafeBufferPointer(start: data, count: size))
        guard bytes[..<8].elementsEqual([0, 0, 0, 0, 0, 0, 0, 4]) else { return nil }
        return Array(bytes[8...])
    }
}
