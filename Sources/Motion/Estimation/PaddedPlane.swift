package import FrameCore
import Kernels

/// A plane with replicated borders, so that kernels can read past the edges of the frame.
///
/// `@unchecked Sendable`: only the code that creates it writes to it, before it is shared.
package final class PaddedPlane: @unchecked Sendable {
    package let width: Int
    package let height: Int
    package let bytesPerSample: Int
    /// Readable samples beyond each edge.
    package let margin: Int
    /// Distance between rows, in samples.
    package let stride: Int
    private let memory: UnsafeMutableRawPointer
    /// Rows that are copied as one unit.
    private static let bandRows = 64
    /// The address of sample (0, 0).
    package let origin: UnsafeMutableRawPointer

    /// Allocates a plane. Its samples are not initialised.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package init(width: Int, height: Int, bytesPerSample: Int, margin: Int) throws(FrameError) {
        self.width = width
        self.height = height
        self.bytesPerSample = bytesPerSample
        self.margin = margin
        let lead = (margin * bytesPerSample + 63) / 64 * 64
        var rowBytes = (lead + (width + margin) * bytesPerSample + 32 + 63) / 64 * 64
        if rowBytes % 4096 == 0 { rowBytes += 64 }
        stride = rowBytes / bytesPerSample
        let byteCount = rowBytes * (height + 2 * margin) + 64
        guard let memory = vfx_allocate(byteCount, 64) else {
            throw FrameError(.allocation, "no memory for a plane of \(byteCount) bytes")
        }
        self.memory = memory
        origin = memory + margin * rowBytes + lead
    }

    deinit { vfx_free(memory) }

    package var sampleType: any PixelSample.Type { PixelFormat.typeOfSample(bitDepth: 8 * bytesPerSample) }

    package var bytes: UnsafeMutablePointer<UInt8> { origin.assumingMemoryBound(to: UInt8.self) }

    package func row(_ y: Int) -> UnsafeMutableRawPointer { origin + y * stride * bytesPerSample }

    /// Replicates the first and last sample of each of `rows` into the side margins.
    func padSides(rows: Range<Int>) { padSides(sampleType, rows) }

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private func padSides<Sample: PixelSample>(_: Sample.Type, _ rows: Range<Int>) {
        for y in rows {
            let row = row(y).assumingMemoryBound(to: Sample.self)
            (row - margin).update(repeating: row[0], count: margin)
            (row + width).update(repeating: row[width - 1], count: margin)
        }
    }

    /// Replicates the first and last row, side margins included, into the top and bottom margins.
    func padEnds() {
        let bytes = (width + 2 * margin) * bytesPerSample
        let first = row(0) - margin * bytesPerSample, last = row(height - 1) - margin * bytesPerSample
        for i in 1...margin {
            (row(-i) - margin * bytesPerSample).copyMemory(from: first, byteCount: bytes)
            (row(height - 1 + i) - margin * bytesPerSample).copyMemory(from: last, byteCount: bytes)
        }
    }

    /// Creates a padded copy of one plane of a frame.
    package convenience init(copying plane: Plane, bytesPerSample: Int, margin: Int, context: ExecutionContext)
        throws(FrameError)
    {
        try self.init(width: plane.width, height: plane.height, bytesPerSample: bytesPerSample, margin: margin)
        let byteCount = width * bytesPerSample
        nonisolated(unsafe) let plane = plane
        parallelBands(height, height: Self.bandRows, threads: context.threads) { rows in
            for y in rows { row(y).copyMemory(from: plane.row(y), byteCount: byteCount) }
            padSides(rows: rows)
        }
        padEnds()
    }

    /// Returns padded copies of all planes of a frame.
    package static func copies(
        of picture: PixelBuffer, margin: Int, context: ExecutionContext
    ) throws(FrameError) -> [PaddedPlane] {
        try picture.withPlanes { planes throws(FrameError) in
            var copies: [PaddedPlane] = []
            for index in 0..<planes.count {
                copies.append(
                    try PaddedPlane(
                        copying: planes[index], bytesPerSample: picture.format.bytesPerSample, margin: margin,
                        context: context))
            }
            return copies
        }
    }

    /// Returns the plane with each sample replaced by the element of `table` that it selects.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func mapped(by table: [UInt16], context: ExecutionContext) throws(FrameError) -> PaddedPlane {
        let result = try PaddedPlane(width: width, height: height, bytesPerSample: bytesPerSample, margin: margin)
        parallelBands(height, height: Self.bandRows, threads: context.threads) { rows in
            map(sampleType, rows, by: table, into: result)
            result.padSides(rows: rows)
        }
        result.padEnds()
        return result
    }

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private func map<Sample: PixelSample>(
        _: Sample.Type, _ rows: Range<Int>, by table: [UInt16], into result: PaddedPlane
    ) {
        table.withUnsafeBufferPointer { table in
            for y in rows {
                let from = row(y).assumingMemoryBound(to: Sample.self)
                let to = result.row(y).assumingMemoryBound(to: Sample.self)
                // A word may hold more than its depth allows.
                for x in 0..<width {
                    to[x] = Sample(truncatingIfNeeded: table[min(Int(from[x]), table.count - 1)])
                }
            }
        }
    }
}
