package import FrameCore

/// Makes ordinary pictures (BT.709, 8 bits) of ones with high dynamic range or wide primaries.
///
/// Light is reckoned in cd/m². PQ's is absolute; HLG's comes from its scene light by the system gamma of a screen of 1000.
/// The brightest of the three primaries is bent by the knee of ITU-R BT.2390 from the picture's peak to that of an
/// ordinary screen, with 203 cd/m² (BT.2408's reference white) as diffuse white, and all three are scaled by as much, so
/// hues stay. What BT.709 cannot show is drawn towards grey of the same luminance just as far as needed.
package enum ToneMapping {
    /// Brightest light that contents are taken to have, in cd/m².
    private static let peak: Float = 1000

    /// Whether pictures like these must be changed to be shown as ordinary ones.
    package static func isNeeded(_ color: ColorDescription) -> Bool {
        color.transfer.isHighDynamicRange || [.bt2020, .dciP3, .displayP3].contains(color.primaries)
    }

    /// Of the result.
    package static let color = ColorDescription(
        matrix: .bt709, primaries: .bt709, transfer: .bt709, range: .limited, chromaLocation: .left)

    /// - Parameter frame: of any format.
    package static func mapped(_ frame: Frame, threads: Int = 1) throws(FrameError) -> Frame {
        let buffer = frame.buffer
        let known = frame.color.resolved(height: buffer.height)
        let subsampling = buffer.format.subsampling
        let deep = try PixelFormat(
            subsampling: subsampling == .monochrome ? .monochrome : .yuv444, bitDepth: buffer.format.bitDepth)
        let whole = try PictureResampler(
            from: buffer.format, sourceSize: (buffer.width, buffer.height), color: known, to: deep,
            width: buffer.width, height: buffer.height, targetLocation: known.chromaLocation
        ).resampled(buffer, threads: threads)
        let mapper = ToneMapper(known, depth: deep.bitDepth, peak: peak)
        let target = try PixelFormat(subsampling: deep.subsampling, bitDepth: 8)
        var result = try PixelBuffer(format: target, width: buffer.width, height: buffer.height)
        let isMonochrome = subsampling == .monochrome
        let neutral = Float(1 << (deep.bitDepth - 1))
        try result.withOverwrittenPlanes { planes in
            nonisolated(unsafe) let out = (0..<planes.count).map { planes[$0] }
            whole.withPlanes { source in
                nonisolated(unsafe) let source = (0..<source.count).map { source[$0] }
                parallelFor(buffer.height, threads: threads) { y in
                    func sample(_ plane: Int, _ x: Int) -> Float {
                        deep.bytesPerSample == 2
                            ? Float(source[plane].row(y).load(fromByteOffset: 2 * x, as: UInt16.self))
                            : Float(source[plane].row(y).load(fromByteOffset: x, as: UInt8.self))
                    }
                    for x in 0..<buffer.width {
                        let code = mapper.map(
                            sample(0, x), isMonochrome ? neutral : sample(1, x), isMonochrome ? neutral : sample(2, x))
                        for plane in 0..<out.count {
                            out[plane].row(y).storeBytes(of: code[plane], toByteOffset: x, as: UInt8.self)
                        }
                    }
                }
            }
        }
        var made = frame.replacing(
            buffer: result, presentationTime: frame.presentationTime, duration: frame.duration)
        made.color = color
        made.sideData = SideData()
        return made
    }
}
