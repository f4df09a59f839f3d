package import FrameCore

/// Runs a trained network over a plane, which doubles it or cleans it at its size.
///
/// A doubled plane covers the same area: each sample becomes four, a quarter of a sample away from its position. The
/// network never rounds to less than the source's depth, a constant plane stays exactly constant, and the result
/// depends neither on the thread count nor on the processor.
package struct SuperResolutionNetwork: Sendable {
    /// The trained networks.
    package enum Model: String, Sendable, Hashable, CaseIterable {
        /// 8 channels, one middle layer: for real time.
        case small
        /// 16 channels, eight middle layers: for the best quality.
        case large
        /// 16 channels, four middle layers: for sources with coding artefacts at low latency, where nothing is known of them.
        case mediumCompressed = "medium_compressed"
        /// 32 channels, ten middle layers: for single images. Its weights are made for each image.
        case image
    }

    /// How many rotations of a plane are processed and averaged. More take longer and are more accurate.
    package enum Rotations: Int, Sendable, Hashable {
        /// The plane as it is.
        case one = 1
        /// The plane and its rotation by half a turn.
        case two = 2
        /// All rotations by quarter turns.
        case four = 4
    }

    private let weights: NetworkWeights
    private let rotations: Rotations
    private let context: ExecutionContext

    /// Creates a network.
    ///
    /// - Parameters:
    ///   - weights: those of a trained network.
    ///   - rotations: how many rotations of the plane to average.
    ///   - context: the threads and kernels to use.
    package init(_ weights: NetworkWeights, rotations: Rotations = .one, context: ExecutionContext) {
        self.weights = weights
        self.rotations = rotations
        self.context = context
    }

    /// Doubles or cleans one plane.
    ///
    /// - Parameters:
    ///   - source: samples; any size.
    ///   - destination: a plane of twice the width and height, or of the same if the network keeps the size, which is
    ///     overwritten.
    ///   - bitDepth: significant bits of both planes, 8…16; 8-bit samples take one byte, deeper ones two.
    /// - Throws: ``FrameError`` if the planes' sizes do not match or the depth is not supported.
    package func apply(_ source: Plane, into destination: MutablePlane, bitDepth: Int) throws(FrameError) {
        try check(source, destination, bitDepth)
        if rotations != .one { return applySelfEnsemble(source, into: destination, bitDepth: bitDepth) }
        // Two bands per thread balance the load; lower bands would repeat too much of their neighbours' work. Bands
        // have an even number of rows.
        let positions = weights.positions(source.height)
        let rows = max(32, (positions + 2 * context.threads - 1) / (2 * context.threads) + 1) / 2 * 2
        nonisolated(unsafe) let (source, destination) = (source, destination)
        let weights = weights
        parallelBands(positions, height: rows, threads: context.threads) { band in
            NetworkInference(
                weights: weights, source: source, destination: destination, bitDepth: bitDepth, context: context
            ).run(band)
        }
    }

    /// Doubles one plane once, with another network where its tiles are marked (X. Kong et al., *ClassSR*, CVPR 2021).
    ///
    /// - Parameters:
    ///   - source: luma samples; any size.
    ///   - destination: a plane of twice the width and height, which is overwritten.
    ///   - bitDepth: significant bits of both planes, 8…16.
    ///   - other: the network for the marked tiles.
    ///   - marks: tiles of `source`.
    /// - Throws: ``FrameError`` if the planes' sizes do not match or the depth is not supported.
    package func double(
        _ source: Plane, into destination: MutablePlane, bitDepth: Int, with other: NetworkWeights, in marks: TileMarks
    ) throws(FrameError) {
        let context = context
        try double(source, into: destination, bitDepth: bitDepth, marks) { source, rectangle, destination in
            NetworkInference(
                weights: other, source: source, destination: destination, bitDepth: bitDepth,
                columns: rectangle.columns, context: context
            ).run(rectangle.rows)
        }
    }

    /// Doubles one plane once, and repeats the samples of its marked tiles.
    ///
    /// - Parameters:
    ///   - source: samples; any size.
    ///   - destination: a plane of twice the width and height, which is overwritten.
    ///   - bitDepth: significant bits of both planes, 8…16.
    ///   - marks: tiles of `source` that have a single value, and their surroundings, too.
    /// - Throws: ``FrameError`` if the planes' sizes do not match or the depth is not supported.
    func double(
        _ source: Plane, into destination: MutablePlane, bitDepth: Int, filling marks: TileMarks
    ) throws(FrameError) {
        try double(source, into: destination, bitDepth: bitDepth, marks) { source, rectangle, destination in
            Self.fill(PixelFormat.typeOfSample(bitDepth: bitDepth), source, rectangle, in: destination)
        }
    }

    /// Doubles one plane once, and treats its marked tiles in another way.
    private func double(
        _ source: Plane, into destination: MutablePlane, bitDepth: Int, _ marks: TileMarks,
        marked: @Sendable (Plane, TileRectangle, MutablePlane) -> Void
    ) throws(FrameError) {
        try check(source, destination, bitDepth)
        let mine = marks.inverted.rectangles, rectangles = mine + marks.rectangles, weights = weights
        nonisolated(unsafe) let (source, destination) = (source, destination)
        parallelFor(rectangles.count, threads: context.threads) { index in
            let rectangle = rectangles[index]
            guard index < mine.count else { return marked(source, rectangle, destination) }
            NetworkInference(
                weights: weights, source: source, destination: destination, bitDepth: bitDepth,
                columns: rectangle.columns, context: context
            ).run(rectangle.rows)
        }
    }

    private static func fill<Sample: PixelSample>(
        _: Sample.Type, _ source: Plane, _ rectangle: TileRectangle, in destination: MutablePlane
    ) {
        let (columns, rows) = (rectangle.columns, rectangle.rows)
        for y in 2 * rows.lowerBound..<2 * rows.upperBound {
            // A rectangle may join tiles of different values.
            let from = source.row(y / 2).assumingMemoryBound(to: Sample.self)
            let to = destination.row(y).assumingMemoryBound(to: Sample.self)
            for x in 2 * columns.lowerBound..<2 * columns.upperBound { to[x] = from[x / 2] }
        }
    }

    private func check(_ source: Plane, _ destination: MutablePlane, _ bitDepth: Int) throws(FrameError) {
        guard (8...16).contains(bitDepth) else {
            throw FrameError(.unsupportedFormat, "bit depth \(bitDepth) is not supported; allowed are 8 to 16 bits")
        }
        let width = weights.scale * source.width, height = weights.scale * source.height
        guard source.width > 0, source.height > 0, destination.width == width, destination.height == height else {
            throw FrameError(
                .invalidArgument,
                "of a plane of \(source.width)x\(source.height) samples, the network makes \(width)x\(height), not "
                    + "\(destination.width)x\(destination.height)")
        }
    }

    /// Averages the result of the plane rotated by half a turn into what has been doubled once, where tiles are marked.
    ///
    /// - Parameters:
    ///   - source: the plane that was doubled.
    ///   - destination: what it was doubled to.
    ///   - bitDepth: significant bits of both planes.
    ///   - marks: tiles of `source`.
    package func addHalfTurn(_ source: Plane, to destination: MutablePlane, bitDepth: Int, in marks: TileMarks) {
        let rectangles = marks.rectangles, weights = weights
        nonisolated(unsafe) let (source, destination) = (source, destination)
        parallelFor(rectangles.count, threads: context.threads) { index in
            SelfEnsemble(
                weights: weights, source: source, destination: destination, bitDepth: bitDepth, rotations: .two,
                context: context
            ).run(columns: rectangles[index].columns, rows: rectangles[index].rows, isUprightDone: true)
        }
    }

    private func applySelfEnsemble(_ source: Plane, into destination: MutablePlane, bitDepth: Int) {
        let weights = weights, rotations = rotations, side = SelfEnsemble.side(weights)
        let across = (source.width + side - 1) / side, down = (source.height + side - 1) / side
        nonisolated(unsafe) let (source, destination) = (source, destination)
        parallelFor(across * down, threads: context.threads) { index in
            let x = index % across * side, y = index / across * side
            SelfEnsemble(
                weights: weights, source: source, destination: destination, bitDepth: bitDepth, rotations: rotations,
                context: context
            ).run(columns: x..<min(source.width, x + side), rows: y..<min(source.height, y + side))
        }
    }
}
