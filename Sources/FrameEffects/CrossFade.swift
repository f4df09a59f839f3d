package import FrameCore
import Imaging

/// Blends two frames of the same format and size linearly, sample by sample, without motion compensation.
///
/// - Parameter phase: 0 gives `source`, 1 gives `next`; values outside 0…1 are clamped.
/// - Throws: `FrameError` if formats or sizes differ or memory cannot be allocated.
package func crossFade(
    from source: PixelBuffer, to next: PixelBuffer, phase: Float, pool: PixelBufferPool
) throws -> PixelBuffer {
    guard source.format == next.format, source.width == next.width, source.height == next.height else {
        throw FrameError(
            .invalidArgument,
            "a \(source.width)x\(source.height) \(source.format) frame cannot be blended with a \(next.width)x\(next.height) \(next.format) one"
        )
    }
    let isOpaque = source.isOpaque && next.isOpaque
    let first = try isOpaque ? source : source.premultiplied(context: .serial)
    let second = try isOpaque ? next : next.premultiplied(context: .serial)
    // 15 fractional bits keep the product of a 16-bit sample and a weight within 32 bits.
    let weight = UInt32((max(0, min(1, phase.isFinite ? phase : 0)) * 32768).rounded())
    var mixed = try pool.makeBuffer()
    try mixed.withOverwrittenPlanes { out in
        first.withPlanes { a in
            second.withPlanes { b in
                for plane in 0..<out.count { mix(out.format.sampleType, a[plane], b[plane], into: out[plane], weight) }
            }
        }
    }
    if isOpaque { return mixed }
    return weight < 16384
        ? try mixed.straightened(keeping: source, whereUnchangedFrom: first, context: .serial)
        : try mixed.straightened(keeping: next, whereUnchangedFrom: second, context: .serial)
}

@specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
private func mix<Sample: PixelSample>(
    _: Sample.Type, _ a: Plane, _ b: Plane, into out: MutablePlane, _ weight: UInt32
) {
    for y in 0..<out.height {
        let (a, b) = (a.row(y).assumingMemoryBound(to: Sample.self), b.row(y).assumingMemoryBound(to: Sample.self))
        let to = out.row(y).assumingMemoryBound(to: Sample.self)
        for x in 0..<out.width {
            to[x] = Sample(
                truncatingIfNeeded: (UInt32(a[x]) &* (32768 &- weight) &+ UInt32(b[x]) &* weight &+ 16384) >> 15)
        }
    }
}
