package import FrameCore
import Imaging
import Motion

/// Makes progressive pictures from interlaced ones, and keeps what the next pictures can reuse.
///
/// Each field becomes a picture of the moment at which it was taken. The fields before and after it hold the rows that it
/// lacks, at another moment; motion leads to them.
///
/// Not `Sendable`: for one caller at a time. The same inputs give the same bits with any number of threads.
package final class DeinterlacerEngine {
    private let format: PixelFormat
    /// Makes alpha, with its own motion; nil if there is none.
    private let alpha: DeinterlacerEngine?
    /// The latest frames with alpha, and these with premultiplied colors; the oldest first.
    private var shown: [(frame: PixelBuffer, premultiplied: PixelBuffer)] = []
    private let network: DeinterlacerNetwork
    private let context: ExecutionContext
    /// For the fields of each parity.
    private var trackers: [PairTracker]
    /// The latest fields prepared.
    private var fields: [FieldPicture] = []
    /// The motion to and from the fields of a picture, for each parity.
    private var latest: [[(a: PixelBuffer, b: PixelBuffer, flow: OpticalFlow)]] = [[], []]
    /// The fields of a picture and of those before and after.
    private static let keptFields = 6
    /// Luma samples from which a picture is large: 1280×720.
    private static let leastLargePicture = 1280 * 720

    /// - Throws: `FrameError` if memory cannot be allocated.
    package init(
        format: PixelFormat, width: Int, height: Int, quality: QualityPrioritization, context: ExecutionContext
    ) throws(FrameError) {
        self.format = format.withoutAlpha
        self.context = context
        alpha =
            format.hasAlpha
            ? try DeinterlacerEngine(
                format: format.monochrome, width: width, height: height, quality: quality, context: context) : nil
        network = DeinterlacerNetwork(quality)
        var effort = MotionEffort(quality, pixels: width * height)
        // Fields have half the rows, so in large pictures the finest level tells nothing more but takes half of the time.
        if width * height >= Self.leastLargePicture { effort.finestLevel = max(1, effort.finestLevel) }
        trackers = (0..<2).map { _ in
            PairTracker(width: width, height: height, effort: effort, resamples: true, context: context)
        }
    }

    /// Drops what is kept of earlier pictures.
    package func forget() {
        fields = []
        latest = [[], []]
        for index in trackers.indices { trackers[index].forget() }
        shown = []
        alpha?.forget()
    }

    /// Returns the pictures of an interlaced picture's fields, in the order in which they are shown.
    ///
    /// - Parameters:
    ///   - current: the interlaced picture.
    ///   - previous: the one before, of the same scene; nil if there is none.
    ///   - next: the one after, likewise.
    ///   - order: which field is shown first.
    ///   - count: 2 for the pictures of both fields, 1 for that of the first one only.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func pictures(
        of current: PixelBuffer, previous: PixelBuffer?, next: PixelBuffer?, order: FieldOrder, count: Int
    ) throws(FrameError) -> [PixelBuffer] {
        guard let alpha, let plane = current.format.alphaPlane else {
            return try colorPictures(of: current, previous: previous, next: next, order: order, count: count)
        }
        if [previous, current, next].allSatisfy({ $0?.isOpaque != false }) {
            return try colorPictures(
                of: current.withoutAlpha, previous: previous?.withoutAlpha, next: next?.withoutAlpha, order: order,
                count: count
            ).map { picture throws(FrameError) in try picture.with(alpha: nil) }
        }
        let shown = try premultiplied(current)
        let colors = try colorPictures(
            of: shown.withoutAlpha,
            previous: previous.map { frame throws(FrameError) in try premultiplied(frame).withoutAlpha },
            next: next.map { frame throws(FrameError) in try premultiplied(frame).withoutAlpha }, order: order,
            count: count)
        let alphas = try alpha.pictures(
            of: current.plane(plane), previous: previous?.plane(plane), next: next?.plane(plane), order: order,
            count: count)
        var result: [PixelBuffer] = []
        for (index, (color, alpha)) in zip(colors, alphas).enumerated() {
            let parity = (order == .topFirst ? 0 : 1) ^ index
            result.append(
                try color.with(alpha: alpha).straightened(
                    keeping: current, whereUnchangedFrom: shown, context: context
                ).replacingField(parity, from: current))
        }
        return result
    }

    /// Returns a frame with colors premultiplied by alpha, which is kept for the next calls.
    private func premultiplied(_ frame: PixelBuffer) throws(FrameError) -> PixelBuffer {
        if let known = shown.last(where: { $0.frame.hasSameSamples(as: frame) }) { return known.premultiplied }
        let made = try frame.premultiplied(context: context)
        shown = shown.suffix(2) + [(frame, made)]
        return made
    }

    private func colorPictures(
        of current: PixelBuffer, previous: PixelBuffer?, next: PixelBuffer?, order: FieldOrder, count: Int
    ) throws(FrameError) -> [PixelBuffer] {
        let first = order == .topFirst ? 0 : 1, second = 1 - first
        let frames = (previous: previous, current: current, next: next)
        var result = [try picture(of: first, first: first, frames)]
        if count > 1 { result.append(try picture(of: second, first: first, frames)) }
        return result
    }

    private typealias Frames = (previous: PixelBuffer?, current: PixelBuffer, next: PixelBuffer?)

    private func picture(
        of parity: Int, first: Int, _ frames: Frames
    ) throws(FrameError) -> PixelBuffer {
        let isFirst = parity == first
        let field = try field(parity, of: frames.current)
        var picture = field.reference.buffer
        guard let around = try neighbourhood(of: field, isFirst: isFirst, frames) else { return picture }
        let missing = try MissingPlane.planes(around, format: format, context: context)
        try picture.withMutablePlanes { targets in
            frames.current.withPlanes { woven in
                for (index, plane) in missing.enumerated() {
                    let still = stillRows(frames, isFirst: isFirst, rows: plane.rows, plane: index)
                    let made = MissingRows(
                        network: network, plane: plane, still: still, format: format, context: context)
                    made.write(to: targets[index])
                    still?.weave(woven[index], into: targets[index])
                    FlickerRows(plane, format: format, context: context).write(to: targets[index])
                }
            }
        }
        return picture
    }

    /// Finds what stands still in a plane of the picture. The missing rows are compared in the fields before and after, the
    /// rows of the field itself in those two fields away.
    private func stillRows(_ frames: Frames, isFirst: Bool, rows: FieldRows, plane index: Int) -> StillRows? {
        // The pictures stay alive as long as the frames.
        func plane(_ picture: PixelBuffer) -> Plane { picture.withPlanes { $0[index] } }
        let current = plane(frames.current)
        let before = frames.previous.map { StillRows.Pair(a: plane($0), b: current) }
        let after = frames.next.map { StillRows.Pair(a: current, b: plane($0)) }
        let across = isFirst ? before ?? after : after ?? before
        return withExtendedLifetime(frames) {
            StillRows(
                missing: [across].compactMap(\.self), known: [before, after].compactMap(\.self), rows: rows,
                format: format, context: context)
        }
    }

    /// Returns a field with the motion to those around it; nil if the scene has no other picture.
    private func neighbourhood(
        of current: FieldPicture, isFirst: Bool, _ frames: Frames
    ) throws(FrameError) -> FieldNeighbourhood? {
        let other = 1 - current.parity
        var before: FieldPicture?, after: FieldPicture?
        if let frame = isFirst ? frames.previous : frames.current { before = try field(other, of: frame) }
        if let frame = isFirst ? frames.current : frames.next { after = try field(other, of: frame) }
        var own: (previous: FieldMotion?, next: FieldMotion?) = (nil, nil)
        // In the order in which the fields follow each other, so that motion is predicted from that before.
        if let previous = frames.previous, let before {
            let flow = try flow(from: try field(current.parity, of: previous), to: current)
            own.previous = FieldMotion(to: before, half: flow.backward, from: current, context: context)
        }
        if let next = frames.next, let after {
            let flow = try flow(from: current, to: try field(current.parity, of: next))
            own.next = FieldMotion(to: after, half: flow.forward, from: current, context: context)
        }
        if let before, let after {
            let between = FieldMotion.halfway(
                try flow(from: before, to: after), at: current, from: before, to: after, context: context)
            return FieldNeighbourhood(current: current, between: between, own: own)
        }
        guard let only = own.previous ?? own.next else { return nil }
        return FieldNeighbourhood(current: current, between: (only, only), own: (nil, nil))
    }

    private func field(_ parity: Int, of frame: PixelBuffer) throws(FrameError) -> FieldPicture {
        if let known = fields.first(where: { $0.isField(parity, of: frame) }) { return known }
        let field = try FieldPicture(frame, parity: parity, context: context)
        if fields.count == Self.keptFields { fields.removeFirst() }
        fields.append(field)
        return field
    }

    /// Returns the motion between two successive fields of the same parity.
    private func flow(from a: FieldPicture, to b: FieldPicture) throws(FrameError) -> OpticalFlow {
        let pictures = (a.reference.buffer, b.reference.buffer)
        let known = latest[a.parity].first {
            $0.a.hasSameSamples(as: pictures.0) && $0.b.hasSameSamples(as: pictures.1)
        }
        if let known { return known.flow }
        let flow = try trackers[a.parity].flow(from: a.reference, to: b.reference, .follows)
        latest[a.parity] = latest[a.parity].suffix(1) + [(pictures.0, pictures.1, flow)]
        return flow
    }
}

extension DeinterlacerEngine: FrameProcessorEffect {
    package func process(_ parameters: DeinterlacerParameters, relation: PairRelation, results: CallResults) throws {
        if relation == .none { forget() }
        let made = try pictures(
            of: try parameters.sourceFrame.buffer, previous: try parameters.previousFrame?.buffer,
            next: try parameters.nextFrame?.buffer, order: parameters.fieldOrder,
            count: parameters.destinationFrames.count)
        for (index, picture) in made.enumerated() {
            results.complete(index, with: picture) { $0.fieldOrder = nil }
        }
    }
}
