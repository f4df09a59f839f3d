import FrameCore
import Imaging

/// An 8-bit 4:4:4 image that takes drawing colors in red, green and blue.
struct FlowCanvas {
    let width: Int
    let height: Int
    private let coder: ColorCoder
    /// Y, Cb and Cr of each pixel, row by row from the top.
    private(set) var samples: [SIMD4<UInt8>]

    /// Creates a canvas filled with one color.
    init(width: Int, height: Int, color: ColorDescription, filledWith fill: FlowColorWheel.RGB) {
        self.width = width
        self.height = height
        coder = ColorCoder(color.resolved(height: height))
        samples = Array(repeating: coder.code(fill), count: width * height)
    }

    /// Creates a canvas that shows a frame in YCbCr without alpha, reduced to 8 bits and with chroma upsampled to 4:4:4.
    init(_ picture: PixelBuffer, color: ColorDescription) {
        self.init(width: picture.width, height: picture.height, color: color, filledWith: .zero)
        let shift = picture.format.bitDepth - 8
        let (sx, sy) = (picture.format.subsampling.horizontalShift, picture.format.subsampling.verticalShift)
        picture.withPlanes { planes in
            func sample(_ plane: Plane, _ x: Int, _ y: Int) -> Int {
                let x = min(max(x, 0), plane.width - 1), y = min(max(y, 0), plane.height - 1)
                return shift == 0
                    ? Int(plane.row(y).load(fromByteOffset: x, as: UInt8.self))
                    : Int(plane.row(y).load(fromByteOffset: 2 * x, as: UInt16.self))
            }
            func reduced(_ value: Int, _ bits: Int) -> UInt8 {
                UInt8(clamping: bits == 0 ? value : (value + 1 << (bits - 1)) >> bits)
            }
            /// Interpolates chroma linearly: subsampled chroma is sited left horizontally and centred vertically.
            func chroma(_ plane: Plane, _ x: Int, _ y: Int) -> UInt8 {
                if sx == 0 { return reduced(sample(plane, x, y), shift) }
                let (left, part) = (x >> 1, x & 1)
                func row(_ y: Int) -> Int {
                    part == 0 ? 2 * sample(plane, left, y) : sample(plane, left, y) + sample(plane, left + 1, y)
                }
                if sy == 0 { return reduced(row(y), shift + 1) }
                let other = y & 1 == 0 ? (y >> 1) - 1 : (y >> 1) + 1
                return reduced(3 * row(y >> 1) + row(other), shift + 3)
            }
            for y in 0..<height {
                for x in 0..<width {
                    var pixel = SIMD4<UInt8>(reduced(sample(planes[0], x, y), shift), 128, 128, 0)
                    if planes.count > 2 {
                        pixel.y = chroma(planes[1], x, y)
                        pixel.z = chroma(planes[2], x, y)
                    }
                    samples[y * width + x] = pixel
                }
            }
        }
    }

    /// Sets every pixel, with rows distributed over threads.
    mutating func fill(context: ExecutionContext, _ color: @Sendable (_ x: Int, _ y: Int) -> FlowColorWheel.RGB) {
        let (width, height, coder) = (width, height, coder)
        samples.withUnsafeMutableBufferPointer { buffer in
            // Each row is written by only one thread.
            nonisolated(unsafe) let pixels = buffer
            parallelFor(height, threads: context.threads) { y in
                for x in 0..<width { pixels[y * width + x] = coder.code(color(x, y)) }
            }
        }
    }

    /// Blends a color into a pixel; does nothing outside the image.
    /// - Parameter part: 0 keeps the pixel, 1 replaces it.
    mutating func blend(_ color: FlowColorWheel.RGB, x: Int, y: Int, part: Float) {
        guard x >= 0, y >= 0, x < width, y < height, part > 0 else { return }
        let index = y * width + x
        let new = coder.code(color), old = samples[index], part = min(part, 1)
        func mixed(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8(Float(a) + (Float(b) - Float(a)) * part + 0.5) }
        samples[index] = SIMD4(mixed(old.x, new.x), mixed(old.y, new.y), mixed(old.z, new.z), 0)
    }

    /// - Throws: `FrameError` if memory cannot be allocated.
    func buffer() throws(FrameError) -> PixelBuffer {
        var result = try PixelBuffer(
            format: PixelFormat(subsampling: .yuv444, bitDepth: 8), width: width, height: height)
        try result.withOverwrittenPlanes { planes in
            for y in 0..<height {
                let rows = (0..<3).map { planes[$0].row(y).assumingMemoryBound(to: UInt8.self) }
                for x in 0..<width {
                    let pixel = samples[y * width + x]
                    (rows[0][x], rows[1][x], rows[2][x]) = (pixel.x, pixel.y, pixel.z)
                }
            }
        }
        return result
    }
}

/// Converts red, green and blue to 8-bit luma and chroma.
private struct ColorCoder: Sendable {
    private let red: Float
    private let blue: Float
    private let offset: Float
    private let lumaScale: Float
    private let chromaScale: Float
    /// The brightness of drawn white, reduced for PQ and HLG, whose highest code values stand for thousands of cd/m².
    private let brightness: Float

    /// - Parameter color: a description without unspecified properties.
    init(_ color: ColorDescription) {
        let coefficients = LumaCoefficients(color.matrix), range = CodeRange(color.range, bitDepth: 8)
        (red, blue) = (coefficients.red, coefficients.blue)
        (offset, lumaScale, chromaScale) = (Float(range.black), Float(range.lumaSpan), Float(range.chromaSpan))
        brightness = color.transfer == .pq ? 0.58 : color.transfer == .hlg ? 0.75 : 1
    }

    func code(_ color: FlowColorWheel.RGB) -> SIMD4<UInt8> {
        let (r, g, b) = (color.x * brightness, color.y * brightness, color.z * brightness)
        let y = red * r + (1 - red - blue) * g + blue * b
        let cb = (b - y) / (2 * (1 - blue)), cr = (r - y) / (2 * (1 - red))
        return SIMD4(
            rounded(offset + lumaScale * y), rounded(128 + chromaScale * cb), rounded(128 + chromaScale * cr), 0)
    }

    /// Converts one component; converting whole vectors is many times slower.
    private func rounded(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value)) + 0.5) }
}
