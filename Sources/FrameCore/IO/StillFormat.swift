/// File formats for still images.
public enum StillFormat: String, Sendable, Hashable, CaseIterable, Codable {
    /// Baseline JPEG, 8 bits.
    case jpeg
    /// PNG, lossless, 8 or 16 bits.
    case png
    /// WebP, 8 bits.
    case webp
    /// AV1 in HEIF, 8 to 12 bits.
    case avif
    /// JPEG XL, 8 or 16 bits.
    case jpegXL

    /// Creates the format from a file name's extension; nil if the extension is unknown.
    public init?(fileName: String) {
        let base = fileName.split(separator: "/").last ?? ""
        guard base.contains("."), let ending = base.split(separator: ".").last?.lowercased(),
            let format = Self.allCases.first(where: { $0.fileExtensions.contains(ending) })
        else { return nil }
        self = format
    }

    /// Detects the format from the first bytes of a file; nil if it is unknown.
    public init?(bytes: [UInt8]) {
        let reader = ByteReader(bytes)
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if reader.hasText("RIFF", at: 0), reader.hasText("WEBP", at: 8) {
            self = .webp
        } else if bytes.starts(with: [0xFF, 0x0A]) || reader.hasText("JXL ", at: 4) {
            self = .jpegXL
        } else if reader.hasText("ftypavif", at: 4) || reader.hasText("ftypmif1", at: 4) {
            self = .avif
        } else {
            return nil
        }
    }

    /// The usual file extensions, most common first.
    public var fileExtensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg"]
        case .png: ["png"]
        case .webp: ["webp"]
        case .avif: ["avif"]
        case .jpegXL: ["jxl"]
        }
    }

    /// The registered media type (MIME type).
    public var mediaType: String { self == .jpegXL ? "image/jxl" : "image/\(rawValue)" }
    /// The display name.
    public var name: String {
        switch self {
        case .jpeg: "JPEG"
        case .png: "PNG"
        case .webp: "WebP"
        case .avif: "AVIF"
        case .jpegXL: "JPEG XL"
        }
    }
    /// Whether the format supports transparency.
    public var holdsAlpha: Bool { self != .jpeg }
    /// The maximum number of significant bits per sample.
    public var maximumBitDepth: Int {
        switch self {
        case .jpeg, .webp: 8
        case .avif: 12
        case .png, .jpegXL: 16
        }
    }
    /// The maximum width and height in pixels.
    public var maximumSide: Int { self == .webp ? 16_383 : self == .jpeg ? 65_500 : PixelBuffer.sizeRange.upperBound }
    /// Whether the format can tag an image as PQ or HLG.
    public var holdsHighDynamicRange: Bool { maximumBitDepth > 8 }
    /// Whether the file itself can specify an orientation.
    public var holdsOrientation: Bool { self != .jpegXL }
    /// The maximum size of an embedded thumbnail in bytes: in JPEG it shares a segment of 65 533 bytes with the other
    /// EXIF fields.
    public var maximumThumbnailBytes: Int { self == .jpeg ? 60_000 : 4_000_000 }
}
