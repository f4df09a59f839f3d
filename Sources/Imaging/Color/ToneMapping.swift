package import FrameCore
internal import Glibc

/// Converts images with high dynamic range or wide primaries to standard dynamic range (BT.709, 8 bits).
///
/// Light is in cd/m². PQ encodes it absolutely; HLG scene light is converted with the system gamma of a 1000 cd/m²
/// display. Colors near and outside the limits of BT.709 are moved toward gray of the same luminance; the farther
/// outside, the more, so that neighbouring colors stay distinct. Then the knee of ITU-R BT.2390 maps the largest of the
/// three BT.709 components from the peak of the image to that of a standard display, with 203 cd/m² (the reference white
/// of BT.2408) as diffuse white. All three components are scaled by the same factor. Both steps preserve hue, and nothing
/// is left to clip.
package struct ToneMapping: Sendable {
    /// The luminance of a standard display's white, in cd/m².
    private static let white: Float = 203
    private static let steps = 4096
    private let toLight: [Float]
    private let toCode: [Float]
    private let offset: (luma: Float, chroma: Float)
    private let gain: (luma: Float, chroma: Float)
    private let coefficients: LumaCoefficients
    private let toBT709: [Float]
    private let isHLG: Bool
    private let isHDR: Bool
    private let peakCode: Float
    private let peak: Float
    private let knee: Float

    /// - Parameter peak: the maximum luminance of the content, in cd/m².
    private init(_ color: ColorDescription, depth: Int, peak: Float) {
        let range = CodeRange(color.range, bitDepth: depth), peak = max(Self.white, peak)
        offset = (Float(range.black), Float(range.neutral))
        gain = (1 / Float(range.lumaSpan), 1 / Float(range.chromaSpan))
        coefficients = LumaCoefficients(color.matrix)
        isHLG = color.transfer == .hlg
        isHDR = color.transfer.isHighDynamicRange
        self.peak = peak
        peakCode = Self.inversePQ(peak)
        // BT.2390's knee start, with the target's peak relative to the source's.
        let target = Self.inversePQ(Self.white) / peakCode
        knee = 1.5 * target - 0.5
        toLight = (0...Self.steps).map { index in
            let code = Float(index) / Float(Self.steps)
            switch color.transfer {
            case .pq: return Self.pq(code)
            case .hlg: return TransferFunction.hlg(code)
            // Standard dynamic range: BT.1886.
            default: return powf(code, 2.4) * Self.white
            }
        }
        toCode = (0...Self.steps).map { powf(Float($0) / Float(Self.steps), 1 / 2.4) }
        toBT709 = Self.matrix(from: color.primaries)
    }

    /// Returns a pixel's code values converted to 8-bit BT.709.
    private func map(_ y: Float, _ cb: Float, _ cr: Float) -> SIMD3<UInt8> {
        let rgb = coefficients.rgb(
            (y - offset.luma) * gain.luma, (cb - offset.chroma) * gain.chroma, (cr - offset.chroma) * gain.chroma)
        var light = SIMD3(look(toLight, rgb.x), look(toLight, rgb.y), look(toLight, rgb.z))
        if isHLG {
            // The system gamma of a 1000 cd/m² display is 1.2.
            let scene = LumaCoefficients.bt2020.luma(light)
            light *= 1000 * powf(max(scene, 1e-6), 0.2)
        }
        var shown = SIMD3<Float>.zero
        for row in 0..<3 {
            shown[row] =
                toBT709[3 * row] * light.x + toBT709[3 * row + 1] * light.y + toBT709[3 * row + 2] * light.z
        }
        shown = inGamut(shown)
        let most = shown.max()
        if most > 0 { shown *= isHDR ? bent(most) / most : min(1, Self.white / most) }
        shown /= Self.white
        let target = LumaCoefficients.bt709
        let code = SIMD3(curved(shown.x), curved(shown.y), curved(shown.z)), luma = target.luma(code)
        return SIMD3(
            Self.byte(16 + 219 * luma), Self.byte(128 + 224 * (code.z - luma) / target.blueScale),
            Self.byte(128 + 224 * (code.x - luma) / target.redScale))
    }

    /// Applies the knee: keeps light below it, and compresses light above it toward the target's peak.
    private func bent(_ light: Float) -> Float {
        let code = min(1, Self.inversePQ(min(light, peak)) / peakCode)
        guard code > knee, knee < 1 else { return light }
        let target = Self.inversePQ(Self.white) / peakCode
        let t = (code - knee) / (1 - knee), t2 = t * t, t3 = t2 * t
        let result =
            (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (-2 * t3 + 3 * t2) * target
        return Self.pq(result * peakCode)
    }

    /// The distance from gray, relative to the largest component, up to which colors stay as they are: 1 is the limit
    /// of the gamut.
    private static let freeDistance: Float = 0.98
    /// The distance that is moved to the limit: that of BT.2020's cyan.
    private static let farthestDistance: Float = 1.6

    /// Moves a color near or outside the limits of the gamut toward gray, and keeps its hue and luminance.
    private func inGamut(_ rgb: SIMD3<Float>) -> SIMD3<Float> {
        let most = rgb.max()
        guard most > 0 else { return .zero }
        let distance = (most - rgb.min()) / most
        guard distance > Self.freeDistance else { return rgb }
        // A hyperbola that leaves the free part with slope 1 and takes the farthest distance to 1.
        let room = 1 - Self.freeDistance, reach = Self.farthestDistance - Self.freeDistance
        let scale = reach * room / (reach - room)
        let over = min(distance, Self.farthestDistance) - Self.freeDistance
        let kept = Self.freeDistance + over / (1 + over / scale)
        let gray = SIMD3<Float>(repeating: most), closer = gray + (rgb - gray) * (kept / distance)
        let (before, after) = (LumaCoefficients.bt709.luma(rgb), LumaCoefficients.bt709.luma(closer))
        return (closer * max(0, before / after)).clamped(lowerBound: .zero, upperBound: gray)
    }

    private func curved(_ value: Float) -> Float {
        // A table would be too coarse near black.
        value < 0.02 ? powf(max(0, value), 1 / 2.4) : look(toCode, value)
    }

    private func look(_ table: [Float], _ value: Float) -> Float {
        let place = max(0, min(1, value)) * Float(Self.steps)
        let index = min(Self.steps - 1, Int(place)), part = place - Float(index)
        return table[index] + (table[index + 1] - table[index]) * part
    }

    private static func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value.rounded()))) }

    /// Returns the luminance of a PQ signal, in cd/m².
    private static func pq(_ signal: Float) -> Float { 10_000 * TransferFunction.pq(signal) }

    /// Returns the PQ signal of a luminance in cd/m².
    private static func inversePQ(_ light: Float) -> Float { TransferFunction.inversePQ(light / 10_000) }

    /// Returns the matrix that converts linear light from `primaries` to BT.709; all are treated as D65.
    private static func matrix(from primaries: ColorPrimaries) -> [Float] {
        switch primaries {
        case .bt2020:
            [1.660491, -0.587641, -0.072850, -0.124550, 1.132900, -0.008349, -0.018151, -0.100579, 1.118730]
        case .dciP3, .displayP3:
            [1.224940, -0.224940, 0, -0.042057, 1.042057, 0, -0.019638, -0.078636, 1.098274]
        default: [1, 0, 0, 0, 1, 0, 0, 0, 1]
        }
    }
}

extension ToneMapping {
    /// The maximum luminance that content is assumed to have, in cd/m².
    private static let assumedPeak: Float = 1000

    /// Whether images with this color description must be converted for standard-dynamic-range display.
    package static func isNeeded(_ color: ColorDescription) -> Bool {
        color.transfer.isHighDynamicRange || [.bt2020, .dciP3, .displayP3].contains(color.primaries)
    }

    /// The color description of converted frames.
    package static let color = ColorDescription(
        matrix: .bt709, primaries: .bt709, transfer: .bt709, range: .limited, chromaLocation: .left)

    /// - Parameters:
    ///   - frame: a frame of any format; what is transparent becomes middle grey.
    ///   - context: the threads and kernels to use; the result does not depend on them.
    /// - Returns: a frame in YCbCr without alpha.
    package static func mapped(_ frame: Frame, context: ExecutionContext) throws(FrameError) -> Frame {
        let frame = try frame.overGrey(context: context), buffer = frame.buffer
        let known = frame.color.resolved(height: buffer.height)
        let subsampling = buffer.format.subsampling
        let deep = try PixelFormat(
            subsampling: subsampling == .monochrome ? .monochrome : .yuv444, bitDepth: buffer.format.bitDepth)
        let whole = try PictureResampler(
            from: buffer.format, sourceSize: (buffer.width, buffer.height), color: known, to: deep,
            width: buffer.width, height: buffer.height, targetLocation: known.chromaLocation
        ).resampled(buffer, context: context)
        let mapping = ToneMapping(known, depth: deep.bitDepth, peak: assumedPeak)
        let target = try PixelFormat(subsampling: deep.subsampling, bitDepth: 8)
        var result = try PixelBuffer(format: target, width: buffer.width, height: buffer.height)
        let isMonochrome = subsampling == .monochrome
        let neutral = Float(1 << (deep.bitDepth - 1))
        try result.withOverwrittenPlanes { planes in
            nonisolated(unsafe) let out = (0..<planes.count).map { planes[$0] }
            whole.withPlanes { source in
                nonisolated(unsafe) let source = (0..<source.count).map { source[$0] }
                parallelFor(buffer.height, threads: context.threads) { y in
                    func sample(_ plane: Int, _ x: Int) -> Float {
                        Float(source[plane].sample(x, y, bytes: deep.bytesPerSample))
                    }
                    for x in 0..<buffer.width {
                        let code = mapping.map(
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
