import FrameCore
import Imaging
import Motion

/// A frame prepared for filtering: planes with margins, and the pyramid for matching.
struct NoisyPicture: Sendable {
    /// The margin around planes into which blocks can extend, in samples.
    static let margin = 24
    /// Identifies the frame within its memory.
    let id: Int
    let buffer: PixelBuffer
    /// The frame with colors premultiplied by alpha.
    let premultiplied: PixelBuffer
    /// What is filtered: the same in YCbCr.
    let filterable: PixelBuffer
    let planes: [PaddedPlane]
    let pyramid: LumaPyramid

    /// - Parameter converter: converts RGB; nil for YCbCr.
    init(
        _ picture: PixelBuffer, id: Int, converter: RGBConverter?, context: ExecutionContext
    ) throws(FrameError) {
        self.id = id
        buffer = picture
        premultiplied = try picture.isOpaque ? picture : picture.premultiplied(context: context)
        filterable = try converter?.keepingAlpha(toYCbCr: premultiplied) ?? premultiplied
        pyramid = try LumaPyramid(filterable.withoutAlpha, context: context)
        planes = try Self.planes(of: filterable, context: context)
    }

    /// Returns the planes with margins only, which is all that a pilot needs.
    static func planes(of picture: PixelBuffer, context: ExecutionContext) throws(FrameError) -> [PaddedPlane] {
        try PaddedPlane.copies(of: picture, margin: margin, context: context)
    }
}

/// The frames in use, with their motion, noise and pilots.
struct NoiseFilterMemory {
    /// A frame together with the frames that it is filtered with.
    struct Place: Hashable {
        let centre: Int
        let window: [Int]
    }
    struct PilotKey: Hashable {
        let place: Place
        let noise: NoiseModel
    }
    struct Pair: Hashable {
        let earlier: Int
        let later: Int
    }

    var pictures: [NoisyPicture] = []
    var motion: [Pair: MotionPair] = [:]
    var noise: [Place: NoiseModel] = [:]
    var traces: [Int: QuantizationTrace] = [:]
    var pilots: [PilotKey: [PaddedPlane]] = [:]
    private var fixed: NoiseModel?
    private var count = 0

    /// Returns the frame for a buffer, which is prepared only once.
    mutating func picture(
        of buffer: PixelBuffer, converter: RGBConverter?, context: ExecutionContext
    ) throws(FrameError) -> NoisyPicture {
        if let known = pictures.first(where: { $0.buffer.hasSameSamples(as: buffer) }) { return known }
        count += 1
        let picture = try NoisyPicture(buffer, id: count, converter: converter, context: context)
        pictures.append(picture)
        return picture
    }

    mutating func forgetAll(but ids: [Int]) {
        let ids = Set(ids)
        pictures.removeAll { !ids.contains($0.id) }
        motion = motion.filter { ids.contains($0.key.earlier) && ids.contains($0.key.later) }
        traces = traces.filter { ids.contains($0.key) }
        noise = noise.filter { ids.isSuperset(of: $0.key.window) }
        pilots = pilots.filter { ids.isSuperset(of: $0.key.place.window) }
    }

    /// Discards the pilots if the specified noise has changed; nil means that noise is estimated.
    mutating func keepPilots(of fixed: NoiseModel?) {
        if fixed != self.fixed { pilots = [:] }
        self.fixed = fixed
    }
}
