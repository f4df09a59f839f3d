import FrameCore
import FrameEffects
import TestSupport

/// A scene as fields: field k shows the time k, and two make a picture.
struct InterlacedScene {
    let scene: MovingScene
    var format = PixelFormat.yuv420p8
    var width = 192
    var height = 144
    var order = FieldOrder.topFirst

    /// The progressive picture at the time of a field.
    func truth(_ field: Int) throws -> PixelBuffer {
        try scene.picture(Float(field), format, width: width, height: height)
    }

    /// The interlaced picture of the fields 2k and 2k + 1.
    func frame(_ index: Int) throws -> PixelBuffer {
        let fields = try [truth(2 * index), truth(2 * index + 1)], first = order == .topFirst ? 0 : 1
        let samples = fields.map { field in (0..<format.planeCount).map { field.samples(ofPlane: $0) } }
        return try GeneratedPicture.drawCodes(format, width: width, height: height) { plane, x, y in
            let rows = samples[y & 1 == first ? 0 : 1][plane]
            return Int(rows[y * format.planeWidth(plane, width: width) + x])
        }
    }

    func engine(_ quality: QualityPrioritization = .normal, threads: Int = 2) throws -> DeinterlacerEngine {
        try DeinterlacerEngine(
            format: format, width: width, height: height, quality: quality, context: .init(threads: threads))
    }

    /// Both pictures of a frame.
    func deinterlaced(
        _ index: Int = 1, quality: QualityPrioritization = .normal, hasPrevious: Bool = true, hasNext: Bool = true,
        threads: Int = 2
    ) throws -> [PixelBuffer] {
        try engine(quality, threads: threads).pictures(
            of: frame(index), previous: hasPrevious ? frame(index - 1) : nil, next: hasNext ? frame(index + 1) : nil,
            order: order, count: 2)
    }
}
