internal import ArgumentParser
internal import FrameCore
internal import Pipeline

/// Where effects keep the pixels of the source; for the command that runs several effects.
struct KeptAreaOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("\(help("mask")) All effects do so that can.", valueName: "file"))
    var mask: String?

    @Option(
        name: .customLong("hold-rect"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("\(help("hold_rects"))", valueName: "x,y,w,h"))
    var holdRectangles: [String] = []

    private static func help(_ key: String) -> String {
        KeptAreas.table.first { $0.key == key }?.help ?? ""
    }

    /// - Throws: `FrameError` if a rectangle is not one, or if the name of the mask is empty.
    func areas() throws(FrameError) -> KeptAreas {
        var values = SettingValues([:], names: ["mask": "--mask", "hold_rects": "--hold-rect"])
        values["mask"] = mask
        if !holdRectangles.isEmpty {
            values["hold_rects"] = holdRectangles.joined(separator: String(KeptAreas.separator))
        }
        return try KeptAreas(values)
    }
}
