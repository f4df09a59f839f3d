internal import FrameCore
internal import Glibc

/// What files hold, whatever they are called.
enum FileContents {
    private static let chunk = 1 << 20

    /// Returns the sizes and CRC-32 checksums of files, in their order; nil if there is none or if one cannot be read.
    static func summary(of files: [String]) -> String? {
        guard !files.isEmpty else { return nil }
        var words: [String] = []
        for file in files {
            guard let word = word(LocalFile.path(file)) else { return nil }
            words.append(word)
        }
        return words.joined(separator: " ")
    }

    private static func word(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var sum = CRC32(), size = 0, bytes = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = fread(&bytes, 1, chunk, file)
            guard count > 0 else { break }
            bytes.withUnsafeBytes { sum.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            size += count
        }
        return ferror(file) == 0 ? "\(size):\(sum.value)" : nil
    }
}
