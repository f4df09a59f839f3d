import CLibAV

/// The libraries that read and write media.
public enum MediaLibraries {
    /// Their versions, e.g. `libavformat 59.27.100, libavcodec 59.37.100`.
    public static var versions: String {
        [("libavformat", avformat_version()), ("libavcodec", avcodec_version())].map { name, version in
            "\(name) \(version >> 16).\(version >> 8 & 255).\(version & 255)"
        }.joined(separator: ", ")
    }
}
