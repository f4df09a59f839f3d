import MediaIO

extension FuzzTarget {
    /// Names of inputs: a network address must not reach local files, and a local name must not reach the network.
    static let inputAddress = FuzzTarget("input-address", longestInput: 256) { bytes in
        let name = String(decoding: bytes, as: UTF8.self)
        let address = InputAddress(name)
        let protocols = Set(address.protocols.split(separator: ",").map(String.init))
        require(!protocols.isEmpty, "'\(name)' has no protocols")
        let forbidden =
            address.isRemote
            ? ["file", "pipe", "fd", "unix"]
            : ["http", "https", "tcp", "tls", "udp", "rtp", "ftp", "sftp", "smb", "rtmp"]
        require(
            protocols.isDisjoint(with: forbidden),
            "'\(name)', \(address.isRemote ? "remote" : "local"), may use \(address.protocols)")
    }
}
