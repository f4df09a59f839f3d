import CLibAV
public import FrameCore

/// What is known of a stream's pictures without reading them all.
public struct VideoStreamInfo: Sendable, Hashable {
    /// How the rows of a picture were taken.
    public enum FieldOrder: String, Sendable, Hashable, Codable {
        /// All at once.
        case progressive
        /// In two fields, that of the top row first.
        case topFirst
        /// In two fields, that of the top row last.
        case bottomFirst
    }

    /// As coded, in pixels; 0 when not known.
    public var width: Int
    /// As coded, in pixels; 0 when not known.
    public var height: Int
    /// Width of a pixel over its height; nil when the source does not say.
    public var sampleAspectRatio: Rational?
    /// libavutil's name, e.g. `yuv420p10le`; nil when not known.
    public var pixelFormat: String?
    /// Bits of the deepest component.
    public var bitDepth: Int?
    /// `4:2:0` and the like, `4:0:0` for luma alone, `rgb` for what is not YCbCr.
    public var subsampling: String?
    /// Mean frames per second, by the container; below 1000, as the next.
    public var averageFrameRate: Rational?
    /// The least rate that holds all times exactly, as libavformat guesses it from the first frames.
    public var nominalFrameRate: Rational?
    /// nil when not known.
    public var fieldOrder: FieldOrder?
    /// How the code values are meant.
    public var color: ColorDescription
    /// How the container wants the picture shown.
    public var orientation: Orientation
    /// What the stream says of its brightness.
    public var dynamicRange: DynamicRangeInfo

    /// Size on a screen of square pixels, in pixels: the width scaled by the sample aspect ratio, then turned.
    public var displaySize: (width: Int, height: Int) {
        var wide = width
        if let ratio = sampleAspectRatio, ratio.isPositive {
            wide = max(1, Int((Double(width) * ratio.doubleValue).rounded()))
        }
        return orientation.swapsSides ? (height, wide) : (wide, height)
    }

    /// A turn, then maybe a mirror.
    public struct Orientation: Sendable, Hashable {
        /// Degrees clockwise by which the picture is turned for display, 0..<360.
        public var rotation: Int
        /// Whether it is mirrored left to right after the turn.
        public var isMirrored: Bool

        /// - Parameters:
        ///   - rotation: degrees clockwise, 0..<360.
        ///   - isMirrored: left to right, after the turn.
        public init(rotation: Int = 0, isMirrored: Bool = false) {
            self.rotation = rotation
            self.isMirrored = isMirrored
        }

        init(displayMatrix: [Int32]?) { (rotation, isMirrored) = PictureOrientation.turn(of: displayMatrix) }

        /// Whether width and height change places.
        public var swapsSides: Bool { rotation == 90 || rotation == 270 }
    }
}

/// How a video goes beyond ordinary brightness.
public struct DynamicRangeInfo: Sendable, Hashable {
    /// Families of transfer curves and metadata.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// An ordinary transfer curve.
        case standard
        /// Perceptual quantiser (SMPTE ST 2084) without mastering metadata.
        case pq
        /// Perceptual quantiser with mastering display or light level metadata.
        case hdr10
        /// Hybrid log-gamma.
        case hlg
    }

    /// The family.
    public var kind: Kind
    /// Profile of a Dolby Vision stream, when it is one.
    public var dolbyVisionProfile: Int?
    /// Whether the first picture carries dynamic metadata of SMPTE ST 2094-40.
    public var hasHDR10Plus: Bool
    /// The screen it was graded on, when stated.
    public var masteringDisplay: MasteringDisplay?
    /// Light levels of the content, when stated.
    public var contentLight: ContentLight?

    /// The screen a video was graded on: CIE 1931 chromaticities and luminances in cd/m².
    public struct MasteringDisplay: Sendable, Hashable {
        /// A chromaticity.
        public struct Point: Sendable, Hashable {
            /// CIE 1931 x.
            public var x: Double
            /// CIE 1931 y.
            public var y: Double
        }
        /// The red primary.
        public var red: Point
        /// The green primary.
        public var green: Point
        /// The blue primary.
        public var blue: Point
        /// The white point.
        public var whitePoint: Point
        /// nil when the stream states chromaticities alone, as are the chromaticities 0 when it states luminances alone.
        public var minimumLuminance: Double?
        /// In cd/m²; nil when the stream states chromaticities alone.
        public var maximumLuminance: Double?
    }

    /// Light levels of the content, in cd/m².
    public struct ContentLight: Sendable, Hashable {
        /// Brightest pixel of the clip (MaxCLL).
        public var maximum: Int
        /// Brightest frame average of the clip (MaxFALL).
        public var frameAverage: Int
    }
}

extension VideoStreamInfo {
    init(_ stream: UnsafeMutablePointer<AVStream>) {
        let parameters = stream.pointee.codecpar?.pointee ?? AVCodecParameters()
        let aspect =
            Rational(stream.pointee.sample_aspect_ratio) ?? Rational(parameters.sample_aspect_ratio)
        let color = ColorDescription(parameters)
        self.init(
            width: Int(parameters.width), height: Int(parameters.height), sampleAspectRatio: aspect?.reduced,
            averageFrameRate: Self.rate(stream.pointee.avg_frame_rate),
            nominalFrameRate: Self.rate(stream.pointee.r_frame_rate),
            fieldOrder: FieldOrder(parameters.field_order), color: color,
            orientation: Orientation(displayMatrix: StreamSideData.displayMatrix(stream)),
            dynamicRange: DynamicRangeInfo(
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
        dynamicRange = DynamicRangeInfo(color, sideData, dolbyVision: nil)
        dynamicRange.dolbyVisionProfile = dolbyVision
        dynamicRange.hasHDR10Plus = frame.sideData[AV_FRAME_DATA_DYNAMIC_HDR_PLUS.rawValue] != nil
    }

    /// nil for what is no rate: libavformat gives the clock's tick where it has found none.
    private static func rate(_ q: AVRational) -> Rational? {
        Rational(q).flatMap { $0.doubleValue < 1000 ? $0.reduced : nil }
    }

    private mutating func setFormat(_ format: AVPixelFormat) {
        guard let layout = PixelFormatDescription(format) else { return }
        pixelFormat = layout.name
        bitDepth = layout.depth
        subsampling = layout.subsamplingName
    }
}

extension VideoStreamInfo.FieldOrder {
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

extension DynamicRangeInfo {
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

extension DynamicRangeInfo.MasteringDisplay {
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
