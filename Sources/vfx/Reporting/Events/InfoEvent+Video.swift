internal import CommandLineCore
internal import FrameCore
internal import MediaIO

extension InfoEvent {
    /// The properties of a video stream.
    struct Video: Encodable {
        /// The width in coded samples.
        let width: Int
        /// The height in coded samples.
        let height: Int
        /// The width of a pixel in units of its height.
        let sampleAspectRatio: Rational?
        /// The width when displayed, in square pixels.
        let displayWidth: Int
        /// The height when displayed, in square pixels.
        let displayHeight: Int
        /// The rotation for display in degrees clockwise.
        let rotation: Int
        /// Whether the picture is mirrored left to right after the rotation.
        let mirrored: Bool
        /// The pixel format.
        let pixelFormat: String?
        /// The number of bits per sample.
        let bitDepth: Int?
        /// The chroma subsampling.
        let subsampling: String?
        /// The average frame rate.
        let averageFrameRate: Rational?
        /// The frame rate that the container or the codec states.
        let nominalFrameRate: Rational?
        /// `progressive`, `top_first` or `bottom_first`.
        let fieldOrder: String?
        /// The color space.
        let color: Color
        /// The dynamic range.
        let hdr: DynamicRange
        /// The projection of a 360° video; null for other videos.
        let spherical: Spherical?
        /// How two views share a frame; null for one view.
        let stereo: String?

        init(_ video: VideoStreamInfo) {
            let shown = video.displaySize
            width = video.width
            height = video.height
            sampleAspectRatio = video.sampleAspectRatio
            displayWidth = shown.width
            displayHeight = shown.height
            rotation = video.orientation.rotation
            mirrored = video.orientation.isMirrored
            pixelFormat = video.pixelFormat
            bitDepth = video.bitDepth
            subsampling = video.subsampling
            averageFrameRate = video.averageFrameRate
            nominalFrameRate = video.nominalFrameRate
            fieldOrder = video.fieldOrder?.rawValue.camelCaseWords(separatedBy: "_")
            color = Color(video.color)
            hdr = DynamicRange(video.dynamicRange)
            spherical = video.spherical.map(Spherical.init)
            stereo = video.stereo
        }
    }

    /// A color space, by the names of H.273.
    struct Color: Encodable {
        /// The matrix coefficients.
        let matrix: String
        /// The color primaries.
        let primaries: String
        /// The transfer characteristics.
        let transfer: String
        /// The range of the samples.
        let range: String
        /// The location of chroma samples.
        let chromaLocation: String

        init(_ color: ColorDescription) {
            let names = color.names
            matrix = names.matrix
            primaries = names.primaries
            transfer = names.transfer
            range = color.range.rawValue
            chromaLocation = color.chromaLocation.rawValue.camelCaseWords(separatedBy: "_")
        }
    }

    /// The projection of a 360° video.
    struct Spherical: Encodable {
        /// The name of the projection.
        let projection: String
        /// The rotation about the vertical axis in degrees.
        let yaw: SixDecimals
        /// The rotation about the horizontal axis in degrees.
        let pitch: SixDecimals
        /// The rotation about the line of sight in degrees.
        let roll: SixDecimals

        init(_ sphere: SphericalInfo) {
            projection = sphere.projection
            yaw = SixDecimals(sphere.yaw)
            pitch = SixDecimals(sphere.pitch)
            roll = SixDecimals(sphere.roll)
        }
    }

    /// The dynamic range of a video.
    struct DynamicRange: Encodable {
        /// `standard`, `pq`, `hdr10` or `hlg`.
        let kind: String
        /// The profile of Dolby Vision; null without it.
        let dolbyVisionProfile: Int?
        /// The compatibility of the base layer of Dolby Vision; null without it.
        let dolbyVisionCompatibility: Int?
        /// Whether there is HDR10+ metadata.
        let hdr10Plus: Bool
        /// The display on which the video was mastered; null if unknown.
        let masteringDisplay: MasteringDisplay?
        /// The light levels of the content; null if unknown.
        let contentLight: ContentLight?

        init(_ facts: DynamicRangeInfo) {
            kind = facts.kind.rawValue
            dolbyVisionProfile = facts.dolbyVisionProfile
            dolbyVisionCompatibility = facts.dolbyVision?.compatibility
            hdr10Plus = facts.hasHDR10Plus
            masteringDisplay = facts.masteringDisplay.map(MasteringDisplay.init)
            contentLight = facts.contentLight.map { ContentLight(max: $0.maximum, frameAverage: $0.frameAverage) }
        }
    }

    /// The color volume of a mastering display.
    struct MasteringDisplay: Encodable {
        /// The red primary.
        let red: Point
        /// The green primary.
        let green: Point
        /// The blue primary.
        let blue: Point
        /// The white point.
        let whitePoint: Point
        /// The minimum luminance in cd/m².
        let minLuminance: SixDecimals?
        /// The maximum luminance in cd/m².
        let maxLuminance: SixDecimals?

        init(_ display: DynamicRangeInfo.MasteringDisplay) {
            red = Point(display.red)
            green = Point(display.green)
            blue = Point(display.blue)
            whitePoint = Point(display.whitePoint)
            minLuminance = display.minimumLuminance.map(SixDecimals.init)
            maxLuminance = display.maximumLuminance.map(SixDecimals.init)
        }

        /// A chromaticity.
        struct Point: Encodable {
            /// The CIE 1931 x coordinate.
            let x: SixDecimals
            /// The CIE 1931 y coordinate.
            let y: SixDecimals

            init(_ point: DynamicRangeInfo.MasteringDisplay.Point) {
                x = SixDecimals(point.x)
                y = SixDecimals(point.y)
            }
        }
    }

    /// The light levels of HDR content.
    struct ContentLight: Encodable {
        /// The maximum content light level in cd/m².
        let max: Int
        /// The maximum frame-average light level in cd/m².
        let frameAverage: Int
    }
}
