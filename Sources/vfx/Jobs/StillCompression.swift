internal import FrameCore
internal import FrameEffects

/// How an image was compressed, as its file states it or its picture shows it.
struct StillCompression {
    /// The mean step with which the lowest frequencies of luma were quantized; 0 if none is known.
    let step: Double
    /// Whether the codec filters the edges of its blocks.
    let isLoopFiltered: Bool
    /// Whether the file states the step.
    private let isStated: Bool

    /// - Parameters:
    ///   - still: the image.
    ///   - trace: what it shows; nil if its compression is not to be treated.
    ///   - cleans: whether the image is cleaned at its size, which relies on less than enlarging does.
    init(_ still: StillPicture, _ trace: QuantizationTrace?, cleans: Bool) {
        let stated = trace == nil ? nil : still.quantizerStep, shown = trace?.quantizerStep
        let step =
            cleans
            ? RestorationCondition.step(stated: stated, shown: shown)
            : DegradationCondition.step(stated: stated, shown: shown)
        self.step = step ?? 0
        isStated = stated != nil && step == stated
        isLoopFiltered = isStated ? still.isLoopFiltered : trace?.showsLoopFilter ?? false
    }

    /// What the network that enlarges is told.
    var coding: Int { DegradationCondition.coding(ofStep: step, isLoopFiltered: isStated && isLoopFiltered) }

    /// What the network that cleans is told.
    var condition: RestorationCondition { RestorationCondition(step: step, isLoopFiltered: isLoopFiltered) }
}
