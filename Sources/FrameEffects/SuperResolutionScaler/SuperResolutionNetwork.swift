package import FrameCore
import Kernels

/// Doubles a luma plane with a trained super-resolution network whose weights are part of the program.
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

        /// The network for sources with coding artefacts that takes the place of this one. It costs no more.
        var forCompressed: Model {
            switch self {
            case .small, .smallCompressed: .smallCompressed
            case .large, .mediumCompressed: .mediumCompressed
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

    private let model: Model
    private let rotations: Rotations
    private let context: ExecutionContext

    /// Creates a network.
    ///
    /// - Parameters:
    ///   - model: the trained network.
    ///   - rotations: how many rotations of the plane to average.
    ///   - context: the threads and kernels to use.
    package init(_ model: Model, rotations: Rotations = .one, context: ExecutionContext) {
        self.model = model
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
        let model = model
        parallelBands(source.height, height: rows, threads: context.threads) { band in
            NetworkInference(
                network: vfx_superres_network_of(model.index).pointee, winograd: model.winograd, source: source,
                destination: destination, bitDepth: bitDepth, context: context
            ).run(band)
        }
    }

    private func doubleBySelfEnsemble(_ source: Plane, into destination: MutablePlane, bitDepth: Int) {
        let model = model, rotations = rotations, side = SelfEnsemble.side(vfx_superres_network_of(model.index).pointee)
        let across = (source.width + side - 1) / side, down = (source.height + side - 1) / side
        nonisolated(unsafe) let (source, destination) = (source, destination)
        parallelFor(across * down, threads: context.threads) { index in
            let x = index % across * side, y = index / across * side
            SelfEnsemble(
                network: vfx_superres_network_of(model.index).pointee, winograd: model.winograd, source: source,
                destination: destination, bitDepth: bitDepth, rotations: rotations, context: context
            ).run(columns: x..<min(source.width, x + side), rows: y..<min(source.height, y + side))
        }
    }
}

extension SuperResolutionNetwork.Model {
    fileprivate var index: vfx_superres_model {
        switch self {
        case .small: VFX_SUPERRES_SMALL
        case .large: VFX_SUPERRES_LARGE
        case .mediumCompressed: VFX_SUPERRES_MEDIUM_COMPRESSED
        case .smallCompressed: VFX_SUPERRES_SMALL_COMPRESSED
        }
    }

    fileprivate var winograd: WinogradLayers {
        switch self {
        case .small: .small
        case .large: .large
        case .mediumCompressed: .mediumCompressed
        case .smallCompressed: .smallCompressed
        }
    }
}

/// The middle layers of a network transformed for Winograd's F(2, 3), computed once from the trained weights (S.
/// Winograd, 1980; A. Lavin and S. Gray, Fast Algorithms for Convolutional Neural Networks, CVPR 2016).
///
/// `@unchecked Sendable`: written once in the initializer; the memory behind the pointers is never freed.
struct WinogradLayers: @unchecked Sendable {
    /// One entry for each middle layer; empty if a transformed weight does not fit 16 bits.
    let layers: [vfx_superres_winograd_layer]

    static let small = WinogradLayers(VFX_SUPERRES_SMALL)
    static let large = WinogradLayers(VFX_SUPERRES_LARGE)
    static let mediumCompressed = WinogradLayers(VFX_SUPERRES_MEDIUM_COMPRESSED)
    static let smallCompressed = WinogradLayers(VFX_SUPERRES_SMALL_COMPRESSED)

    private init(_ model: vfx_superres_model) {
        let network = vfx_superres_network_of(model).pointee
        let layers = (1...Int(network.middles)).compactMap { Self.transformed(network.layers + $0) }
        self.layers = layers.count == Int(network.middles) ? layers : []
    }

    /// Returns a layer with transformed kernels; nil if a weight does not fit 16 bits.
    ///
    /// Sums cannot overflow: direct sums fit 32 bits for features of up to 2¹⁵. Here features are at most 2¹⁴, which
    /// compensates for the transformed sums being twice as large.
    private static func transformed(_ layer: UnsafePointer<vfx_superres_layer>) -> vfx_superres_winograd_layer? {
        // Weights of one kernel row, in a block of four outputs.
        let row = Int(layer.pointee.sources) / 3 * 8, blocks = Int(layer.pointee.outputs) / 4
        var transformed: [Int16] = []
        for block in 0..<blocks {
            let kernel = (0..<3).map { r in (0..<row).map { Int(layer.pointee.weights[(3 * block + r) * row + $0]) } }
            let sums = zip(kernel[0], kernel[2]).map { $0 + $1 }
            let parts = [
                kernel[0], zip(sums, kernel[1]).map { $0 + $1 }, zip(sums, kernel[1]).map { $0 - $1 },
                kernel[2].map { -$0 },
            ]
            for weight in parts.joined() {
                guard let weight = Int16(exactly: weight) else { return nil }
                transformed.append(weight)
            }
        }
        let weights = UnsafeMutablePointer<Int16>.allocate(capacity: transformed.count)
        weights.initialize(from: transformed, count: transformed.count)
        return vfx_superres_winograd_layer(weights: weights, layer: layer, sources: Int32(row / 8))
    }
}
