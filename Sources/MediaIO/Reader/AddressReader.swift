import CLibAV
public import FrameCore

/// Reads whole local files, and `http:` and `https:` URLs through libavformat.
public struct AddressReader: ByteSource {
    /// The URL schemes that are opened; others, such as libavformat's `concat:` or `data:`, are an error.
    static let schemes: Set<String> = ["http", "https", "file"]

    private let allowsNetwork: Bool

    /// Creates a reader; it keeps no state between calls.
    ///
    /// - Parameter allowsNetwork: whether network URLs are opened; if false, they are an error.
    public init(allowsNetwork: Bool = true) {
        self.allowsNetwork = allowsNetwork
        _ = LogCollector.installed
    }

    public func bytes(at address: String, limit: Int) throws(FrameError) -> [UInt8] {
        let location = FrameError.Location(file: address)
        let scheme = address.split(separator: ":", maxSplits: 1).first.map { $0.lowercased() } ?? ""
        let isAddress = address.contains(":") && scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
        if isAddress, address.contains("://") || Self.isKnownToLibAV(scheme), !Self.schemes.contains(scheme) {
            throw FrameError(.input, "URLs with the scheme \(scheme): are not supported", at: location)
        }
        if !address.contains("://") { try InputAddress.requireReadable(address) }
        let url = address.contains("://") || address.hasPrefix("file:") ? address : "file:" + address
        if !allowsNetwork { try InputAddress.requireLocal(url) }
        var context: UnsafeMutablePointer<AVIOContext>?
        let options = OptionDictionary([
            "protocol_whitelist": InputAddress(url).protocols, "rw_timeout": "30000000",
        ])
        try check(
            avio_open2(&context, url, AVIO_FLAG_READ, nil, &options.pointer), .input, "the file cannot be opened",
            at: location)
        defer { avio_closep(&context) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = avio_read(context, &chunk, Int32(chunk.count))
            if count == vfx_averror_eof || count == 0 { return bytes }
            try check(count, .input, "the file cannot be read to its end", at: location)
            guard bytes.count + Int(count) <= limit else {
                throw FrameError(.input, "the file is larger than the limit of \(limit) bytes", at: location)
            }
            bytes += chunk.prefix(Int(count))
        }
    }

    private static func isKnownToLibAV(_ scheme: String) -> Bool {
        ["concat", "concatf", "data", "subfile", "cache", "crypto", "pipe", "fd", "tee", "async", "ffrtmphttp"]
            .contains(scheme)
    }
}
