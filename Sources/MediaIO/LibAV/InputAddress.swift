import CLibAV
package import FrameCore
import Glibc

/// Where an input lies, and which of libavformat's protocols may be used for it and for what it names: playlists name
/// other files, and what comes from the net must not reach for those of this machine.
///
/// - An address of the net reaches the net alone.
/// - A local file reaches local files, by the rules of libavformat's demuxers (in concat scripts relative names
///   alone, in HLS playlists the usual extensions), and not the net.
/// - Standard input reaches nothing.
package struct InputAddress {
    /// Whether reading it takes the net.
    package let isRemote: Bool
    /// Names of the protocols that may be used, separated by commas.
    package let protocols: String

    private static let network = [
        "http", "https", "httpproxy", "tcp", "tls", "udp", "udplite", "dtls", "rtp", "rtsp", "rtsps", "srtp", "sctp",
        "rtmp",
        "rtmpe", "rtmps", "rtmpt", "rtmpte", "rtmpts", "ffrtmpcrypt", "ffrtmphttp", "ftp", "sftp", "smb", "srt", "rist",
        "mms", "mmsh", "mmst", "gopher", "gophers", "ipfs", "ipns", "ipfs_gateway", "icecast", "amqp", "zmq",
    ]
    /// Protocols that read what is on this machine.
    private static let local = ["file", "pipe", "fd", "unix"]
    /// What libavformat itself allows an address of the web.
    private static let web = "http,https,tls,rtp,tcp,udp,crypto,httpproxy,data"
    /// Protocols that read by another one, which stands behind theirs.
    private static let wrappers = ["concat", "concatf", "subfile", "cache", "async", "crypto", "hls"]
    /// What holds no names of other things, or lies within what names it.
    private static let harmless = ["crypto", "data"]
    /// What a local file may reach.
    private static let files = (["file"] + harmless).joined(separator: ",")

    /// - Parameter name: a path, an address, or `-`.
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
            // A scheme that is not known here may be one of the net that libavformat knows.
            isRemote = !isWrapper || Self.namesNetwork(name)
            let place = isRemote ? Self.network + parts.filter { !Self.local.contains($0) } : ["file"]
            protocols = (place + ownProtocols + Self.harmless).joined(separator: ",")
        }
    }

    /// Whether a name that reads like an address is that of a file that is there, such as `Part:2.mp4`.
    static func isFile(_ name: String) -> Bool {
        guard name.contains(":"), !name.contains("://"), !name.hasPrefix("file:") else { return false }
        return LocalFile(name)?.isDirectory == false
    }

    /// What libavformat is to open for it.
    static func url(_ name: String) -> String { name == "-" ? "pipe:0" : isFile(name) ? "file:" + name : name }

    /// What stands before the first colon where libavformat takes it for a protocol.
    private static func scheme(of name: String) -> String? {
        if name.hasPrefix("subfile,"), name.contains(":") { return "subfile" }
        let scheme = name.utf8.prefix { byte in
            (97...122).contains(byte) || (48...57).contains(byte) || "+-.".utf8.contains(byte)
        }
        guard !scheme.isEmpty, name.utf8.dropFirst(scheme.count).first == UInt8(ascii: ":") else { return nil }
        return String(decoding: scheme, as: UTF8.self)
    }

    /// Whether a protocol of the net stands anywhere in an address that wraps others.
    private static func namesNetwork(_ name: String) -> Bool {
        let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == ":")) }
        return words.contains { word in
            word.split(separator: ":", omittingEmptySubsequences: false).dropLast().contains {
                network.contains(String($0))
            }
        }
    }
}

/// What can be said of an input before it is opened.
extension InputAddress {
    /// - Throws: `FrameError` when reading `input` takes the net.
    package static func requireLocal(_ input: String) throws(FrameError) {
        guard InputAddress(input).isRemote else { return }
        throw FrameError(
            .input, "this is an address of the network, which is switched off; only local files are read",
            at: .init(file: input))
    }

    /// Addresses, pipes and names of picture sequences pass: only opening them tells.
    ///
    /// - Throws: `FrameError` when `input` is a local file that is missing or cannot be read.
    package static func requireReadable(_ input: String) throws(FrameError) {
        let location = FrameError.Location(file: input)
        guard !input.isEmpty else { throw FrameError(.input, "the input's name is empty") }
        let isLocal = input.hasPrefix("file:") || !input.contains(":") || isFile(input)
        guard input != "-", isLocal, !input.contains("%") else { return }
        guard let file = LocalFile(input) else {
            let cause = SystemError.last
            guard cause.number == EACCES else { throw FrameError(.input, "there is no such file", at: location) }
            throw FrameError(.input, "the file cannot be read", at: location, cause: cause)
        }
        if file.isDirectory { throw FrameError(.input, "this is a directory; name a video file", at: location) }
        if access(LocalFile.path(input), R_OK) != 0 {
            throw FrameError(.input, "the file cannot be read", at: location, cause: SystemError.last)
        }
    }
}

/// libavformat's input formats by what they may do.
extension InputAddress {
    /// Formats whose files name other files or addresses, with the usual extensions.
    private static let playlists: [String: Set<String>] = [
        "hls": ["m3u8", "m3u"], "concat": ["ffconcat", "concat", "txt"], "dash": ["mpd"], "imf": ["xml"],
        "sdp": ["sdp"], "rtsp": [],
    ]

    /// What a single picture may lie in: anything that names no other files.
    static let pictureFormats = allButPlaylists.filter { $0 != "svg_pipe" }

    /// What a file may turn out to be; nil for anything. A playlist under another kind of name would read files, or wait
    /// for more to come, where its user expects one file to be read.
    static func formats(for name: String) -> [String]? {
        guard !InputAddress(name).isRemote else { return nil }
        let file = name.split(separator: "/").last ?? ""
        let ending = file.contains(".") ? file.split(separator: ".").last.map { $0.lowercased() } ?? "" : ""
        return playlists.values.contains { $0.contains(ending) } ? nil : allButPlaylists
    }

    /// For playlists: what a JPEG XL file holds must be looked at before libavcodec gets it.
    static let formatsButJPEGXL = all.filter { $0 != "jpegxl_pipe" }

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
