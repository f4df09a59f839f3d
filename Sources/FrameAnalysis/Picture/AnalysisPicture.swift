internal import Glibc
public import FrameCore
internal import Imaging

/// A frame prepared for analysis, so that measures needed by several requests are computed only once.
///
/// Not `Sendable`: use it only on the thread that creates it, while its frame is being analyzed.
public final class AnalysisPicture {
    /// The frame being analyzed.
    public let frame: Frame
    /// The frame as it is judged: in YCbCr, and over middle grey where it is transparent.
    let shown: Frame
    /// Luma as displayed, 0…255, at most ``detailSide`` samples along the longer side.
    let detail: FloatPlane
    /// ``detail`` at half the size.
    let luma: FloatPlane
    /// Blue and red difference centered on 0, at half the size of ``luma``; all 0 for monochrome frames.
    let chroma: (blue: FloatPlane, red: FloatPlane)
    /// Source samples per sample of ``detail`` along the longer side; at least 1.
    let reduction: Float

    /// Standard deviation of the noise, in 8-bit levels.
    private(set) lazy var noise = Degradation.noise(shown)
    private(set) lazy var blockiness = Degradation.blockiness(shown)
    private(set) lazy var light = LightMeasures(self)
    private(set) lazy var sharpness = SharpnessMap(detail, noise: noise / reduction)
    private(set) lazy var texture = TextureMeasures(self)
    private(set) lazy var attention = AttentionMap(self)

    static let detailSide = 640
    private static let leastSide = 32

    /// Prepares a frame, reading its samples once.
    public init(_ frame: Frame) {
        self.frame = frame
        // Without memory for another picture, the first plane has to do.
        let shown = (try? frame.overGrey(context: .serial)) ?? frame.firstPlane
        self.shown = shown
        let buffer = shown.buffer
        let longer = max(buffer.width, buffer.height)
        let scale = min(1, Double(Self.detailSide) / Double(longer))
        func side(_ length: Int) -> Int { max(Self.leastSide, Int((Double(length) * scale / 4).rounded()) * 4) }
        let (width, height) = (side(buffer.width), side(buffer.height))
        reduction = max(1, Float(longer) / Float(max(width, height)))
        let tone = LumaTone(shown)
        var detail = sampleMeans(buffer, plane: 0, width: width, height: height)
        tone.apply(to: &detail)
        self.detail = detail
        luma = detail.halved()
        let (w, h) = (width / 4, height / 4)
        if buffer.format.planeCount > 1 {
            var (blue, red) = (
                sampleMeans(buffer, plane: 1, width: w, height: h), sampleMeans(buffer, plane: 2, width: w, height: h)
            )
            tone.applyToChroma(&blue)
            tone.applyToChroma(&red)
            chroma = (blue, red)
        } else {
            chroma = (FloatPlane(width: w, height: h), FloatPlane(width: w, height: h))
        }
    }
}

extension AnalysisPicture {
    /// All measures by name, for measurement programs.
    package var measures: [(name: String, value: [Float])] {
        let (light, texture) = (light, texture)
        return [
            ("noise", [noise]), ("blocks", [blockiness]),
            (
                "light",
                [
                    light.mean, light.median, light.p1, light.p5, light.p95, light.p99, light.deviation,
                    light.clippedDark, light.clippedBright, light.uniformity, light.commonestShare, light.colorfulness,
                    light.veil,
                ]
            ),
            (
                "texture",
                [
                    texture.flatShare, texture.strokeShare, texture.strokesOnGround, texture.barness, texture.activity,
                    texture.twoToneShare,
                ]
            ),
            (
                "sharp",
                [
                    sharpness.total(across: true), sharpness.total(across: false), sharpness.quantile(0.5),
                    sharpness.quantile(0.85), sharpness.quantile(0.9),
                ]
            ), ("smudgeFeatures", SmudgeClassifier(self).features),
        ]
    }
}

extension Frame {
    fileprivate var firstPlane: Frame {
        var made = self
        made.buffer = buffer.plane(0)
        return made
    }
}

/// Returns a plane's code values reduced to `width` × `height` area means.
func sampleMeans(_ buffer: PixelBuffer, plane index: Int, width: Int, height: Int) -> FloatPlane {
    buffer.withPlanes { planes in
        let plane = planes[index], type = planes.format.sampleType
        return areaMeans(
            width: width, height: height, x: 0..<Double(plane.width), y: 0..<Double(plane.height),
            sourceWidth: plane.width, sourceHeight: plane.height
        ) { y, weight, sums in
            add(type, plane, y, weight, to: sums)
        }
    }
}

@specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
private func add<Sample: PixelSample>(
    _: Sample.Type, _ plane: Plane, _ y: Int, _ weight: Float, to sums: UnsafeMutablePointer<Float>
) {
    let row = plane.row(y).assumingMemoryBound(to: Sample.self)
    for x in 0..<plane.width { sums[x] += weight * Float(row[x]) }
}

/// Maps code values to what a standard dynamic range display shows.
struct LumaTone {
    private let offset: Float
    private let gain: Float
    private let chromaMiddle: Float
    private let chromaGain: Float
    private let table: [Float]?

    init(_ frame: Frame) {
        let format = frame.buffer.format
        let color = frame.color.resolved(height: frame.buffer.height)
        let range = CodeRange(color.range, bitDepth: format.bitDepth)
        offset = Float(range.black)
        gain = 255 / Float(range.lumaSpan)
        chromaMiddle = Float(range.neutral)
        chromaGain = 255 / Float(range.chromaSpan)
        // Only PQ looks wrong when shown as standard dynamic range.
        table = color.transfer == .pq ? Self.perceptualQuantizer : nil
    }

    func apply(to plane: inout FloatPlane) {
        for index in plane.values.indices {
            plane.values[index] = max(0, min(255, (plane.values[index] - offset) * gain))
        }
        guard let table else { return }
        for index in plane.values.indices {
            let value = plane.values[index] * 4
            let lower = min(table.count - 2, Int(value))
            plane.values[index] = table[lower] + (value - Float(lower)) * (table[lower + 1] - table[lower])
        }
    }

    func applyToChroma(_ plane: inout FloatPlane) {
        let gain = table == nil ? chromaGain : 2 * chromaGain
        for index in plane.values.indices {
            plane.values[index] = max(-128, min(128, (plane.values[index] - chromaMiddle) * gain))
        }
    }

    /// SMPTE ST 2084 with reference white at 203 cd/m² and highlights rolled off, tabulated in quarters of an 8-bit
    /// level.
    ///
    /// The gray curve of ``ToneMapping`` differs from it by up to 10 levels, at 50 cd/m², so with that one the measures
    /// of PQ frames would change, and with them the frames that are selected.
    private static let perceptualQuantizer: [Float] = (0...1021).map { index in
        let code = min(1, Double(index) / 1020)
        let light = 10_000 * TransferFunction.pq(code) / 203
        let mapped = light * (1 + light / 25) / (1 + light) * 1.6
        return Float(255 * pow(min(1, mapped), 1 / 2.2))
    }
}
