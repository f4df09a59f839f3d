import CLibAV
public import FrameCore

/// Bytes of local files and of what libavformat opens by an address: `http:`, `https:`.
public struct AddressReader: ByteSource {
    /// Schemes that are followed; others, such as libavformat's `concat:` or `data:`, are refused.
    static let schemes: Set<String> = ["http", "https", "file"]

    private let allowsNetwork: Bool

    /// A reader; it keeps nothing between calls.
    /// - Parameter allowsNetwork: whether addresses of the network are opened; false refuses them by name.
    public init(allowsNetwork: Bool = true) {
        self.allowsNetwork = allowsNetwork
        _ = LogCollector.installed
    }

    public func bytes(at address: String, limit: Int) throws(FrameError) -> [UInt8] {
        let location = FrameError.Location(file: address)
        let scheme = address.split(separator: ":", maxSplits: 1).first.map { $0.lowercased() } ?? ""
        let isAddress = address.contains(":") && scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
        if isAddress, address.contains("://") || Self.isKnownToLibAV(scheme), !Self.schemes.contains(scheme) {
            throw FrameError(.input, "addresses beginning with \(scheme): are not read", at: location)
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
                throw FrameError(.input, "the file is larger than the \(limit) bytes that are allowed", at: location)
            }
            bytes += chunk.prefix(Int(count))
        }
    }

    private static func isKnownToLibAV(_ scheme: String) -> Bool {
        ["concat", "concatf", "data", "subfile", "cache", "crypto", "pipe", "fd", "tee", "async", "ffrtmphttp"]
            .contains(scheme)
    }
}
