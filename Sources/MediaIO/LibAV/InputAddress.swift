import CLibAV
package import FrameCore
import Glibc

/// Where an input comes from, and which of libavformat's protocols it may use. Playlists name other files, and remote
/// content must not access local files.
///
/// - A network URL can access only the network.
/// - A local file can access local files but not the network, within the rules of libavformat's demuxers (only relative
///   names in concat scripts, only the usual extensions in HLS playlists).
/// - Standard input can access nothing else.
package struct InputAddress {
    /// Whether reading the input requires the network.
    package let isRemote: Bool
    /// Names of the allowed protocols, separated by commas.
    package let protocols: String

    private static let network = [
        "http", "https", "httpproxy", "tcp", "tls", "udp", "udplite", "dtls", "rtp", "rtsp", "rtsps", "srtp", "sctp",
        "rtmp",
        "rtmpe", "rtmps", "rtmpt", "rtmpte", "rtmpts", "ffrtmpcrypt", "ffrtmphttp", "ftp", "sftp", "smb", "srt", "rist",
        "mms", "mmsh", "mmst", "gopher", "gophers", "ipfs", "ipns", "ipfs_gateway", "icecast", "amqp", "zmq",
    ]
    /// Protocols that read from this machine.
    private static let local = ["file", "pipe", "fd", "unix"]
    /// Protocols that libavformat allows by default for `http:` and `https:` URLs.
    private static let web = "http,https,tls,rtp,tcp,udp,crypto,httpproxy,data"
    /// Protocols that read through another one, whose URL follows their name.
    private static let wrappers = ["concat", "concatf", "subfile", "cache", "async", "crypto", "hls"]
    /// Protocols that give no access to further files: `data` URLs contain their data, and `crypto` only decrypts.
    private static let harmless = ["crypto", "data"]
    /// Protocols that a local file may use.
    private static let files = (["file"] + harmless).joined(separator: ",")

    /// - Parameter name: a path, a URL, or `-` for standard input.
    package init(_ name: String) {
        if Self.isFile(name) {
            (isRemote, protocols) = (false, Self.files)
            return
        }
        let name = name.lowercased()
        let scheme = Self.scheme(of: name)
        let parts = scheme?.split(separator: "+").map(String.init) ?? []
        let isWrapper = parts.contains { Self.wrappers.contains($0) }
        let ownProtocols = isWrapper ? Self.wrappers : []
        switch scheme {
        case _ where name == "-": (isRemote, protocols) = (false, "pipe")
        case "pipe"?, "fd"?, "data"?, "unix"?: (isRemote, protocols) = (false, scheme ?? "")
        case "http"?, "https"?: (isRemote, protocols) = (true, Self.web)
        case nil, "file"?: (isRemote, protocols) = (false, Self.files)
        default:
            // An unknown scheme may be a network protocol of libavformat, so it counts as remote.
            isRemote = !isWrapper || Self.namesNetwork(name)
            let place = isRemote ? Self.network + parts.filter { !Self.local.contains($0) } : ["file"]
            protocols = (place + ownProtocols + Self.harmless).joined(separator: ",")
        }
    }

    /// Whether a name that looks like a URL is an existing file, such as `Part:2.mp4`.
    static func isFile(_ name: String) -> Bool {
        guard name.contains(":"), !name.contains("://"), !name.hasPrefix("file:") else { return false }
        return LocalFile(name)?.isDirectory == false
    }

    /// Returns the URL that libavformat must open for an input's name.
    static func url(_ name: String) -> String { name == "-" ? "pipe:0" : isFile(name) ? "file:" + name : name }

    /// Returns the part before the first colon if libavformat would treat it as a protocol; else nil.
    private static func scheme(of name: String) -> String? {
        if name.hasPrefix("subfile,"), name.contains(":") { return "subfile" }
        let scheme = name.utf8.prefix { byte in
            (97...122).contains(byte) || (48...57).contains(byte) || "+-.".utf8.contains(byte)
        }
        guard !scheme.isEmpty, name.utf8.dropFirst(scheme.count).first == UInt8(ascii: ":") else { return nil }
        return String(decoding: scheme, as: UTF8.self)
    }

    /// Whether a URL that wraps others contains a network protocol anywhere.
    private static func namesNetwork(_ name: String) -> Bool {
        let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == ":")) }
        return words.contains { word in
            word.split(separator: ":", omittingEmptySubsequences: false).dropLast().contains {
                network.contains(String($0))
            }
        }
    }
}

/// Checks of an input before it is opened.
extension InputAddress {
    /// - Throws: `FrameError` when reading `input` requires the network.
    package static func requireLocal(_ input: String) throws(FrameError) {
        guard InputAddress(input).isRemote else { return }
        throw FrameError(
            .input, "this is a network URL, but network access is switched off; only local files are read",
            at: .init(file: input))
    }

    /// Checks that a local file is readable. URLs, pipes and image sequences always pass; they can only be checked by
    /// opening them.
    ///
    /// - Throws: `FrameError` when `input` is a local file that is missing or cannot be read.
    package static func requireReadable(_ input: String) throws(FrameError) {
        let location = FrameError.Location(file: input)
        guard !input.isEmpty else { throw FrameError(.input, "the input's name is empty") }
        let isLocal = input.hasPrefix("file:") || !input.contains(":") || isFile(input)
        guard input != "-", isLocal, !input.contains("%"), !PictureFiles.isWild(input) else { return }
        guard let file = LocalFile(input) else {
            let cause = SystemError.last
            guard cause.number == EACCES else { throw FrameError(.input, "there is no such file", at: location) }
            throw FrameError(.input, "the file cannot be read", at: location, cause: cause)
        }
        if file.isDirectory {
            guard !PictureFiles.isFolder(input) else { return }
            throw FrameError(.input, "this is a directory; specify a video file", at: location)
        }
        if access(LocalFile.path(input), R_OK) != 0 {
            throw FrameError(.input, "the file cannot be read", at: location, cause: SystemError.last)
        }
    }
}

/// libavformat's input formats, grouped by whether they can access other files.
extension InputAddress {
    /// Formats whose files name other files or URLs, with their usual extensions.
    private static let playlists: [String: Set<String>] = [
        "hls": ["m3u8", "m3u"], "concat": ["ffconcat", "concat", "txt"], "dash": ["mpd"], "imf": ["xml"],
        "sdp": ["sdp"], "rtsp": [],
    ]

    /// Formats allowed for a single image: all whose files cannot name other files.
    static let pictureFormats = allButPlaylists.filter { $0 != "svg_pipe" }

    /// Returns the formats that may be detected in an input; nil for all.
    ///
    /// A playlist without a playlist's extension is not allowed: it would read other files, or wait for more data,
    /// where the user expects a single file.
    static func formats(for name: String) -> [String]? {
        guard !InputAddress(name).isRemote else { return nil }
        let file = name.split(separator: "/").last ?? ""
        let ending = file.contains(".") ? file.split(separator: ".").last.map { $0.lowercased() } ?? "" : ""
        return playlists.values.contains { $0.contains(ending) } ? nil : allButPlaylists
    }

    /// Formats allowed in playlists: all but JPEG XL, whose files must be checked before libavcodec decodes them.
    static let formatsButJPEGXL = all.filter { $0 != "jpegxl_pipe" }

    /// Whether a demuxer's files name other files.
    ///
    /// - Parameter names: the demuxer's short names, separated by commas.
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
