internal import FrameCore
internal import MediaIO
internal import Pipeline

extension Conversion {
    /// Returns the chain without the repeats that the job leaves out.
    ///
    /// - Throws: `FrameError` if the output cannot hold what is left.
    func leavingOutRepeats(_ chain: EffectChain) throws(FrameError) -> EffectChain {
        let retiming = chain.effects.firstIndex { $0.timing != nil && !($0 is DeinterlacePass) }
        let restoring = chain.effects.firstIndex { ($0 as? RepeatsPass)?.restoresRate == true }
        guard restoring == nil || restoring == retiming else {
            throw FrameError(
                .invalidArgument,
                "rate=source gives back the rate of the input's pictures, so it must come before other effects that change times"
            )
        }
        guard input.repeats != .keep || chain.rateRestoration == nil else {
            throw FrameError(
                .invalidArgument,
                "rate=source leaves out repeats, so it contradicts --repeats keep; leave out one of them")
        }
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

    /// Returns the chain for an input whose pictures have a known rate, and what is known of it, if the chain restores the
    /// rate. What is deinterlaced, and what can be read only once, is not looked at; the rate of telecined film is known.
    func restoringRate(
        _ chain: EffectChain, _ reader: MediaReader, _ options: MediaReaderOptions, known: PictureRate?
    ) throws -> (chain: EffectChain, pictures: PictureRate?) {
        guard chain.rateRestoration != nil else { return (chain, nil) }
        if let film = chain.effects.first as? DeinterlacePass, film.makesFilm {
            let rate = film.outputStream(for: reader.stream).nominalFrameRate
            return (chain.knowing(PictureRate(perFrame: Rational(1, 1)), frameRate: rate), nil)
        }
        let found = try known ?? measuredRate(chain, reader, options) ?? PictureRate(perFrame: nil)
        let result = chain.knowing(found, frameRate: reader.stream.nominalFrameRate)
        guard !OutputKind(output).lacksTimes || result.hasEvenTimes else {
            throw FrameError(
                .invalidArgument,
                "y4m has no timestamps, and the pictures have no regular rate that is known beforehand; give the rate itself, such as --fps 24000/1001, or a container such as .mkv"
            )
        }
        return (result, found)
    }

    private func measuredRate(
        _ chain: EffectChain, _ reader: MediaReader, _ options: MediaReaderOptions
    ) throws -> PictureRate? {
        guard reader.isReopenable, reader.isSeekable, !(chain.effects.first is DeinterlacePass) else { return nil }
        var options = options
        options.keepsOtherStreams = false
        return try PictureRate(of: MediaReader(reader.input, options: options))
    }
}
