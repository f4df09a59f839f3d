public import FrameCore
internal import Glibc

/// Identifies an input, so that another input or a change to the same one is detected.
public struct InputIdentity: Sendable, Hashable, Codable {
    /// The number of positions in a file at which bytes are sampled.
    private static let samples = 64
    /// The number of bytes sampled at each position.
    private static let sampleSize = 16 << 10

    /// The size in bytes; nil for a URL whose server does not state it.
    package var size: Int64?
    /// The modification time in nanoseconds since 1970; nil for a URL.
    package var modified: Int64?
    /// For a file, the CRC-32 of samples taken from its start to its end; for an image sequence, the CRC-32 of the
    /// files' names, sizes and times; nil for a URL.
    package var samples: UInt32?
    /// The URL or the pattern; nil for a file, which may be moved.
    package var address: String?

    /// - Parameters:
    ///   - input: a path or a URL.
    ///   - pictures: the files of an image sequence; without them, only the sequence's pattern identifies it.
    ///   - remoteSize: the size in bytes of the data at a URL, if the server states it.
    /// - Throws: `FrameError` if a file cannot be read.
    public init(_ input: String, pictures: [String] = [], remoteSize: Int64? = nil) throws(FrameError) {
        let path = LocalFile.path(input)
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            address = input
            size = remoteSize
            samples = pictures.isEmpty ? nil : Self.sum(of: pictures)
            return
        }
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        samples = try Self.samples(of: path, size: Int64(status.st_size))
    }

    private static func sum(of pictures: [String]) -> UInt32 {
        var text = ""
        for path in pictures {
            var status = stat()
            guard stat(path, &status) == 0 else { continue }
            let name = path.split(separator: "/").last ?? ""
            text += "\(name) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)\n"
        }
        return CRC32.of(text.utf8)
    }

    private static func samples(of path: String, size: Int64) throws(FrameError) -> UInt32 {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw FrameError(.input, "the file cannot be read", at: .init(file: path), cause: SystemError.last)
        }
        defer { close(file) }
        var sum = CRC32(), bytes = [UInt8](repeating: 0, count: sampleSize)
        let last = max(0, size - Int64(sampleSize))
        for index in 0..<Int64(samples) {
            // Dividing first avoids overflow; exact for sizes up to 2^57.
            let count = pread(file, &bytes, sampleSize, off_t(last / Int64(samples - 1) * index))
            guard count >= 0 else {
                throw FrameError(.input, "the file cannot be read", at: .init(file: path), cause: SystemError.last)
            }
            bytes.withUnsafeBytes { sum.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        let count = pread(file, &bytes, sampleSize, off_t(last))
        bytes.withUnsafeBytes { sum.add(UnsafeRawBufferPointer(rebasing: $0[..<max(0, count)])) }
        return sum.value
    }

    /// Replaces the modification time by that of a copy of the input.
    package mutating func forgetTime(like copy: InputIdentity) { modified = copy.modified }

    /// Describes the first difference from `kept`; nil if there is none.
    package func difference(from kept: InputIdentity) -> String? {
        if address != kept.address {
            return
                "the input is \(address.map { "the address \($0)" } ?? "a file") but was \(kept.address.map { "the address \($0)" } ?? "a file")"
        }
        if let size, let former = kept.size, size != former {
            return "the input has \(size) bytes but had \(former)"
        }
        if modified != kept.modified { return "the input has been modified since" }
        return samples == kept.samples ? nil : "the input has different contents"
    }
}
