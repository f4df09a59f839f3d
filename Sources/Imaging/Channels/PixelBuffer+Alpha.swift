package import FrameCore

/// Pictures with alpha.
///
/// Sums of premultiplied colors are right where those of straight ones show hidden colors: those of transparent
/// samples (T. Porter and T. Duff, Compositing Digital Images, SIGGRAPH 1984). Here colors are multiplied as distances from
/// the middle of the range of code values. Any value would do, since the weights of all sums are 1 together; the middle
/// makes transparent samples grey, so that what is visible stands out from them whether it is dark or bright.
extension PixelBuffer {
    /// Rows that are converted as one unit.
    private static let bandRows = 32

    /// Whether all samples of alpha have the largest value, or there is no alpha.
    package var isOpaque: Bool {
        guard let alpha = format.alphaPlane else { return true }
        return withPlanes { Self.isOpaque(format.sampleType, $0[alpha], format.maximumValue) }
    }

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private static func isOpaque<Sample: PixelSample>(
        _: Sample.Type, _ plane: Plane, _ maximum: Int
    ) -> Bool {
        let most = Sample(truncatingIfNeeded: maximum)
        for y in 0..<plane.height {
            let row = plane.row(y).assumingMemoryBound(to: Sample.self)
            var all = most
            for x in 0..<plane.width { all &= row[x] }
            if all != most { return false }
        }
        return true
    }

    /// The planes of color; the samples are shared.
    package var withoutAlpha: PixelBuffer {
        format.hasAlpha ? sharing(0..<format.colorPlaneCount, format.withoutAlpha) : self
    }

    /// A plane as a picture of its own; the samples are shared.
    package func plane(_ index: Int) -> PixelBuffer { sharing(index..<index + 1, format.monochrome) }

    /// Returns a picture of one plane of full-range samples at another depth; its largest value stays the largest.
    ///
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func rescaled(to format: PixelFormat) throws(FrameError) -> PixelBuffer {
        let (from, to) = (self.format.maximumValue, format.maximumValue)
        guard from != to else { return self }
        let codes = (0...from).map { UInt16((2 * $0 * to + from) / (2 * from)) }
        var result = try PixelBuffer(format: format, width: width, height: height)
        try result.withOverwrittenPlanes { target in
            withPlanes { source in
                lookUp(codes, self.format.sampleType, format.sampleType, source[0], into: target[0])
            }
        }
        return result
    }

    private func sharing(_ range: Range<Int>, _ format: PixelFormat) -> PixelBuffer {
        let storage = storage
        return withPlanes { planes in
            let shared = range.map {
                (base: UnsafeMutableRawPointer(mutating: planes[$0].base), stride: planes[$0].stride)
            }
            let (width, height) = (planes[range.lowerBound].width, planes[range.lowerBound].height)
            return PixelBuffer(format: format, width: width, height: height, borrowing: shared, owner: storage) ?? self
        }
    }

    /// Returns the picture with other alpha; nil makes it opaque.
    ///
    /// - Parameter alpha: a picture of one plane of the same size and depth.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func with(alpha: PixelBuffer?) throws(FrameError) -> PixelBuffer {
        let format = format.withoutAlpha.withAlpha
        var result = try PixelBuffer(format: format, width: width, height: height)
        try result.withOverwrittenPlanes { planes in
            withPlanes { colors in
                for plane in 0..<format.colorPlaneCount { planes[plane].copy(colors[plane], format) }
            }
            planes[format.colorPlaneCount].fill(alpha: alpha, format)
        }
        return result
    }
}

extension MutablePlane {
    /// Overwrites the plane with another of the same size and depth.
    package func copy(_ other: Plane, _ format: PixelFormat) {
        let bytes = width * format.bytesPerSample
        for y in 0..<height { row(y).copyMemory(from: other.row(y), byteCount: bytes) }
    }

    /// Overwrites the plane with a picture of one plane, or with the largest value.
    package func fill(alpha: PixelBuffer?, _ format: PixelFormat) {
        if let alpha { return alpha.withPlanes { copy($0[0], format) } }
        for y in 0..<height {
            if format.bytesPerSample == 1 {
                row(y).assumingMemoryBound(to: UInt8.self).update(repeating: .max, count: width)
            } else {
                row(y).assumingMemoryBound(to: UInt16.self).update(
                    repeating: UInt16(truncatingIfNeeded: format.maximumValue), count: width)
            }
        }
    }
}
