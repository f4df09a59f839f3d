internal import FrameAnalysis
internal import FrameCore
internal import MediaIO

/// Compares sample frames to decide whether a clip was made from the whole of another or from a part of it.
struct ComparedMoments {
    private let first: MediaReader
    private let second: MediaReader

    /// - Parameters:
    ///   - first: the name of the first clip.
    ///   - second: the name of the second clip.
    /// - Returns: nil if a clip cannot be read again.
    init?(_ first: String, _ second: String, _ options: MediaReaderOptions) {
        guard let first = try? MediaReader(first, options: options), first.isSeekable,
            let second = try? MediaReader(second, options: options), second.isSeekable
        else { return nil }
        self.first = first
        self.second = second
    }

    /// Returns the mean difference in luma between the frames that the clips show at pairs of times, 0…255.
    ///
    /// - Throws: `FrameError` if a frame cannot be read.
    func difference(at times: [(first: MediaTime, second: MediaTime)]) throws -> Double {
        var sum = 0.0
        for (inFirst, inSecond) in times {
            let a = try Self.luma(first, at: inFirst), b = try Self.luma(second, at: inSecond)
            sum += zip(a, b).reduce(0.0) { $0 + Double(abs(Int($1.0) - Int($1.1))) } / Double(max(1, a.count))
        }
        return sum / Double(max(1, times.count))
    }

    /// Returns luma at the points of a grid, which does not depend on the frame's size.
    private static func luma(_ reader: MediaReader, at time: MediaTime) throws -> [UInt8] {
        try reader.seek(to: time)
        var shown: Frame?
        while let frame = try reader.nextFrame() {
            if shown != nil, frame.presentationTime > time { break }
            shown = frame
        }
        guard let shown, let picture = Preview.large(shown)?.buffer else {
            throw FrameError(.decode, "no frame can be decoded at this time", at: .init(file: reader.input, time: time))
        }
        let columns = 96, rows = 54
        return picture.withPlanes { planes in
            let plane = planes[0]
            return (0..<rows).flatMap { y in
                let row = plane.row((2 * y + 1) * plane.height / (2 * rows)).assumingMemoryBound(to: UInt8.self)
                return (0..<columns).map { x in row[(2 * x + 1) * plane.width / (2 * columns)] }
            }
        }
    }
}
