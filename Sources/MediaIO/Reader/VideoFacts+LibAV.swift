import CLibAV
public import FrameCore

extension VideoFacts {
    init(_ stream: UnsafeMutablePointer<AVStream>) {
        let parameters = stream.pointee.codecpar?.pointee ?? AVCodecParameters()
        let aspect =
            Rational(stream.pointee.sample_aspect_ratio) ?? Rational(parameters.sample_aspect_ratio)
        let color = ColorDescription(parameters)
        self.init(
            width: Int(parameters.width), height: Int(parameters.height), sampleAspectRatio: aspect?.reduced,
            averageFrameRate: Self.rate(stream.pointee.avg_frame_rate),
            nominalFrameRate: Self.rate(stream.pointee.r_frame_rate),
            fieldOrder: FieldOrder(parameters.field_order), color: color, orientation: Orientation(stream),
            dynamicRange: DynamicRangeFacts(
                color, StreamSideData.read(stream, firstFrame: SideData()),
                dolbyVision: StreamSideData.bytes(of: stream, AV_PKT_DATA_DOVI_CONF)))
        setFormat(AVPixelFormat(rawValue: parameters.format))
    }

    /// Adds what the first decoded picture says; it knows better than the head.
    mutating func complete(_ picture: AVFrame, _ frame: Frame, _ sideData: SideData) {
        (width, height) = (Int(picture.width), Int(picture.height))
        sampleAspectRatio = frame.sampleAspectRatio
        setFormat(AVPixelFormat(rawValue: picture.format))
        // The importer's tags are those of what was made of RGB.
        if subsampling != "rgb" { color = frame.color }
        var copy = picture
        if frame.isInterlaced {
            fieldOrder = vfx_frame_is_top_field_first(&copy) != 0 ? .topFirst : .bottomFirst
        } else {
            fieldOrder = .progressive
        }
        let dolbyVision = dynamicRange.dolbyVisionProfile
        dynamicRange = DynamicRangeFacts(color, sideData, dolbyVision: nil)
        dynamicRange.dolbyVisionProfile = dolbyVision
        dynamicRange.hasHDR10Plus = frame.sideData[AV_FRAME_DATA_DYNAMIC_HDR_PLUS.rawValue] != nil
    }

    /// nil for what is no rate: libavformat gives the clock's tick where it has found none.
    private static func rate(_ q: AVRational) -> Rational? {
        Rational(q).flatMap { $0.doubleValue < 1000 ? $0.reduced : nil }
    }

    private mutating func setFormat(_ format: AVPixelFormat) {
        guard let layout = PixelLayoutOf(format) else { return }
        pixelFormat = layout.name
        bitDepth = layout.depth
        subsampling = layout.subsamplingName
    }
}

extension PixelLayoutOf {
    /// `4:2:0` and the like, `rgb` for what is not YCbCr.
    var subsamplingName: String {
        if isRGB { return "rgb" }
        guard let shifts = chromaShifts else { return "4:0:0" }
        switch shifts {
        case (0, 0): return "4:4:4"
        case (1, 0): return "4:2:2"
        case (1, 1): return "4:2:0"
        case (0, 1): return "4:4:0"
        case (2, 0): return "4:1:1"
        case (2, 2): return "4:1:0"
        default: return "\(1 << shifts.width)x\(1 << shifts.height)"
        }
    }
}

extension VideoFacts.FieldOrder {
    /// By which field is shown first; nil when not known.
    init?(_ order: AVFieldOrder) {
        switch order {
        case AV_FIELD_PROGRESSIVE: self = .progressive
        case AV_FIELD_TT, AV_FIELD_BT: self = .topFirst
        case AV_FIELD_BB, AV_FIELD_TB: self = .bottomFirst
        default: return nil
        }
    }
}

extension VideoFacts.Orientation {
    init(_ stream: UnsafeMutablePointer<AVStream>) {
        guard let matrix = StreamSideData.displayMatrix(stream) else {
            self.init()
            return
        }
        self.init(matrix: matrix)
    }

    /// - Parameter matrix: nine numbers of ISO/IEC 14496-12; one that flattens the picture counts as no turn at all.
    init(matrix: [Int32]) {
        self.init()
        guard matrix.count >= 9 else { return }
        var turned = matrix
        let determinant = Int64(matrix[0]) * Int64(matrix[4]) - Int64(matrix[1]) * Int64(matrix[3])
        isMirrored = determinant < 0
        // A mirrored matrix is a turn followed by a mirror; what is left without the mirror is the turn.
        if isMirrored { for index in [0, 3, 6] { turned[index] = 0 &- turned[index] } }
        let degrees = av_display_rotation_get(turned)
        guard determinant != 0, degrees.isFinite else { return }
        // libav counts counterclockwise.
        rotation = ((Int((-degrees).rounded()) % 360) + 360) % 360
    }
}

extension ColorDescription {
    init(_ parameters: AVCodecParameters) {
        self.init(
            matrix: MatrixCoefficients(rawValue: UInt8(truncatingIfNeeded: parameters.color_space.rawValue)),
            primaries: ColorPrimaries(rawValue: UInt8(truncatingIfNeeded: parameters.color_primaries.rawValue)),
            transfer: TransferCharacteristics(rawValue: UInt8(truncatingIfNeeded: parameters.color_trc.rawValue)),
            range: Range(parameters.color_range),
            chromaLocation: ChromaLocation(parameters.chroma_location))
        let name = String(c: av_get_pix_fmt_name(AVPixelFormat(rawValue: parameters.format)))
        if name.hasPrefix("yuvj") { range = .full }
    }
}

extension ColorDescription {
    /// libavutil's names of matrix, primaries and transfer, `unspecified` for 2; the number where it knows none.
    public var names: (matrix: String, primaries: String, transfer: String) {
        func name(_ code: UInt8, _ text: UnsafePointer<CChar>?) -> String {
            code == 2 ? "unspecified" : text.map { String(c: $0) } ?? String(code)
        }
        return (
            name(matrix.rawValue, av_color_space_name(AVColorSpace(rawValue: UInt32(matrix.rawValue)))),
            name(primaries.rawValue, av_color_primaries_name(AVColorPrimaries(rawValue: UInt32(primaries.rawValue)))),
            name(
                transfer.rawValue,
                av_color_transfer_name(AVColorTransferCharacteristic(rawValue: UInt32(transfer.rawValue))))
        )
    }
}

extension DynamicRangeFacts {
    /// - Parameters:
    ///   - sideData: of the stream.
    ///   - dolbyVision: libav's configuration record, when the stream has one.
    init(_ color: ColorDescription, _ sideData: SideData, dolbyVision: [UInt8]?) {
        let metadata = HDRMetadata(sideData)
        let isMastered = metadata.mastering != nil || metadata.lightLevel != nil
        let kind: Kind =
            switch color.transfer {
            case .pq: isMastered ? .hdr10 : .pq
            case .hlg: .hlg
            default: .standard
            }
        // The profile is the third byte of the record.
        self.init(
            kind: kind, dolbyVisionProfile: dolbyVision.flatMap { $0.count > 2 ? Int($0[2]) : nil },
            hasHDR10Plus: false, masteringDisplay: metadata.mastering.map(MasteringDisplay.init),
            contentLight: metadata.lightLevel.map {
                ContentLight(maximum: Int($0.maximum), frameAverage: Int($0.average))
            })
    }
}

extension DynamicRangeFacts.MasteringDisplay {
    init(_ metadata: AVMasteringDisplayMetadata) {
        func point(_ pair: (AVRational, AVRational)) -> Point {
            metadata.has_primaries != 0 ? Point(x: av_q2d(pair.0), y: av_q2d(pair.1)) : Point(x: 0, y: 0)
        }
        let primaries = metadata.display_primaries
        let isLit = metadata.has_luminance != 0
        self.init(
            red: point(primaries.0), green: point(primaries.1), blue: point(primaries.2),
            whitePoint: point(metadata.white_point), minimumLuminance: isLit ? av_q2d(metadata.min_luminance) : nil,
            maximumLuminance: isLit ? av_q2d(metadata.max_luminance) : nil)
    }
}
