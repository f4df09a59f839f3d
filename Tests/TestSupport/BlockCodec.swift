public import FrameCore
import Foundation

/// The quantization of a block codec without a filter of block edges: each plane's 8×8 blocks lose what is smaller than
/// half a step in their DCT.
public struct BlockCodec: Sendable {
    private let step: Float
    private let cosines: [Float]

    /// - Parameter step: the quantizer step of all coefficients, in 8-bit code values.
    public init(step: Float) {
        self.step = step
        cosines = (0..<64).map { index in
            let (k, t) = (index / 8, index % 8)
            return Float((k == 0 ? 0.125 : 0.25).squareRoot() * cos(Double.pi * Double(k * (2 * t + 1)) / 16))
        }
    }

    /// Returns the picture as it is after coding. Incomplete blocks at the right and bottom edges stay as they are.
    public func coded(_ picture: PixelBuffer) throws -> PixelBuffer {
        var result = try PixelBuffer(format: picture.format, width: picture.width, height: picture.height)
        let size = step * Float(1 << (picture.format.bitDepth - 8)), most = Float(picture.format.maximumValue)
        try result.withOverwrittenPlanes { planes in
            for index in 0..<planes.count {
                let target = planes[index], samples = picture.samples(ofPlane: index)
                var values = samples.map { Float($0) }
                for y in stride(from: 0, to: target.height / 8 * 8, by: 8) {
                    for x in stride(from: 0, to: target.width / 8 * 8, by: 8) {
                        quantize(&values, at: y * target.width + x, stride: target.width, step: size)
                    }
                }
                for y in 0..<target.height {
                    for x in 0..<target.width {
                        let code = max(0, min(most, values[y * target.width + x].rounded()))
                        if picture.format.bytesPerSample == 1 {
                            target.row(y).storeBytes(of: UInt8(code), toByteOffset: x, as: UInt8.self)
                        } else {
                            target.row(y).storeBytes(of: UInt16(code), toByteOffset: 2 * x, as: UInt16.self)
                        }
                    }
                }
            }
        }
        return result
    }

    private func quantize(_ values: inout [Float], at place: Int, stride: Int, step: Float) {
        var block = (0..<64).map { values[place + $0 / 8 * stride + $0 % 8] }
        transform(&block) { k, t in cosines[8 * k + t] }
        for k in block.indices { block[k] = (block[k] / step).rounded() * step }
        transform(&block) { t, k in cosines[8 * k + t] }
        for k in block.indices { values[place + k / 8 * stride + k % 8] = block[k] }
    }

    /// Multiplies both axes of a block by a matrix.
    private func transform(_ block: inout [Float], _ matrix: (Int, Int) -> Float) {
        var rows = [Float](repeating: 0, count: 64)
        for y in 0..<8 {
            for k in 0..<8 { for t in 0..<8 { rows[8 * y + k] += matrix(k, t) * block[8 * y + t] } }
        }
        for x in 0..<8 {
            for k in 0..<8 {
                block[8 * k + x] = 0
                for t in 0..<8 { block[8 * k + x] += matrix(k, t) * rows[8 * t + x] }
            }
        }
    }
}
