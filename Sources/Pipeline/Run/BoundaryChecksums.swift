package import FrameCore

/// Passes on the frames of a source and keeps a checksum of those before each reset point.
///
/// Two readers that have begun in different places have read the same frames under the same numbers if their checksums
/// before a common reset point are equal.
///
/// `@unchecked Sendable`: only the reading thread calls ``nextFrame()``; what others ask for is protected by a lock.
package final class BoundaryChecksums: FrameSource, @unchecked Sendable {
    /// The number of frames before a reset point that are summed up.
    private static let frames = 8

    private struct Contents {
        var sums: [Int: UInt32] = [:]
        var damage = DamageReport()
    }

    private let source: any FrameSource
    private let contents: Lock<Contents>
    private let first: Int
    private var index: Int
    private var sum = CRC32()

    /// - Parameters:
    ///   - source: the source.
    ///   - first: the number of the frame that it returns next.
    package init(_ source: any FrameSource, from first: Int) {
        self.source = source
        (self.first, index) = (first, first)
        contents = Lock(Contents(damage: source.damage))
    }

    package var stream: VideoStreamDescription { source.stream }
    package var damage: DamageReport { contents.withLock { $0.damage } }

    /// The checksum of the times and samples of the frames before a reset point; nil if they have not all been read.
    package func checksum(before point: Int) -> UInt32? { contents.withLock { $0.sums[point] } }

    package func nextFrame() throws -> Frame? {
        defer {
            let damage = source.damage
            contents.withLock { if $0.damage != damage { $0.damage = damage } }
        }
        guard let frame = try source.nextFrame() else { return nil }
        let place = ResetSchedule.place(of: index, amongLast: Self.frames)
        index += 1
        guard place >= 0 else { return frame }
        if place == 0 { sum = CRC32() }
        var bytes = ByteWriter()
        bytes.little(frame.presentationTime.value)
        bytes.little(frame.presentationTime.timescale)
        bytes.little(frame.buffer.sampleChecksum)
        bytes.bytes.withUnsafeBytes { sum.add($0) }
        // A reader that begins between these frames has seen no more than some of them.
        if place == Self.frames - 1, index - first >= Self.frames {
            contents.withLock { $0.sums[ResetSchedule.segment(of: index)] = sum.value }
        }
        return frame
    }
}
