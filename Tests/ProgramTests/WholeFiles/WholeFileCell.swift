import Foundation
import Testing

/// One combination of a kind of input file and a command.
struct WholeFileCell: Hashable, Sendable, CustomTestStringConvertible {
    /// The containers of the input and of the output.
    enum Route: String, CaseIterable {
        case mkvToMKV = "mkv>mkv"
        case mp4ToMP4 = "mp4>mp4"
        case movToMOV = "mov>mov"
        case webmToWebM = "webm>webm"
        case tsToMKV = "ts>mkv"
        case tsToMP4 = "ts>mp4"
        case mp4ToMKV = "mp4>mkv"
        case mkvToMP4 = "mkv>mp4"
        case mkvToMOV = "mkv>mov"
        case mp4ToMOV = "mp4>mov"
        case mkvToWebM = "mkv>webm"

        var input: String { String(rawValue.prefix { $0 != ">" }) }
        var output: String { String(rawValue.drop { $0 != ">" }.dropFirst()) }
        var keepsKind: Bool { input == output }
    }

    /// The video codec, kept in the output.
    enum Codec: String, CaseIterable {
        case h264, hevc, vp9, av1, ffv1, prores

        func isHeld(by container: String) -> Bool {
            switch container {
            case "mp4": [.h264, .hevc, .vp9, .av1].contains(self)
            case "mov": [.h264, .hevc, .prores].contains(self)
            case "webm": [.vp9, .av1].contains(self)
            case "ts": [.h264, .hevc].contains(self)
            default: true
            }
        }
    }

    enum Subsampling: String, CaseIterable { case yuv420, yuv422, yuv444, gray }
    /// How the video is to be displayed.
    enum Shape: String, CaseIterable {
        case plain, anamorphic, turned, upsideDown

        /// The degrees by which a player rotates the video.
        var rotation: Double { self == .turned ? 90 : self == .upsideDown ? 180 : 0 }
    }
    /// The timing of the frames.
    enum Timing: String, CaseIterable {
        case even, uneven
        /// Video and audio start at different times after zero.
        case late
        /// An edit list hides the beginning.
        case edited
    }
    /// The color description stated in the file.
    enum Color: String, CaseIterable {
        case unsaid, full, pq, hlg

        /// Range, primaries, transfer and matrix by FFmpeg's names; nil if unspecified.
        var tags: (range: String, primaries: String, transfer: String, matrix: String)? {
            switch self {
            case .unsaid: nil
            case .full: ("pc", "bt709", "bt709", "bt709")
            case .pq: ("tv", "bt2020", "smpte2084", "bt2020nc")
            case .hlg: ("tv", "bt2020", "arib-std-b67", "bt2020nc")
            }
        }
    }

    var route: Route
    var codec: Codec
    var depth: Int
    var subsampling: Subsampling
    var shape: Shape
    var timing: Timing
    var isOdd: Bool
    var color: Color
    var command: WholeFileCommand

    static let depths = [8, 10, 12, 16]

    var testDescription: String {
        "\(command.rawValue) \(route.rawValue) \(codec.rawValue) \(depth) bit \(subsampling.rawValue) \(size.width)x\(size.height) \(shape.rawValue) \(timing.rawValue) \(color.rawValue)"
    }

    var size: (width: Int, height: Int) { isOdd ? (47, 33) : (48, 34) }

    var pixelFormat: String {
        let base = subsampling == .gray ? "gray" : subsampling.rawValue + "p"
        return depth == 8 ? base : "\(base)\(depth)le"
    }

    /// The chroma sample location by FFmpeg's name; nil if unspecified.
    var chromaLocation: String? {
        guard subsampling == .yuv420 else { return nil }
        // These two leave it to the container.
        if [.vp9, .av1].contains(codec), !["mkv", "webm"].contains(route.input) { return nil }
        return color == .unsaid ? nil : color == .full ? "left" : "topleft"
    }

    /// Whether FFmpeg can make such a file.
    var isPossible: Bool {
        guard codec.isHeld(by: route.input), codec.isHeld(by: route.output), takesFormat else { return false }
        let isMovie = ["mp4", "mov"].contains(route.input)
        if shape.rotation != 0 || timing == .edited, !isMovie { return false }
        if color == .pq || color == .hlg, depth == 8 || subsampling == .gray { return false }
        // A stream without B-frames, or of keyframes only, leaves nothing to hide.
        if timing == .edited, codec != .h264 && codec != .hevc { return false }
        // Without a codec option, the program keeps these codecs in any container.
        if !command.namesCodec { return codec == .h264 || codec == .hevc || route.output == "webm" }
        return true
    }

    private var takesFormat: Bool {
        switch codec {
        case .h264:
            // FFmpeg decodes gray as 4:2:0.
            depth <= 10 && subsampling != .gray && (!isOdd || subsampling == .yuv444)
        case .hevc: depth <= 12 && (!isOdd || subsampling == .yuv444)
        case .vp9: depth <= 12 && subsampling != .gray
        case .av1: subsampling != .gray && depth <= 10
        case .ffv1: true
        case .prores: depth == 10 && [.yuv422, .yuv444].contains(subsampling) && !isOdd
        }
    }
}

/// The commands that write video, and how each maps the source's times.
enum WholeFileCommand: String, CaseIterable {
    case slomo, rate, blur, denoise, upscale, smooth, enhance, flow
    /// Enlarges each frame independently.
    case lowLatency
    /// Effects that change times and size, in one chain.
    case chain
    /// No codec option.
    case plain

    var arguments: [String] {
        switch self {
        case .slomo: ["slomo", "--factor", "2"]
        case .rate: ["rate", "--fps", "50"]
        case .blur: ["blur", "--strength", "30"]
        case .denoise, .plain: ["denoise", "--strength", "0.3"]
        case .upscale: ["upscale", "--scale", "2"]
        case .smooth: ["smooth", "--depth", "1"]
        case .enhance: ["enhance", "--denoise", "0.3", "--blur", "30"]
        case .flow: ["flow"]
        case .lowLatency: ["upscale", "--scale", "2", "--low-latency"]
        case .chain: ["enhance", "--slomo", "0.5", "--upscale", "2"]
        }
    }

    /// The factor by which times are stretched.
    var stretch: Int { self == .slomo || self == .chain ? 2 : 1 }
    var scale: Int { [.upscale, .lowLatency, .chain].contains(self) ? 2 : 1 }
    /// Whether the output frames are drawings instead of the source's frames.
    var draws: Bool { self == .flow }
    /// The number of frames written per source frame.
    var framesPerFrame: Int { [.slomo, .smooth, .chain].contains(self) ? 2 : 1 }
    /// The PSNR in dB above which a source frame counts as recognised: its neighbours measure 13 to 16, blurred frames
    /// at least 25.7 and all others at least 27.7.
    var leastPSNR: Double { self == .blur || self == .enhance ? 22 : 25 }
    var namesCodec: Bool { self != .plain }
}
