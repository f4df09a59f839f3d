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

        /// Whether width and height change places.
        public var swapsSides: Bool { rotation == 90 || rotation == 270 }
    }
}

/// What is known of a stream's sound.
public struct AudioStreamInfo: Sendable, Hashable {
    /// Number of channels.
    public var channels: Int
    /// libavutil's name of the channel layout, e.g. `stereo`, `5.1(side)`.
    public var layout: String
    /// Samples per second.
    public var sampleRate: Int
    /// libavutil's name of the sample format, e.g. `fltp`; nil when not known.
    public var sampleFormat: String?
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
