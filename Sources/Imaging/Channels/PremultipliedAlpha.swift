package import FrameCore

extension PixelBuffer {
    /// Returns the picture with colors multiplied by alpha, as distances from the middle of the range; alpha stays.
    ///
    /// Chroma of a coarser grid is multiplied by the mean of the alpha that it covers.
    ///
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func premultiplied(context: ExecutionContext) throws(FrameError) -> PixelBuffer {
        try scalingColors(.multiplying, context: context)
    }

    /// Returns the picture with the colors that ``premultiplied(context:)`` multiplied. Where nothing is visible, they are
    /// black.
    ///
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func straightened(context: ExecutionContext) throws(FrameError) -> PixelBuffer {
        try scalingColors(.dividing, context: context)
    }

    /// Like ``straightened(context:)``, but samples that are still those of `premultiplied`, and whose alpha is, are those of
    /// `original`, from which it was made: so nothing that an effect left alone is rounded.
    ///
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func straightened(
        keeping original: PixelBuffer, whereUnchangedFrom premultiplied: PixelBuffer, context: ExecutionContext
    ) throws(FrameError) -> PixelBuffer {
        var result = try straightened(context: context)
        guard let alpha = format.alphaPlane else { return result }
        let format = format
        try result.withMutablePlanes { target in
            nonisolated(unsafe) let target = target
            withPlanes { changed in
                nonisolated(unsafe) let changed = changed
                premultiplied.withPlanes { premultiplied in
                    nonisolated(unsafe) let premultiplied = premultiplied
                    original.withPlanes { original in
                        nonisolated(unsafe) let original = original
                        for plane in 0..<format.colorPlaneCount {
                            let rows = ColorRows(format, plane)
                            parallelBands(
                                target[plane].height, height: ColorRows.bandRows, threads: context.threads
                            ) { band in
                                rows.keep(
                                    format.sampleType, original[plane], into: target[plane], band,
                                    where: (changed[plane], changed[alpha]),
                                    equals: (premultiplied[plane], premultiplied[alpha]))
                            }
                        }
                    }
                }
            }
        }
        return result
    }

    private enum Scaling { case multiplying, dividing }

    private func scalingColors(_ scaling: Scaling, context: ExecutionContext) throws(FrameError) -> PixelBuffer {
        guard let alpha = format.alphaPlane else { return self }
        var result = try PixelBuffer(format: format, width: width, height: height)
        let format = format
        try result.withOverwrittenPlanes { target in
            nonisolated(unsafe) let target = target
            withPlanes { source in
                nonisolated(unsafe) let source = source
                target[alpha].copy(source[alpha], format)
                for plane in 0..<format.colorPlaneCount {
                    let rows = ColorRows(format, plane)
                    parallelBands(source[plane].height, height: ColorRows.bandRows, threads: context.threads) { band in
                        rows.scale(
                            format.sampleType, source[plane], by: source[alpha], into: target[plane], band,
                            divides: scaling == .dividing)
                    }
                }
            }
        }
        return result
    }
}

/// Multiplies rows of a plane by alpha, or divides them by it.
private struct ColorRows {
    /// Rows that are converted as one unit.
    static let bandRows = 32
    /// log2 of the subsampling of the plane.
    let shift: (x: Int, y: Int)
    let maximum: Int
    /// The value that distances are counted from.
    let middle: Int
    /// The value of divided samples where alpha is 0.
    let hidden: Int

    init(_ format: PixelFormat, _ plane: Int) {
        shift = format.shift(plane)
        maximum = format.maximumValue
        middle = 1 << (format.bitDepth - 1)
        hidden = format.isRGB ? 0 : plane == 0 ? 16 << (format.bitDepth - 8) : middle
    }

    /// What the alpha of some samples is.
    private enum Cover { case opaque, transparent, mixed }
    /// Samples of a row that are treated as one where their alpha is the same: most of a picture is opaque or transparent.
    private static let spanWidth = 64

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    func scale<Sample: PixelSample>(
        _: Sample.Type, _ plane: Plane, by alpha: Plane, into target: MutablePlane, _ rows: Range<Int>, divides: Bool
    ) {
        let shares = Scratch<Float>(Self.spanWidth), share = shares.base
        let middle = Float(middle), most = Float(maximum), hidden = Float(hidden)
        let unseen = Sample(truncatingIfNeeded: divides ? self.hidden : self.middle)
        for y in rows {
            for start in stride(from: 0, to: plane.width, by: Self.spanWidth) {
                let count = min(Self.spanWidth, plane.width - start)
                let from = plane.row(y).assumingMemoryBound(to: Sample.self) + start
                let to = target.row(y).assumingMemoryBound(to: Sample.self) + start
                switch cover(Sample.self, y, start, count, of: alpha) {
                case .opaque: to.update(from: from, count: count)
                case .transparent: to.update(repeating: unseen, count: count)
                case .mixed:
                    fill(share, y, start, of: alpha, Sample.self, count: count)
                    if divides {
                        for x in 0..<count {
                            let value = (Float(from[x]) - middle) / share[x] + middle
                            let shown = share[x] > 0 ? value : hidden
                            to[x] = Sample(truncatingIfNeeded: rounded(shown, most))
                        }
                    } else {
                        for x in 0..<count {
                            let value = (Float(from[x]) - middle) * share[x] + middle
                            to[x] = Sample(truncatingIfNeeded: rounded(value, most))
                        }
                    }
                }
            }
        }
    }

    /// Overwrites samples with those of `plane` where two pictures are equal.
    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    func keep<Sample: PixelSample>(
        _: Sample.Type, _ plane: Plane, into target: MutablePlane, _ rows: Range<Int>,
        where one: (plane: Plane, alpha: Plane), equals other: (plane: Plane, alpha: Plane)
    ) {
        let shares = Scratch<Float>(2 * Self.spanWidth), share = shares.base, otherShare = share + Self.spanWidth
        for y in rows {
            for start in stride(from: 0, to: plane.width, by: Self.spanWidth) {
                let count = min(Self.spanWidth, plane.width - start)
                let first = cover(Sample.self, y, start, count, of: one.alpha)
                let second = cover(Sample.self, y, start, count, of: other.alpha)
                // Opaque samples are the same with and without alpha.
                if first == .opaque, second == .opaque { continue }
                if first != second, first != .mixed, second != .mixed { continue }
                let from = plane.row(y).assumingMemoryBound(to: Sample.self) + start
                let to = target.row(y).assumingMemoryBound(to: Sample.self) + start
                let a = one.plane.row(y).assumingMemoryBound(to: Sample.self) + start
                let b = other.plane.row(y).assumingMemoryBound(to: Sample.self) + start
                if first == .transparent, second == .transparent {
                    for x in 0..<count { to[x] = a[x] == b[x] ? from[x] : to[x] }
                } else {
                    fill(share, y, start, of: one.alpha, Sample.self, count: count)
                    fill(otherShare, y, start, of: other.alpha, Sample.self, count: count)
                    for x in 0..<count where a[x] == b[x] && share[x] == otherShare[x] { to[x] = from[x] }
                }
            }
        }
    }

    /// Returns what the alpha is that samples of a row cover.
    @inline(__always)
    private func cover<Sample: PixelSample>(
        _: Sample.Type, _ y: Int, _ start: Int, _ count: Int, of alpha: Plane
    ) -> Cover {
        let first = alpha.row(y << shift.y).assumingMemoryBound(to: Sample.self)
        let last = alpha.row(min((y << shift.y) + shift.y, alpha.height - 1)).assumingMemoryBound(to: Sample.self)
        let most = Sample(truncatingIfNeeded: maximum)
        var all = most, any: Sample = 0
        for x in start << shift.x..<min((start + count) << shift.x, alpha.width) {
            all &= first[x] & last[x]
            any |= first[x] | last[x]
        }
        return all == most ? .opaque : any == 0 ? .transparent : .mixed
    }

    /// Writes the mean alpha of the samples that each sample of a row covers from `start` on, 0…1.
    @inline(__always)
    private func fill<Sample: PixelSample>(
        _ share: UnsafeMutablePointer<Float>, _ y: Int, _ start: Int, of alpha: Plane, _: Sample.Type, count: Int
    ) {
        let scale = 1 / Float(maximum << (shift.x + shift.y))
        let first = alpha.row(y << shift.y).assumingMemoryBound(to: Sample.self)
        let last = alpha.row(min((y << shift.y) + shift.y, alpha.height - 1)).assumingMemoryBound(to: Sample.self)
        guard shift.x > 0 else {
            for x in 0..<count { share[x] = Float(first[start + x]) * scale }
            return
        }
        let end = alpha.width - 1
        for x in 0..<count {
            let left = 2 * (start + x), right = min(left + 1, end)
            var sum = UInt32(first[left]) &+ UInt32(first[right])
            if shift.y > 0 { sum = sum &+ UInt32(last[left]) &+ UInt32(last[right]) }
            share[x] = Float(sum) * scale
        }
    }
}
