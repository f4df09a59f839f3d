import CLibAV
import FrameCore
import Glibc

/// The files of an image sequence, and how libavformat opens them: as a pattern with a number such as `in_%04d.png`, as
/// a pattern with wildcards such as `*.png`, or as a folder of images.
package struct PictureFiles {
    /// The files in order; empty if only libavformat can resolve the pattern.
    let paths: [String]
    /// The pattern that libavformat opens.
    let url: String
    /// The options of libavformat's demuxer `image2`.
    let settings: [String: String]
    /// A sentence about files that are not part of the sequence; nil if there are none.
    let note: String?

    private static let extensions: Set<String> = [
        "bmp", "dpx", "exr", "j2k", "jp2", "jpeg", "jpg", "jxl", "pam", "pbm", "pgm", "png", "ppm", "qoi", "sgi", "tga",
        "tif", "tiff", "webp", "xbm", "xwd",
    ]
    private static let wildcards: Set<Character> = ["*", "?", "["]

    /// - Parameters:
    ///   - input: the name that the user gave.
    ///   - startNumber: the number of the first file; nil for the lowest.
    /// - Returns: nil if the name is not that of an image sequence.
    /// - Throws: `FrameError` if no file matches, or the order of the files is unclear.
    init?(_ input: String, startNumber: Int?) throws(FrameError) {
        let location = FrameError.Location(file: input)
        guard input != "-", !input.contains("://"), LocalFile(input)?.isDirectory != false else { return nil }
        let name = LocalFile.path(input)
        if LocalFile(input) != nil {
            let found = Self.pictures(in: name)
            guard let first = found.first else { return nil }
            let endings = Set(found.map(Self.fileExtension))
            guard endings.count == 1 else {
                throw FrameError(
                    .input,
                    "the folder holds images of several kinds (\(endings.sorted().joined(separator: ", "))); name some of them, such as '*.\(Self.fileExtension(first))'",
                    at: location)
            }
            try self.init(listed: found, url: nil, location)
        } else if Self.isWild(input) {
            let found = Self.matches(name)
            guard !found.isEmpty else { throw FrameError(.input, "no file matches this pattern", at: location) }
            try self.init(listed: found, url: name, location)
        } else {
            guard name.contains("%") else { return nil }
            try self.init(numbered: name, startNumber: startNumber, location)
            return
        }
        guard startNumber == nil else {
            throw FrameError(
                .invalidArgument, "--start-number applies to numbered images such as in_%04d.png", at: location)
        }
    }

    /// Returns the files of an image sequence in order; none if the name is not that of one.
    package static func paths(of input: String) -> [String] {
        (try? PictureFiles(input, startNumber: nil))?.paths ?? []
    }

    /// Whether a name is a pattern with wildcards rather than that of a file.
    static func isWild(_ name: String) -> Bool {
        !name.contains("%") && !name.contains("://") && name.contains(where: wildcards.contains)
            && LocalFile(name) == nil
    }

    /// Whether a folder holds images.
    package static func isFolder(_ path: String) -> Bool {
        LocalFile(path)?.isDirectory == true && !pictures(in: LocalFile.path(path)).isEmpty
    }

    private static func pictures(in folder: String) -> [String] {
        let place = folder.hasSuffix("/") ? folder : folder + "/"
        return (LocalFile.names(in: folder) ?? [])
            .filter { !$0.hasPrefix(".") && extensions.contains(fileExtension($0)) }
            .map { place + $0 }.filter { LocalFile($0)?.isRegular == true }
    }

    private static func fileExtension(_ path: String) -> String {
        path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    }

    private static func matches(_ pattern: String) -> [String] {
        var found = glob_t()
        // Alternatives in braces, as libavformat expands them.
        guard glob(pattern, 1 << 10, nil, &found) == 0 else { return [] }
        defer { globfree(&found) }
        return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
            .filter { LocalFile($0)?.isRegular == true }
    }
}

extension PictureFiles {
    /// A file's name as the text around its last number.
    private struct Numbered {
        let head: Substring
        let number: Int
        let width: Int
        let tail: Substring
        let path: String

        init?(_ path: String) {
            let end = path.lastIndex(of: ".") ?? path.endIndex
            guard let last = path[..<end].lastIndex(where: { $0.isASCII && $0.isNumber }) else { return nil }
            let digits = path[...last].reversed().prefix { $0.isASCII && $0.isNumber }.count
            let start = path.index(last, offsetBy: 1 - digits)
            guard let number = Int(path[start...last]), number <= Int(Int32.max) else { return nil }
            (head, tail) = (path[..<start], path[path.index(after: last)...])
            (self.number, width, self.path) = (number, digits, path)
        }
    }

    /// Files that a folder holds or a pattern with wildcards matches. Numbers decide about their order, wherever they can.
    private init(listed: [String], url: String?, _ location: FrameError.Location) throws(FrameError) {
        let plain = listed.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        let numbered = listed.compactMap(Numbered.init).sorted { $0.number < $1.number }
        guard let first = numbered.first, numbered.count == listed.count,
            numbered.allSatisfy({ $0.head == first.head && $0.tail == first.tail })
        else {
            try self.init(wild: plain, url: url, location)
            return
        }
        let isPadded = numbered.allSatisfy { $0.width == first.width }
        let isWhole = zip(numbered, numbered.dropFirst()).allSatisfy { $1.number == $0.number + 1 }
        guard isWhole, isPadded || numbered.allSatisfy({ $0.width == String($0.number).count }) else {
            guard plain == numbered.map(\.path) else {
                throw FrameError(
                    .input,
                    "the order of the images is unclear, since numbers are missing and the others have no leading zeros; number the files with leading zeros",
                    at: location)
            }
            try self.init(wild: plain, url: url, location)
            return
        }
        func escaped(_ text: Substring) -> String { String(text).replacing("%", with: "%%") }
        self.init(
            paths: numbered.map(\.path),
            url: escaped(first.head) + (isPadded ? "%0\(first.width)d" : "%d") + escaped(first.tail),
            settings: ["start_number": "\(first.number)"], note: nil)
    }

    private init(paths: [String], url: String, settings: [String: String], note: String?) {
        (self.paths, self.url, self.settings, self.note) = (paths, url, settings, note)
    }

    private init(wild paths: [String], url: String?, _ location: FrameError.Location) throws(FrameError) {
        self.paths = paths
        if let url {
            self.url = url
        } else {
            let folder = LocalFile.directory(of: paths.first ?? "")
            let escaped = folder.map { "\\*?[]{}".contains($0) ? "\\\($0)" : "\($0)" }.joined()
            // The extension may be in capital letters in some of the names.
            let endings = Set(paths.map { $0.split(separator: ".").last.map(String.init) ?? "" }).sorted()
            self.url = "\(escaped)/*." + (endings.count == 1 ? endings[0] : "{\(endings.joined(separator: ","))}")
        }
        settings = ["pattern_type": "glob"]
        note = nil
    }

    /// Files whose names differ in a number.
    private init(numbered pattern: String, startNumber: Int?, _ location: FrameError.Location) throws(FrameError) {
        let known = Self.numbers(of: pattern)
        url = pattern
        guard let start = startNumber ?? known.first else {
            // A pattern such as g%*.png, which only libavformat can resolve, or one that no file matches.
            (paths, settings, note) = ([], [:], nil)
            return
        }
        var found: [String] = [], number = start
        while let path = Self.file(pattern, number) {
            found.append(path)
            number += 1
        }
        guard !found.isEmpty else {
            let lowest = known.first.map { "; the lowest number is \($0)" } ?? ""
            throw FrameError(.input, "there is no image number \(start)\(lowest)", at: location)
        }
        paths = found
        settings = ["start_number": "\(start)"]
        let left = known.count { $0 > number }
        note =
            left == 0
            ? nil
            : "image number \(number) is missing, so the sequence ends before it and \(left) later \(left == 1 ? "image is" : "images are") left out"
    }

    /// Returns the numbers of the files that match a pattern, in ascending order.
    private static func numbers(of pattern: String) -> [Int] {
        let base = pattern.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let folder = LocalFile.directory(of: pattern)
        guard !folder.contains("%"), let percent = place(ofNumberIn: base),
            let end = base[percent...].firstIndex(of: "d")
        else { return [] }
        let head = base[..<percent].replacing("%%", with: "%")
        return (LocalFile.names(in: folder) ?? []).compactMap { name -> Int? in
            guard name.hasPrefix(head) else { return nil }
            let digits = name.dropFirst(head.count).prefix { $0.isASCII && $0.isNumber }
            guard end < base.endIndex, let number = Int(digits), let path = file(pattern, number) else { return nil }
            return path.hasSuffix("/" + name) || path == name ? number : nil
        }.sorted()
    }

    /// Returns where the number is in a pattern, as `%d` or `%04d`; `%%` is a percent sign.
    private static func place(ofNumberIn pattern: Substring) -> Substring.Index? {
        var rest = pattern
        while let percent = rest.firstIndex(of: "%") {
            let after = rest.index(after: percent)
            guard after < rest.endIndex, rest[after] == "%" else { return percent }
            rest = rest[rest.index(after: after)...]
        }
        return nil
    }

    private static func file(_ pattern: String, _ number: Int) -> String? {
        guard let number = Int32(exactly: number) else { return nil }
        var path = [CChar](repeating: 0, count: 4096)
        guard av_get_frame_filename(&path, Int32(path.count), pattern, number) == 0 else { return nil }
        let file = String(nullTerminated: path)
        return LocalFile(file)?.isRegular == true ? file : nil
    }
}
