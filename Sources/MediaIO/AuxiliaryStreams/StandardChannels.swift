import CLibAV

/// The channel layouts that a codec's streams state by a number, which every player knows. Encoders describe any other
/// layout in a way that many players ignore, or refuse it.
struct StandardChannels {
    /// The layout that is encoded, as a mask of libav's channels.
    let mask: UInt64
    /// Whether the channels beside the listener are encoded as those between the front ones and the centre, which is how
    /// the only layout of ALAC with eight channels has them.
    let relabelsSides: Bool

    private static let front: UInt64 = 0b11
    private static let centre: UInt64 = 0b100, bass: UInt64 = 0b1000, back: UInt64 = 0x30
    private static let nearCentre: UInt64 = 0xC0, backCentre: UInt64 = 0x100, sides: UInt64 = 0x600
    private static let usual7: UInt64 = front | centre | bass | back | sides
    /// 7.1 with two more channels at the front.
    private static let wide7: UInt64 = front | centre | bass | back | nearCentre

    private static let aac: [UInt64] = [
        centre, front, front | centre, front | centre | backCentre, front | centre | back,
        front | centre | bass | back, usual7,
    ]
    private static let vorbis: [UInt64] = [
        centre, front, front | centre, front | back, front | centre | back, front | centre | bass | back,
        front | centre | bass | sides | backCentre, usual7,
    ]

    /// Chooses the smallest standard layout that has a place for every channel of `layout`; nil if it is standard
    /// itself, if none has, or if the codec has no standard layouts.
    init?(_ codec: AVCodecID, for layout: AVChannelLayout) {
        guard layout.order == AV_CHANNEL_ORDER_NATIVE else { return nil }
        let source = layout.u.mask
        let isALAC = codec == AV_CODEC_ID_ALAC
        let layouts: [UInt64]
        switch codec {
        case AV_CODEC_ID_AAC: layouts = Self.aac
        case AV_CODEC_ID_ALAC:
            layouts =
                Self.aac + [Self.wide7, Self.front | Self.centre | Self.bass | Self.back | Self.backCentre]
        case AV_CODEC_ID_OPUS, AV_CODEC_ID_VORBIS: layouts = Self.vorbis
        default: return nil
        }
        if layouts.contains(source), !(isALAC && source == Self.usual7) { return nil }
        let fitting = layouts.filter { Self.has(placeFor: source, in: $0) }
        guard let best = fitting.min(by: { $0.nonzeroBitCount < $1.nonzeroBitCount }) else { return nil }
        relabelsSides = isALAC && best == Self.usual7
        mask = relabelsSides ? Self.wide7 : best
    }

    /// Whether no channel is lost: those at the sides may move to the back and those at the back to the sides, and the one
    /// at the back centre may be divided between two.
    private static func has(placeFor source: UInt64, in target: UInt64) -> Bool {
        var rest = source & ~target
        let movesSides = source & back == 0 && target & back == back && target & sides == 0
        if movesSides { rest &= ~sides }
        if source & sides == 0, target & sides == sides { rest &= ~back }
        // Two channels take a third only if they are not taken themselves, or if there are sides beside them.
        let isTaken = source & back != 0 || movesSides && source & sides != 0
        if target & back == back, !isTaken || target & sides == sides { rest &= ~backCentre }
        return rest == 0
    }

    /// The filters that bring 7.1 audio into the order of the encoder; nil when libav's conversion of layouts suffices.
    ///
    /// - Parameter target: libav's name of the layout that is encoded.
    func filters(to target: String) -> [String] {
        guard relabelsSides else { return [] }
        let map = ["FL", "FR", "FC", "LFE", "BL", "BR"].map { "\($0)-\($0)" } + ["SL-FLC", "SR-FRC"]
        return ["aformat=channel_layouts=7.1", "channelmap=map=\(map.joined(separator: "|")):channel_layout=\(target)"]
    }
}
