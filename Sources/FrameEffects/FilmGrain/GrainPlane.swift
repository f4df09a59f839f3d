import FrameCore

/// The grain of one plane of a frame, and how it is added.
struct GrainPlane: Sendable {
    /// The side of a block of grain in luma samples.
    static let side = 32
    /// How far a block of grain extends over the next one, in luma samples.
    private static let overlap = 2

    private let seed: UInt16
    /// nil if the plane stays as it is.
    private let template: GrainTemplate?
    private let scaling: GrainScaling
    private let scalingShift: Int
    private let overlaps: Bool
    /// Base-2 logarithms of the number of luma samples per sample of the plane.
    private let shiftX: Int
    private let shiftY: Int
    /// The weights of the chroma sample, luma and 1 in the argument of the scaling function; nil for luma alone.
    private let mixing: (own: Int, luma: Int, offset: Int)?
    private let isLuma: Bool
    /// The depth for which the grain is made, and the number of bits of the samples beyond it.
    private let depth: Int
    private let extraBits: Int
    private let limits: ClosedRange<Int>

    /// Returns the grain of all planes of color.
    static func planes(of grain: FilmGrain, format: PixelFormat, isIdentity: Bool) -> [GrainPlane] {
        let depth = min(format.bitDepth, 12)
        let luma = GrainTemplate(lumaOf: grain, bitDepth: depth)
        var planes = [GrainPlane(luma, grain, nil, format, isIdentity)]
        guard format.colorPlaneCount == 3 else { return planes }
        for plane in 0..<2 {
            let template = GrainTemplate(
                chroma: plane, of: grain, luma: luma, subsampling: format.subsampling, bitDepth: depth)
            planes.append(GrainPlane(template, grain, plane, format, isIdentity))
        }
        return planes
    }

    private init(
        _ template: GrainTemplate, _ grain: FilmGrain, _ chroma: Int?, _ format: PixelFormat, _ isIdentity: Bool
    ) {
        let depth = min(format.bitDepth, 12), extraBits = format.bitDepth - min(format.bitDepth, 12)
        var points = grain.lumaPoints, mixing: (Int, Int, Int)?
        if let chroma, !grain.isChromaScaledFromLuma {
            let plane = grain.chroma[chroma]
            points = plane.points
            mixing = (plane.multiplier, plane.lumaMultiplier, plane.offset << (depth - 8))
        }
        seed = grain.seed
        self.template = points.isEmpty ? nil : template
        scaling = GrainScaling(points, bitDepth: depth)
        scalingShift = grain.scalingShift
        overlaps = grain.overlaps
        shiftX = chroma == nil ? 0 : format.subsampling.horizontalShift
        shiftY = chroma == nil ? 0 : format.subsampling.verticalShift
        self.mixing = mixing
        isLuma = chroma == nil
        self.depth = depth
        self.extraBits = extraBits
        let top = chroma == nil || isIdentity ? 235 : 240, scale = format.bitDepth - 8
        limits = grain.isClippedToLimitedRange ? 16 << scale...top << scale : 0...format.maximumValue
    }

    /// Writes the rows of a stripe, which is as high as a block.
    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    func add<Sample: PixelSample>(
        to source: Plane, luma: Plane, _ target: MutablePlane, _ stripe: Int, _ type: Sample.Type
    ) {
        let first = stripe * Self.side >> shiftY, last = min(first + Self.side >> shiftY, source.height)
        guard let template else {
            for y in first..<max(first, last) {
                target.row(y).copyMemory(from: source.row(y), byteCount: source.width * MemoryLayout<Sample>.size)
            }
            return
        }
        let width = source.width
        let columns = (width << shiftX + Self.side - 1) / Self.side
        let own = offsets(stripe, columns), above = stripe > 0 && overlaps ? offsets(stripe - 1, columns) : []
        let memory = Scratch<Int32>(2 * (width + Self.side + Self.overlap))
        let row = memory.base, former = row + width + Self.side + Self.overlap
        for y in first..<max(first, last) {
            write(template, own, y - first, width, to: row)
            if !above.isEmpty, y - first < Self.overlap >> shiftY {
                write(template, above, y - first + Self.side >> shiftY, width, to: former)
                let (old, new) = weights(y - first, shiftY)
                for x in 0..<width { row[x] = blended(former[x], row[x], old, new) }
            }
            add(
                row, to: source.row(y).assumingMemoryBound(to: Sample.self),
                luma: luma.row(min(y << shiftY, luma.height - 1)).assumingMemoryBound(to: Sample.self), luma.width,
                target.row(y).assumingMemoryBound(to: Sample.self), width)
        }
    }

    /// Returns the random place in the template of each block of a stripe.
    private func offsets(_ stripe: Int, _ columns: Int) -> [(x: Int, y: Int)] {
        let high = (stripe * 37 + 178) & 255, low = (stripe * 173 + 105) & 255
        var random = GrainRandom(seed: seed ^ UInt16(high << 8 | low))
        return (0..<columns).map { _ in
            let number = random.next(8)
            func place(_ offset: Int, _ shift: Int) -> Int { shift == 1 ? 6 + offset : 9 + 2 * offset }
            return (place(number >> 4, shiftX), place(number & 15, shiftY))
        }
    }

    /// The weights of the former and the new block at a sample of their overlap, in 1/32.
    private func weights(_ index: Int, _ shift: Int) -> (old: Int, new: Int) {
        shift == 1 ? (23, 22) : index == 0 ? (27, 17) : (17, 27)
    }

    private func blended(_ a: Int32, _ b: Int32, _ old: Int, _ new: Int) -> Int32 {
        let half = 128 << (depth - 8)
        return Int32(max(-half, min(round2(Int(a) * old + Int(b) * new, 5), half - 1)))
    }

    /// Writes one row of the grain of a stripe.
    private func write(
        _ template: GrainTemplate, _ places: [(x: Int, y: Int)], _ y: Int, _ width: Int,
        to row: UnsafeMutablePointer<Int32>
    ) {
        let side = Self.side >> shiftX, overlap = overlaps ? Self.overlap >> shiftX : 0
        template.values.withUnsafeBufferPointer { values in
            for (column, place) in places.enumerated() {
                let from = (place.y + y) * template.width + place.x, to = column * side
                for x in 0..<min(side + overlap, width + overlap - to) {
                    let value = values[from + x]
                    if column > 0, x < overlap {
                        let (old, new) = weights(x, shiftX)
                        row[to + x] = blended(row[to + x], value, old, new)
                    } else {
                        row[to + x] = value
                    }
                }
            }
        }
    }

    /// Adds one row of grain, scaled by brightness.
    private func add<Sample: PixelSample>(
        _ grain: UnsafePointer<Int32>, to source: UnsafePointer<Sample>, luma: UnsafePointer<Sample>, _ lumaWidth: Int,
        _ target: UnsafeMutablePointer<Sample>, _ width: Int
    ) {
        let most = 1 << depth - 1
        scaling.values.withUnsafeBufferPointer { scaling in
            for x in 0..<width {
                let sample = Int(source[x])
                var argument = sample >> extraBits
                if !isLuma {
                    argument = Int(luma[x << shiftX]) >> extraBits
                    if shiftX == 1 {
                        argument = (argument + Int(luma[min(x << 1 + 1, lumaWidth - 1)]) >> extraBits + 1) >> 1
                    }
                    if let mixing {
                        let mixed = argument * mixing.luma + (sample >> extraBits) * mixing.own
                        argument = max(0, min(mixed >> 6 + mixing.offset, most))
                    }
                }
                let factor = Int(scaling[min(argument, most)])
                let noise = round2(factor * Int(grain[x]), scalingShift) << extraBits
                target[x] = Sample(truncatingIfNeeded: max(limits.lowerBound, min(sample + noise, limits.upperBound)))
            }
        }
    }
}
