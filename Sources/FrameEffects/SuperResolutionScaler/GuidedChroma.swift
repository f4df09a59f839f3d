import FrameCore
import Imaging

/// Adds detail to enlarged chroma planes, taken from luma enlarged by the network.
///
/// Around each source sample, the detail of chroma is fitted as a multiple of the detail of luma (the local linear
/// model of K. He, J. Sun and X. Tang, Guided Image Filtering, ECCV 2010). The same multiple of what luma has gained
/// over plain interpolation is added to the interpolated chroma. The fit uses only detail, not the means, because an
/// encoder often removes the detail of chroma but not that of luma; what the source's chroma lacks is then not invented.
///
/// Integer arithmetic throughout: the same bits for every thread count and machine.
struct GuidedChroma: Sendable {
    /// The factor of the stored slopes; they are limited to ±4.
    private static let unit = 8192
    /// Slopes are fitted over (2·radius + 1)² samples.
    private static let radius = 2
    /// What is added to the sums of squares of 25 details in 1/16 of an 8-bit step, so that noise of less than about
    /// 1.4 steps has no slope.
    private static let floor = 25 * 2 * 256
    /// The squared correlation, in 1/4096, up to which a slope counts as chance.
    private static let chance = 819

    private let format: PixelFormat
    /// Format of the slope plane, whose middle value means 0.
    private let slopeFormat: PixelFormat
    private let lumaFormat: PixelFormat
    private let context: ExecutionContext
    private let sourceSize, outputSize: FrameDimensions
    private let lumaOfSource, lumaOfOutput, enlarge: PlaneResampler

    /// - Parameters:
    ///   - format: pixel format of source and output.
    ///   - source: size of the source in luma samples.
    ///   - output: size of the output in luma samples.
    ///   - enlarge: resamples a chroma plane from the source's size to the output's.
    ///   - context: the threads and kernels to use.
    init?(
        format: PixelFormat, source: FrameDimensions, output: FrameDimensions,
        location: ColorDescription.ChromaLocation, enlarge: PlaneResampler, context: ExecutionContext
    ) throws(FrameError) {
        guard
            let lumaOfSource = PlaneResampler.lumaAtChroma(
                format: format, width: source.width, height: source.height, location: location),
            let lumaOfOutput = PlaneResampler.lumaAtChroma(
                format: format, width: output.width, height: output.height, location: location)
        else { return nil }
        self.format = format
        (self.lumaOfSource, self.lumaOfOutput, self.enlarge) = (lumaOfSource, lumaOfOutput, enlarge)
        self.context = context
        slopeFormat = try PixelFormat(subsampling: .monochrome, bitDepth: 16)
        lumaFormat = try PixelFormat(subsampling: .monochrome, bitDepth: format.bitDepth)
        func size(_ size: FrameDimensions) -> FrameDimensions {
            FrameDimensions(
                width: format.planeWidth(1, width: size.width), height: format.planeHeight(1, height: size.height))
        }
        sourceSize = size(source)
        outputSize = size(output)
    }

    /// - Parameters:
    ///   - source: planes of the source.
    ///   - planes: planes of the output: finished luma, and interpolated chroma to which detail is added.
    func addDetail(from source: Planes, to planes: MutablePlanes) throws(FrameError) {
        let coarse = try buffer(lumaFormat, sourceSize) {
            lumaOfSource.resample(source[0], into: $0, format: format, context: context)
        }
        let smooth = try coarse.withPlanes { luma throws(FrameError) in
            try buffer(lumaFormat, outputSize) { enlarge.resample(luma[0], into: $0, format: format, context: context) }
        }
        let fine = try buffer(lumaFormat, outputSize) {
            lumaOfOutput.resample(planes.planes[0], into: $0, format: format, context: context)
        }
        let lumaDetail = coarse.withPlanes { detail($0[0]) }
        for index in 1..<planes.count {
            let chromaDetail = detail(source[index])
            let slopes = try buffer(slopeFormat, sourceSize) { fit(chromaDetail, lumaDetail, into: $0) }
            let enlarged = try slopes.withPlanes { slopes throws(FrameError) in
                try buffer(slopeFormat, outputSize) {
                    enlarge.resample(slopes[0], into: $0, format: slopeFormat, context: context)
                }
            }
            enlarged.withPlanes { slopes in
                fine.withPlanes { fine in
                    smooth.withPlanes { smooth in
                        add(slopes[0], fine[0], smooth[0], to: planes[index])
                    }
                }
            }
        }
    }

    private func buffer(
        _ format: PixelFormat, _ size: FrameDimensions, _ fill: (MutablePlane) -> Void
    ) throws(FrameError) -> PixelBuffer {
        var buffer = try PixelBuffer(format: format, width: size.width, height: size.height)
        try buffer.withOverwrittenPlanes { planes throws(FrameError) in fill(planes[0]) }
        return buffer
    }

    /// Reads a row of samples.
    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private static func read<Sample: PixelSample>(
        _: Sample.Type, _ plane: Plane, _ y: Int, into row: inout [Int32]
    ) {
        let from = plane.row(y).assumingMemoryBound(to: Sample.self)
        for x in 0..<plane.width { row[x] = Int32(from[x]) }
    }

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private static func write<Sample: PixelSample>(
        _: Sample.Type, _ row: [Int32], to plane: MutablePlane, _ y: Int
    ) {
        let to = plane.row(y).assumingMemoryBound(to: Sample.self)
        for x in 0..<plane.width { to[x] = Sample(truncatingIfNeeded: row[x]) }
    }

    /// Runs `body` over bands of rows on all threads.
    private func bands(_ height: Int, _ body: @Sendable (Range<Int>) -> Void) {
        parallelBands(height, height: 32, threads: context.threads, body)
    }

    /// The difference between each sample and the mean of 3×3 samples weighted 1 2 1 in both directions, in 1/16 of an
    /// 8-bit step.
    private func detail(_ plane: Plane) -> [Int16] {
        let width = plane.width, height = plane.height, type = format.sampleType
        let shift = Int32(format.bitDepth - 8)
        var result = [Int16](repeating: 0, count: width * height)
        result.withUnsafeMutableBufferPointer { result in
            nonisolated(unsafe) let (plane, out) = (plane, result)
            bands(height) { rows in
                var three = Array(repeating: [Int32](repeating: 0, count: width), count: 3)
                var sums = [Int32](repeating: 0, count: width + 2)
                for y in rows {
                    for k in 0..<3 { Self.read(type, plane, min(max(y + k - 1, 0), height - 1), into: &three[k]) }
                    for x in 0..<width { sums[x + 1] = three[0][x] + 2 * three[1][x] + three[2][x] }
                    sums[0] = sums[1]
                    sums[width + 1] = sums[width]
                    for x in 0..<width {
                        let detail = 16 * three[1][x] - sums[x] - 2 * sums[x + 1] - sums[x + 2]
                        out[y * width + x] = Int16(truncatingIfNeeded: detail >> shift)
                    }
                }
            }
        }
        return result
    }

    /// Fits the slopes of the detail of chroma over that of luma.
    private func fit(_ chroma: [Int16], _ luma: [Int16], into target: MutablePlane) {
        let width = target.width, height = target.height, radius = Self.radius
        nonisolated(unsafe) let target = target
        bands(height) { rows in
            // Sums over a column of 2·radius + 1 rows: products of chroma and luma, squares of luma and of chroma.
            var both = [Int32](repeating: 0, count: width), first = both, second = both
            for y in rows {
                for x in 0..<width { (both[x], first[x], second[x]) = (0, 0, 0) }
                for k in -radius...radius {
                    let at = min(max(y + k, 0), height - 1) * width
                    for x in 0..<width {
                        let c = Int32(chroma[at + x]), l = Int32(luma[at + x])
                        both[x] &+= c &* l
                        first[x] &+= l &* l
                        second[x] &+= c &* c
                    }
                }
                let row = target.row(y).assumingMemoryBound(to: UInt16.self)
                for x in 0..<width {
                    var product = 0, lumaSquares = Self.floor, chromaSquares = Self.floor / 4
                    for k in -radius...radius {
                        let at = min(max(x + k, 0), width - 1)
                        product += Int(both[at])
                        lumaSquares += Int(first[at])
                        chromaSquares += Int(second[at])
                    }
                    row[x] = UInt16(32768 + Self.slope(product, lumaSquares, chromaSquares))
                }
            }
        }
    }

    /// The slope that best explains chroma by luma, reduced where their correlation is weak.
    private static func slope(_ product: Int, _ lumaSquares: Int, _ chromaSquares: Int) -> Int {
        let correlation = product * 4096 / lumaSquares * product / chromaSquares
        guard correlation > chance else { return 0 }
        let whole = product * unit / lumaSquares
        return min(max(whole * (correlation - chance) / (4096 - chance), -32767), 32767)
    }

    private func add(_ slopes: Plane, _ fine: Plane, _ smooth: Plane, to chroma: MutablePlane) {
        let width = chroma.width, type = format.sampleType, most = Int32(format.maximumValue)
        nonisolated(unsafe) let (slopes, fine, smooth, chroma) = (slopes, fine, smooth, chroma)
        bands(chroma.height) { rows in
            var sharp = [Int32](repeating: 0, count: width), soft = sharp, value = sharp
            let current = Plane(base: chroma.base, stride: chroma.stride, width: width, height: chroma.height)
            for y in rows {
                Self.read(type, fine, y, into: &sharp)
                Self.read(type, smooth, y, into: &soft)
                Self.read(type, current, y, into: &value)
                let slope = slopes.row(y).assumingMemoryBound(to: UInt16.self)
                for x in 0..<width {
                    let gain = (Int(slope[x]) - 32768) * Int(sharp[x] - soft[x])
                    value[x] = min(max(value[x] + Int32((gain + Self.unit / 2) >> 13), 0), most)
                }
                Self.write(type, value, to: chroma, y)
            }
        }
    }
}
