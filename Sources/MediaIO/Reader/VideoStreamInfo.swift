import CLibAV
public import FrameCore

/// Properties of a video or cover art stream that are known without reading all its frames.
public struct VideoStreamInfo: Sendable, Hashable {
    /// How the rows of a frame are scanned.
    public enum FieldOrder: String, Sendable, Hashable, Codable {
        /// All rows at the same time.
        case progressive
        /// Two fields, top field first.
        case topFirst
        /// Two fields, bottom field first.
        case bottomFirst
    }

    /// Coded width in pixels; 0 when unknown.
    public var width: Int
    /// Coded height in pixels; 0 when unknown.
    public var height: Int
    /// Width of a pixel divided by its height; nil when unknown.
    public var sampleAspectRatio: Rational?
    /// libavutil's name of the pixel format, e.g. `yuv420p10le`; nil when unknown.
    public var pixelFormat: String?
    /// Bits per sample of the deepest component; nil when unknown.
    public var bitDepth: Int?
    /// Chroma subsampling such as `4:2:0`, `4:0:0` for luma only, `rgb` for formats other than YCbCr; nil when unknown.
    public var subsampling: String?
    /// Mean number of frames per second that the container states, below 1000; nil when unknown.
    public var averageFrameRate: Rational?
    /// The lowest frame rate, below 1000, that represents all timestamps exactly, as libavformat estimates it from the
    /// first frames; nil when unknown.
    public var nominalFrameRate: Rational?
    /// Scan order of the rows; nil when unknown.
    public var fieldOrder: FieldOrder?
    /// Color space of the samples.
    public var color: ColorDescription
    /// Rotation and mirroring that players must apply.
    public var orientation: Orientation
    /// Dynamic range of the video and its HDR metadata.
    public var dynamicRange: DynamicRangeInfo
    /// How 360° video is projected on frames; nil for other video.
    public var spherical: SphericalInfo?
    /// libav's name of the arrangement of the two views of stereoscopic video, e.g. `side by side`; nil for other video.
    public var stereo: String?

    /// Display size in square pixels: the width scaled by the sample aspect ratio, then both sides swapped if rotated.
    public var displaySize: (width: Int, height: Int) {
        var wide = width
        if let ratio = sampleAspectRatio, ratio.isPositive {
            wide = max(1, Int((Double(width) * ratio.doubleValue).rounded()))
        }
        return orientation.swapsSides ? (height, wide) : (wide, height)
    }

    /// A rotation, optionally followed by mirroring.
    public struct Orientation: Sendable, Hashable {
        /// Degrees by which frames are rotated clockwise for display, 0..<360.
        public var rotation: Int
        /// Whether frames are mirrored left to right after the rotation.
        public var isMirrored: Bool

        /// Creates an orientation.
        ///
        /// - Parameters:
        ///   - rotation: degrees clockwise, 0..<360.
        ///   - isMirrored: whether frames are mirrored left to right after the rotation.
        public init(rotation: Int = 0, isMirrored: Bool = false) {
            self.rotation = rotation
            self.isMirrored = isMirrored
        }

        init(displayMatrix: [Int32]?) { (rotation, isMirrored) = PictureOrientation.turn(of: displayMatrix) }

        /// Whether the rotation swaps width and height.
        public var swapsSides: Bool { rotation == 90 || rotation == 270 }
    }
}

/// How 360° video is projected on frames.
public struct SphericalInfo: Sendable, Hashable {
    /// libav's name of the projection, e.g. `equirectangular`.
    public var projection: String
    /// Rotation of the sphere about the vertical axis in degrees.
    public var yaw: Double
    /// Rotation about the lateral axis in degrees.
    public var pitch: Double
    /// Rotation about the forward axis in degrees.
    public var roll: Double

    /// Reads libav's description; nil if it is incomplete.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= MemoryLayout<AVSphericalMapping>.size else { return nil }
        let map = bytes.withUnsafeBytes { $0.loadUnaligned(as: AVSphericalMapping.self) }
        projection = String(c: av_spherical_projection_name(map.projection))
        (yaw, pitch, roll) = (Double(map.yaw) / 65_536, Double(map.pitch) / 65_536, Double(map.roll) / 65_536)
    }
}

/// Dynamic range of a video, standard or high (HDR), and its HDR metadata.
public struct DynamicRangeInfo: Sendable, Hashable {
    /// Kinds of dynamic range, by transfer function and metadata.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// Standard dynamic range.
        case standard
        /// Perceptual quantiser (SMPTE ST 2084) without mastering display or light level metadata.
        case pq
        /// Perceptual quantiser with mastering display or light level metadata.
        case hdr10
        /// Hybrid log-gamma.
        case hlg
    }

    /// The kind of dynamic range.
    public var kind: Kind
    /// The Dolby Vision configuration; nil for other streams.
    public var dolbyVision: DolbyVision?
    /// Dolby Vision profile; nil for other streams.
    public var dolbyVisionProfile: Int? { dolbyVision?.profile }
    /// Whether the first frame carries dynamic metadata according to SMPTE ST 2094-40.
    public var hasHDR10Plus: Bool
    /// The display that the video was graded on; nil when not stated.
    public var masteringDisplay: MasteringDisplay?
    /// Light levels of the content; nil when not stated.
    public var contentLight: ContentLight?

    /// The display that a video was graded on: CIE 1931 chromaticities, and luminances in cd/m².
    ///
    /// Chromaticities are 0 when the stream states only luminances.
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
        /// Minimum luminance in cd/m²; nil when the stream states only chromaticities.
        public var minimumLuminance: Double?
        /// Maximum luminance in cd/m²; nil when the stream states only chromaticities.
        public var maximumLuminance: Double?
    }

    /// Light levels of the content, in cd/m².
    public struct ContentLight: Sendable, Hashable {
        /// Light level of the brightest pixel of the video (MaxCLL).
        public var maximum: Int
        /// Highest frame-average light level of the video (MaxFALL).
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
                dolbyVision: DolbyVision.record(of: stream)))
        setFormat(AVPixelFormat(rawValue: parameters.format))
        setViews(StreamSideData.read(stream, firstFrame: SideData()))
    }

    private mutating func setViews(_ sideData: SideData) {
        spherical = sideData[AV_PKT_DATA_SPHERICAL.rawValue].flatMap(SphericalInfo.init)
        stereo = sideData[AV_PKT_DATA_STEREO3D.rawValue].flatMap { ByteReader($0).word(0, as: UInt32.self) }
            .flatMap { $0 == AV_STEREO3D_2D.rawValue ? nil : String(c: av_stereo3d_type_name($0)) }
    }

    /// Updates the properties from the first decoded frame, which is more reliable than the header.
    mutating func complete(
        _ picture: AVFrame, _ frame: Frame, _ sideData: SideData, _ dolbyVision: DolbyVision?
    ) {
        (width, height) = (Int(picture.width), Int(picture.height))
        sampleAspectRatio = frame.sampleAspectRatio
        setFormat(AVPixelFormat(rawValue: picture.format))
        // For RGB, the importer's tags describe the YCbCr result of the conversion.
        if subsampling != "rgb" { color = frame.color }
        fieldOrder =
            switch frame.fieldOrder {
            case .topFirst: .topFirst
            case .bottomFirst: .bottomFirst
            case nil: .progressive
            }
        dynamicRange = DynamicRangeInfo(color, sideData, dolbyVision: dolbyVision)
        setViews(sideData)
        dynamicRange.hasHDR10Plus = frame.sideData[AV_FRAME_DATA_DYNAMIC_HDR_PLUS.rawValue] != nil
    }

    /// Returns a frame rate; nil for 1000 and above, since libavformat reports the time base when it has found no rate.
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
    /// Converts libavcodec's field order, keeping only which field is displayed first; nil when unknown.
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
    ///   - color: color tags of the stream.
    ///   - sideData: side data of the stream.
    ///   - dolbyVision: the Dolby Vision configuration of the stream; nil when there is none.
    init(_ color: ColorDescription, _ sideData: SideData, dolbyVision: DolbyVision?) {
        let metadata = HDRMetadata(sideData)
        let isMastered = metadata.mastering != nil || metadata.lightLevel != nil
        let kind: Kind =
            switch color.transfer {
            case .pq: isMastered ? .hdr10 : .pq
            case .hlg: .hlg
            default: .standard
            }
        self.init(
            kind: kind, dolbyVision: dolbyVision, hasHDR10Plus: false,
            masteringDisplay: metadata.mastering.map(MasteringDisplay.init),
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
