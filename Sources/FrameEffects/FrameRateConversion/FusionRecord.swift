package import FrameCore
package import Motion

/// What the fusion network sees of a pair of frames, for its training.
package enum FusionRecord {
    /// Returns the luma predictions 0 to 3 of the frame at the phase, then share, trust, share, trust and distance of the
    /// cells at half size, then both shares at full size: planes of bytes, values above 255 limited to it.
    ///
    /// - Parameters:
    ///   - first: the earlier frame, 8 bits deep, of even width and height.
    ///   - next: the later frame, of the same format and size.
    ///   - around: the frame before `first` and the frame after `next`; nil to use the pair alone.
    ///   - effort: the work to do for the motion.
    ///   - phase: the position between the frames, 0 and 1 excluded.
    ///   - context: the threads and kernels to use.
    /// - Returns: nil if no motion between the frames can be trusted.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package static func bytes(
        _ first: PixelBuffer, _ next: PixelBuffer, around: (before: PixelBuffer, after: PixelBuffer)?,
        effort: MotionEffort, phase: Float, context: ExecutionContext
    ) throws(FrameError) -> [UInt8]? {
        var tracker = PairTracker(
            width: first.width, height: first.height, effort: effort, resamples: true, context: context)
        let before = try around.map { around throws(FrameError) in
            try tracker.pair(from: around.before, to: first, .none).flow
        }
        let pair = try tracker.pair(from: first, to: next, before == nil ? .none : .follows), a = pair.a, b = pair.b
        let after = try around.map { around throws(FrameError) in
            try tracker.pair(from: next, to: around.after, .follows).flow
        }
        let outer = OuterMotion(of: pair.flow, before: before, after: after)
        let flow = try outer?.occlusionsTracked(in: pair.flow, context: context) ?? pair.flow
        let motion = IntermediateFlow(
            flow, a: a.pyramid, b: b.pyramid, phase: phase, hasAlternatives: true, context: context)
        guard let second = motion.second else { return nil }
        let offsets = outer.flatMap {
            PathOffsets(
                PathCurvature(pair.flow, shown: flow, outer: $0, context: context), motion, phase: phase,
                context: context)
        }
        let synthesis = FrameSynthesis(
            a: a, b: b, motion: motion, offsets: offsets, phase: phase, network: .small, context: context)
        let predictions = try synthesis.predictions(first.format)
        let width = predictions.a.width / 2, height = predictions.a.height / 2
        let band = FusionBand(
            network: .small, motion: motion, second: second, offsets: offsets, references: (a, b),
            predictions: predictions, format: first.format, phase: phase, rows: 0..<height, context: context)
        let region = FusedRegion(
            columns: 0..<width, rows: 0..<height, halo: 0, size: (width, height))
        band.predict(region)
        let cells = FusionCells(motion, second, rows: 0..<height, luma: 0..<height, width: width, context: context)
        var bytes: [UInt8] = []
        func add(_ row: (Int) -> UnsafeMutableRawPointer) {
            for y in 0..<2 * height {
                let samples = row(y).assumingMemoryBound(to: UInt16.self)
                bytes += (0..<2 * width).map { UInt8((samples[$0] + 8) >> 4) }
            }
        }
        func add(_ row: UnsafePointer<Int16>, _ count: Int) {
            bytes += (0..<count).map { UInt8(clamping: row[$0]) }
        }
        add { predictions.a.row($0) }
        add { predictions.b.row($0) }
        add { region.secondRow($0).a }
        add { region.secondRow($0).b }
        for plane in 0..<5 {
            for y in 0..<height {
                let known = cells.row(y, from: 0, phase: 0)
                let rows = [known.share.0, known.trust.0, known.share.1, known.trust.1, known.distance]
                add(rows[plane], width)
            }
        }
        for plane in 0..<2 {
            for y in 0..<2 * height { add(cells.sharesAndTrust(y, from: 0)[plane], 2 * width) }
        }
        return bytes
    }
}
