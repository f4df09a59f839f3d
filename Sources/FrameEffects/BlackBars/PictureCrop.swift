import FrameCore
import Imaging

/// The active picture inside black bars (letterbox or pillarbox), from which frames are made as if there were no bars.
///
/// At the edge of a bar, the picture comes out of nothing or goes into it, as it does at the edge of a frame. Motion found
/// across that edge drags black into the picture, and pieces of the picture into the bar.
struct PictureCrop: Equatable {
    /// Smallest side of a picture inside bars, in samples.
    private static let smallest = 64
    /// The picture in luma samples, in whole samples of chroma.
    private let columns: Range<Int>
    private let rows: Range<Int>

    var width: Int { columns.count }
    var height: Int { rows.count }

    /// Finds the picture that two frames of the same format and size show inside bars.
    ///
    /// A line with a caption belongs to a bar if most of it is black and the caption is the same in both frames, or in one of
    /// them only.
    ///
    /// - Parameter former: the picture of the pair before, if this pair follows it. It remains as long as its bars do:
    ///   they cannot be told from the dark parts of a picture beside them.
    /// - Returns: nil if there are no bars. With alpha there are none: what is black may be a shadow that moves.
    static func find(_ a: PixelBuffer, _ b: PixelBuffer, former: PictureCrop?) -> PictureCrop? {
        guard min(a.width, a.height) >= Self.smallest, !a.format.hasAlpha,
            let a = try? a.analysisPicture(context: .serial), let b = try? b.analysisPicture(context: .serial)
        else { return nil }
        return a.withPlanes { planesA in
            b.withPlanes { planesB in
                let pair = BarSearch(planesA[0], planesB[0], format: a.format)
                if let former, pair.hasBars(round: former.columns, former.rows) { return former }
                return PictureCrop(pair.columnsAndRows, in: a)
            }
        }
    }

    /// - Returns: nil if the picture is the whole frame or too small.
    private init?(_ found: (columns: Range<Int>, rows: Range<Int>), in frame: PixelBuffer) {
        func aligned(_ range: Range<Int>, _ count: Int, shift: Int) -> Range<Int> {
            let step = 1 << shift, end = (range.upperBound + step - 1) / step * step
            return range.lowerBound / step * step..<min(end, count)
        }
        let subsampling = frame.format.subsampling
        columns = aligned(found.columns, frame.width, shift: subsampling.horizontalShift)
        rows = aligned(found.rows, frame.height, shift: subsampling.verticalShift)
        if width == frame.width && height == frame.height || min(width, height) < Self.smallest { return nil }
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
                        func copy(_ columns: Range<Int>, from row: UnsafeRawPointer, _ first: Int, y: Int) {
                            (plane.row(y) + columns.lowerBound * bytes).copyMemory(
                                from: row + first * bytes, byteCount: columns.count * bytes)
                        }
                        for y in 0..<plane.height {
                            let bars = other[index].row(y), left = 0..<place.columns.lowerBound
                            let right = place.columns.upperBound..<plane.width
                            guard place.rows.contains(y) else {
                                copy(0..<plane.width, from: bars, 0, y: y)
                                continue
                            }
                            copy(left, from: bars, left.lowerBound, y: y)
                            copy(place.columns, from: part[index].row(y - place.rows.lowerBound), 0, y: y)
                            copy(right, from: bars, right.lowerBound, y: y)
                        }
                    }
                }
            }
        }
    }

    /// The part in samples of a plane.
    private func place(_ plane: Int, _ format: PixelFormat) -> (columns: Range<Int>, rows: Range<Int>) {
        let (x, y) = format.shift(plane)
        func scaled(_ range: Range<Int>, _ shift: Int) -> Range<Int> {
            range.lowerBound >> shift..<(range.upperBound + (1 << shift) - 1) >> shift
        }
        return (scaled(columns, x), scaled(rows, y))
    }
}
