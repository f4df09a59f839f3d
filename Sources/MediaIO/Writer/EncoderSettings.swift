import CLibAV
import FrameCore

/// Translates quality, speed and metadata options to those of each encoder.
struct EncoderSettings {
    /// Options of the encoder's private context, in the order in which to set them.
    private(set) var options: [(name: String, value: String)] = []
    /// Number of threads. It depends on the options only, never on the machine, because many encoders' bytes depend on it.
    let threads: Int
    /// A sentence about unusual settings; nil when there are none.
    private(set) var note: String?

    static let x26xPresets = [
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
    ]
    private static let proresProfiles = ["proxy", "lt", "standard", "hq", "4444", "4444xq"]

    init(encoder: String, options wanted: MediaWriterOptions, stream: VideoStreamDescription) throws(FrameError) {
        let hdr = HDRMetadata(stream.sideData)
        let isTight = wanted.memoryLimit.map { Self.usualMemory(for: stream) > $0 } ?? false
        threads = isTight ? 1 : wanted.encoderThreads ?? MediaWriterOptions.usualEncoderThreads
        switch encoder {
        case "libx264", "libx264rgb", "libx265":
            try set("crf", Self.crf(wanted.crf, 0...51, default: encoder == "libx265" ? 20 : 18))
            try set("preset", Self.named(wanted.preset, Self.x26xPresets, default: "medium", encoder))
            if wanted.lowLatency { set("tune", "zerolatency") }
            setX26x(encoder, hdr, width: stream.width, isTight: isTight)
            if isTight, let limit = wanted.memoryLimit {
                note = "\(encoder) uses less lookahead than usual, since memory is limited to \(limit) bytes"
            }
        case "libsvtav1":
            try set("crf", Self.crf(wanted.crf, 1...63, default: 24, whole: true))
            try set("preset", Self.numbered(wanted.preset, 0...13, default: 8, encoder))
            setSVT(hdr, lowLatency: wanted.lowLatency)
        case "libaom-av1":
            try set("crf", Self.crf(wanted.crf, 0...63, default: 24, whole: true))
            try set("cpu-used", Self.numbered(wanted.preset, 0...8, default: wanted.lowLatency ? 8 : 6, encoder))
            set("row-mt", "1")
            if wanted.lowLatency {
                set("usage", "realtime")
                set("lag-in-frames", "0")
            }
        case "libvpx-vp9":
            try set("crf", Self.crf(wanted.crf, 0...63, default: 24, whole: true))
            try set("cpu-used", Self.numbered(wanted.preset, 0...8, default: wanted.lowLatency ? 8 : 4, encoder))
            set("deadline", wanted.lowLatency ? "realtime" : "good")
            set("row-mt", "1")
            if wanted.lowLatency { set("lag-in-frames", "0") }
            // libvpx does not encode alpha with hidden reference frames.
            if wanted.lowLatency || stream.format.hasAlpha { set("auto-alt-ref", "0") }
        case "prores_ks":
            try Self.refuse(crf: wanted.crf, encoder)
            if let preset = wanted.preset {
                try set("profile", Self.named(preset, Self.proresProfiles, default: preset, encoder))
            }
            set("vendor", "apl0")
        case "libwebp":
            try Self.refuse(preset: wanted.preset, encoder)
            if let crf = wanted.crf {
                // libwebp's quality rises from 0 to 100.
                try set("quality", "\(100 - (Double(Self.crf(crf, 0...100, default: 0)) ?? 0))")
                if crf == 0 { set("lossless", "1") }
            }
        case "ffv1":
            try Self.refuse(crf: wanted.crf, encoder)
            try Self.refuse(preset: wanted.preset, encoder)
            set("level", "3")
            set("slicecrc", "1")
        default:
            try Self.refuse(crf: wanted.crf, encoder)
            try Self.refuse(preset: wanted.preset, encoder)
        }
    }

    /// The estimated memory of the whole program at the usual settings, in bytes.
    ///
    /// x264 and x265 keep about 60 frames, each with downscaled copies and motion vectors, and some with several copies
    /// of their planes. Earlier stages keep about 20 frames. Code and stacks are extra.
    private static func usualMemory(for stream: VideoStreamDescription) -> Int {
        220 * stream.bytesPerPicture + 600_000_000
    }

    func apply(to codec: CodecContext, _ encoder: String) throws(FrameError) {
        for (name, value) in options where name != "level" {
            try check(
                av_opt_set(codec.pointer, name, value, AV_OPT_SEARCH_CHILDREN), .invalidArgument,
                "\(encoder) does not accept \(value) for its option \(name)")
        }
        // FFV1 version 3 (slices, checksums) is selected by the generic level option.
        if let level = options.first(where: { $0.name == "level" }), let number = Int32(level.value) {
            codec.pointer.pointee.level = number
        }
    }

    private mutating func set(_ name: String, _ value: String) { options.append((name, value)) }

    private mutating func setX26x(_ encoder: String, _ hdr: HDRMetadata, width: Int, isTight: Bool) {
        let isX265 = encoder == "libx265"
        // By default x265 writes directly to standard error, and the instruction set of the machine into the stream. If it
        // encodes several frames at once, the bytes of small pictures differ from run to run.
        var parameters =
            isX265
            ? ["log-level=none", "info=0", "pools=\(threads)", "frame-threads=1"]
            : ["cpu-independent=1"]
        if isTight {
            parameters += ["ref=1", "bframes=0"]
            parameters += isX265 ? ["rc-lookahead=1", "cutree=0"] : ["rc-lookahead=0", "mbtree=0"]
        }
        // With cutree, x265 3.5 overruns its buffers for frames up to 48 pixels wide, and crashes.
        if isX265, width < 64 { parameters.append("cutree=0") }
        // With AVX-512, x264 encodes about one frame in several hundred differently from run to run (seen in version
        // 164 with mbtree). The output of a resumed job would then differ from that of an uninterrupted one.
        if !isX265, av_get_cpu_flags() & AV_CPU_FLAG_AVX512 != 0 { parameters.append("asm=avx2") }
        if let mastering = hdr.masteringInSteps {
            parameters.append((isX265 ? "master-display=" : "mastering-display=") + mastering)
        }
        if let light = hdr.lightLevelText { parameters.append((isX265 ? "max-cll=" : "cll=") + light) }
        set(isX265 ? "x265-params" : "x264-params", parameters.joined(separator: ":"))
    }

    private mutating func setSVT(_ hdr: HDRMetadata, lowLatency: Bool) {
        // Its bytes do not depend on the number, but newer versions know no more than six levels of parallelism.
        var parameters = ["lp=\(min(threads, 6))"]
        if lowLatency { parameters += ["pred-struct=1", "lookahead=0"] }
        if let mastering = hdr.masteringInNumbers { parameters.append("mastering-display=" + mastering) }
        if let light = hdr.lightLevelText { parameters.append("content-light=" + light) }
        set("svtav1-params", parameters.joined(separator: ":"))
    }

    private static func crf(
        _ wanted: Double?, _ range: ClosedRange<Double>, default usual: Int, whole: Bool = false
    ) throws(FrameError) -> String {
        guard let wanted else { return "\(usual)" }
        guard range.contains(wanted), !whole || wanted == wanted.rounded() else {
            let kind = whole ? "a whole number" : "a number"
            throw FrameError(
                .invalidArgument,
                "crf \(wanted) is not allowed; this encoder takes \(kind) from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
            )
        }
        return whole ? "\(Int(wanted))" : "\(wanted)"
    }

    private static func named(
        _ wanted: String?, _ allowed: [String], default usual: String, _ encoder: String
    ) throws(FrameError) -> String {
        guard let wanted else { return usual }
        guard allowed.contains(wanted) else {
            throw FrameError(
                .invalidArgument,
                "preset \"\(wanted)\" is not allowed; \(encoder) takes \(allowed.joined(separator: ", "))")
        }
        return wanted
    }

    private static func numbered(
        _ wanted: String?, _ range: ClosedRange<Int>, default usual: Int, _ encoder: String
    ) throws(FrameError) -> String {
        guard let wanted else { return "\(usual)" }
        guard let number = Int(wanted), range.contains(number) else {
            throw FrameError(
                .invalidArgument,
                "preset \"\(wanted)\" is not allowed; \(encoder) takes \(range.lowerBound) (slow) to \(range.upperBound) (fast)"
            )
        }
        return wanted
    }

    private static func refuse(crf: Double?, _ encoder: String) throws(FrameError) {
        if let crf { throw FrameError(.invalidArgument, "crf \(crf) is not allowed; \(encoder) has no such setting") }
    }

    private static func refuse(preset: String?, _ encoder: String) throws(FrameError) {
        if let preset {
            throw FrameError(.invalidArgument, "preset \"\(preset)\" is not allowed; \(encoder) has no presets")
        }
    }
}

extension VideoStreamDescription {
    /// Size of one frame's samples in bytes.
    fileprivate var bytesPerPicture: Int {
        (0..<format.planeCount).reduce(0) {
            $0 + format.planeWidth($1, width: width) * format.planeHeight($1, height: height) * format.bytesPerSample
        }
    }
}
