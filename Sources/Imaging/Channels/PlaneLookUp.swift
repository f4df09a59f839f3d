import FrameCore

/// Writes to a plane the codes that a table gives for the samples of another plane of the same size.
///
/// - Parameters:
///   - codes: a code for each sample up to the largest; larger ones count as the largest, since a word may hold more than
///     its depth allows.
///   - source: the samples.
///   - target: the plane to overwrite.
@specialized(where From == UInt8, To == UInt8) @specialized(where From == UInt8, To == UInt16)
@specialized(where From == UInt16, To == UInt8) @specialized(where From == UInt16, To == UInt16)
func lookUp<From: PixelSample, To: PixelSample>(
    _ codes: [UInt16], _: From.Type, _: To.Type, _ source: Plane, into target: MutablePlane
) {
    codes.withUnsafeBufferPointer { codes in
        for y in 0..<source.height {
            let from = source.row(y).assumingMemoryBound(to: From.self)
            let to = target.row(y).assumingMemoryBound(to: To.self)
            for x in 0..<source.width {
                to[x] = To(truncatingIfNeeded: codes[min(Int(from[x]), codes.count - 1)])
            }
        }
    }
}
