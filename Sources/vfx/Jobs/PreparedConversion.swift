internal import FrameCore
internal import MediaIO
internal import Pipeline

/// A conversion whose options are checked and whose input is open.
struct PreparedConversion {
    /// For a part of the clip, its changes of the frame rate sample the part.
    private(set) var work: ConversionWork
    let reader: MediaReader
    let readerOptions: MediaReaderOptions
    /// `segments` is not set yet.
    var writerOptions: MediaWriterOptions
    /// What the chain makes of the input.
    let stream: VideoStreamDescription
    let threads: Int
    /// The part of the clip to make; nil for all of it.
    let part: PreparedPart?
    /// The first frames of new scenes, if the user has listed them.
    let cutList: Set<Int>?
    /// How strongly the input was compressed; nil if the chain does not depend on it.
    let compression: SourceCompression?

    /// Has the grain stored that was measured in the clip, or in the part that the job makes.
    mutating func use(_ table: FilmGrainTable) { work.grain?.apply(table, to: &writerOptions, &work) }

    /// Opens the input again, at its beginning.
    func reopened(_ input: String) throws(FrameError) -> MediaReader {
        let reader = try MediaReader(input, options: readerOptions)
        if let part { reader.restrict(to: part.located) }
        return reader
    }
}
