import CLibAV

/// The files behind the name of numbered pictures such as `in_%03d.png`.
enum PictureSequenceFiles {
    /// libavformat looks for the first picture among these numbers.
    private static let starts: Range<Int32> = 0..<5

    /// All that are there, in their order; empty for a name without a number in it.
    static func files(_ name: String) -> [String] {
        guard name.contains("%"), let start = starts.first(where: { file(name, $0) != nil }) else { return [] }
        var found: [String] = []
        var number = start
        while let next = file(name, number) {
            found.append(next)
            number += 1
        }
        return found
    }

    private static func file(_ name: String, _ number: Int32) -> String? {
        var path = [CChar](repeating: 0, count: 4096)
        guard av_get_frame_filename(&path, Int32(path.count), LocalFile.path(name), number) == 0 else { return nil }
        let file = String(nullTerminated: path)
        return LocalFile(file)?.isRegular == true ? file : nil
    }
}
