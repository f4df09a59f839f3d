/// Adds the flags of pulldown to progressive MPEG-2 video of 24000/1001 frames/s, which makes it 30000/1001 (ISO/IEC 13818-2,
/// 6.3.10).
enum MPEG2Pulldown {
    /// Returns the stream with the first field of each second frame repeated.
    ///
    /// - Parameters:
    ///   - video: an elementary stream.
    ///   - interval: the number of frames of which one is shown for three fields.
    ///   - first: the number of the first such frame.
    static func added(to video: [UInt8], every interval: Int = 2, from first: Int = 0) -> [UInt8] {
        var video = video
        var group = 0, number = 0
        var pictures: [(group: Int, number: Int, extensionStart: Int)] = []
        for start in 0..<video.count - 12 where video[start] == 0 && video[start + 1] == 0 && video[start + 2] == 1 {
            switch video[start + 3] {
            // The sequence: 30000/1001 frames/s.
            case 0xB3: video[start + 7] = video[start + 7] & 0xF0 | 4
            case 0xB8: group = pictures.count
            case 0: number = Int(video[start + 4]) << 2 | Int(video[start + 5]) >> 6
            // Not a progressive sequence.
            case 0xB5 where video[start + 4] >> 4 == 1: video[start + 5] &= ~8
            case 0xB5 where video[start + 4] >> 4 == 8: pictures.append((group, number, start))
            default: break
            }
        }
        var isTopFirst = true
        for (index, picture) in pictures.sorted(by: { ($0.group, $0.number) < ($1.group, $1.number) }).enumerated() {
            let repeats = index % interval == first
            video[picture.extensionStart + 7] &= 0x7D
            video[picture.extensionStart + 7] |= (isTopFirst ? 0x80 : 0) | (repeats ? 2 : 0)
            video[picture.extensionStart + 8] |= 0x80
            if repeats { isTopFirst.toggle() }
        }
        return video
    }
}
