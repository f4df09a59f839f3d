import CLibAV
import FrameCore
import Imaging

/// The one place that decides which color properties an output can signal.
extension MediaWriterSetup {
    /// Codecs whose streams state matrix, primaries, transfer and range themselves, in every container.
    private static let statingColor: Set<UInt32> = Set(
        [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1].map(\.rawValue))

    /// Adapts an encoder's input to what the output can signal.
    ///
    /// - Returns: the choice with its demands, and a note for each property that is converted or lost.
    /// - Throws: `FrameError` if the container cannot store the pixel format.
    func fitted(_ choice: EncoderChoice) throws(FrameError) -> (EncoderChoice, notes: [Note]) {
        let codec = choice.encoder.pointee.id
        // Muxers without a file of their own pass frames on, so there is nothing to read back.
        let isIndirect = format.pointer.pointee.flags & AVFMT_NOFILE != 0
        guard !Self.statingColor.contains(codec.rawValue), !isIndirect else { return (choice, []) }
        let isRaw = codec == AV_CODEC_ID_RAWVIDEO || codec == AV_CODEC_ID_WRAPPED_AVFRAME
        if isRaw {
            guard let (choice, shown) = try held(choice) else { throw unsupported(choice) }
            return fitted(choice, shown: shown)
        }
        guard case .found(let found, _, let color) = try ContainerProbe(choice, in: self) else {
            return fitted(choice, shown: .unspecified)
        }
        guard found == codec else { throw unsupported(choice) }
        return fitted(choice, shown: color)
    }

    /// Returns how uncompressed frames are stored so that readers find their pixel format, and the color tags that
    /// readers find; nil when the container has no name for the pixel format.
    private func held(_ choice: EncoderChoice) throws(FrameError) -> (EncoderChoice, ColorDescription)? {
        for leavesTag in [false, true] {
            var choice = choice
            choice.leavesTag = leavesTag
            switch try ContainerProbe(choice, in: self) {
            case .found(_, let found, let color):
                if Self.haveSameLayout(found, choice.pixelFormat) { return (choice, color) }
            case .unreadable: return (choice, .unspecified)
            case .rejected: break
            }
        }
        return nil
    }

    func fitted(_ choice: EncoderChoice, shown: ColorDescription) -> (EncoderChoice, notes: [Note]) {
        var choice = choice
        let isRGB = choice.demands.matrix == .identity
        // Readers differ about gray frames without a stated range, so these stay as they are.
        let isGray = choice.samples?.subsampling == .monochrome
        let hasOpenRange = isRGB || isGray && shown.range == .unspecified
        let meant = choice.demands.tags(of: stream.color).resolved(height: stream.height)
        let statesMatrix = shown.matrix != .unspecified
        var shown = shown.resolved(height: stream.height)
        // Some players, such as those built on libswscale, take all untagged video as BT.601.
        let isGuessedRight = LumaCoefficients(shown.matrix) == LumaCoefficients(meant.matrix)
        if !statesMatrix, stream.color.matrix != .unspecified, isGuessedRight, !format.isY4M {
            shown.matrix = .smpte170M
        }
        var notes: [Note] = []
        if !hasOpenRange, shown.range != meant.range {
            choice.demands.range = shown.range
            let (from, to) = shown.range == .full ? ("video", "full") : ("full", "video")
            let sentence =
                "\(choice.codecName) in \(format.name) cannot be marked as \(from) range, so the frames are converted to \(to) range"
            notes.append(Note("range-converted", sentence))
        }
        if let lost = lostTags(meant, shown, hasMatrix: !isRGB && !isGray, codec: choice.codecName) {
            notes.append(.loss("color-tags-dropped", lost))
        }
        return (choice, notes)
    }

    /// Returns a sentence that names the color tags that players will get wrong; nil when there are none.
    private func lostTags(
        _ meant: ColorDescription, _ shown: ColorDescription, hasMatrix: Bool, codec: String
    ) -> String? {
        let (names, assumed) = (meant.names, shown.names)
        var lost: [String] = []
        let matrix = LumaCoefficients(meant.matrix)
        if hasMatrix, matrix != LumaCoefficients(shown.matrix) {
            lost.append("matrix \(names.matrix) (players may assume \(assumed.matrix))")
        }
        if !meant.primaries.isShownLike(shown.primaries) {
            lost.append("primaries \(names.primaries) (players may assume \(assumed.primaries))")
        }
        if !meant.transfer.isShownLike(shown.transfer) {
            lost.append("transfer \(names.transfer) (players may assume \(assumed.transfer))")
        }
        guard !lost.isEmpty else { return nil }
        return "\(codec) in \(format.name) cannot store these color tags: " + lost.joined(separator: ", ")
    }

    private func unsupported(_ choice: EncoderChoice) -> FrameError {
        let name = String(c: av_get_pix_fmt_name(choice.pixelFormat)), codec = choice.codecName
        let held = heldFormats(choice)
        let allowed =
            held.isEmpty ? "" : "; it holds \(held.joined(separator: ", ")), which --pixel-format selects"
        return FrameError(
            .unsupportedFormat, "\(format.name) cannot hold \(codec) frames in \(name)\(allowed)",
            at: .init(file: target.output))
    }

    /// Names of the pixel formats in which the container holds the codec's frames.
    private func heldFormats(_ choice: EncoderChoice) -> [String] {
        var held: [String] = [], next = av_pix_fmt_desc_next(nil)
        while let descriptor = next {
            next = av_pix_fmt_desc_next(descriptor)
            let candidate = av_pix_fmt_desc_get_id(descriptor)
            guard let layout = PixelFormatDescription(candidate), stream.format.hasAlpha || !layout.hasAlpha,
                !layout.name.hasPrefix("yuvj"),
                sws_isSupportedOutput(candidate) > 0
            else { continue }
            let other = EncoderChoice(
                encoder: choice.encoder, pixelFormat: candidate, note: nil, cost: 0, for: stream)
            if (try? self.held(other)) != nil { held.append(layout.name) }
        }
        return held
    }

    /// Whether two pixel formats differ at most in the deprecated way of saying full range (yuvj…).
    private static func haveSameLayout(_ a: AVPixelFormat, _ b: AVPixelFormat) -> Bool {
        if a == b { return true }
        guard let one = PixelFormat(planesOf: a), let other = PixelFormat(planesOf: b) else { return false }
        return one == other
    }
}

extension ColorPrimaries {
    /// Whether players show both alike: the differences between the primaries of SDTV and HDTV are small.
    fileprivate func isShownLike(_ other: Self) -> Bool {
        let usual: Set<Self> = [.bt709, .bt470BG, .smpte170M, .smpte240M, .unspecified]
        return self == other || (usual.contains(self) && usual.contains(other))
    }
}

extension TransferCharacteristics {
    /// Whether players show both alike: the functions of BT.601, BT.709 and BT.2020 are the same, and those of sRGB and
    /// of gamma 2.2 are shown like them.
    fileprivate func isShownLike(_ other: Self) -> Bool {
        let usual: Set<Self> = [
            .bt709, .smpte170M, .smpte240M, .sRGB, .bt2020TenBit, .bt2020TwelveBit, .gamma22, .unspecified,
        ]
        return self == other || (usual.contains(self) && usual.contains(other))
    }
}
