internal import FrameCore
internal import Pipeline

extension Conversion {
    /// Returns the same conversion with absolute paths.
    ///
    /// - Parameter directory: the folder to which relative paths refer.
    package func withAbsolutePaths(in directory: String) -> Conversion {
        var conversion = self
        conversion.input.file = absolutePath(input.file, in: directory)
        conversion.output.file = absolutePath(output.file, in: directory)
        if case .file(let file) = cuts { conversion.cuts = .file(absolutePath(file, in: directory)) }
        if let folder = extras.thumbnails?.folder {
            conversion.extras.thumbnails?.folder = absolutePath(folder, in: directory)
        }
        if let folder = extras.storyboard?.folder {
            conversion.extras.storyboard?.folder = absolutePath(folder, in: directory)
        }
        conversion.extras.grainTable = extras.grainTable.map { absolutePath($0, in: directory) }
        conversion.effects = effects.map { $0.mappingPaths { absolutePath($0, in: directory) } }
        return conversion
    }
}

/// Returns a path made absolute; addresses and `-` are returned unchanged.
package func absolutePath(_ path: String, in directory: String) -> String {
    let plain = LocalFile.path(path)
    return plain.hasPrefix("/") || path.contains("://") || path == "-" ? plain : directory + "/" + plain
}
