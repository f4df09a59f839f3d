import CLibAV

/// libavformat's input formats by what they may do.
enum InputFormats {
    /// Formats whose files name other files or addresses, with the usual extensions.
    private static let playlists: [String: Set<String>] = [
        "hls": ["m3u8", "m3u"], "concat": ["ffconcat", "concat", "txt"], "dash": ["mpd"], "imf": ["xml"],
        "sdp": ["sdp"], "rtsp": [],
    ]

    /// What a single picture may lie in: anything that names no other files.
    static let pictures = allButPlaylists.filter { $0 != "svg_pipe" }

    /// What a file may turn out to be; nil for anything. A playlist under another kind of name would read files, or wait
    /// for more to come, where its user expects one file to be read.
    static func allowed(for name: String) -> [String]? {
        guard !InputAddress(name).isRemote else { return nil }
        let file = name.split(separator: "/").last ?? ""
        let ending = file.contains(".") ? file.split(separator: ".").last.map { $0.lowercased() } ?? "" : ""
        return playlists.values.contains { $0.contains(ending) } ? nil : allButPlaylists
    }

    /// For playlists: what a JPEG XL file holds must be looked at before libavcodec gets it.
    static let allButJPEGXL = all.filter { $0 != "jpegxl_pipe" }

    /// Whether a demuxer, by its short names, reads files that name other files.
    static func isPlaylist(_ names: String) -> Bool {
        names.split(separator: ",").contains { playlists[String($0)] != nil }
    }

    private static let allButPlaylists = all.filter { !isPlaylist($0) }

    private static let all: [String] = {
        var found: [String] = []
        var state: UnsafeMutableRawPointer?
        while let format = av_demuxer_iterate(&state) { found.append(String(c: format.pointee.name)) }
        return found
    }()
}
