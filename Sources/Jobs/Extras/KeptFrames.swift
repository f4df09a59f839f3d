internal import FrameAnalysis
internal import FrameCore

/// The frames that the workers of a divided job have kept for thumbnails and a storyboard.
struct KeptFrames {
    private let files: [String]
    /// Whether the frames between the kept ones are described.
    private let isDescribed: Bool

    init(_ results: [SegmentResult], in folder: SegmentResults, isDescribed: Bool) {
        files = results.compactMap { folder.keptFile($0) }
        self.isDescribed = isDescribed
    }

    /// Passes all frames to `take` in order. Frames that are not needed are placeholders without samples.
    func frames(_ take: (Frame) throws -> Void) throws {
        var places: [MediaTime: (file: Int, offset: Int)] = [:]
        for (index, file) in files.enumerated() {
            for (time, offset) in try KeptFrameReader(file).places() { places[time] = (index, offset) }
        }
        if !isDescribed {
            for (_, place) in places.sorted(by: { $0.key < $1.key }) { try take(frame(place)) }
            return
        }
        var blank: PixelBuffer?
        for file in files {
            let reader = try KeptFrameReader(file)
            while let (head, description) = try reader.next() {
                if let place = places[head.time] {
                    try take(frame(place))
                } else {
                    let buffer = try blank.flatMap { head.fits($0) ? $0 : nil } ?? Self.blank(head)
                    blank = buffer
                    try take(DescribedFrame.standIn(head.frame(buffer), description: description))
                }
            }
        }
    }

    private func frame(_ place: (file: Int, offset: Int)) throws -> Frame {
        try KeptFrameReader(files[place.file]).frame(at: place.offset)
    }

    private static func blank(_ head: FrameHeader) throws(FrameError) -> PixelBuffer {
        var buffer = try head.makeBuffer()
        let bytes = buffer.format.bytesPerSample
        try buffer.withOverwrittenPlanes { planes in
            for index in 0..<planes.count {
                let plane = planes[index]
                for row in 0..<plane.height {
                    plane.row(row).initializeMemory(as: UInt8.self, repeating: 0, count: plane.width * bytes)
                }
            }
        }
        return buffer
    }
}

/// A sink whose finished frames are those that workers have kept, and everything else that of another sink.
///
/// `@unchecked Sendable`: it has no state of its own.
final class JoiningSink: FrameSink, @unchecked Sendable {
    private let sink: any FrameSink
    private let kept: KeptFrames

    init(_ sink: any FrameSink, _ kept: KeptFrames) { (self.sink, self.kept) = (sink, kept) }

    var resumePoint: ResumePoint { sink.resumePoint }
    func finishedFrames(_ take: (Frame) throws -> Void) throws { try kept.frames(take) }
    func beginSegment(_ index: Int) throws { try sink.beginSegment(index) }
    func write(_ frame: Frame) throws { try sink.write(frame) }
    func addToLastFrame(_ sideData: SideData) { sink.addToLastFrame(sideData) }
    func finish() throws { try sink.finish() }
    func stop() { sink.stop() }
    func cancel() { sink.cancel() }
    func abandon() { sink.abandon() }
}
