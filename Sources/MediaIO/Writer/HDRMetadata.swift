import CLibAV
import FrameCore

/// Mastering display and content light level as the parameter strings that encoders take.
struct HDRMetadata {
    let mastering: AVMasteringDisplayMetadata?
    /// Maximum and frame-average light level in candela per square metre.
    let lightLevel: (maximum: UInt32, average: UInt32)?

    init(_ sideData: SideData) {
        mastering = Self.load(sideData[AV_PKT_DATA_MASTERING_DISPLAY_METADATA.rawValue])
        let light: AVContentLightMetadata? = Self.load(sideData[AV_PKT_DATA_CONTENT_LIGHT_LEVEL.rawValue])
        lightLevel = light.map { ($0.MaxCLL, $0.MaxFALL) }
    }

    /// In steps of 0.00002 and 0.0001 cd/m², as x264 and x265 take it.
    var masteringInSteps: String? { text { scale, value in String(Int64((value * Double(scale)).rounded())) } }

    /// In plain numbers, as SVT-AV1 takes it.
    var masteringInNumbers: String? { text { _, value in "\(value)" } }

    var lightLevelText: String? { lightLevel.map { "\($0.maximum),\($0.average)" } }

    private func text(_ number: (_ scale: Int, _ value: Double) -> String) -> String? {
        guard let m = mastering, m.has_primaries != 0, m.has_luminance != 0 else { return nil }
        func pair(_ p: (AVRational, AVRational)) -> String {
            "(\(number(50_000, av_q2d(p.0))),\(number(50_000, av_q2d(p.1))))"
        }
        let p = m.display_primaries
        return "G\(pair(p.1))B\(pair(p.2))R\(pair(p.0))WP\(pair(m.white_point))"
            + "L(\(number(10_000, av_q2d(m.max_luminance))),\(number(10_000, av_q2d(m.min_luminance))))"
    }

    private static func load<T>(_ bytes: [UInt8]?) -> T? {
        guard let bytes, bytes.count >= MemoryLayout<T>.size else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: T.self) }
    }
}
