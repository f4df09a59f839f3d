internal import FrameCore

/// The settings of low-latency frame interpolation; see ``LowLatencyFrameInterpolationPass``.
public struct SmoothStep: KeepingSettings {
    /// Depth n makes 2ⁿ−1 frames between each two, 1 to 4.
    public var depth: Int
    /// 1, or 2 to double width and height.
    public var scale: Int
    /// Where made frames keep the pixels of the source.
    public var kept = KeptAreas()

    /// Creates settings.
    public init(depth: Int = 1, scale: Int = 1) {
        self.depth = depth
        self.scale = scale
    }

    /// `smooth`.
    public static let effectName = "smooth"
    /// The depth, the scale and what is kept.
    public static let table =
        [
            EffectSetting(
                "depth", .whole(LowLatencyFrameInterpolationPass.depthRange), defaultValue: "1",
                "1, 2, 3 or 4, for 1, 3, 7 or 15 new frames between two source frames."),
            EffectSetting(
                "scale", .whole(1...2), defaultValue: "1", placeholder: "factor",
                "1, or 2 to double width and height (only with --depth 1)."),
        ] + KeptAreas.table

    /// Reads the settings.
    public init(_ values: SettingValues) throws {
        depth = try values.whole("depth", LowLatencyFrameInterpolationPass.depthRange) ?? 1
        scale = try values.whole("scale", 1...2) ?? 1
        kept = try KeptAreas(values)
        try check(values)
    }

    /// Checks that the settings do not contradict each other.
    ///
    /// - Parameter values: knows what messages call them.
    private func check(_ values: SettingValues = SettingValues()) throws(FrameError) {
        if scale > 1 {
            try kept.requireEmpty("with \(values.name(of: "scale")) 2, frames have no pixels of the source")
        }
        guard scale > 1, depth > 1 else { return }
        let (enlarging, making) = (values.name(of: "scale"), values.name(of: "depth"))
        throw FrameError(
            .invalidArgument, "\(enlarging) 2 requires \(making) 1; leave out \(enlarging) or use that depth")
    }

    /// The settings.
    public var values: SettingValues {
        var values: SettingValues = ["depth": "\(depth)"]
        if scale != 1 { values["scale"] = "\(scale)" }
        kept.write(to: &values)
        return values
    }

    /// Returns the effect.
    public func effect(_ options: ConversionOptions) throws -> any ClipEffect {
        try check()
        guard options.quality == .normal else {
            throw FrameError(
                .invalidArgument, "'smooth' has only one quality; high quality is not available")
        }
        return try LowLatencyFrameInterpolationPass(depth: depth, scale: scale, options: options.keeping(kept))
    }
}
