import CLibAV

/// Which keyframes of a stream are points from which decoding gives the same frames as decoding from the start.
///
/// The frames shown after a keyframe may still refer to frames before it: in H.264, only an IDR picture rules that out.
struct KeyframeTrust {
    private enum Kind {
        /// Whatever the container marks as a keyframe.
        case marked
        /// Keyframes that contain a NAL unit of one of these types.
        case units(ClosedRange<UInt8>, shift: UInt8)
    }

    /// Codecs whose frames after a keyframe, in the order in which they are shown, never refer to frames before it.
    private static let selfContained: Set<UInt32> = Set(
        [
            AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4, AV_CODEC_ID_VP8, AV_CODEC_ID_VP9,
            AV_CODEC_ID_AV1, AV_CODEC_ID_FFV1, AV_CODEC_ID_MJPEG, AV_CODEC_ID_PRORES, AV_CODEC_ID_DNXHD,
            AV_CODEC_ID_HUFFYUV, AV_CODEC_ID_FFVHUFF, AV_CODEC_ID_UTVIDEO, AV_CODEC_ID_RAWVIDEO, AV_CODEC_ID_V210,
            AV_CODEC_ID_CFHD, AV_CODEC_ID_PNG, AV_CODEC_ID_JPEG2000,
        ].map(\.rawValue))

    private let kind: Kind
    /// The number of bytes of a NAL unit's length; nil where start codes separate the units.
    private let lengthSize: Int?

    /// - Returns: nil for codecs of which nothing is known.
    init?(_ parameters: AVCodecParameters) {
        let size = parameters.extradata == nil ? 0 : max(0, Int(parameters.extradata_size))
        let header = UnsafeBufferPointer(start: parameters.extradata, count: size)
        // The configuration records of mp4 and Matroska begin with 1; start codes begin with 0.
        func lengthSize(at place: Int) -> Int? {
            header.first == 1 && header.count > place ? Int(header[place] & 3) + 1 : nil
        }
        switch parameters.codec_id {
        case AV_CODEC_ID_H264: (kind, self.lengthSize) = (.units(5...5, shift: 0), lengthSize(at: 4))
        case AV_CODEC_ID_HEVC: (kind, self.lengthSize) = (.units(16...21, shift: 1), lengthSize(at: 21))
        case let id where Self.selfContained.contains(id.rawValue): (kind, self.lengthSize) = (.marked, nil)
        default: return nil
        }
    }

    /// Whether decoding may begin with a packet that is marked as a keyframe.
    func trusts(_ packet: UnsafeBufferPointer<UInt8>) -> Bool {
        guard case .units(let wanted, let shift) = kind else { return true }
        // The type is in the first byte of a unit: its low five bits, or in HEVC the six bits above the lowest.
        let mask: UInt8 = shift == 0 ? 0x1F : 0x3F
        var place = 0
        if let lengthSize {
            while place + lengthSize < packet.count {
                let length = packet[place..<place + lengthSize].reduce(0) { $0 << 8 | Int($1) }
                if wanted.contains(packet[place + lengthSize] >> shift & mask) { return true }
                place += lengthSize + length
            }
            return false
        }
        while place + 3 < packet.count {
            if packet[place] == 0, packet[place + 1] == 0, packet[place + 2] == 1,
                wanted.contains(packet[place + 3] >> shift & mask)
            {
                return true
            }
            place += 1
        }
        return false
    }
}
