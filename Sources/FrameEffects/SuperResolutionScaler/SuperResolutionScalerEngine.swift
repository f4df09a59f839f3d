package import FrameCore
import Imaging
package import Motion

/// Makes pictures larger; keeps what the next one can reuse.
///
/// Luma is doubled by a learned model as often as the size takes and brought down to it; chroma is resampled. With the
/// picture before and what was made of it, detail is taken over along the motion.
///
/// Not `Sendable`: one caller at a time. The same inputs give the same bits for every thread count.
package final class SuperResolutionScalerEngine {
    /// The picture before, and what was made of it.
    package struct Reference {
        package var source: PixelBuffer
        package var output: PixelBuffer
        /// From the picture before to the one after; nil has it computed.
        package var flow: OpticalFlow?

        package init(source: PixelBuffer, output: PixelBuffer, flow: OpticalFlow? = nil) {
            self.source = source
            self.output = output
            self.flow = flow
        }
    }

    private let size: FrameDimensions
    private let outputSize: FrameDimensions
    private let format: PixelFormat
    private let threads: Int
    private let pool: PixelBufferPool
    /// Luma alone.
    private let scratch: PixelBufferPool
    private let luma: LumaScaler
    private var chroma: (location: ColorDescription.ChromaLocation, resampler: PlaneResampler)?
    /// nil where sides grow too much for it.
    private let transfer: DetailTransfer?
    private var tracker: PairTracker

    /// - Parameters:
    ///   - format: of source and output.
    ///   - size: of the source.
    ///   - outputSize: not smaller in either direction.
    ///   - model: by which luma is doubled.
    ///   - inputType: video takes its time: at the best quality pictures are doubled turned as well.
    ///   - quality: of the motion that is looked for.
    package init(
        format: PixelFormat, size: FrameDimensions, outputSize: FrameDimensions, model: SuperResolutionNetwork.Model,
        inputType: SuperResolutionScalerConfiguration.InputType = .image,
        quality: QualityPrioritization = .normal, threads: Int
    ) throws(FrameError) {
        self.size = size
        self.outputSize = outputSize
        self.format = format
        self.threads = threads
        pool = try PixelBufferPool(format: format, width: outputSize.width, height: outputSize.height)
        scratch = try PixelBufferPool(
            format: PixelFormat(subsampling: .monochrome, bitDepth: format.bitDepth), width: outputSize.width,
            height: outputSize.height, keeping: 1)
        luma = try LumaScaler(
            format: format, source: size, target: outputSize, model: model,
            isSelfEnsemble: inputType == .video && model == .quality, threads: threads)
        transfer = DetailTransfer(format: format, source: size, output: outputSize, threads: threads)
        tracker = PairTracker(
            width: size.width, height: size.height, effort: MotionEffort(quality, pixels: size.width * size.height),
            threads: threads)
    }

    /// - Parameters:
    ///   - source: of the engine's size and format.
    ///   - color: of the source: where its chroma sits counts.
    ///   - reference: the picture before, where there is one; nil works on this one alone.
    ///   - relation: `.follows` when `source` comes after the one of the last call.
    package func upscale(
        _ source: PixelBuffer, color: ColorDescription, reference: Reference? = nil, relation: PairRelation = .none
    ) throws(FrameError) -> PixelBuffer {
        let location = color.resolved(height: source.height).chromaLocation
        var picture = try pool.makeBuffer()
        let chroma = chroma(location), luma = luma, threads = threads
        try picture.withOverwrittenPlanes { planes throws(FrameError) in
            try source.withPlanes { from throws(FrameError) in
                if let transfer, let reference {
                    try self.transfer(transfer, from: reference, to: source, relation, into: planes[0])
                } else {
                    try luma.scale(from[0], into: planes[0])
                }
                guard let chroma else { return }
                for index in 1..<from.count {
                    chroma.resample(from[index], into: planes[index], format: format, threads: threads)
                }
            }
        }
        return picture
    }

    private func transfer(
        _ transfer: DetailTransfer, from reference: Reference, to source: PixelBuffer, _ relation: PairRelation,
        into target: MutablePlane
    ) throws(FrameError) {
        let earlier = try tracker.reference(reference.source), later = try tracker.reference(source)
        let flow = tracker.flow(from: earlier, to: later, relation, known: reference.flow)
        var alone = try scratch.makeBuffer()
        try alone.withOverwrittenPlanes { planes throws(FrameError) in
            try source.withPlanes { from throws(FrameError) in try luma.scale(from[0], into: planes[0]) }
        }
        try alone.withPlanes { here throws(FrameError) in
            try reference.output.withPlanes { before throws(FrameError) in
                try transfer.transfer(
                    flow.backward, from: earlier.pyramid, to: later.pyramid, previous: before[0], here: here[0],
                    into: target)
            }
        }
    }

    private func chroma(_ location: ColorDescription.ChromaLocation) -> PlaneResampler? {
        if let chroma, chroma.location == location { return chroma.resampler }
        let fresh = PlaneResampler.chroma(
            format: format, width: size.width, height: size.height, outputWidth: outputSize.width,
            outputHeight: outputSize.height, location: location)
        chroma = fresh.map { (location, $0) }
        return fresh
    }
}

extension SuperResolutionScalerEngine: FrameProcessorEffect {
    package func process(
        _ parameters: SuperResolutionScalerParameters, relation: PairRelation, results: CallResults
    ) throws {
        let source = parameters.sourceFrame
        var reference: Reference?
        if let previous = parameters.previousFrame, let output = parameters.previousOutputFrame {
            // The caller's flow goes back in time, the engine's ahead.
            let flow = try parameters.opticalFlow?.opticalFlow
            reference = Reference(
                source: try previous.buffer, output: try output.buffer,
                flow: try flow.map { try OpticalFlow(forward: $0.backward, backward: $0.forward) })
        }
        let picture = try upscale(
            try source.buffer, color: try source.color, reference: reference, relation: relation)
        let geometry = try UpscalingGeometry(source: size, output: outputSize)
        results.complete(0, with: picture) { geometry.scaleMetadata(of: &$0) }
    }
}

extension SuperResolutionNetwork.Model {
    package init(_ quality: QualityPrioritization) { self = quality == .quality ? .quality : .normal }
}

/// Brings luma to a larger size: doubled as often as it takes to reach it, then brought down to it.
struct LumaScaler: Sendable {
    private let network: SuperResolutionNetwork
    private let threads: Int
    private let format: PixelFormat
    /// Sizes after each doubling.
    private let steps: [FrameDimensions]
    /// From the last doubling to the target; nil where it is reached.
    private let rest: PlaneResampler?

    /// - Parameters:
    ///   - format: of the pictures.
    ///   - source: not larger than `target`, in either direction.
    ///   - isSelfEnsemble: whether pictures are doubled in four positions and averaged.
    init(
        format: PixelFormat, source: FrameDimensions, target: FrameDimensions, model: SuperResolutionNetwork.Model,
        isSelfEnsemble: Bool,
        threads: Int
    ) throws(FrameError) {
        network = SuperResolutionNetwork(model, isSelfEnsemble: isSelfEnsemble, threads: threads)
        self.threads = threads
        self.format = try PixelFormat(subsampling: .monochrome, bitDepth: format.bitDepth)
        var size = source, steps: [FrameDimensions] = []
        // Sizes that grow in one direction alone would double past what a buffer holds in the other.
        while size.width < target.width || size.height < target.height,
            max(size.width, size.height) * 2 <= PixelBuffer.sizeRange.upperBound
        {
            size = FrameDimensions(width: 2 * size.width, height: 2 * size.height)
            steps.append(size)
        }
        self.steps = steps
        rest =
            size == target
            ? nil
            : PlaneResampler.luma(
                width: size.width, height: size.height, outputWidth: target.width, outputHeight: target.height)
    }

    /// - Parameters:
    ///   - source: of the source size.
    ///   - target: of the target size.
    func scale(_ source: Plane, into target: MutablePlane) throws(FrameError) {
        var latest: PixelBuffer?
        for (index, size) in steps.enumerated() {
            if index == steps.count - 1, rest == nil {
                return try double(latest, or: source, into: target)
            }
            var larger = try PixelBuffer(format: format, width: size.width, height: size.height)
            try larger.withOverwrittenPlanes { planes throws(FrameError) in
                try double(latest, or: source, into: planes[0])
            }
            latest = larger
        }
        guard let rest else { return }
        if let latest {
            latest.withPlanes { rest.resample($0[0], into: target, format: format, threads: threads) }
        } else {
            rest.resample(source, into: target, format: format, threads: threads)
        }
    }

    private func double(
        _ buffer: PixelBuffer?, or plane: Plane, into target: MutablePlane
    ) throws(FrameError) {
        guard let buffer else { return try network.double(plane, into: target, bitDepth: format.bitDepth) }
        try buffer.withPlanes { planes throws(FrameError) in
            try network.double(planes[0], into: target, bitDepth: format.bitDepth)
        }
    }
}
