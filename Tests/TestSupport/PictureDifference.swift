public import FrameCore
import Foundation

/// The difference between two frames of the same format and size, on one plane.
public struct PictureDifference: Sendable {
    /// Peak signal-to-noise ratio in dB; 100 for equal frames.
    public let psnr: Double
    /// The largest absolute difference, in code values.
    public let largest: Int

    /// - Parameter where: whether a sample counts, by its position in the plane.
    public init(_ a: PixelBuffer, _ b: PixelBuffer, plane: Int = 0, where counts: ((Int, Int) -> Bool)? = nil) {
        let width = a.format.planeWidth(plane, width: a.width)
        let first = a.samples(ofPlane: plane), second = b.samples(ofPlane: plane)
        var sum = 0.0, count = 0.0, largest = 0
        for (index, (p, q)) in zip(first, second).enumerated() {
            if let counts, !counts(index % width, index / width) { continue }
            let d = abs(Int(p) - Int(q))
            sum += Double(d * d)
            count += 1
            largest = max(largest, d)
        }
        let peak = Double(a.format.maximumValue)
        psnr = sum == 0 ? 100 : min(100, 10 * log10(peak * peak * count / sum))
        self.largest = largest
    }
}
