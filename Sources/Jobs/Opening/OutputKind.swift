internal import FrameCore
internal import Glibc
internal import MediaIO

/// The kind of output selected by a name and a format option, as needed before the output is opened.
package struct OutputKind {
    /// Whether the format stores no times, so that frames must be evenly spaced.
    package let lacksTimes: Bool
    /// Whether the output is numbered images, or one.
    package let isPictures: Bool
    /// Whether the output is an encoded video.
    package let isVideo: Bool
    /// Why finished segments of the output cannot be kept for another run; nil if they can.
    package let obstacleToKeeping: String?
    /// The path of the file to write; nil for any other output.
    package let file: String?

    package init(_ output: ConversionOutput) { self.init(output.file, format: output.format) }

    /// - Parameters:
    ///   - name: the output as the user names it.
    ///   - format: the format that is chosen; nil if the name decides.
    package init(_ name: String, format: String?) {
        lacksTimes = format.map { $0 == "yuv4mpegpipe" || $0 == "y4m" } ?? name.lowercased().hasSuffix(".y4m")
        let isAnimation = AnimationFormat(name, format: format) != nil
        isPictures = (format ?? "image2") == "image2" && SingleFile.isPicture(name) && !isAnimation
        isVideo = !lacksTimes && !isPictures && format != "null"
        let path = name.hasPrefix("file:") ? String(name.dropFirst(5)) : name
        let isSent = name == "-" || name.hasPrefix("pipe:") || name.contains("://")
        let isFile = format != "null" && !isPictures && !isSent && !Self.isDevice(path)
        file = isFile ? path : nil
        if format == "null" {
            obstacleToKeeping = "--format null writes no file"
        } else if lacksTimes {
            obstacleToKeeping = "y4m is not encoded in segments"
        } else if isPictures {
            obstacleToKeeping = "images are not encoded in segments"
        } else if isAnimation {
            obstacleToKeeping = "animated images are not encoded in segments"
        } else if isSent {
            obstacleToKeeping = "data that was already sent cannot be resumed"
        } else if Self.isDevice(path) {
            obstacleToKeeping = "this is a device"
        } else {
            obstacleToKeeping = nil
        }
    }

    /// Whether the path exists and is neither a file nor a folder; folders are rejected when the output is opened.
    private static func isDevice(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }
}
