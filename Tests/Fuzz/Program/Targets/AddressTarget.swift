import MediaIO

extension FuzzTarget {
    /// Names of inputs: what is taken for the net reaches nothing of this machine, and the other way round.
    static let inputAddress = FuzzTarget("input-address", longestInput: 256) { bytes in
        let name = String(decoding: bytes, as: UTF8.self)
        let address = InputAddress(name)
        let protocols = Set(address.protocols.split(separator: ",").map(String.init))
        require(!protocols.isEmpty, "'\(name)' reaches nothing at all")
        let forbidden =
            address.isRemote
            ? ["file", "pipe", "fd", "unix"]
            : ["http", "https", "tcp", "tls", "udp", "rtp", "ftp", "sftp", "smb", "rtmp"]
        require(
            protocols.isDisjoint(with: forbidden),
            "'\(name)', \(address.isRemote ? "of the net" : "local"), may use \(address.protocols)")
    }
}
