internal import CVFXInterface
internal import FrameCore

extension ChromaSubsampling {
    private static let codes: [(code: Int, value: ChromaSubsampling)] = [
        (VFX_SUBSAMPLING_400, .monochrome), (VFX_SUBSAMPLING_420, .yuv420), (VFX_SUBSAMPLING_422, .yuv422),
        (VFX_SUBSAMPLING_444, .yuv444),
    ]

    /// - Returns: nil if there is no such code.
    init?(code: Int32) {
        guard let known = Self.codes.first(where: { $0.code == Int(code) }) else { return nil }
        self = known.value
    }

    var code: Int32 {
        switch self {
        case .monochrome: Int32(VFX_SUBSAMPLING_400)
        case .yuv420: Int32(VFX_SUBSAMPLING_420)
        case .yuv422: Int32(VFX_SUBSAMPLING_422)
        case .yuv444: Int32(VFX_SUBSAMPLING_444)
        }
    }
}

extension FieldOrder {
    /// - Returns: nil if there is no such code; nil inside if the frame is progressive.
    static func ofCode(_ code: Int32) -> FieldOrder?? {
        switch Int(code) {
        case VFX_FIELDS_PROGRESSIVE: .some(nil)
        case VFX_FIELDS_BOTTOM_FIRST: .bottomFirst
        case VFX_FIELDS_TOP_FIRST: .topFirst
        default: nil
        }
    }

    var code: Int32 { Int32(self == .topFirst ? VFX_FIELDS_TOP_FIRST : VFX_FIELDS_BOTTOM_FIRST) }
}

extension ColorDescription.Range {
    private static let all: [Self] = [.unspecified, .limited, .full]

    /// - Returns: nil if there is no such code.
    init?(code: Int32) {
        guard Self.all.indices.contains(Int(code)) else { return nil }
        self = Self.all[Int(code)]
    }

    var code: Int32 { Int32(Self.all.firstIndex(of: self) ?? 0) }
}

extension ColorDescription.ChromaLocation {
    private static let all: [Self] = [.unspecified, .left, .center, .topLeft, .top, .bottomLeft, .bottom]

    /// - Returns: nil if there is no such code.
    init?(code: Int32) {
        guard Self.all.indices.contains(Int(code)) else { return nil }
        self = Self.all[Int(code)]
    }

    var code: Int32 { Int32(Self.all.firstIndex(of: self) ?? 0) }
}
