import CLibAV
import FrameCore

/// Writes the side data of frames that libav's encoders do not write, as messages in the packets, and notes what cannot
/// be written: nothing that rides on a frame is lost without a note.
struct PictureMessages {
    private let encoder: String
    /// Whether the container stores the time code of the first frame.
    private let keepsTimeCode: Bool
    private let carrier: MessageCarrier?
    private var captions = CaptionQueue()
    /// The messages of the frames whose packets have not come yet, by presentation time.
    private var waiting: [Int64: [PictureMessage]] = [:]
    /// The captions of these frames in AV1, which move on to the next packet where decoders would give them to a wrong
    /// picture.
    private var waitingCaptions: [Int64: [UInt8]] = [:]
    /// The number of frames whose packets have not come yet.
    private var framesAhead = 0
    private var isEnding = false
    private var hasFrames = false
    private var lostTriplets = 0
    private var findings: [Note] = []

    /// - Parameters:
    ///   - codec: the codec of the packets.
    ///   - encoder: the name of the encoder or format in notes.
    ///   - keepsTimeCode: whether the container stores the time code of the first frame.
    init(_ codec: AVCodecID, encoder: String, keepsTimeCode: Bool = false) {
        self.keepsTimeCode = keepsTimeCode
        carrier = MessageCarrier(codec)
        // libavcodec's name of the encoder that leaves frames as they are.
        self.encoder = encoder == "wrapped_avframe" ? "y4m" : encoder
    }

    /// What cannot be written.
    var notes: [Note] {
        guard lostTriplets > 0 else { return findings }
        return findings + [
            .loss(
                "captions-dropped",
                "\(lostTriplets) byte pairs of closed captions are left out; the frame rate is too low to carry them")
        ]
    }

    /// Returns the notes on a kind of side data that the first frame carries.
    static func notes(
        on sideData: SideData, codec: AVCodecID, encoder: String, keepsTimeCode: Bool
    ) -> [Note] {
        var messages = PictureMessages(codec, encoder: encoder, keepsTimeCode: keepsTimeCode)
        messages.take(sideData, at: 0)
        return messages.notes
    }

    /// Takes the side data of the next frame.
    ///
    /// - Parameter ticks: the presentation time of its packet.
    mutating func take(_ sideData: SideData, at ticks: Int64) {
        var messages: [PictureMessage] = [], triplets: [UInt8] = []
        for entry in sideData.entries where entry.code >= 0 {
            if entry.code == Int32(AV_FRAME_DATA_A53_CC.rawValue), carrier != nil {
                triplets += entry.bytes
            } else if let message = message(of: entry) {
                messages.append(message)
            }
        }
        hasFrames = true
        framesAhead += 1
        switch carrier {
        case nil: return
        case .av1: if !triplets.isEmpty { waitingCaptions[ticks] = triplets }
        case .h264, .hevc:
            captions.append(triplets)
            let own = captions.next()
            if !own.isEmpty { messages.append(.captions(own)) }
        }
        if !messages.isEmpty { waiting[ticks] = messages }
    }

    private mutating func message(of entry: SideData.Entry) -> PictureMessage? {
        switch AVFrameSideDataType(rawValue: UInt32(bitPattern: entry.code)) {
        case AV_FRAME_DATA_A53_CC:
            note("captions-dropped", "the closed captions")
        case AV_FRAME_DATA_DYNAMIC_HDR_PLUS:
            if carrier != nil { return .registered(entry.bytes) }
            note("hdr10-plus-dropped", "the dynamic metadata of HDR10+")
        case AV_FRAME_DATA_AFD:
            if carrier != nil { return .activeFormat(entry.bytes.first ?? 8) }
            note("active-format-dropped", "the active format description")
        case AV_FRAME_DATA_SEI_UNREGISTERED:
            if SideData.isEncoderSettings(entry.bytes) { break }
            if carrier?.holdsUnregistered == true { return .unregistered(entry.bytes) }
            note("user-data-dropped", "user data of single frames")
        case AV_FRAME_DATA_GOP_TIMECODE where keepsTimeCode || hasFrames || Self.isZeroTimeCode(entry.bytes): break
        case AV_FRAME_DATA_S12M_TIMECODE where keepsTimeCode: break
        case AV_FRAME_DATA_GOP_TIMECODE, AV_FRAME_DATA_S12M_TIMECODE:
            note("time-code-dropped", "the time code of frames")
        case let kind where SideData.keptFrameKinds.contains(kind.rawValue): break
        default: note("side-data-dropped", "the \"\(entry.kind)\"")
        }
        return nil
    }

    /// Whether the time code in the header of an MPEG-2 group of pictures is 0: most encoders count from there, which
    /// adds nothing to the times of the frames.
    ///
    /// - Parameter bytes: 25 bits as in ISO/IEC 13818-2, 6.2.2.6, in native order.
    private static func isZeroTimeCode(_ bytes: [UInt8]) -> Bool {
        let code = bytes.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        // Without the drop-frame flag and the marker bit.
        return code & 0x00FF_EFFF == 0
    }

    private mutating func note(_ code: String, _ what: String) {
        findings.appendOnce(.loss(code, "\(encoder) cannot store \(what) of the source"))
    }

    /// Inserts the messages of a packet's frame.
    mutating func insert(into packet: UnsafeMutablePointer<AVPacket>) throws(FrameError) {
        guard let carrier else { return }
        framesAhead -= 1
        var messages = waiting.removeValue(forKey: packet.pointee.pts) ?? []
        if carrier == .av1 {
            // These packets come in the order in which they are shown. Many decoders pass messages beside a frame that
            // they have decoded earlier to the next picture, which may be shown much later.
            captions.append(waitingCaptions.removeValue(forKey: packet.pointee.pts) ?? [])
            if !carrier.showsEarlierFrame(packet) || isEnding && framesAhead == 0 {
                let own = captions.next()
                if !own.isEmpty { messages.append(.captions(own)) }
            }
        }
        if !messages.isEmpty { try carrier.insert(messages, into: packet) }
    }

    /// Announces that no more frames follow.
    mutating func end() { isEnding = true }

    /// Gives up on captions that are left after the last frame.
    mutating func finish() {
        captions.finish()
        lostTriplets += captions.lost
        captions = CaptionQueue()
    }

    /// Takes over what has been found in the frames before.
    mutating func follow(_ earlier: PictureMessages) {
        (findings, lostTriplets, hasFrames) = (earlier.findings, earlier.lostTriplets, earlier.hasFrames)
    }
}
