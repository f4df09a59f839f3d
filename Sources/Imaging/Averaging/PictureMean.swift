package import FrameCore

/// The mean of pictures of one format and size: sums of code values, premultiplied by alpha, divided and rounded once.
package struct PictureMean {
    private let format: PixelFormat
    private let width: Int, height: Int
    /// A picture whose colors stay where the mean shows the same.
    private let model: PixelBuffer
    /// The sums of each plane, row by row.
    private var sums: [[UInt32]]
    /// The number of pictures so far.
    private(set) package var count = 0

    /// The largest number of pictures, so that sums of 16-bit samples fit.
    package static let mostPictures = 1 << 15

    /// Creates a mean of no pictures, for pictures like `picture`.
    package init(like picture: PixelBuffer) {
        (format, width, height) = (picture.format, picture.width, picture.height)
        model = picture
        sums = (0..<format.planeCount).map { [format, width, height] plane in
            [UInt32](
                repeating: 0,
                count: format.planeWidth(plane, width: width) * format.planeHeight(plane, height: height))
        }
    }

    /// Adds a picture.
    ///
    /// - Throws: `FrameError` if it has another format or size than the others, or if there are ``mostPictures`` already.
    package mutating func add(_ picture: PixelBuffer) throws(FrameError) {
        guard picture.format == format, picture.width == width, picture.height == height, count < Self.mostPictures
        else {
            throw FrameError(
                .invalidArgument,
                "a \(picture.width)x\(picture.height) \(picture.format) frame cannot be averaged with \(count) \(width)x\(height) \(format) ones"
            )
        }
        count += 1
        try picture.premultiplied(context: .serial).withPlanes { planes in
            for plane in sums.indices { add(format.sampleType, planes[plane], plane) }
        }
    }

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private mutating func add<Sample: PixelSample>(_: Sample.Type, _ plane: Plane, _ index: Int) {
        sums[index].withUnsafeMutableBufferPointer { sums in
            guard var to = sums.baseAddress else { return }
            for y in 0..<plane.height {
                let row = plane.row(y).assumingMemoryBound(to: Sample.self)
                for x in 0..<plane.width { to[x] &+= UInt32(row[x]) }
                to += plane.width
            }
        }
    }

    /// Writes the mean to a buffer of the same format and size.
    ///
    /// - Throws: `FrameError` if no memory is left.
    package func write(to buffer: inout PixelBuffer) throws(FrameError) {
        try buffer.withOverwrittenPlanes { planes in
            for plane in sums.indices { write(format.sampleType, planes[plane], plane) }
        }
        guard !buffer.isOpaque else { return }
        buffer = try buffer.straightened(
            keeping: model, whereUnchangedFrom: model.premultiplied(context: .serial), context: .serial)
    }

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private func write<Sample: PixelSample>(_: Sample.Type, _ plane: MutablePlane, _ index: Int) {
        let count = UInt32(max(1, count)), half = count / 2
        sums[index].withUnsafeBufferPointer { sums in
            guard var from = sums.baseAddress else { return }
            for y in 0..<plane.height {
                let row = plane.row(y).assumingMemoryBound(to: Sample.self)
                for x in 0..<plane.width { row[x] = Sample(truncatingIfNeeded: (from[x] &+ half) / count) }
                from += plane.width
            }
        }
    }
}
