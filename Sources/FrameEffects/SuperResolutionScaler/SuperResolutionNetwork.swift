package import FrameCore

/// Doubles a luma plane with a trained super-resolution network.
///
/// The doubled plane covers the same area: each sample becomes four, a quarter of a sample away from its position. The
/// network never rounds to less than the source's depth, a constant plane stays exactly constant, and the result
/// depends neither on the thread count nor on the processor.
package struct SuperResolutionNetwork: Sendable {
    /// The trained networks.
    package enum Model: String, Sendable, Hashable, CaseIterable {
        /// 8 channels, one middle layer: for real time.
        case small
        /// 16 channels, eight middle layers: for the best quality.
        case large
        /// 16 channels, four middle layers: for sources with coding artefacts, which must not be enlarged along with the
        /// image.
        case mediumCompressed = "medium_compressed"
        /// 8 channels, one middle layer: for sources with coding artefacts in real time.
        case smallCompressed = "small_compressed"
        /// 32 channels, ten middle layers: for single images. Its weights are made for each image.
        case image

        /// The network for sources with coding artefacts that takes the place of this one. It costs no more.
        var forCompressed: Model {
            switch self {
            case .small, .smallCompressed: .smallCompressed
            case .large, .mediumCompressed: .mediumCompressed
            case .image: .image
            }
        }
    }

    /// How many rotations of a plane are doubled and averaged. More take longer and are more accurate.
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

    /// Doubles one plane.
    ///
    /// - Parameters:
    ///   - source: luma samples; any size.
    ///   - destination: a plane of twice the width and height, which is overwritten.
    ///   - bitDepth: significant bits of both planes, 8…16; 8-bit samples take one byte, deeper ones two.
    /// - Throws: ``FrameError`` if the planes' sizes do not match or the depth is not supported.
    package func double(_ source: Plane, into destination: MutablePlane, bitDepth: Int) throws(FrameError) {
        guard (8...16).contains(bitDepth) else {
            throw FrameError(.unsupportedFormat, "bit depth \(bitDepth) is not supported; allowed are 8 to 16 bits")
        }
        guard source.width > 0, source.height > 0, destination.width == 2 * source.width,
            destination.height == 2 * source.height
        else {
            throw FrameError(
                .invalidArgument,
                "a plane of \(source.width)x\(source.height) samples cannot be doubled into one of "
                    + "\(destination.width)x\(destination.height); the destination must be \(2 * source.width)x\(2 * source.height)"
            )
        }
        if rotations != .one { return doubleBySelfEnsemble(source, into: destination, bitDepth: bitDepth) }
        // Two bands per thread balance the load; lower bands would repeat too much of their neighbours' work. Bands
        // have an even number of rows.
        let rows = max(32, (source.height + 2 * context.threads - 1) / (2 * context.threads) + 1) / 2 * 2
        nonisolated(unsafe) let (source, destination) = (source, destination)
        let weights = weights
        parallelBands(source.height, height: rows, threads: context.threads) { band in
            NetworkInference(
                weights: weights, source: source, destination: destination, bitDepth: bitDepth, context: context
            ).run(band)
        }
    }

    private func doubleBySelfEnsemble(_ source: Plane, into destination: MutablePlane, bitDepth: Int) {
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
