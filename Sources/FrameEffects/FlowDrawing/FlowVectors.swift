package import FrameCore
package import Motion

/// Motion as samples: three planes of 32-bit floating-point numbers.
///
/// Frames of the package have integer samples. So the numbers lie in planes of 16-bit samples that are twice as wide.
package final class FlowVectors: Sendable {
    package init() {}

    /// Returns the layout of the planes with the vectors of a clip.
    package static func stream(over source: VideoStreamDescription) throws(FrameError) -> VideoStreamDescription {
        var stream = source
        stream.format = try PixelFormat(subsampling: .yuv444, bitDepth: 16)
        stream.width = 2 * source.width
        stream.color = ColorDescription()
        return stream
    }

    /// The memory of frames, known once the first one is made.
    private let pool = Lock<PixelBufferPool?>(nil)

    private func pool(width: Int, height: Int) throws(FrameError) -> PixelBufferPool {
        try pool.withLock { pool throws(FrameError) in
            if let pool { return pool }
            let made = try PixelBufferPool(
                format: PixelFormat(subsampling: .yuv444, bitDepth: 16), width: width, height: height)
            pool = made
            return made
        }
    }

    /// Returns a frame with the motion to its neighbour: to the right, down, and the confidence from 0 to 1. All are 0
    /// where no motion is known.
    ///
    /// - Parameter field: the motion; nil across a cut and for a frame without that neighbour.
    package func frame(_ frame: Frame, _ field: FlowField?) throws(FrameError) -> Frame {
        let width = frame.buffer.width
        let vectors = field?.dense().vectors, confidence = field?.denseConfidence()
        var buffer = try pool(width: 2 * width, height: frame.buffer.height).makeBuffer()
        try buffer.withOverwrittenPlanes { planes in
            for plane in 0..<3 {
                for y in 0..<planes[plane].height {
                    let row = planes[plane].row(y).bindMemory(to: Float.self, capacity: width)
                    guard let vectors, let confidence else {
                        row.update(repeating: 0, count: width)
                        continue
                    }
                    let first = y * width
                    switch plane {
                    case 0: for x in 0..<width { row[x] = vectors[first + x].x }
                    case 1: for x in 0..<width { row[x] = vectors[first + x].y }
                    default: for x in 0..<width { row[x] = Float(confidence[first + x]) / 255 }
                    }
                }
            }
        }
        return Frame(
            buffer: buffer, presentationTime: frame.presentationTime, duration: frame.duration,
            color: ColorDescription())
    }
}
