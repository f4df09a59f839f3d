package import FrameCore

/// Settings of an effect that can keep areas of the source.
public protocol KeepingSettings: EffectSettings {
    /// The areas.
    var kept: KeptAreas { get set }
}

extension KeepingSettings {
    /// Changes the path of the mask.
    public func mappingPaths(_ change: (String) -> String) -> Self {
        var settings = self
        settings.kept.mask = kept.mask.map(change)
        return settings
    }
}

extension KeptAreas {
    /// What separates rectangles in text.
    package static let separator: Character = ";"

    /// The settings of all effects that can keep areas.
    package static let table = [
        EffectSetting(
            "mask", .text, placeholder: "file", readsMedia: true,
            "Keep the pixels of the nearest source frame where this image is white, and mix them in where it is gray. Numbered images or a video are a mask for each frame of the source."
        ),
        EffectSetting(
            "hold_rects", .rectangles, option: "hold-rect", placeholder: "x,y,w,h",
            "Keep the pixels of the nearest source frame in this rectangle: the pixels left of it and above it, its width and its height. There may be several."
        ),
    ]

    /// Reads the settings.
    ///
    /// - Throws: `FrameError` if a rectangle is not one, or if the name of the mask is empty.
    package init(_ values: SettingValues) throws(FrameError) {
        if let file = values["mask"], file.isEmpty || file == "-" {
            throw FrameError(
                .invalidArgument,
                "\(values.name(of: "mask")) '\(file)' is not the name of an image, of numbered images or of a video")
        }
        let name = values.name(of: "hold_rects")
        var rectangles: [KeptRectangle] = []
        for text in values["hold_rects"]?.split(separator: Self.separator, omittingEmptySubsequences: false) ?? [] {
            rectangles.append(try KeptRectangle(String(text), name: name))
        }
        self.init(mask: values["mask"], rectangles: rectangles)
    }

    /// Writes the settings.
    func write(to values: inout SettingValues) {
        values["mask"] = mask
        if !rectangles.isEmpty {
            values["hold_rects"] = rectangles.map(\.description).joined(separator: String(Self.separator))
        }
    }

    /// - Throws: `FrameError` if there are areas.
    func requireEmpty(_ reason: String) throws(FrameError) {
        guard isEmpty else {
            throw FrameError(.invalidArgument, "\(reason); leave out the mask and the rectangles to keep")
        }
    }
}

extension EffectStep {
    /// Whether the effect can keep areas of the source.
    package var canKeepAreas: Bool { settings is any KeepingSettings }

    /// Returns the step with areas that are kept; the step itself if its effect cannot keep any, or has areas of its
    /// own.
    package func keeping(_ areas: KeptAreas) -> EffectStep {
        func with(_ settings: some KeepingSettings) -> EffectStep {
            var settings = settings
            if settings.kept.isEmpty { settings.kept = areas }
            return EffectStep(settings)
        }
        guard let settings = settings as? any KeepingSettings else { return self }
        return with(settings)
    }
}
