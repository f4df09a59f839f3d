internal import FrameCore
internal import Imaging

/// Puts the kept pixels of source frames into the frames of one run of an effect.
struct AreaKeeper {
    /// A frame whose pixels are kept.
    struct Original {
        let buffer: PixelBuffer
        /// The number of its source frame in the clip.
        let number: Int
    }

    private let areas: KeptAreas
    private let masks: FrameMasks?
    private let context: ExecutionContext
    private var reader: (any MaskReader)?
    /// The latest mixes by the numbers of their frames, at most two: frames lie between two others.
    private var mixes: [(number: Int, mix: MaskedMix)] = []
    /// The mix of all frames; nil if each has its own.
    private var still: MaskedMix?

    /// Whether frames are left as they are.
    var isEmpty: Bool { areas.isEmpty }

    init(_ effect: some KeepingEffect) {
        (areas, masks, context) = (effect.options.kept, effect.masks, effect.options.context)
    }

    /// Returns a frame with the kept pixels of another one.
    ///
    /// - Throws: an error if the frame's mask cannot be read.
    mutating func keep(_ original: Original, in picture: PixelBuffer) throws -> PixelBuffer {
        guard !isEmpty else { return picture }
        return try mix(original).keeping(original.buffer, in: picture, context: context)
    }

    private mutating func mix(_ original: Original) throws -> MaskedMix {
        if let still { return still }
        let buffer = original.buffer
        switch masks {
        case .sequence(let masks): return try mix(of: masks, original)
        case .still(let mask):
            let mix = MaskedMix(areas.adding(to: mask), format: buffer.format)
            still = mix
            return mix
        case nil:
            guard areas.mask == nil else {
                throw FrameError(
                    .invalidArgument, "only jobs read a mask from a file; give rectangles, or mix the frames yourself")
            }
            let mask = PictureMask(width: buffer.width, height: buffer.height)
            let mix = MaskedMix(areas.adding(to: mask), format: buffer.format)
            still = mix
            return mix
        }
    }

    private mutating func mix(of masks: any MaskSequence, _ original: Original) throws -> MaskedMix {
        if let known = mixes.first(where: { $0.number == original.number }) { return known.mix }
        var next = (mixes.last?.number ?? original.number) + 1
        if mixes.isEmpty || original.number < next {
            (reader, next) = (try masks.reader(from: original.number), original.number)
        }
        guard let reader else { throw FrameError(.input, "the mask cannot be read") }
        while next < original.number {
            _ = try reader.next()
            next += 1
        }
        let mix = MaskedMix(areas.adding(to: try reader.next()), format: original.buffer.format)
        mixes = mixes.suffix(1) + [(original.number, mix)]
        return mix
    }
}
