extension PixelFormat {
    /// The names of the planes in order, for people.
    package var planeNames: [String] {
        let colors = isRGB ? ["green", "blue", "red"] : ["luma", "Cb", "Cr"]
        return colors.prefix(colorPlaneCount) + (hasAlpha ? ["alpha"] : [])
    }

    /// Returns a list of formats for an error message. Formats that differ in nothing but the depth are named together if
    /// all of them come in the same depths, such as `yuv420p and gbrp of 8 to 16 bits`.
    package static func list(_ formats: [PixelFormat]) -> String {
        var layouts: [(name: String, depths: [Int])] = []
        for format in formats {
            if let known = layouts.firstIndex(where: { $0.name == format.layoutName }) {
                layouts[known].depths.append(format.bitDepth)
            } else {
                layouts.append((format.layoutName, [format.bitDepth]))
            }
        }
        guard let depths = layouts.first?.depths, let least = depths.first, depths.count > 1,
            depths == Array(least..<least + depths.count), layouts.allSatisfy({ $0.depths == depths })
        else { return formats.map(\.description).joined(separator: ", ") }
        let names = layouts.map(\.name)
        let all =
            names.count > 1 ? "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])" : names[0]
        return "\(all) of \(least) to \(least + depths.count - 1) bits"
    }
}
