import FrameCore

/// The part of frames inside black bars, from which frames are made as if there were no bars.
///
/// At the edge of a bar, the picture comes out of nothing or goes into it, as it does at the edge of a frame. Motion found
/// across that edge drags black into the picture, and pieces of the picture into the bar.
struct PictureCrop: Equatable {
    /// The part in luma samples, in whole samples of chroma.
    private let columns: Range<Int>
    private let rows: Range<Int>

    var width: Int { columns.count }
    var height: Int { rows.count }

    /// Smallest side of a part, in samples.
    private static let smallest = 64
    /// Lines by which a part may change on each side and still be the same: the edge of a bar is soft.
    private static let tolerance = 2

    /// Finds the part that two frames of the same format and size show inside bars.
    ///
    /// - Parameter former: the part of the pair before, if this pair follows it. It remains if its bars are still bars, as
    ///   long as no other part is found: bars beside a dark picture cannot be told from it.
    /// - Returns: nil if there are no bars, or something changes in them.
    static func find(_ a: PixelBuffer, _ b: PixelBuffer, former: PictureCrop?) -> PictureCrop? {
        a.withPlanes { planesA in
            b.withPlanes { planesB in
                let lumaA = EightBitLuma(planesA), lumaB = EightBitLuma(planesB)
                let area = PictureArea(lumaA, lumaB).withEdges
                let found = PictureCrop(area.columns, area.rows, in: a)
                if let former, found == nil || found?.isClose(to: former) == true,
                    former.hasSteadyBars(lumaA, lumaB)
                {
                    return former
                }
                return found.flatMap { $0.hasSteadyBars(lumaA, lumaB) ? $0 : nil }
            }
        }
    }

    /// - Returns: nil if the part is the whole frame or too small.
    private init?(_ columns: Range<Int>, _ rows: Range<Int>, in frame: PixelBuffer) {
        func aligned(_ range: Range<Int>, _ count: Int, shift: Int) -> Range<Int> {
            let step = 1 << shift, end = (range.upperBound + step - 1) / step * step
            return range.lowerBound / step * step..<min(end, count)
        }
        let subsampling = frame.format.subsampling
        self.columns = aligned(columns, frame.width, shift: subsampling.horizontalShift)
        self.rows = aligned(rows, frame.height, shift: subsampling.verticalShift)
        if width == frame.width && height == frame.height || min(width, height) < Self.smallest { return nil }
    }

    private func isClose(to other: PictureCrop) -> Bool {
        func close(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
            abs(a.lowerBound - b.lowerBound) <= Self.tolerance && abs(a.upperBound - b.upperBound) <= Self.tolerance
        }
        return close(columns, other.columns) && close(rows, other.rows)
    }

    /// Whether each line of the bars is black in both frames, or the same in both, as one with a caption in it.
    private func hasSteadyBars(_ a: EightBitLuma, _ b: EightBitLuma) -> Bool {
        func isSteady(_ index: Int, isColumn: Bool) -> Bool {
            let first = a.line(index, isColumn), second = b.line(index, isColumn)
            return first.isOfBar && second.isOfBar || first.isUnchanged(in: second)
        }
        return (0..<a.height).allSatisfy { rows.contains($0) || isSteady($0, isColumn: false) }
            && (0..<a.width).allSatisfy { columns.contains($0) || isSteady($0, isColumn: true) }
    }

    /// Returns the part of a frame; the samples are shared.
    func part(of frame: PixelBuffer) throws(FrameError) -> PixelBuffer {
        let storage = frame.storage, format = frame.format
        let planes = frame.withPlanes { planes in
            (0..<planes.count).map { index in
                let plane = planes[index], place = place(index, format)
                return (
                    UnsafeMutableRawPointer(mutating: plane.row(place.rows.lowerBound))
                        + place.columns.lowerBound * format.bytesPerSample, plane.stride
                )
            }
        }
        guard
            let part = PixelBuffer(
                format: format, width: width, height: height, borrowing: planes.map { (base: $0, stride: $1) },
                owner: storage)
        else { throw FrameError(.unsupportedSize, "\(width)x\(height) is not a supported size") }
        return part
    }

    /// Overwrites `frame` with a part, and with the bars of another frame.
    func write(_ part: PixelBuffer, barsOf other: PixelBuffer, to frame: inout PixelBuffer) throws(FrameError) {
        let format = frame.format, bytes = format.bytesPerSample
        try frame.withOverwrittenPlanes { planes in
            part.withPlanes { part in
                other.withPlanes { other in
                    for index in 0..<planes.count {
                        let plane = planes[index], place = place(index, format)
                        for y in 0..<plane.height {
                            plane.row(y).copyMemory(from: other[index].row(y), byteCount: plane.width * bytes)
                            guard place.rows.contains(y) else { continue }
                            (plane.row(y) + place.columns.lowerBound * bytes).copyMemory(
                                from: part[index].row(y - place.rows.lowerBound),
                                byteCount: place.columns.count * bytes)
                        }
                    }
                }
            }
        }
    }

    /// The part in samples of a plane.
    private func place(_ plane: Int, _ format: PixelFormat) -> (columns: Range<Int>, rows: Range<Int>) {
        let x = plane == 0 ? 0 : format.subsampling.horizontalShift
        let y = plane == 0 ? 0 : format.subsampling.verticalShift
        func scaled(_ range: Range<Int>, _ shift: Int) -> Range<Int> {
            range.lowerBound >> shift..<(range.upperBound + (1 << shift) - 1) >> shift
        }
        return (scaled(columns, x), scaled(rows, y))
    }
}

extension EightBitLuma {
    fileprivate init(_ planes: Planes) {
        let luma = planes[0]
        self.init(
            first: luma.base, stride: luma.stride, width: luma.width, height: luma.height,
            shift: planes.format.bytesPerSample == 1 ? nil : planes.format.bitDepth - 8)
    }
}
