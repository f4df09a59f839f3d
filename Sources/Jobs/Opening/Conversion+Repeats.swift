internal import FrameCore
internal import Pipeline

extension Conversion {
    /// Returns the chain without the repeats that the job leaves out.
    ///
    /// - Throws: `FrameError` if the output cannot hold what is left.
    func leavingOutRepeats(_ chain: EffectChain) throws(FrameError) -> EffectChain {
        let result = chain.leavingOutRepeats(input.repeats)
        guard OutputKind(output).lacksTimes, chain.hasEvenTimes, !result.hasEvenTimes else { return result }
        guard input.repeats == .auto else {
            throw FrameError(
                .invalidArgument,
                "y4m has no timestamps, so it cannot hold the uneven times of frames without repeats; use rate as the last effect that changes times, --repeats keep, or a container such as .mkv"
            )
        }
        return chain
    }
}
