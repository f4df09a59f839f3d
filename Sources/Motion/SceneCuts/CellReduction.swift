import FrameCore

/// Reduces planes to the means of equal cells, at most 128 along the longer side of the picture.
struct CellReduction: Sendable {
    static let longSide = 128

    /// Size of a luma cell in pixels; square unless the picture is a narrow strip.
    let cellWidth: Int
    let cellHeight: Int
    /// Cells per row and column of the luma grid, at least ``blockSide`` each.
    let columns: Int
    let rows: Int

    init(width: Int, height: Int) {
        let side = max(1, (max(width, height) + Self.longSide - 1) / Self.longSide)
        cellWidth = max(1, min(side, width / 16))
        cellHeight = max(1, min(side, height / 16))
        columns = max(blockSide, (width + cellWidth - 1) / cellWidth)
        rows = max(blockSide, (height + cellHeight - 1) / cellHeight)
    }

    /// Cell means in 1/16 of an 8-bit level.
    ///
    /// - Parameters:
    ///   - scale: luma cells per cell of the result, each way.
    ///   - shiftX: log2 of how much narrower the plane is than luma.
    ///   - shiftY: log2 of how much lower the plane is than luma.
    func cells(of plane: Plane, format: PixelFormat, scale: Int, shiftX: Int, shiftY: Int) -> FineGrid {
        let (outWidth, outHeight) = (
            max(blockSide / scale, (columns + scale - 1) / scale), max(blockSide / scale, (rows + scale - 1) / scale)
        )
        let x = CellSpans(cell: cellWidth * scale, shift: shiftX, length: plane.width, count: outWidth)
        let y = CellSpans(cell: cellHeight * scale, shift: shiftY, length: plane.height, count: outHeight)
        return FineGrid(
            width: outWidth, height: outHeight,
            values: [UInt16](unsafeUninitializedCapacity: outWidth * outHeight) { out, count in
                withUnsafeTemporaryAllocation(of: UInt32.self, capacity: plane.width) { sums in
                    for row in 0..<outHeight {
                        let span = y.span(row)
                        // Sixteen rows tell the mean of a tall cell as well as all of them.
                        let step = max(1, span.count / 16)
                        sums.update(repeating: 0)
                        var taken = 0
                        for line in stride(from: span.lowerBound, to: span.upperBound, by: step) {
                            taken += 1
                            add(plane.row(line), bytesPerSample: format.bytesPerSample, to: sums)
                        }
                        for column in 0..<outWidth {
                            let span = x.span(column)
                            var sum: UInt64 = 0
                            for i in span { sum &+= UInt64(sums[i]) }
                            let samples = UInt64(max(1, taken * span.count))
                            let scaled = (sum << UInt64(20 - format.bitDepth)) / samples
                            // Words of decoders may exceed the stated depth.
                            out[row * outWidth + column] = UInt16(min(4095, (scaled + 128) >> 8))
                        }
                    }
                }
                count = outWidth * outHeight
            })
    }

    private func add(_ row: UnsafeRawPointer, bytesPerSample: Int, to sums: UnsafeMutableBufferPointer<UInt32>) {
        if bytesPerSample == 1 {
            let samples = row.assumingMemoryBound(to: UInt8.self)
            for i in 0..<sums.count { sums[i] &+= UInt32(samples[i]) }
        } else {
            let samples = row.assumingMemoryBound(to: UInt16.self)
            for i in 0..<sums.count { sums[i] &+= UInt32(samples[i]) }
        }
    }
}

/// Which samples of a row (or rows of a plane) belong to each cell; the last sample fills cells beyond the end.
private struct CellSpans {
    let cell: Int
    let shift: Int
    let length: Int
    let count: Int

    func span(_ index: Int) -> Range<Int> {
        let start = min((index * cell) >> shift, length - 1)
        return start..<max(start + 1, min(((index + 1) * cell) >> shift, length))
    }
}

/// Cell means in 1/16 of an 8-bit level.
struct FineGrid: Sendable {
    let width: Int
    let height: Int
    let values: [UInt16]

    /// The same in 1/4 of a level.
    func quartered() -> Grid {
        Grid(width: width, height: height, values: values.map { Int16(min(1020, (Int32($0) + 2) >> 2)) })
    }
}
