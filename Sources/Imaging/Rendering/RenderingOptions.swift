/// Which pixels of a coded frame are shown, in what size and dynamic range.
public struct RenderingOptions: Sendable {
    /// Which pixels of a video are shown, and in what shape.
    public enum ApertureMode: String, Sendable, Hashable, CaseIterable {
        /// Pixels made square, cropped to what the container says is meant to be seen.
        case cleanAperture
        /// Pixels made square.
        case productionAperture
        /// Pixels as they are coded.
        case encodedPixels
    }

    /// What becomes of high dynamic range.
    public enum DynamicRangePolicy: String, Sendable, Hashable, CaseIterable {
        /// Tone-mapped to an ordinary BT.709 picture.
        case forceStandard
        /// Kept, depth and tags included.
        case matchSource
    }

    /// Box that the picture must fit, keeping its shape; a side of 0 does not limit. Pictures are never enlarged.
    public var maximumSize = (width: 0, height: 0)
    /// Whether the picture is turned as the container asks; else the picture says how it is to be turned.
    public var appliesPreferredTrackTransform = true
    /// Which pixels are shown.
    public var apertureMode = ApertureMode.cleanAperture
    /// What becomes of high dynamic range.
    public var dynamicRangePolicy = DynamicRangePolicy.forceStandard
    /// The part of the coded picture that ``ApertureMode/cleanAperture`` shows; nil shows all.
    public var cleanAperture: PictureRegion?
    /// Threads to convert colors with; the picture does not depend on it.
    public var threads = 1

    /// Upright, square pixels, standard dynamic range, full size.
    public init() {}
}
