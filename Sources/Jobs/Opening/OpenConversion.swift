package import FrameCore
package import MediaIO
package import Pipeline

/// A conversion whose settings are checked and whose input is open.
package struct OpenConversion {
    /// The job; cuts that were listed in a file are frames now.
    package private(set) var conversion: Conversion
    package let context: JobContext
    /// The effects, adapted to the input; for a part of the clip, changes of the frame rate sample the part.
    package private(set) var chain: EffectChain
    /// The input, about to return its first frame.
    package let reader: MediaReader
    package let readerOptions: MediaReaderOptions
    /// How the output is written; segments are not set yet.
    package private(set) var writerOptions: MediaWriterOptions
    /// What the chain makes of the input.
    package let stream: VideoStreamDescription
    /// The part of the clip that is made; nil for all of it.
    package let part: OpenPart?
    /// What is made in addition to the video.
    let extras: ExtraOutputs
    /// What has been measured in the input.
    package private(set) var measurements: JobMeasurements

    /// How the times of other streams are mapped to the output.
    package var retiming: Retiming { chain.retiming }
    /// The kind of the output.
    package var kind: OutputKind { OutputKind(conversion.output) }
    /// The first frames of new scenes, if they are listed.
    package var cutList: Set<Int>? {
        if case .frames(let frames) = conversion.cuts { Set(frames) } else { nil }
    }
    /// How cuts are searched for.
    package var cuts: CutSearch { conversion.search(chain) }
    /// Models the noise that is removed; nil if none is.
    package var grain: GrainModelling? { GrainModelling(conversion) }

    /// Stores the measured film grain with the video.
    package mutating func use(_ table: FilmGrainTable) {
        measurements.grain = table
        if conversion.extras.keepsGrain, !table.isEmpty { writerOptions.filmGrain = table }
    }

    /// Opens the input again, at its beginning.
    package func reopened() throws(FrameError) -> MediaReader {
        let reader = try MediaReader(conversion.input.file, options: readerOptions)
        if let part { reader.restrict(to: part.located) }
        return reader
    }
}
